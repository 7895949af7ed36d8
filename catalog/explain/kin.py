"""Which entry of one version's catalog is which of another's?

Answered by the lineage that `diff` and `history` go by. Pairing two whole catalogs takes seconds, so it is done when
first asked for, and kept beside the indexes.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from catalog import __version__
from catalog.compare.pairing import pair_entries
from catalog.explain.kept import keep_tables, read_tables
from catalog.explain.stored import IndexedCatalog
from catalog.explain.versions import order_version

_COLUMNS = ("old", "new")


@dataclass(frozen=True, slots=True)
class Kin:
    """The entries that two catalogs share, by their places in them."""

    newer: Mapping[int, int]
    """From the older catalog's entry to the newer one's."""
    older: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Version:
    """An entry in another version of its target."""

    catalog: IndexedCatalog
    number: int | None
    """Its place there; None in the first version that hasn't got it, after which none is looked at."""


def list_versions(home: IndexedCatalog, catalogs: Sequence[IndexedCatalog]) -> list[IndexedCatalog]:
    """List the catalogs that can be compared with one, itself included, the oldest first."""
    same = [
        each
        for each in catalogs
        if each.target.name == home.target.name and set(each.target.scope) == set(home.target.scope)
    ]
    return sorted(same, key=order_version)


def follow(home: IndexedCatalog, number: int, versions: Sequence[IndexedCatalog], step: int) -> Iterator[Version]:
    """Follow an entry from version to version, forward (1) or back (-1), until one hasn't got it."""
    at = versions.index(home)
    while 0 <= at + step < len(versions):
        here, there = versions[at], versions[at + step]
        kin = pair_catalogs(here, there).newer if step > 0 else pair_catalogs(there, here).older
        found = kin.get(number)
        yield Version(there, found)
        if found is None:
            return
        at, number = at + step, found


def find_kin(
    home: IndexedCatalog, number: int, other: IndexedCatalog, catalogs: Sequence[IndexedCatalog]
) -> int | None:
    """Give the place of an entry in another catalog; None when that hasn't got it."""
    versions = list_versions(home, catalogs)
    if other not in versions:
        return None
    step = 1 if versions.index(other) > versions.index(home) else -1
    return next((each.number for each in follow(home, number, versions, step) if each.catalog is other), None)


@lru_cache(maxsize=8)
def pair_catalogs(old: IndexedCatalog, new: IndexedCatalog) -> Kin:
    """Pair the entries of two versions, or read how they were paired before."""
    identity = f"{__version__} {old.identity} {new.identity}"
    place = old.place.with_name(f"{old.place.stem}-{new.place.stem}.kin") if old.place and new.place else None
    columns = read_tables(place, identity, _COLUMNS)
    if columns is None:
        pairs = _pair(old, new)
        sides = array("I", (left for left, _ in pairs)), array("I", (right for _, right in pairs))
        columns = {name: memoryview(side) for name, side in zip(_COLUMNS, sides, strict=True)}
        keep_tables(place, columns, identity)
    left, right = (columns[name].tolist() for name in _COLUMNS)
    return Kin(dict(zip(left, right, strict=True)), dict(zip(right, left, strict=True)))


def _pair(old: IndexedCatalog, new: IndexedCatalog) -> list[tuple[int, int]]:
    before, after = list(old.entries), list(new.entries)
    places = {id(entry): number for entries in (before, after) for number, entry in enumerate(entries)}
    pairing = pair_entries(before, after)
    return [(places[id(left.entry)], places[id(right.entry)]) for left, right in pairing.pairs]
