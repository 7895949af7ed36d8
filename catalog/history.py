"""What became of one entry from version to version?"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from catalog.compare.pairing import pair_entries
from catalog.compare.relocation import read_landmarks
from catalog.diff import Altered, check_comparable, compare_pair
from catalog.errors import QuestionError
from catalog.records import Catalog, Entry
from catalog.selection import find_entries


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a target, whose catalog is made only when it is looked at."""

    label: str
    load: Callable[[], Catalog]


@dataclass(frozen=True, slots=True)
class Present:
    """The entry as it was in one version."""

    label: str
    commit: str | None
    entry: Entry
    change: Altered | None
    """Since the version before; None when nothing changed, and for the first one looked at."""


@dataclass(frozen=True, slots=True)
class Absent:
    """A version without the entry."""

    label: str


Step: TypeAlias = Present | Absent


@dataclass(frozen=True, slots=True)
class Life:
    """An entry's life, the oldest version first.

    It begins with an absence when its beginning was seen, and ends with one when its end was.
    """

    steps: tuple[Step, ...]

    @property
    def present(self) -> tuple[Present, ...]:
        """The versions that have it; at least one."""
        return tuple(step for step in self.steps if isinstance(step, Present))


def trace_life(question: str, versions: Sequence[Version]) -> Life:
    """Follow the entry that a question means through the versions, given the oldest first.

    It is looked for in the newest version first, and from there followed back until it isn't there any more, so that
    what came before needn't be loaded, and forward when it has another id since.
    """
    at, catalog, entry = _find_newest(question, versions)
    steps: deque[Step] = deque([Present(versions[at].label, catalog.target.commit, entry, None)])
    _follow_back(steps, catalog, entry, versions[:at])
    _follow_on(steps, catalog, entry, versions[at + 1 :])
    return Life(tuple(steps))


def _find_newest(question: str, versions: Sequence[Version]) -> tuple[int, Catalog, Entry]:
    """Find the newest version that has the entry under this name."""
    for at in range(len(versions) - 1, -1, -1):
        catalog = versions[at].load()
        found = find_entries(catalog.entries, question)
        if len(found) > 1:
            ids = ", ".join(entry.id for entry in found[:3])
            raise QuestionError(f"{question}: {len(found)} entries of {versions[at].label} fit ({ids}, …); give one id")
        if found:
            return at, catalog, found[0]
    span = f"{versions[0].label} to {versions[-1].label}" if versions else "no version"
    raise QuestionError(f"{question}: no entry of {span} fits; name one by its id, or as PATH:LINE")


def _follow_back(steps: deque[Step], newer: Catalog, entry: Entry, versions: Sequence[Version]) -> None:
    for version in reversed(versions):
        older = version.load()
        pair = _find_pair(older, newer, entry)
        if pair is None:
            steps.appendleft(Absent(version.label))
            return
        latest = steps.popleft()
        steps.appendleft(replace(latest, change=pair.change) if isinstance(latest, Present) else latest)
        steps.appendleft(Present(version.label, older.target.commit, pair.old, None))
        newer, entry = older, pair.old


def _follow_on(steps: deque[Step], older: Catalog, entry: Entry, versions: Sequence[Version]) -> None:
    for version in versions:
        newer = version.load()
        pair = _find_pair(older, newer, entry)
        if pair is None:
            steps.append(Absent(version.label))
            return
        steps.append(Present(version.label, newer.target.commit, pair.new, pair.change))
        older, entry = newer, pair.new


@dataclass(frozen=True, slots=True)
class _Pair:
    """The entry in two versions that follow each other."""

    old: Entry
    new: Entry
    change: Altered | None


def _find_pair(older: Catalog, newer: Catalog, entry: Entry) -> _Pair | None:
    """Find what an entry of one of the two is in the other; None when it is in one only."""
    check_comparable(older.target, newer.target)
    for left, right in pair_entries(older.entries, newer.entries).pairs:
        if entry is left.entry or entry is right.entry:
            before, after = read_landmarks(older.entries), read_landmarks(newer.entries)
            return _Pair(left.entry, right.entry, compare_pair(left, right, before, after))
    return None
