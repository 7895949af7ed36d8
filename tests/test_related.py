"""Which entries stand near one: what shares most of what is rare."""

import time
from collections.abc import Mapping
from typing import Any

import pytest
from factories import make_entry
from hypothesis import given
from hypothesis import strategies as st

from catalog.records import Entry, OptionUse
from catalog.related import MAX_RELATED, read_shape, relate


def make(name: str, **changes: Any) -> Entry:
    """Give an entry of this id that shares nothing with any other until changes say so."""
    alone: Mapping[str, Any] = {
        "site__path": f"shop/{name}.py",
        "site__module": f"shop.{name}",
        "site__qualname": f"{name}.check",
        "title": name,
        "message": None,
        "guard__branch": f"{name}() + {len(name) * 'f('}1{len(name) * ')'}",
    }
    return make_entry(id=name, **{**alone, **changes})


def find_related(*entries: Entry) -> dict[str, tuple[str, ...]]:
    return {entry.id: entry.related for entry in relate(entries)}


OPTION = {"options": (OptionUse("Cart.size", "size", ("guard",), ()),)}
SHARED = [
    ({"site__module": "shop.a", "site__qualname": "a.check"}, True),
    ({"site__module": "shop.a", "site__qualname": "a.other"}, False),
    (OPTION, True),
    ({"message": "weird gadget {n}"}, True),
    ({"guard__branch": "u is not None and u.x % 7 != 0"}, True),
    ({"guard__branch": "z is None"}, False),
    ({}, False),
]


@pytest.mark.parametrize(("changes", "expected"), SHARED)
def test_what_entries_share_relates_them(changes: dict[str, Any], expected: bool) -> None:
    first = make(
        "a", **OPTION, message="a weird gadget: {n}", guard__branch="cart.size is not None and cart.size % 8 != 0"
    )
    others = [make(name, title=name) for name in ("bb", "ccc", "dddd", "eeeee", "ffffff")]
    found = find_related(first, make("changed", **changes), *others)
    assert ("changed" in found["a"], "a" in found["changed"]) == (expected, expected)
    assert found["bb"] == ()


def test_the_same_function_comes_before_the_same_option_before_the_same_words() -> None:
    first = make("a", **OPTION, message="strange widget")
    words = make("words", message="another strange widget")
    option = make("option", **OPTION)
    function = make("function", site__module="shop.a", site__qualname="a.check")
    assert find_related(first, words, option, function)["a"] == ("function", "option", "words")


def test_what_everybody_shares_relates_nobody() -> None:
    crowd = [make(f"n{number}", guard__branch="x > 5 and y", message="same words") for number in range(200)]
    pair = [make("p", message="rarely said"), make("q", message="rarely said")]
    found = find_related(*crowd, *pair)
    assert found["p"] == ("q",)
    assert found["n100"] == ()


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("n > limits.max", "a > 5", True),
        ("mode not in ('a', 'b')", 'kind not in ("x", "y")', True),
        ("n > m", "n >= m", False),
        ("not a and b", "a and not b", False),
        ("a is None", "a is not None", False),
    ],
)
def test_the_shape_of_a_guard_is_what_is_asked(one: str, other: str, is_same: bool) -> None:
    assert (read_shape(one) == read_shape(other)) == is_same


@given(st.lists(st.sampled_from("abc"), max_size=12))
def test_related_is_never_oneself_never_twice_and_the_same_every_time(modules: list[str]) -> None:
    entries = [
        make_entry(id=f"{number:016x}", site__module=module, site__line=number + 1)
        for number, module in enumerate(modules)
    ]
    found = list(relate(entries))
    assert found == list(relate(entries))
    for entry in found:
        assert entry.id not in entry.related
        assert len(set(entry.related)) == len(entry.related) <= MAX_RELATED


def test_work_is_linear_however_much_is_shared() -> None:
    def measure(count: int) -> float:
        entries = [make_entry(id=f"{number:016x}", site__line=number + 1) for number in range(count)]
        began = time.process_time()
        list(relate(entries))
        return time.process_time() - began

    measure(200)
    assert measure(4_000) < 20 * max(measure(1_000), 0.01)
