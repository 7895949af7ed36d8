"""Which entries a model is asked about."""

from collections.abc import Callable
from dataclasses import dataclass

from catalog.errors import QuestionError
from catalog.options import find_options
from catalog.records import Catalog, Entry
from catalog.selection import find_entries, is_under


@dataclass(frozen=True, slots=True)
class Selection:
    """What an entry must be; what is empty asks for nothing."""

    paths: tuple[str, ...] = ()
    """Files, folders or patterns."""
    options: tuple[str, ...] = ()
    """Names of options, as a person gives them."""
    families: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    """Ids, places or words, as `errmine show` takes them."""


def make_filter(selection: Selection, catalog: Catalog) -> Callable[[Entry], bool]:
    """Make the test that a selection is; raises `QuestionError` for what nothing in the catalog is called."""
    about = {id_ for name in selection.options for id_ in _find_about(catalog, name)}
    entries = {entry.id for question in selection.entries for entry in _find_entries(catalog, question)}
    known = {entry.family for entry in catalog.entries}
    for family in selection.families:
        if family not in known:
            raise QuestionError(f"{family}: no entry is of this family; there are {', '.join(sorted(known))}")

    def is_wanted(entry: Entry) -> bool:
        return (
            (not selection.paths or is_under(entry.site.path, selection.paths))
            and (not selection.options or entry.id in about)
            and (not selection.families or entry.family in selection.families)
            and (not selection.entries or entry.id in entries)
        )

    return is_wanted


def _find_about(catalog: Catalog, name: str) -> set[str]:
    """Find the entries about an option."""
    answers = find_options(catalog, name)
    if not answers:
        raise QuestionError(f"{name}: no option of this name")
    return {error.entry.id for answer in answers for error in answer.errors}


def _find_entries(catalog: Catalog, question: str) -> tuple[Entry, ...]:
    found = find_entries(catalog.entries, question)
    if not found:
        raise QuestionError(f"{question}: no entry fits")
    return found
