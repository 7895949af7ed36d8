"""Boolean structure: what is written means what was read, negated or not, and always parses."""

import ast
import itertools

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.conditions import (
    All,
    Atom,
    Formula,
    Some,
    has_words,
    join,
    list_conjuncts,
    negate,
    read_formula,
    write_formula,
)

_NAMES = ("a", "b", "c", "d")


def read(text: str) -> Formula:
    return read_formula(cst.parse_expression(text))


@pytest.mark.parametrize(
    ("test", "negated"),
    [
        ("a", "not a"),
        ("not a", "a"),
        ("not not a", "not a"),
        ("a is None", "a is not None"),
        ("a is not None", "a is None"),
        ("a == b", "a != b"),
        ("a != b", "a == b"),
        ("a in b", "a not in b"),
        ("a not in b", "a in b"),
        ("a and b", "not a or not b"),
        ("a or b", "not a and not b"),
        ("not (a and b)", "a and b"),
        ("a is None or b", "a is not None and not b"),
        ("not a and b != 1", "a or b == 1"),
        ("f(a)", "not f(a)"),
        ("(a)", "not a"),
        ("(a, b)", "not (a, b)"),
        ("a if b else c", "not (a if b else c)"),
        ("lambda: a", "not (lambda: a)"),
        ("(a := b)", "not (a := b)"),
        ("a is None is b", "not a is None is b"),
        ("a == b == c", "not a == b == c"),
        ("await a", "not await a"),
        ("(a\n    or  # why\n    b)", "not a and not b"),
        ("a == (b == c)", "a != (b == c)"),
        ("(a == b) == c", "(a == b) != c"),
        ("(a or b) is None", "(a or b) is not None"),
        ("a in (b, c)", "a not in (b, c)"),
        ("a in (b if c else d)", "a not in (b if c else d)"),
        ("(yield a) == b", "(yield a) != b"),
    ],
)
def test_a_negation_is_written_as_a_person_would(test: str, negated: str) -> None:
    assert write_formula(negate(read(test))) == negated
    ast.parse(negated, mode="eval")


@pytest.mark.parametrize("test", ["a < b", "a <= b", "a > b", "a >= b", "a < b < c", "len(a) > 0"])
def test_an_ordering_comparison_is_never_flipped(test: str) -> None:
    assert write_formula(negate(read(test))) == f"not {test}"
    assert test in write_formula(negate(read(f"{test} and x")))
    assert write_formula(negate(read(f"not {test}"))) == test


@pytest.mark.parametrize(
    ("test", "parts"),
    [
        ("a and b and c", ["a", "b", "c"]),
        ("not (a or b)", ["not a", "not b"]),
        ("a and not (b or c is None)", ["a", "not b", "c is not None"]),
        ("a or b", ["a or b"]),
        ("not (a and b)", ["not a or not b"]),
        ("a and (b or c)", ["a", "b or c"]),
        ("(a and b) and (c and d)", ["a", "b", "c", "d"]),
        ("True", ["True"]),
    ],
)
def test_a_conjunction_splits_into_what_must_all_hold(test: str, parts: list[str]) -> None:
    assert [write_formula(part) for part in list_conjuncts(read(test))] == parts


def test_nothing_joined_always_holds() -> None:
    assert write_formula(join(())) == "True"
    assert write_formula(Some(())) == "False"


def test_one_formula_joined_is_itself() -> None:
    assert join((Atom("a"),)) == Atom("a")
    assert join((All((Atom("a"), Atom("b"))), Atom("c"))) == All((Atom("a"), Atom("b"), Atom("c")))


def test_words_are_told_from_expressions_however_deep() -> None:
    words = Atom("caught E", is_words=True)
    assert has_words(negate(Some((Atom("a"), All((Atom("b"), words))))))
    assert not has_words(negate(Some((Atom("a"), All((Atom("b"), Atom("c")))))))


_LEAVES = st.one_of(
    st.sampled_from(_NAMES),
    st.tuples(
        st.sampled_from(_NAMES), st.sampled_from(["==", "!=", "is", "is not", "<", ">="]), st.sampled_from(_NAMES)
    ).map(" ".join),
    st.tuples(st.sampled_from(_NAMES), st.sampled_from(["in", "not in"]), st.just("(True, 2)")).map(" ".join),
    st.sampled_from(["(a if b else c)", "bool(d)", "(lambda: a)", "(a, b)", "[c]", "a < b < c", "(a == b) == c"]),
)
_TESTS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda test: f"not ({test})"),
        inner.map(lambda test: f"not {test}" if " if " not in test else f"not ({test})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda p: f"({p[0]}) {p[1]} ({p[2]})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
    ),
    max_leaves=8,
)
_VALUES = [dict(zip(_NAMES, values, strict=True)) for values in itertools.product((True, False, 2), repeat=len(_NAMES))]


def truth_table(test: str) -> list[bool]:
    code = compile(ast.parse(test, mode="eval"), "test", "eval")
    return [bool(eval(code, {}, dict(values))) for values in _VALUES]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@given(_TESTS)
def test_what_is_written_means_what_was_read(test: str) -> None:
    formula = read(test)
    table = truth_table(test)
    assert truth_table(write_formula(formula)) == table
    assert truth_table(write_formula(negate(formula))) == [not value for value in table]
    assert truth_table(write_formula(negate(negate(formula)))) == table
    for around in ("and", "or", "not"):
        nested = (
            f"a {around} {write_formula(formula, around)}"
            if around != "not"
            else f"not {write_formula(formula, 'not')}"
        )
        meant = f"a {around} ({test})" if around != "not" else f"not ({test})"
        assert truth_table(nested) == truth_table(meant)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@given(_TESTS, _TESTS)
def test_conjuncts_together_mean_the_whole(first: str, second: str) -> None:
    whole = join((read(first), negate(read(second))))
    parts = " and ".join(write_formula(part, "and") for part in list_conjuncts(whole))
    assert truth_table(parts) == truth_table(f"({first}) and not ({second})")
