"""Which entries a model is asked about."""

from collections.abc import Callable
from dataclasses import dataclass

from catalog.choosing import Choice, choose_entries
from catalog.errors import QuestionError
from catalog.records import Catalog, Entry
from catalog.selection import find_entries


@dataclass(frozen=True, slots=True)
class Selection:
    """What an entry must be; what is empty asks for nothing."""

    choice: Choice
    entries: tuple[str, ...] = ()
    """Ids, places or words, as `errmine show` takes them."""


def make_filter(selection: Selection, catalog: Catalog) -> Callable[[Entry], bool]:
    """Make the test that a selection is; raises `QuestionError` for what nothing in the catalog is called."""
    wanted = {entry.id for entry in choose_entries(catalog, selection.choice)}
    if selection.entries:
        wanted &= {entry.id for question in selection.entries for entry in _find_entries(catalog, question)}
    return lambda entry: entry.id in wanted


def _find_entries(catalog: Catalog, question: str) -> tuple[Entry, ...]:
    found = find_entries(catalog.entries, question)
    if not found:
        raise QuestionError(f"{question}: no entry fits")
    return found
