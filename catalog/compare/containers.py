"""Which file or class goes by which other name?"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from rapidfuzz.distance import Indel

from catalog.compare.assignment import find_best_pairs

Key = tuple[str, ...]
"""A path, or a path and a class in it."""
Member = tuple[str, str, str]
"""The name of a function inside, the exception it raises and the message's fixed text."""

_LEAST_OVERLAP = 0.5
_LEAST_EVIDENCE = 1.0
_SILENT_MEMBER = 0.3
"""A member without a message, such as an abstract method, against one with."""
_MOST_SHARERS = 20
"""What more containers than this share tells nothing."""


def match_containers(old: Mapping[Key, Iterable[Member]], new: Mapping[Key, Iterable[Member]]) -> dict[Key, Key]:
    """Match the containers that only one side knows by name: half of what they hold must be the same.

    The members they share, each counted as one (less without a message), and the likeness of the two names must
    come to one together, so that two small classes are not taken for each other over one common method.
    """
    before = {key: Counter(members) for key, members in sorted(old.items()) if key not in new}
    after = {key: Counter(members) for key, members in sorted(new.items()) if key not in old}
    lefts, rights = list(before), list(after)
    weights = {}
    for left, right in _find_candidates(list(before.values()), list(after.values())):
        weight = _weigh(lefts[left], before[lefts[left]], rights[right], after[rights[right]])
        if weight > 0:
            weights[left, right] = weight
    return {lefts[left]: rights[right] for left, right in find_best_pairs(weights)}


def _find_candidates(before: list[Counter[Member]], after: list[Counter[Member]]) -> set[tuple[int, int]]:
    """Find the pairs that share a member; the others needn't be looked at."""
    holders: dict[Member, list[int]] = defaultdict(list)
    for right, members in enumerate(after):
        for member in members:
            holders[member].append(right)
    return {
        (left, right)
        for left, members in enumerate(before)
        for member in members
        if len(holders[member]) <= _MOST_SHARERS
        for right in holders[member]
    }


def _weigh(left: Key, one: Counter[Member], right: Key, two: Counter[Member]) -> float:
    shared = _count(one & two)
    overlap = 2 * shared / (_count(one) + _count(two))
    likeness = Indel.normalized_similarity(left[-1], right[-1])
    if overlap < _LEAST_OVERLAP or shared + likeness < _LEAST_EVIDENCE:
        return 0.0
    return overlap + likeness / 2 + (0.25 if left[0] == right[0] else 0.0)


def _count(members: Counter[Member]) -> float:
    return sum(number * (1.0 if member[2] else _SILENT_MEMBER) for member, number in members.items())
