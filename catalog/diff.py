"""What changed between two catalogs of one target?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from catalog.compare.clauses import read_own_guard
from catalog.compare.guards import GuardDifference, compare_guards
from catalog.compare.pairing import pair_entries
from catalog.compare.relocation import Landmarks, find_relocations, read_landmarks
from catalog.compare.traits import Traits
from catalog.records import Catalog, Entry, ExceptionType, Guard, Message

ChangeKind = Literal["added", "removed", "moved", "renamed", "reworded", "reguarded", "retyped"]


@dataclass(frozen=True, slots=True)
class Added:
    """An entry that only the new catalog has."""

    new: Entry


@dataclass(frozen=True, slots=True)
class Removed:
    """An entry that only the old catalog has."""

    old: Entry


@dataclass(frozen=True, slots=True)
class Altered:
    """An entry that both catalogs have, and that isn't what it was."""

    old: Entry
    new: Entry
    kinds: tuple[ChangeKind, ...]
    """In the order of `ChangeKind`; empty when only the options changed."""
    guard: GuardDifference | None
    options_gained: tuple[str, ...]
    options_lost: tuple[str, ...]


Change: TypeAlias = Added | Removed | Altered


def find_changes(old: Catalog, new: Catalog) -> Iterator[Change]:
    """Give the altered, then the added, then the removed entries, each in the order of the sites.

    An entry that only stands on other lines hasn't changed.
    """
    pairing = pair_entries(old.entries, new.entries)
    before, after = read_landmarks(old.entries), read_landmarks(new.entries)
    for left, right in pairing.pairs:
        altered = _compare(left, right, before, after)
        if altered.kinds or altered.options_gained or altered.options_lost:
            yield altered
    yield from map(Added, pairing.added)
    yield from map(Removed, pairing.removed)


def _compare(left: Traits, right: Traits, before: Landmarks, after: Landmarks) -> Altered:
    old, new = left.entry, right.entry
    kinds: list[ChangeKind] = [*find_relocations(old.site, new.site, before, after)]
    if _list_texts(old.message) != _list_texts(new.message):
        kinds.append("reworded")
    guard = _compare_own_guards(left, right)
    if guard:
        kinds.append("reguarded")
    if _is_retyped(old.exception, new.exception):
        kinds.append("retyped")
    gained = _list_options(new) - _list_options(old)
    lost = _list_options(old) - _list_options(new)
    return Altered(old, new, tuple(kinds), guard, tuple(sorted(gained)), tuple(sorted(lost)))


def _list_texts(message: Message | None) -> tuple[str, ...]:
    return (message.template, *(each.template for each in message.alternatives)) if message else ()


def _compare_own_guards(left: Traits, right: Traits) -> GuardDifference | None:
    """Compare the guards without the checks of other entries, known as such on either side."""
    old, new = left.entry.guard, right.entry.guard
    if _list_wordings(old) == _list_wordings(new):
        return None
    checks = left.function.checks | right.function.checks
    return compare_guards(read_own_guard(left.entry, checks), old, read_own_guard(right.entry, checks), new)


def _list_wordings(guard: Guard) -> tuple[object, ...]:
    """Give everything in a guard but the lines."""
    clauses = [(clause.kind, clause.test, clause.negated) for clause in guard.clauses]
    return guard.condition, clauses, [(binding.name, binding.value) for binding in guard.bindings]


def _is_retyped(old: ExceptionType, new: ExceptionType) -> bool:
    return old.name != new.name or bool(old.bases and new.bases and old.bases != new.bases)


def _list_options(entry: Entry) -> set[str]:
    return {use.id for use in entry.options}
