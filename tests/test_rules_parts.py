"""Which part of a branch is to change, and which parts go without saying."""

import ast

import pytest
from factories import make_catalog, make_entry

from catalog.notes.facts import Facts
from catalog.notes.rules.cases import read_case
from catalog.notes.rules.parts import split_branch
from catalog.notes.rules.simplify import drop_implied
from catalog.records import Clause, Option, OptionUse

_OPTIONS = tuple(
    Option(f"Server.{name}", "field", name, (f"--{name}",), "Server", type_, None, (), None, "pkg/c.py", 1)
    for name, type_ in (("width", "int"), ("height", "int"), ("fuse", "bool"), ("mode", "str"))
)


@pytest.mark.parametrize(
    ("branch", "parts"),
    [
        ("a is not None and a.b > 1", ["a.b > 1"]),
        ("a is not None and a > 1", ["a is not None", "a > 1"]),
        ("a in (None, 'x', 'y') and a in ('x', 'y')", ["a in ('x', 'y')"]),
        ("a not in ('x', 'y') and a == 'z'", ["a == 'z'"]),
        ("a != 'x' and a not in ('y', 'z')", ["a not in ('x', 'y', 'z')"]),
        ("a != 'x' and b != 'x'", ["a != 'x'", "b != 'x'"]),
        ("a > 0 and a > 1", ["a > 1"]),
        ("not a < 1 and a > 1", ["a > 1"]),
        ("a > 0 and a < 9", ["a > 0", "a < 9"]),
        ("not isinstance(a, int) and not isinstance(a, str)", ["not (isinstance(a, (int, str)))"]),
        ("not (a or b)", ["not (a)", "not (b)"]),
        ("not a == 1", ["a != 1"]),
    ],
)
def test_what_follows_from_the_rest_goes_without_saying(branch: str, parts: list[str]) -> None:
    tree = ast.parse(branch, mode="eval").body
    assert [part.text for part in drop_implied(split_branch(tree))] == parts


@pytest.mark.parametrize(
    ("branch", "innermost", "message", "family", "culprit"),
    [
        ("self.fuse and self.width > 4", "self.width > 4", "too wide", "out-of-range", "self.width > 4"),
        (
            "self.fuse and not self.mode",
            "self.fuse and not self.mode",
            "--fuse requires --mode",
            "requires-another",
            "not (self.mode)",
        ),
        (
            "not self.fuse and self.mode == 'x'",
            "self.mode == 'x'",
            "--mode x requires --fuse",
            "requires-another",
            "not (self.fuse)",
        ),
        (
            "self.width != self.height and self.fuse",
            "self.width != self.height and self.fuse",
            "must match",
            "mismatch",
            "self.width != self.height",
        ),
        ("self.width is not None and self.width < n", "self.width < n", "too narrow", "out-of-range", "self.width < n"),
        ("self.fuse and not ready", "not ready", "not ready", "wrong-state", "not (ready)"),
        (
            "self.fuse and not is_cuda()",
            "self.fuse and not is_cuda()",
            "--fuse is for some only",
            "unsupported-combination",
            "self.fuse",
        ),
    ],
)
def test_the_culprit_is_what_the_message_complains_of(
    branch: str, innermost: str, message: str, family: str, culprit: str
) -> None:
    entry = make_entry(
        guard__branch=branch,
        guard__condition=branch,
        guard__clauses=(Clause("if", innermost, negated=False, line=3, rebound=()),),
        message=message,
        family=family,
        options=tuple(OptionUse(option.id, f"self.{option.name}", ("guard",), ()) for option in _OPTIONS),
    )
    case = read_case(entry, Facts.of(make_catalog([entry], options=_OPTIONS)))
    assert case.culprit is not None
    assert case.culprit.text == culprit


def test_where_a_handler_raises_no_test_is_at_fault() -> None:
    clauses = (
        Clause("if", "self.mode == 'x'", negated=False, line=2, rebound=()),
        Clause("except", "KeyError", negated=False, line=4, rebound=()),
    )
    entry = make_entry(guard__branch="self.mode == 'x'", guard__clauses=clauses)
    case = read_case(entry, Facts.of(make_catalog([entry], options=_OPTIONS)))
    assert case.is_handling
    assert case.culprit is None
