"""How conditions relate, against a table and against Python itself."""

import ast
import itertools
import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.compare.implication import compare_conditions, implies

TIGHTENED = [
    ("size > 3", "size > 5"),
    ("size >= 3", "size > 3"),
    ("size > 5", "size >= 6"),
    ("size > 3", "size > 3 and strict"),
    ("size > 3 or strict", "strict"),
    ("mode in ('a', 'b')", "mode == 'a'"),
    ("mode not in {'a'}", "mode not in {'a', 'b'}"),
    ("low <= high", "low < high"),
    ("not low > high", "low <= high"),
    ("limit is None or limit > 3", "limit > 3"),
    ("size % 16 != 0", "size % 8 != 0"),
    ("isinstance(value, (int, str))", "isinstance(value, str)"),
    ("0 <= rate <= 1", "0 < rate < 1"),
    ("names", "len(names) > 2 and names"),
    ("capability < (9, 0)", "capability < (8, 0)"),
    ("value is not None", "value"),
    ("size > 2", "size == 3"),
    ("not name.startswith(('a', 'b'))", "not name.startswith(('a', 'b', 'c'))"),
    ("version < 'b'", "version < 'a'"),
    ("self.limit is None or self.limit.size > 3", "self.limit.size > 3"),
]

EQUIVALENT = [
    ("size > 3", "3 < size"),
    ("a and b", "b and a"),
    ("not (a or b)", "not a and not b"),
    ("size > 3", "size is not None and size > 3"),
    ("self.limit.size > 3", "self.limit is not None and self.limit.size > 3"),
    ("len(names) > 0", "len(names) >= 1"),
    ("len(names) == 0", "not len(names)"),
    ("0 < size < 10", "size > 0 and size < 10"),
    ("mode in ('a', 'b')", "mode == 'b' or mode == 'a'"),
    ("isinstance(value, (int, str))", "isinstance(value, int) or isinstance(value, str)"),
    ("isinstance(value, int | str)", "isinstance(value, (str, int))"),
    ("a if b else c", "(b and a) or (not b and c)"),
    ("size % 8", "size % 8 != 0"),
    ("size > 2 * 1024", "size > 2048"),
    ("bool(names)", "names"),
    ("name.endswith(('a', 'b'))", "name.endswith('b') or name.endswith('a')"),
    ("not (low == high)", "low != high"),
    ("all(name for name in names) and a", "a and all(name for name in names)"),
]

CHANGED = [
    ("size > 3", "count > 3"),
    ("is_ready(size)", "is_done(size)"),
    ("size > 3", "size < 3"),
    ("mode == 'a'", "mode == 'b'"),
    ("a and b", "a and c"),
    ("size % 8 != 0", "size % 12 != 0"),
    ("not size > 5", "isinstance(size, str)"),
    ("low < high", "low < other"),
    ("mode in MODES", "mode in OTHERS"),
    ("size >", "size > 3"),
    ("any(size > 3 for size in sizes)", "any(size > 4 for size in sizes)"),
]


@pytest.mark.parametrize(("old", "new"), TIGHTENED)
def test_a_condition_that_holds_in_fewer_cases_is_tightened_and_back_is_loosened(old: str, new: str) -> None:
    assert compare_conditions(old, new) == "tightened"
    assert compare_conditions(new, old) == "loosened"


@pytest.mark.parametrize(("old", "new"), EQUIVALENT)
def test_the_same_condition_in_other_words_is_equivalent(old: str, new: str) -> None:
    assert compare_conditions(old, new) == "equivalent"
    assert compare_conditions(new, old) == "equivalent"


@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_what_can_not_be_proved_is_changed(old: str, new: str) -> None:
    assert compare_conditions(old, new) == "changed"
    assert compare_conditions(new, old) == "changed"


NEAR_MISSES = [
    # NaN and sets are neither below nor above, so an ordering can't be turned around.
    ("not low > high", "low <= high"),
    ("not size > 3", "size <= 3"),
    # A broken number lies between 5 and 6.
    ("size > 5", "size >= 6"),
    # Zero and the empty text are false and not None.
    ("value is not None", "value"),
    # An empty list is false, but nothing says that `names` is a list.
    ("not names", "len(names) == 0"),
    # The second raises where the first lets None through.
    ("size is None or size > 3", "size > 3"),
    # The same where the question is asked of what owns the term.
    ("self.limit is None or size > 3", "size > 3 and self.limit.size"),
    # Text can't be compared with a number: the second raises.
    ("isinstance(size, str) or size > 5", "size > 5"),
    ("size == 1", "size is True"),
    # Nothing is below None, and nothing isn't: it raises.
    ("isinstance(size, int)", "not size < None"),
]


@pytest.mark.parametrize(("premise", "conclusion"), NEAR_MISSES)
def test_what_only_seems_to_follow_is_not_claimed(premise: str, conclusion: str) -> None:
    assert not implies(premise, conclusion)


def test_a_condition_of_another_world_is_no_error() -> None:
    deep = "(" * 400 + "size" + ")" * 400
    endless = " and ".join(f"(a{n} or b{n})" for n in range(200))
    assert compare_conditions(deep, "size") in ("changed", "equivalent")
    assert compare_conditions(endless, "size") == "changed"
    assert compare_conditions("size\x00", "size") == "changed"


def test_a_search_that_takes_too_long_claims_nothing() -> None:
    tangled = " and ".join(f"(a{n % 7} or not b{n % 5} or c{n % 11} > {n})" for n in range(30))
    assert compare_conditions(tangled, "d") == "changed"


NAMES = ("x", "y", "box.x")
NUMBERS = (-1, 0, 1, 2, 2.5, 3)
VALUES = (None, True, False, *NUMBERS, math.nan, "", "a", "b", (1,), ())


def _make_atoms() -> st.SearchStrategy[str]:
    names = st.sampled_from(NAMES)
    orderings = st.sampled_from(("<", "<=", ">", ">=", "==", "!="))
    constants = st.sampled_from([repr(value) for value in (*NUMBERS, "", "a", None, True)])
    tuples = st.lists(constants, min_size=1, max_size=3).map(lambda members: f"({', '.join(members)},)")
    return st.one_of(
        names,
        st.tuples(names, orderings, constants).map(" ".join),
        st.tuples(constants, orderings, names).map(" ".join),
        st.tuples(names, orderings, names).map(" ".join),
        st.tuples(names, st.sampled_from(("is", "is not")), st.sampled_from(("None", "True"))).map(" ".join),
        st.tuples(names, st.sampled_from(("in", "not in")), tuples).map(" ".join),
        st.tuples(names, st.sampled_from(("int", "str", "(int, str)", "float"))).map(
            lambda two: "isinstance({}, {})".format(*two)
        ),
        # What isn't None is taken to be computed with, so that the test itself must keep text away from a remainder.
        st.tuples(names, st.sampled_from(("2", "3")), constants).map(
            lambda three: "(isinstance({0}, (int, float)) and {0} % {1} == {2})".format(*three)
        ),
        st.tuples(names, orderings, names, orderings, constants).map(" ".join),
    )


def _make_conditions() -> st.SearchStrategy[str]:
    return st.recursive(
        _make_atoms(),
        lambda inner: st.one_of(
            inner.map(lambda one: f"(not {one})"),
            st.tuples(inner, inner).map(lambda two: f"({two[0]} and {two[1]})"),
            st.tuples(inner, inner).map(lambda two: f"({two[0]} or {two[1]})"),
            st.tuples(inner, inner, inner).map(lambda three: f"({three[0]} if {three[1]} else {three[2]})"),
        ),
        max_leaves=5,
    )


def _is_one_sort(*values: Any) -> bool:
    """Tell whether values can be ordered among themselves, those that are None apart."""
    there = [value for value in values if value is not None]
    try:
        return all(one < other or True for one, other in itertools.combinations(there, 2))
    except TypeError:
        return False


STATES = [
    {"x": x, "y": y, "box": box}
    for x, y in itertools.product(VALUES, VALUES)
    for box in (None, SimpleNamespace(x=1), SimpleNamespace(x=None), SimpleNamespace(x=2.5), SimpleNamespace(x="a"))
    if _is_one_sort(x, y, box.x if box else None)
]


ASKING = " and ".join(f"({name} is None or {name} is not None)" for name in ("x", "y", "box"))
ASKING += " and (box is None or box.x is None or box.x is not None)"


def _list_outcomes(condition: str) -> list[bool | None]:
    """Evaluate the condition in every state; None where it raises."""
    code = compile(ast.parse(condition, mode="eval"), "condition", "eval")
    return [_evaluate(code, state) for state in STATES]


def _evaluate(code: Any, state: Mapping[str, object]) -> bool | None:
    try:
        return bool(eval(code, {"isinstance": isinstance, "int": int, "str": str, "float": float}, dict(state)))
    except (TypeError, AttributeError, ZeroDivisionError):
        return None


@settings(max_examples=400, deadline=None)
@given(_make_conditions(), _make_conditions())
def test_no_state_of_python_contradicts_a_proof(old: str, new: str) -> None:
    # Ask about every name, so that nothing is taken for granted.
    old, new = f"{ASKING} and {old}", f"{ASKING} and {new}"
    before, after = _list_outcomes(old), _list_outcomes(new)
    if implies(old, new):
        assert all(later for earlier, later in zip(before, after, strict=True) if earlier)
    if implies(new, old):
        assert all(earlier for earlier, later in zip(before, after, strict=True) if later)


@settings(max_examples=400, deadline=None)
@given(_make_conditions(), _make_conditions())
def test_no_state_in_which_both_can_be_told_contradicts_a_proof(old: str, new: str) -> None:
    states = [pair for pair in zip(_list_outcomes(old), _list_outcomes(new), strict=True) if None not in pair]
    if implies(old, new):
        assert all(later for earlier, later in states if earlier)
    if implies(new, old):
        assert all(earlier for earlier, later in states if later)


@settings(max_examples=200, deadline=None)
@given(_make_conditions(), _make_conditions())
def test_adding_a_conjunct_never_loosens(old: str, extra: str) -> None:
    assert compare_conditions(old, f"{old} and {extra}") in ("tightened", "equivalent")
    assert compare_conditions(old, f"{old} or {extra}") in ("loosened", "equivalent")


@settings(max_examples=200, deadline=None)
@given(_make_conditions(), _make_conditions())
def test_swapping_the_sides_swaps_the_answer(old: str, new: str) -> None:
    mirrored = {"tightened": "loosened", "loosened": "tightened"}
    answer = compare_conditions(old, new)
    assert compare_conditions(new, old) == mirrored.get(answer, answer)


@settings(max_examples=200, deadline=None)
@given(_make_conditions())
def test_a_condition_is_equivalent_to_itself(condition: str) -> None:
    assert compare_conditions(condition, condition) == "equivalent"
    assert compare_conditions(condition, f"not (not ({condition}))") == "equivalent"
