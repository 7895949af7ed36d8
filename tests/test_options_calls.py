"""Where a text calls something of a name, found without a pattern."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.options.calls import find_begin, list_called

_PATTERN = re.compile(r"(?<![\w.])((?:[^\W\d]\w*\.|super\(\)\.)*)([^\W\d]\w*)\(")


def find_calls(text: str) -> list[tuple[str, int]]:
    found = ((name, find_begin(text, start)) for name, start in list_called(text))
    return [(name, begin) for name, begin in found if begin is not None]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("f(1)", [("f", 0)]),
        ("x = a.b.f(g(1))", [("f", 4), ("g", 10)]),
        ("super().f(1)", [("super", 0), ("f", 0)]),
        ("a.super().f(1)", [("super", 0), ("f", 0)]),
        ("größe(1) + _2(3)", [("größe", 0), ("_2", 11)]),
        # near misses
        ("f (1)", []),
        ("g().f(1)", [("g", 0)]),
        ("x[0].f(1)", []),
        ("mysuper().f(1)", [("mysuper", 0)]),
        ("2f(1) + (3)", []),
        (".f(1)", []),
        ("f", []),
        ("", []),
    ],
)
def test_calls_are_found_with_the_beginning_of_their_path(text: str, calls: list[tuple[str, int]]) -> None:
    assert find_calls(text) == calls


@given(
    st.lists(st.sampled_from(["f", "super", "(", ")", "()", ".", " ", "2", "_", "é", "[0]", "\n", "a.b"])).map("".join)
)
def test_they_are_those_of_the_pattern(text: str) -> None:
    expected = {(found[2], found.start()) for found in _PATTERN.finditer(text)}
    assert {call for call in find_calls(text) if call[0] != "super"} == {
        call for call in expected if call[0] != "super"
    }
