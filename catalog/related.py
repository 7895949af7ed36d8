"""Which entries stand near an entry: the ones a reader of it would look at next."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from catalog.records import Entry

MAX_RELATED = 5


def relate(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Give each entry of one file its nearest neighbours: same function first, then same class, then by distance.

    `entries` are sorted by place; only a window around each is looked at, so the work is linear.
    """
    window = 4 * MAX_RELATED
    for position, entry in enumerate(entries):
        near = range(max(0, position - window), min(len(entries), position + window + 1))
        ranked = sorted(
            (_distance(entry, entries[other], abs(other - position)), other) for other in near if other != position
        )
        yield replace(entry, related=tuple(entries[other].id for _, other in ranked[:MAX_RELATED]))


def _distance(entry: Entry, other: Entry, apart: int) -> tuple[int, int]:
    mine, theirs = entry.site.qualname, other.site.qualname
    if mine == theirs:
        return 0, apart
    return (1 if mine.rpartition(".")[0] == theirs.rpartition(".")[0] else 2), apart
