"""How much speaks for two entries left over in one function being the same error?

Inside a function little is needed: when the entries above and below have found each other, what stands between them
on both sides is one entry edited, unless the two say clearly different things.
"""

from collections.abc import Mapping, Sequence

from catalog.compare.evidence import weigh_exception, weigh_message, weigh_surroundings, weigh_test
from catalog.compare.traits import Traits
from catalog.records import Entry

_SAME_GAP = 1.0
_ONLY_ONE = 0.5
_MOST_AGAINST = -1.0
"""A new test under an old message, or the other way round, is what editing looks like."""
_SURROUNDINGS = 0.25
"""The lines around two entries of one function are much the same anyway."""


class Gaps:
    """What stands between the entries of a function that have found each other."""

    def __init__(self, pairs: Sequence[tuple[Traits, Traits]]) -> None:
        self.old: Mapping[int, Entry] = {id(left.entry): right.entry for left, right in pairs}
        self.new: Mapping[int, Entry] = {id(right.entry): right.entry for _, right in pairs}

    def weigh(self, old: Traits, new: Traits) -> float:
        """Give the points for two entries of what is one function on both sides."""
        content = (weigh_message(old, new), weigh_test(old, new), weigh_exception(old, new))
        points = sum(max(_MOST_AGAINST, each) for each in content) + _SURROUNDINGS * weigh_surroundings(old, new)
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
