"""The best pairs, against trying all of them."""

import itertools
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.compare.assignment import Edge, find_best_pairs


def test_one_first_choice_gives_way_when_all_together_fit_better() -> None:
    weights = {(0, 0): 5.0, (0, 1): 4.0, (1, 0): 4.0}
    assert find_best_pairs(weights) == [(0, 1), (1, 0)]


def test_what_fits_nothing_stays_alone() -> None:
    assert find_best_pairs({}) == []
    assert find_best_pairs({(0, 0): 5.0, (1, 0): 4.0}) == [(0, 0)]


def test_a_better_single_pair_beats_two_poor_ones() -> None:
    assert find_best_pairs({(0, 0): 9.0, (0, 1): 1.0, (1, 0): 1.0}) == [(0, 0)]


def _try_all(weights: dict[Edge, float]) -> float:
    """Give the largest sum by trying every way to give left numbers partners or none."""
    rights = sorted({right for _, right in weights})
    lefts = sorted({left for left, _ in weights})
    best = 0.0
    padded = [*rights, *(-1 - number for number in range(len(lefts)))]
    for chosen in itertools.permutations(padded, len(lefts)):
        best = max(best, sum(weights.get(edge, 0.0) for edge in zip(lefts, chosen, strict=True)))
    return best


_EDGES = st.tuples(st.integers(0, 3), st.integers(0, 3))


@settings(max_examples=200)
@given(st.dictionaries(_EDGES, st.one_of(st.integers(1, 4).map(float), st.floats(0.01, 10)), max_size=12))
def test_no_other_way_sums_up_to_more(weights: dict[Edge, float]) -> None:
    pairs = find_best_pairs(weights)
    assert len({left for left, _ in pairs}) == len(pairs) == len({right for _, right in pairs})
    assert abs(sum(weights[edge] for edge in pairs) - _try_all(weights)) < 1e-6


def test_a_large_block_takes_no_longer_than_a_blink() -> None:
    weights = {(left, right): ((left * 7 + right * 13) % 31) / 3 + 0.1 for left in range(120) for right in range(120)}
    start = time.perf_counter()
    assert len(find_best_pairs(weights)) == 120
    assert time.perf_counter() - start < 5
