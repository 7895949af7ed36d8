"""Guards, one construct a row: `guards.txt` holds source and what must be said of its last site."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from catalog.records import Guard
from miner.guards import MAX_CLAUSES
from miner.scan import mine_source

_TABLE = Path(__file__).parent / "guards.txt"


@dataclass(frozen=True, slots=True)
class Row:
    """A case of the table: a sentence, source, and the lines that describe the guard of the source's last site."""

    title: str
    source: str
    expected: tuple[str, ...]


def read_rows(text: str) -> Iterator[Row]:
    for block in text.split("#> ")[1:]:
        title, _, rest = block.partition("\n")
        lines = rest.rstrip().split("\n")
        expected = tuple(line.removeprefix("#: ") for line in lines if line.startswith("#: "))
        yield Row(title, "\n".join(line for line in lines if not line.startswith("#: ")) + "\n", expected)


def pick(source: str) -> Guard:
    """Give the guard of the last site: the last assert, or the last raise of `E`."""
    entries = mine_source(source)
    return [entry.guard for entry in entries if entry.kind == "assert" or entry.exception.name == "E"][-1]


def describe_guard(guard: Guard) -> Iterator[str]:
    for clause in guard.clauses:
        rebound = f"   (bound anew: {', '.join(clause.rebound)})" if clause.rebound else ""
        yield f"{clause.kind}{' not' if clause.negated else ''}: {clause.test}{rebound}"
    for binding in guard.bindings:
        yield f"{binding.name} is {binding.value}"
    yield f"condition: {guard.condition}"
    if guard.branch != guard.condition:
        yield f"branch: {guard.branch}"
    yield from (f"inexact: {reason}" for reason in guard.inexact_because)
    if not guard.closed:
        yield "open"


ROWS = tuple(read_rows(_TABLE.read_text(encoding="utf-8")))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_the_guard_is_what_the_table_says(row: Row) -> None:
    guard = pick(row.source)
    assert tuple(describe_guard(guard)) == row.expected
    assert guard.exact == (not guard.inexact_because)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_condition_and_branch_parse(row: Row) -> None:
    for entry in mine_source(row.source):
        ast.parse(entry.guard.condition, mode="eval")
        ast.parse(entry.guard.branch, mode="eval")


def test_the_table_has_its_rows() -> None:
    assert len(ROWS) > 100
    assert all(row.expected for row in ROWS)


def test_a_site_behind_very_many_exits_keeps_the_nearest_and_says_so() -> None:
    source = "def f(a):\n" + "".join(f"    if a == {n}:\n        return\n" for n in range(200)) + "    raise E\n"
    guard = pick(source)
    assert len(guard.clauses) == MAX_CLAUSES
    assert guard.clauses[-1].test == "a == 199"
    assert not guard.exact


def test_a_branch_stays_short_behind_many_exits() -> None:
    exits = "".join(f"    if a{n}:\n        return\n" for n in range(40))
    guard = pick(f"def f(self):\n{exits}    if self.x is None:\n        raise E\n")
    assert guard.branch == "self.x is None"
    assert guard.condition.startswith("not a0 and not a1 and ")


def test_an_earlier_exit_of_the_same_name_belongs_to_the_branch() -> None:
    guard = pick(
        "def f(size, limit, other):\n"
        "    if other:\n        return\n"
        "    if size is None:\n        return\n"
        "    if size > limit:\n        raise E\n"
    )
    assert guard.branch == "size is not None and size > limit"
    assert guard.condition == "not other and size is not None and size > limit"


def test_sites_of_one_function_have_guards_of_their_own() -> None:
    first, second = mine_source("def f(a):\n    if a == 1:\n        raise A\n    if a == 2:\n        raise B\n")
    assert first.guard.condition == "a == 1"
    assert second.guard.condition == "a == 2"
    assert [clause.kind for clause in second.guard.clauses] == ["past", "if"]
