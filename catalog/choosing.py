"""Which entries of a catalog were asked for?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from catalog.errors import QuestionError
from catalog.options import find_options
from catalog.records import Catalog, Entry, EntryKind
from catalog.selection import is_under


@dataclass(frozen=True, slots=True)
class Choice:
    """What an entry must be: of each field any of the values; what is empty asks for nothing."""

    kinds: tuple[str, ...] = ()
    """`raise`, `assert`, `call`, `exit`, `constraint`."""
    paths: tuple[str, ...] = ()
    """Files, folders or patterns."""
    options: tuple[str, ...] = ()
    """Ids, flags, variables or names of options, as `errmine options` takes them."""
    exceptions: tuple[str, ...] = ()
    """Names of classes, short or qualified; what derives from one counts as it."""
    families: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """What the message, the condition, the function's or the exception's name has in it; all of these."""


def choose_entries(catalog: Catalog, choice: Choice) -> Iterator[Entry]:
    """Give the entries that were asked for, in the catalog's order; a name that nothing has is refused."""
    for kind in choice.kinds:
        if kind not in get_args(EntryKind):
            raise QuestionError(f"{kind}: no such kind of entry; there are {', '.join(get_args(EntryKind))}")
    options = _find_option_ids(catalog, choice.options)
    _check_families(catalog, choice.families)
    words = tuple(word.casefold() for word in choice.words)
    return (entry for entry in catalog.entries if _is_asked_for(entry, choice, options, words))


def _is_asked_for(entry: Entry, choice: Choice, options: frozenset[str], words: tuple[str, ...]) -> bool:
    return (
        (not choice.kinds or entry.kind in choice.kinds)
        and (not choice.paths or is_under(entry.site.path, choice.paths))
        and (not choice.options or not options.isdisjoint(use.id for use in entry.options))
        and (not choice.exceptions or not _list_classes(entry).isdisjoint(choice.exceptions))
        and (not choice.families or entry.family in choice.families)
        and (not words or _has_words(entry, words))
    )


def _find_option_ids(catalog: Catalog, names: tuple[str, ...]) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        answers = find_options(catalog, name)
        if not answers:
            raise QuestionError(f"{name}: this catalog of {catalog.target.name} has no option of this name")
        found.update(answer.option.id for answer in answers)
    return frozenset(found)


def _check_families(catalog: Catalog, families: tuple[str, ...]) -> None:
    known = {entry.family for entry in catalog.entries} if families else set()
    for family in families:
        if family not in known:
            raise QuestionError(f"{family}: no entry is of this family; there are {', '.join(sorted(known))}")


def _list_classes(entry: Entry) -> set[str]:
    exception = entry.exception
    return {exception.name, *exception.bases, *([exception.qualified] if exception.qualified else [])}


def _has_words(entry: Entry, words: tuple[str, ...]) -> bool:
    texts = [entry.title, entry.guard.condition, entry.site.qualname, entry.exception.name]
    if entry.message is not None:
        texts += [entry.message.template, entry.message.skeleton]
    read = "\n".join(texts).casefold()
    return all(word in read for word in words)
