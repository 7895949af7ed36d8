"""Which stretches of a text are of one kind, and is a place in one of them?"""

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter

Spans = tuple[tuple[int, int], ...]
"""Stretches in order, none touching another."""


def join_spans(spans: Iterable[tuple[int, int]]) -> Spans:
    """Put stretches in order, those that touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def lies_in(spans: Spans, offset: int) -> bool:
    """Tell whether a place lies in one of them."""
    position = bisect_right(spans, offset, key=itemgetter(0)) - 1
    return position >= 0 and offset < spans[position][1]
