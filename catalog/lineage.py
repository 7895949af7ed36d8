"""Which ids do the entries of a new catalog inherit from an earlier one?"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from catalog.compare.pairing import Pairing, pair_entries
from catalog.compare.traits import Traits
from catalog.diff import check_comparable
from catalog.identity import digest, identify
from catalog.records import Catalog, Entry, Tombstone

_TELLING_LETTERS = 12

Ids = Mapping[str, str]
"""From the id an entry has by itself to the one it gets."""


def carry_ids(new: Catalog, baseline: Catalog) -> Catalog:
    """Give each entry the id it had in the baseline, wherever it went; what is gone is kept as a tombstone.

    An id of the baseline is never given to another error, not even when another error now reads as the old one did:
    that one gets a fresh id. The id that an entry would have by itself becomes an alias, unless it means another.
    """
    check_comparable(baseline.target, new.target)
    pairing = pair_entries(baseline.entries, new.entries)
    merged = _find_merged(pairing, baseline)
    returned = _find_returned(pairing.added, new, baseline)
    known = _list_known(baseline)
    ids = _choose_ids(pairing, returned, known)
    ancestors = {right.entry.id: (left.entry, *merged.get(right.entry.id, ())) for left, right in pairing.pairs}
    inside = {entry.id for group in merged.values() for entry in group}
    gone = [left.entry for left in pairing.removed if left.entry.id not in inside]
    return replace(
        new,
        entries=tuple(_rename(entry, ids, ancestors.get(entry.id, ()), known) for entry in new.entries),
        notes=tuple(replace(note, entry=ids.get(note.entry, note.entry)) for note in new.notes),
        tombstones=(
            *(stone for stone in baseline.tombstones if stone.id not in returned),
            *(stone for entry in gone for stone in _bury(entry, baseline)),
        ),
    )


def _list_known(baseline: Catalog) -> frozenset[str]:
    """List every id that means something already."""
    living = {each for entry in baseline.entries for each in (entry.id, *entry.previous)}
    return frozenset(living | {stone.id for stone in baseline.tombstones})


def _choose_ids(pairing: Pairing, returned: set[str], known: frozenset[str]) -> Ids:
    ids = {right.entry.id: left.entry.id for left, right in pairing.pairs}
    taken = set(known)
    for each in pairing.added:
        own = each.entry.id
        ids[own] = own if own in returned else _mint_id(own, taken)
        taken.add(ids[own])
    return ids


def _mint_id(own: str, taken: set[str]) -> str:
    """Give an entry its own id, or one made of it when that means another error already."""
    fresh, attempt = own, 0
    while fresh in taken:
        attempt += 1
        fresh = digest(own, str(attempt))
    return fresh


def _rename(entry: Entry, ids: Ids, ancestors: Sequence[Entry], known: frozenset[str]) -> Entry:
    """Give an entry its id and its aliases, the newest first."""
    given = ids[entry.id]
    aliases = [] if entry.id in known or entry.id in ids.values() else [entry.id]
    aliases += [each for old in ancestors for each in (old.id, *old.previous)]
    aliases += entry.previous
    previous = tuple(each for each in dict.fromkeys(aliases) if each != given)
    return replace(entry, id=given, previous=previous, related=tuple(ids.get(each, each) for each in entry.related))


def _find_returned(added: Sequence[Traits], new: Catalog, baseline: Catalog) -> set[str]:
    """Find the entries that were gone and are back: the same id, which can mean no other, and the same title."""
    stones = {stone.id: stone.title for stone in baseline.tombstones}
    names = Counter(identify("", entry) for entry in new.entries)
    return {
        each.entry.id
        for each in added
        if stones.get(each.entry.id) == each.entry.title and names[identify("", each.entry)] == 1
    }


def _find_merged(pairing: Pairing, baseline: Catalog) -> dict[str, list[Entry]]:
    """Find the old entries that were merged: word for word like one that moved to where nothing was before."""
    places = {(entry.site.path, entry.site.qualname) for entry in baseline.entries}
    heirs: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for left, right in pairing.pairs:
        if left.place != right.place and right.place not in places and left.content == right.content:
            heirs[left.content].append(right.entry.id)
    merged: dict[str, list[Entry]] = defaultdict(list)
    for left in pairing.removed:
        if left.letters >= _TELLING_LETTERS and len(heirs.get(left.content, ())) == 1:
            merged[heirs[left.content][0]].append(left.entry)
    return dict(merged)


def _bury(entry: Entry, baseline: Catalog) -> Iterator[Tombstone]:
    """Keep an entry's ids with what was last known of it."""
    target = baseline.target
    for each in (entry.id, *entry.previous):
        yield Tombstone(each, entry.title, target.commit, target.release)
