"""How much speaks for two entries left over in one function being the same error?

Inside a function little is needed: when the entries above and below have found each other, what stands between them
on both sides is one entry edited, unless the two say clearly different things.
"""

from collections.abc import Mapping, Sequence

from catalog.compare.evidence import weigh_edited
from catalog.compare.traits import Traits
from catalog.records import Entry

_SAME_GAP = 1.0
_ONLY_ONE = 0.5
_OPENING_WORD = 0.4
_MOST_OPENING = 3.0
"""For opening alike: reworded messages grow or lose their ends."""


class Gaps:
    """What stands between the entries of a function that have found each other."""

    def __init__(self, pairs: Sequence[tuple[Traits, Traits]]) -> None:
        self.old: Mapping[int, Entry] = {id(left.entry): right.entry for left, right in pairs}
        self.new: Mapping[int, Entry] = {id(right.entry): right.entry for _, right in pairs}

    def weigh(self, old: Traits, new: Traits) -> float:
        """Give the points for two entries of what is one function on both sides."""
        points = weigh_edited(old, new) + min(_MOST_OPENING, _OPENING_WORD * _count_opening(old, new))
        if len(old.function.entries) == len(new.function.entries) == 1:
            return points + _ONLY_ONE
        *ends, count = _find_ends(old, self.old)
        *other_ends, other_count = _find_ends(new, self.new)
        if ends == other_ends and ends != [None, None]:
            points += _SAME_GAP / max(count, other_count)
        return points


def _find_ends(each: Traits, partners: Mapping[int, Entry]) -> tuple[int | None, int | None, int]:
    """Give what the nearest paired entries above and below are paired with, and how many are alone between them."""
    entries = each.function.entries
    first, last = each.rank, each.rank
    while first > 0 and id(entries[first - 1]) not in partners:
        first -= 1
    while last < len(entries) - 1 and id(entries[last + 1]) not in partners:
        last += 1
    above = id(partners[id(entries[first - 1])]) if first > 0 else None
    below = id(partners[id(entries[last + 1])]) if last < len(entries) - 1 else None
    return above, below, last - first + 1


def _count_opening(old: Traits, new: Traits) -> int:
    """Count the words with which both messages open, and no other of their functions does."""
    others = [
        max(
            (_count_common(each.words, text) for rank, text in enumerate(each.function.texts) if rank != each.rank),
            default=0,
        )
        for each in (old, new)
    ]
    return max(0, _count_common(old.words, new.words) - max(others))


def _count_common(one: tuple[str, ...], two: tuple[str, ...]) -> int:
    return next(
        (at for at, (left, right) in enumerate(zip(one, two, strict=False)) if left != right), min(len(one), len(two))
    )
