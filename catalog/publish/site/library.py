"""Several catalogs → what the site holds: each target's releases, each error's life over them, where old ids lead."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from packaging.version import InvalidVersion, Version

from catalog.compare.pairing import pair_entries
from catalog.compare.relocation import read_landmarks
from catalog.diff import compare_pair
from catalog.errors import CatalogError
from catalog.publish.site.differences import Line, tell_change
from catalog.publish.site.volume import Row, Volume
from catalog.records import Tombstone

_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Step:
    """What an error was in one release."""

    label: str
    what: str
    """`first seen`, `unchanged`, `reworded, reguarded`, `removed`."""
    title: str
    details: tuple[Line, ...] = ()
    """What changed, where something did."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """An error with a page of its own."""

    book: str
    """The target's name."""
    volume: int
    """Which of the target's catalogs has it last: the page shows it as it is there."""
    position: int
    life: tuple[Step, ...]
    """Over the releases, the oldest first; empty where there is only one."""


@dataclass(frozen=True)
class Book:
    """A target with its releases, the oldest first."""

    name: str
    volumes: tuple[Volume, ...]

    @property
    def newest(self) -> Volume:
        """The release that the indexes show."""
        return self.volumes[-1]


@dataclass(frozen=True)
class Library:
    """All that the site holds."""

    books: tuple[Book, ...]
    """By name."""
    leaves: Mapping[str, Leaf]
    """By id."""
    moved: Mapping[str, str]
    """From an id that an error had once to the one it has."""
    gone: Mapping[str, Tombstone]
    """Errors of which only a trace is left."""

    def find_row(self, id_: str) -> Row:
        """Find what indexes say of an error."""
        leaf = self.leaves[id_]
        return self.find_volume(leaf).rows[leaf.position]

    def find_volume(self, leaf: Leaf) -> Volume:
        """Find the catalog that has an error last."""
        return self.find_book(leaf.book).volumes[leaf.volume]

    def find_book(self, name: str) -> Book:
        """Find a target by its name."""
        return next(book for book in self.books if book.name == name)


def shelve(volumes: Sequence[Volume]) -> Library:
    """Put catalogs together: those of one target are its releases. Raises `CatalogError` where two are the same."""
    for volume in volumes:
        _check_ids(volume)
    names = sorted({volume.head.target.name for volume in volumes})
    books = tuple(
        Book(name, _sort([volume for volume in volumes if volume.head.target.name == name])) for name in names
    )
    leaves: dict[str, Leaf] = {}
    moved: dict[str, str] = {}
    for book in books:
        for id_, leaf in _follow(book, moved):
            if id_ in leaves:
                raise CatalogError(f"{book.name}: the id {id_} is in the catalog of {leaves[id_].book} too; scan again")
            leaves[id_] = leaf
    for id_, leaf in leaves.items():
        book = next(book for book in books if book.name == leaf.book)
        for old in book.volumes[leaf.volume].rows[leaf.position].previous:
            moved.setdefault(old, id_)
    stones = {stone.id: stone for book in books for stone in book.newest.head.tombstones}
    return Library(
        books,
        leaves,
        dict(sorted((old, new) for old, new in _resolve_moves(moved, leaves) if old not in leaves)),
        {id_: stone for id_, stone in sorted(stones.items()) if id_ not in leaves and id_ not in moved},
    )


def _check_ids(volume: Volume) -> None:
    """Refuse ids that no scan makes: addresses are made of them."""
    stones = (stone.id for stone in volume.head.tombstones)
    for id_ in chain(stones, *((row.id, *row.previous) for row in volume.rows)):
        if not _ID.fullmatch(id_):
            raise CatalogError(f"{volume.name}: {id_} is no id of an entry, which has 16 hex digits; scan again")


def _sort(volumes: list[Volume]) -> tuple[Volume, ...]:
    """Sort releases by their number, commits by their time, else as they were given."""
    labels = [volume.label for volume in volumes]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        names = ", ".join(volume.name for volume in volumes if volume.label == twice)
        raise CatalogError(f"{names}: all of {volumes[0].head.target.name} {twice}; give each version once")
    numbers = [_read_number(label) for label in labels]
    if all(number is not None for number in numbers):
        pairs = sorted(
            zip(numbers, range(len(volumes)), strict=True), key=lambda pair: (pair[0] or Version("0"), pair[1])
        )
        return tuple(volumes[index] for _, index in pairs)
    return tuple(sorted(volumes, key=lambda volume: volume.head.target.committed or ""))


def _read_number(label: str) -> Version | None:
    try:
        return Version(label)
    except InvalidVersion:
        return None


def _follow(book: Book, moved: dict[str, str]) -> Iterator[tuple[str, Leaf]]:
    """Follow each error of a target through its releases; an id that changed on the way leads to the last one."""
    if len(book.volumes) == 1:
        for position, row in enumerate(book.newest.rows):
            yield row.id, Leaf(book.name, 0, position, ())
        return
    lives: dict[str, tuple[Step, ...]] = {}
    for index, volume in enumerate(book.volumes):
        before, lives = lives, {}
        heirs = _pair(book.volumes[index - 1], volume) if index else {}
        kept: set[str] = set()
        for row in volume.rows:
            old, what, told = heirs.get(row.id, (None, "first seen" if index else "in the first release here", ()))
            lives[row.id] = (*before.get(old or "", ()), Step(volume.label, what, row.title, told))
            if old is not None:
                kept.add(old)
                if old != row.id:
                    moved[old] = row.id
        for id_ in before:
            if id_ not in kept and id_ not in lives:
                position = book.volumes[index - 1].positions[id_]
                gone = Step(volume.label, "removed", "")
                yield id_, Leaf(book.name, index - 1, position, (*before[id_], gone))
    for position, row in enumerate(book.newest.rows):
        yield row.id, Leaf(book.name, len(book.volumes) - 1, position, lives[row.id])


def _pair(older: Volume, newer: Volume) -> dict[str, tuple[str, str, tuple[Line, ...]]]:
    """Pair the entries of two releases: from a new id to the old one and what changed."""
    old, new = tuple(older.read_entries()), tuple(newer.read_entries())
    before, after = read_landmarks(old), read_landmarks(new)
    heirs: dict[str, tuple[str, str, tuple[Line, ...]]] = {}
    for left, right in pair_entries(old, new).pairs:
        change = compare_pair(left, right, before, after)
        what = ", ".join(change.kinds) or "other options" if change is not None else "unchanged"
        heirs[right.entry.id] = left.entry.id, what, tell_change(change) if change is not None else ()
    return heirs


def _resolve_moves(moved: Mapping[str, str], leaves: Mapping[str, Leaf]) -> Iterator[tuple[str, str]]:
    """Lead each old id to the error's last one, over as many moves as there were."""
    for old in moved:
        new = moved[old]
        seen = {old}
        while new in moved and new not in leaves and new not in seen:
            seen.add(new)
            new = moved[new]
        if new in leaves:
            yield old, new
