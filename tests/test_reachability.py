"""A site whose guard is exact and closed fires exactly when its condition held on entry."""

import ast
import copy
import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from catalog.records import Entry
from miner.scan import mine_source

SOURCE = """
LIMIT = 5

def compare(a, b):
    if a is None:
        return 0
    if b is None or a == b:
        raise ValueError("none or same")
    assert a < 8 or b
    if a > LIMIT:
        if b > LIMIT:
            return 1
        elif b == 0:
            raise ValueError("large over zero")
    else:
        if not b > 2:
            raise ValueError("small")
    return 2

def default(a, b):
    if a is None:
        a = 7
    b = b or 3
    if a > b:
        raise ValueError("more")
    total = a + b
    twice = total * 2
    if twice == 12:
        raise ValueError("twelve")

def each(xs, y):
    for x in xs:
        if x == y:
            return x
    raise KeyError(y)

def each_else(xs, y):
    for x in xs:
        z = x + 1
        if z == y:
            break
    else:
        raise KeyError(y)
    if y > 3:
        raise ValueError("found, and large")

def matched(a, b):
    match a:
        case 1 | 2:
            if b:
                raise ValueError("one or two")
        case 3 if b == 0:
            return
        case int() if a > 9:
            raise ValueError("many")
        case None:
            raise ValueError("none")
        case _:
            if a == b:
                return
            raise ValueError("other")
    if a == 2:
        raise ValueError("behind")

def chosen(a, b):
    size = 1 if a else b
    if not (size == 1 and b != 2):
        raise ValueError("size")
    low, high = a, b
    if low > high:
        raise ValueError("order")

def walrus(xs, y):
    if (n := len(xs)) > y:
        raise ValueError(n)
    assert n != 2, "two"

def nested(a, b):
    if a:
        if b:
            if a == b:
                return
        else:
            return
        if a > 2:
            raise ValueError("a")
    elif b:
        assert b != 3
        return
    raise ValueError("end")

def tidy(xs, y):
    while y > 3:
        y = y - 1
    with open("/dev/null"):
        if y < 0:
            return
    try:
        if y == 0:
            raise ValueError("zero")
    finally:
        xs = list(xs)
    if len(xs) > 2:
        raise ValueError("long")

"""
SMALL = st.one_of(st.none(), st.integers(-2, 12))
NUMBER = st.integers(-2, 24)
ITEMS = st.lists(st.integers(0, 4), max_size=4)
OWN: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "compare": (SMALL, SMALL),
    "default": (SMALL, SMALL),
    "each": (ITEMS, st.integers(0, 5)),
    "each_else": (ITEMS, st.integers(0, 5)),
    "matched": (SMALL, st.integers(0, 4)),
    "chosen": (st.integers(0, 3), st.integers(0, 3)),
    "walrus": (ITEMS, st.integers(0, 4)),
    "nested": (st.integers(0, 4), st.integers(0, 4)),
    "tidy": (ITEMS, st.integers(-1, 6)),
}
LIBRARY: dict[tuple[str, str], tuple[st.SearchStrategy[Any], ...]] = {
    ("datetime", "_check_date_fields"): (st.integers(-1, 10_000), st.integers(-1, 14), st.integers(-1, 33)),
    ("datetime", "_check_time_fields"): (
        *(
            st.integers(-1, 25),
            st.integers(-1, 61),
            st.integers(-1, 61),
            st.integers(-1, 1_000_001),
            st.integers(-1, 3),
        ),
    ),
    ("datetime", "_days_in_month"): (st.integers(1, 3000), st.integers(-1, 14)),
    ("datetime", "_days_before_month"): (st.integers(1, 3000), st.integers(-1, 14)),
    ("datetime", "_ymd2ord"): (st.integers(1, 3000), st.integers(-1, 14), st.integers(-1, 33)),
    ("bisect", "bisect_right"): (ITEMS.map(sorted), st.integers(0, 4), st.integers(-2, 2)),
    ("bisect", "bisect_left"): (ITEMS.map(sorted), st.integers(0, 4), st.integers(-2, 2)),
    ("calendar", "monthrange"): (st.integers(1900, 2100), st.integers(-1, 14)),
    ("ipaddress", "ip_address"): (st.sampled_from(["::1", "10.0.0.1", "x", "", 5, -1, b"1234", b"1"]),),
    ("ipaddress", "_find_address_range"): (ITEMS,),
    ("shlex", "split"): (st.sampled_from(["a b", "", "'a"]),),
    ("textwrap", "dedent"): (st.text(" a\n\t", max_size=12),),
    ("statistics", "median_low"): (ITEMS,),
    ("statistics", "median_high"): (ITEMS,),
    ("statistics", "quantiles"): (ITEMS,),
    ("statistics", "mean"): (ITEMS,),
    ("fractions", "_operator_fallbacks"): (NUMBER, NUMBER),
    ("base64", "b32hexencode"): (st.binary(max_size=4),),
    ("inspect", "getmodulename"): (st.text("a./", max_size=6),),
}


@dataclass(frozen=True, slots=True)
class Subject:
    """A function that can be called, the namespace it runs in, and its entries."""

    call: Callable[..., object]
    space: dict[str, Any]
    entries: tuple[Entry, ...]
    path: str


def read_own(name: str) -> Subject:
    space: dict[str, Any] = {}
    exec(compile(SOURCE, "own.py", "exec"), space)
    return Subject(space[name], space, find_entries(SOURCE, name), "own.py")


def read_library(module: str, name: str) -> Subject:
    """Take one function out of a module's source, so that no accelerated one stands in for it."""
    source = inspect.getsource(importlib.import_module(module))
    found: list[ast.stmt] = [
        node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    if not found:
        pytest.skip(f"this Python has no {module}.{name}")
    space = dict(vars(importlib.import_module(module)))
    exec(compile(ast.Module(found[:1], []), "library.py", "exec"), space)
    return Subject(space[name], space, find_entries(source, name), "library.py")


def find_entries(source: str, name: str) -> tuple[Entry, ...]:
    return tuple(
        entry
        for entry in mine_source(source)
        if entry.site.qualname == name
        and entry.kind in ("raise", "assert")
        and entry.guard.exact
        and entry.guard.closed
    )


def fire(subject: Subject, values: list[Any]) -> int | None:
    """Give the line at which the function itself raised; 0 when it returned, `None` when something it called raised."""
    try:
        subject.call(*values)
    except Exception as error:  # noqa: BLE001 (whatever the function raises is looked at)
        last: TracebackType | None = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        assert last is not None
        code = last.tb_frame.f_code
        statement = code.co_filename == subject.path and code.co_code[last.tb_lasti] == 130  # RAISE_VARARGS
        return last.tb_lineno if statement else None
    return 0


def predict(entry: Entry, subject: Subject, values: list[Any]) -> bool:
    """Work out on entry whether the condition holds, with the bindings put in from the first to the last."""
    bound = inspect.signature(subject.call).bind(*values)
    bound.apply_defaults()
    space = {**subject.space, **bound.arguments}
    for binding in sorted(entry.guard.bindings, key=lambda binding: binding.line):
        if binding.name.isidentifier():
            try:
                space[binding.name] = eval(binding.value, space)
            except Exception:  # noqa: BLE001 (a definition on another path need not work out)
                continue
    return bool(eval(entry.guard.condition, space))


def hold(subject: Subject, strategies: tuple[st.SearchStrategy[Any], ...], examples: int) -> set[tuple[int, bool]]:
    """Try the function and give which of its sites have fired and which not."""
    seen: set[tuple[int, bool]] = set()

    @settings(max_examples=examples)
    @given(st.tuples(*strategies))
    def check(values: tuple[Any, ...]) -> None:
        seen.update(compare(subject, values))

    check()
    return seen


def compare(subject: Subject, values: tuple[Any, ...]) -> Iterator[tuple[int, bool]]:
    """Call the function and give for each site whether it fired, which its condition must have told on entry."""
    line = fire(subject, copy.deepcopy(list(values)))
    if line is None:
        return
    for entry in subject.entries:
        fired = line == entry.site.line
        yield entry.site.line, fired
        assert predict(entry, subject, copy.deepcopy(list(values))) == fired, (entry.guard, values)


def search(subject: Subject, strategies: tuple[st.SearchStrategy[Any], ...], line: int) -> bool:
    """Look on for arguments with which a site fires: a few examples may miss one that few arguments lead to."""
    far = settings(max_examples=20_000, database=None, suppress_health_check=list(HealthCheck))
    found = find(
        st.tuples(*strategies), lambda values: fire(subject, copy.deepcopy(list(values))) == line, settings=far
    )
    return (line, True) in set(compare(subject, found))


@pytest.mark.parametrize("name", OWN)
def test_own_functions_fire_when_their_condition_held(name: str) -> None:
    subject = read_own(name)
    seen = hold(subject, OWN[name], 150)
    missed = [entry.site.line for entry in subject.entries if (entry.site.line, True) not in seen]
    assert all(search(subject, OWN[name], line) for line in missed)


@pytest.mark.parametrize(("module", "name"), LIBRARY)
def test_library_functions_fire_when_their_condition_held(module: str, name: str) -> None:
    hold(read_library(module, name), LIBRARY[module, name], 60)


def test_most_own_sites_are_exact_and_closed() -> None:
    entries = mine_source(SOURCE)
    settled = [entry for entry in entries if entry.guard.exact and entry.guard.closed]
    assert len(settled) / len(entries) > 0.7
