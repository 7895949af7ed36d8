"""Which pairs, taken together, fit best?

An assignment over the whole block instead of first come, first served: the sum of the weights is as large as it can
be, and what fits nothing stays alone. Shortest augmenting paths over a sparse graph (Jonker and Volgenant's way),
one connected block at a time; the blocks are small, since only pairs with enough evidence are edges.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping

Edge = tuple[int, int]
_Links = dict[int, dict[int, float]]


def find_best_pairs(weights: Mapping[Edge, float]) -> list[Edge]:
    """Pair left with right numbers so that the sum of the weights, all above zero, is largest."""
    links: _Links = defaultdict(dict)
    for (left, right), weight in sorted(weights.items()):
        links[left][right] = weight
    pairs: list[Edge] = []
    for block in _split_blocks(links):
        if len(block) == 1 and len(links[block[0]]) == 1:
            pairs.append((block[0], next(iter(links[block[0]]))))
        else:
            pairs.extend(_assign({left: links[left] for left in block}))
    return sorted(pairs)


def _split_blocks(links: _Links) -> Iterator[list[int]]:
    """Give the left numbers of each connected block."""
    back: dict[int, list[int]] = defaultdict(list)
    for left, rights in links.items():
        for right in rights:
            back[right].append(left)
    seen: set[int] = set()
    for start in links:
        if start in seen:
            continue
        seen.add(start)
        block, waiting = [], [start]
        while waiting:
            left = waiting.pop()
            block.append(left)
            near = {other for right in links[left] for other in back[right]} - seen
            seen |= near
            waiting.extend(near)
        yield sorted(block)


def _assign(links: _Links) -> Iterator[Edge]:
    """Add one left number after another along the cheapest path; staying alone costs what the best edge gains.

    Right numbers below zero stand for staying alone: each left number has its own.
    """
    ceiling = max(max(rights.values()) for rights in links.values())
    costs: _Links = {
        left: {**{right: ceiling - weight for right, weight in rights.items()}, -1 - left: ceiling}
        for left, rights in links.items()
    }
    price: dict[int, float] = defaultdict(float)
    partner: dict[int, int] = {}
    for left in costs:
        _augment(left, costs, price, partner)
    return ((left, right) for right, left in partner.items() if right >= 0)


def _augment(start: int, costs: _Links, price: dict[int, float], partner: dict[int, int]) -> None:
    """Find the cheapest way to give `start` a partner, moving others on, and take it."""
    distance: dict[int, float] = {}
    came_from: dict[int, int] = {}
    done: dict[int, float] = {}
    heap: list[tuple[float, int]] = []
    left, base = start, 0.0
    while True:
        kept = next((right for right in costs[left] if partner.get(right) == left), None)
        offset = base - (costs[left][kept] - price[kept] if kept is not None else 0.0)
        for right, cost in costs[left].items():
            reached = offset + cost - price[right]
            if right not in done and reached < distance.get(right, float("inf")) - 1e-12:
                distance[right] = reached
                came_from[right] = left
                heapq.heappush(heap, (reached, right))
        while True:
            base, right = heapq.heappop(heap)
            if right not in done and base <= distance[right]:
                break
        done[right] = base
        if right not in partner:
            break
        left = partner[right]
    for visited, length in done.items():
        price[visited] += length - base
    _turn_path(start, right, came_from, partner)


def _turn_path(start: int, right: int, came_from: dict[int, int], partner: dict[int, int]) -> None:
    """Hand each right number on the path over to the left one that reached it."""
    current = {left: owned for owned, left in partner.items()}
    while True:
        left = came_from[right]
        freed = current.get(left)
        partner[right] = left
        if left == start or freed is None:
            return
        right = freed
