"""What changed between two catalogs of one target?"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from catalog.compare.clauses import read_own_guard
from catalog.compare.guards import GuardDifference, compare_guards
from catalog.compare.implication import GuardChange
from catalog.compare.pairing import pair_entries
from catalog.compare.relocation import Landmarks, find_relocations, read_landmarks
from catalog.compare.traits import Traits
from catalog.errors import QuestionError
from catalog.records import Catalog, Entry, ExceptionType, Guard, Message, Target

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
    """For `reguarded`; without the checks of other entries that merely come first."""
    options_gained: tuple[str, ...]
    options_lost: tuple[str, ...]


Change: TypeAlias = Added | Removed | Altered


def find_changes(old: Catalog, new: Catalog) -> Iterator[Change]:
    """Give the altered, then the added, then the removed entries, each in the order of the sites.

    An entry that only stands on other lines hasn't changed. What stands in a file that the other scan had to skip is
    left out: nothing is known of it.
    """
    pairing = pair_entries(old.entries, new.entries)
    before, after = read_landmarks(old.entries), read_landmarks(new.entries)
    for left, right in pairing.pairs:
        altered = compare_pair(left, right, before, after)
        if altered is not None:
            yield altered
    unknown = find_unknown(old, new)
    yield from (Added(each.entry) for each in pairing.added if each.entry.site.path not in unknown)
    yield from (Removed(each.entry) for each in pairing.removed if each.entry.site.path not in unknown)


def compare_pair(left: Traits, right: Traits, before: Landmarks, after: Landmarks) -> Altered | None:
    """Compare an entry with what it became; None when nothing about it changed."""
    old, new = left.entry, right.entry
    guard = _compare_own_guards(left, right)
    kinds: list[ChangeKind] = [*find_relocations(old.site, new.site, before, after)]
    if _list_texts(old.message) != _list_texts(new.message):
        kinds.append("reworded")
    if guard is not None:
        kinds.append("reguarded")
    if _is_retyped(old.exception, new.exception):
        kinds.append("retyped")
    gained = _list_options(new) - _list_options(old)
    lost = _list_options(old) - _list_options(new)
    if not kinds and not gained and not lost:
        return None
    return Altered(old, new, tuple(kinds), guard, tuple(sorted(gained)), tuple(sorted(lost)))


def list_kinds(change: Change) -> tuple[str, ...]:
    """Name what a change is, for filters and counts: its kinds, what became of the guard, and `options`."""
    match change:
        case Added():
            return ("added",)
        case Removed():
            return ("removed",)
        case Altered(guard=guard):
            options = ("options",) if change.options_gained or change.options_lost else ()
            return (*change.kinds, *((guard.change,) if guard else ()), *options)


def list_known_kinds() -> tuple[str, ...]:
    """Give every name that `list_kinds` can give."""
    return (*get_args(ChangeKind), *get_args(GuardChange), "options")


def count_kinds(changes: Iterable[Change]) -> dict[str, int]:
    """Count the changes of each kind; one change can be of several."""
    counts = Counter(kind for change in changes for kind in list_kinds(change))
    return {kind: counts[kind] for kind in list_known_kinds()}


def find_unknown(old: Catalog, new: Catalog) -> frozenset[str]:
    """Give the files that one of the two scans had to skip."""
    return frozenset(skipped.path for catalog in (old, new) for skipped in catalog.skipped)


def check_comparable(old: Target, new: Target, scoped: bool = False) -> None:
    """Refuse to compare what has nothing in common; `scoped` when a scope is put on both sides anyway."""
    if old.name != new.name:
        raise QuestionError(f"these are catalogs of two targets, {old.name} and {new.name}; give two catalogs of one")
    if set(old.scope) != set(new.scope) and not scoped:
        scopes = " ".join(old.scope), " ".join(new.scope)
        raise QuestionError(
            f"{old.name}: the old catalog has scope {scopes[0]} and the new one {scopes[1]}; "
            "scan both with one scope, or compare what they share with --scope"
        )


def _list_texts(message: Message | None) -> tuple[str, ...]:
    return (message.template, *(each.template for each in message.alternatives)) if message else ()


def _compare_own_guards(left: Traits, right: Traits) -> GuardDifference | None:
    """Compare the guards without the checks of other entries, known as such on either side."""
    old, new = left.entry.guard, right.entry.guard
    if _list_wordings(old) == _list_wordings(new):
        return None
    before, after = left.function.checks, right.function.checks
    first, second = read_own_guard(left.entry, before, after), read_own_guard(right.entry, after, before)
    elsewhere = left.entry.site.path != right.entry.site.path
    return compare_guards(first, old, second, new, elsewhere)


def _list_wordings(guard: Guard) -> tuple[object, ...]:
    """Give everything in a guard but the lines."""
    clauses = [(clause.kind, clause.test, clause.negated) for clause in guard.clauses]
    return guard.condition, clauses, [(binding.name, binding.value) for binding in guard.bindings]


def _is_retyped(old: ExceptionType, new: ExceptionType) -> bool:
    return old.name != new.name or bool(old.bases and new.bases and old.bases != new.bases)


def _list_options(entry: Entry) -> set[str]:
    return {use.id for use in entry.options}
