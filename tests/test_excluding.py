"""A message's texts, told apart by what the tests before its site leave possible."""

import pytest

from miner.scan import mine_source

CLASS = """
class Told(Exception):
    def __init__(self, text, value=None):
        super().__init__(text)
        self.value = value

    def __str__(self):
        if self.value is not None:
            return f"{super().__str__()} (value={self.value})"
        return super().__str__()
"""
SHOWN = ("x is not None", "x", "x > 3", "x < 0", "3 <= x", "isinstance(x, int)", 'x == "a"', "x == 3", "y and x > 3")
UNKNOWN = ("y", "x != 3", "not x", "x == y", "isinstance(x, (int, type(None)))", "x in y", "y > 3", "f(x) > y")


def list_texts(body: str) -> list[str]:
    (entry,) = (e for e in mine_source(f"{CLASS}\ndef f(x, y):\n{body}") if e.site.qualname == "f")
    assert entry.message is not None
    return [text.template for text in entry.message.alternatives] or [entry.message.template]


@pytest.mark.parametrize("test", SHOWN)
def test_a_value_that_a_test_shows_is_not_none(test: str) -> None:
    assert list_texts(f"    if {test}:\n        raise Told('bad', x)\n") == ["bad (value={x})"]


@pytest.mark.parametrize("test", UNKNOWN)
def test_other_tests_leave_both_texts_open(test: str) -> None:
    assert list_texts(f"    if {test}:\n        raise Told('bad', x)\n") == ["bad (value={x})", "bad"]


def test_a_value_that_is_none_leaves_the_other_text() -> None:
    assert list_texts("    if x is None:\n        raise Told('bad', x)\n") == ["bad"]


def test_an_earlier_exit_shows_as_much() -> None:
    assert list_texts("    if x is None:\n        return\n    raise Told('bad', x)\n") == ["bad (value={x})"]


def test_a_test_of_what_has_changed_since_shows_nothing() -> None:
    body = "    if x is None:\n        return\n    x = f(y)\n    raise Told('bad', x)\n"
    assert list_texts(body) == ["bad (value={x})", "bad"]


def test_a_choice_that_the_branch_decides_is_no_choice() -> None:
    assert list_texts("    if y:\n        raise ValueError('a' if y else 'b')\n") == ["a"]
