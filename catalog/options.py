"""Which options a person means by a field, flag or variable, and the errors that each is part of."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from catalog.records import Catalog, Entry, Option, OptionUse


@dataclass(frozen=True, slots=True)
class OptionError:
    """An error that an option is part of, and by which names."""

    entry: Entry
    uses: tuple[OptionUse, ...]


@dataclass(frozen=True, slots=True)
class OptionAnswer:
    """An option with the errors that it is part of, by place."""

    option: Option
    errors: tuple[OptionError, ...]


def find_options(catalog: Catalog, question: str | None) -> tuple[OptionAnswer, ...]:
    """Find the options that a name means, each with its errors; without a name, all of them.

    The readings are tried in this order, and the first that fits any option is the answer: an id, a flag or variable
    or the name of a field as they are, then without regard to case and to `-` or `_`, then as a part of a name.
    """
    errors = gather_errors(catalog.entries)
    return tuple(
        OptionAnswer(option, errors.get(option.id, ())) for option in choose_options(catalog.options, question)
    )


def gather_errors(entries: Iterable[Entry]) -> dict[str, tuple[OptionError, ...]]:
    """Gather the errors that each option is part of, by its id."""
    by_option: dict[str, list[OptionError]] = {}
    for entry in entries:
        for id_ in dict.fromkeys(use.id for use in entry.options):
            uses = tuple(use for use in entry.options if use.id == id_)
            by_option.setdefault(id_, []).append(OptionError(entry, uses))
    return {id_: tuple(errors) for id_, errors in by_option.items()}


def choose_options(options: tuple[Option, ...], question: str | None) -> tuple[Option, ...]:
    """Choose the options that a name means, as `find_options` reads it."""
    if question is None:
        return options
    for fits in _list_readings(options, question.strip()):
        found = tuple(filter(fits, options))
        if found:
            return found
    return ()


def _list_readings(options: tuple[Option, ...], question: str) -> Iterator[Callable[[Option], bool]]:
    yield lambda option: option.id == question
    if question.startswith("-"):
        head, _, key = question.partition(".")
        types = _type_of_values(options, head)
        keyed = [option for option in options if head in option.flags and _is_key(option, types)]
        yield lambda option: (option.name == key and option in keyed) if key else _is_own(option, head, types)
    yield lambda option: option.name == question
    plain = _flatten(question)
    if not plain:
        return
    yield lambda option: plain in (_flatten(option.id), _flatten(option.name)) or plain in map(_flatten, option.flags)
    yield lambda option: plain in _flatten(option.id) or any(plain in _flatten(flag) for flag in option.flags)


def _type_of_values(options: Iterable[Option], flag: str) -> frozenset[str]:
    """Name the types of what a flag takes: of `--model-config`, that of `model_config`."""
    types = (option.type or "" for option in options if _flatten(option.name) == _flatten(flag))
    return frozenset(name for type_ in types for name in re.findall(r"\w+", type_))


def _is_key(option: Option, types: frozenset[str]) -> bool:
    """Tell whether an option is a key of what a flag takes, not that itself."""
    return option.owner is not None and option.owner in types


def _is_own(option: Option, flag: str, types: frozenset[str]) -> bool:
    return flag in option.flags and not _is_key(option, types)


def _flatten(name: str) -> str:
    return name.lstrip("-").replace("-", "_").lower()


def build_options_answer(answers: Iterable[OptionAnswer]) -> dict[str, object]:
    """Build what `--json` gives: each option as the catalog has it, with its errors."""
    return {"options": [{"option": answer.option, "errors": list(map(_describe, answer.errors))} for answer in answers]}


def _describe(error: OptionError) -> dict[str, object]:
    entry = error.entry
    return {
        "id": entry.id,
        "title": entry.title,
        "exception": entry.exception.name,
        "site": {"path": entry.site.path, "line": entry.site.line, "qualname": entry.site.qualname},
        "uses": list(error.uses),
    }
