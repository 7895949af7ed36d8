"""Calls that never return and say why → what they throw: helpers of the target, and ways to end a program.

A call of a helper is of interest where what it throws comes from what it is given; `sys.exit(1)` and its like, which
print nothing, are left out. A call may stand inside an expression: then the tests around it belong to its guard.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from catalog.records import EntryKind, ExceptionType, Message
from miner.conditions import Atom, negate, read_formula
from miner.effects import find_path, find_reads
from miner.messages import explain_dynamic, make_message
from miner.nodes import list_inner
from miner.noreturn import Leaving
from miner.outcomes import Outcome, compose
from miner.quitting import read_quit
from miner.raising import read_value
from miner.templates import Scope
from miner.throws import Reading, follow_helper, follow_throws
from miner.trail import Event, Fact
from miner.wording import write_expression


@dataclass(frozen=True, slots=True)
class Departure:
    """A call that never returns, and what it throws."""

    kind: EntryKind
    exception: ExceptionType
    message: Message | None
    helper: str | None
    call: cst.Call
    around: tuple[Event, ...]
    """The tests around it in its own statement."""


def list_departures(
    node: cst.CSTNode, line: int, scope: Scope, reading: Reading, leaving: Leaving
) -> Iterator[Departure]:
    """List the calls in a statement that throw what they are given, in the order of the source."""
    for call, is_awaited, around in _list_calls(node, (), False):
        found = _read_exit(call, scope) or _read_helper(call, is_awaited, scope, reading, leaving)
        if found is not None:
            kind, exception, message, helper = found
            placed = tuple(replace(event, line=line) if isinstance(event, Fact) else event for event in around)
            yield Departure(kind, exception, message, helper, call, placed)


def _list_calls(
    node: cst.CSTNode, around: tuple[Event, ...], is_awaited: bool
) -> Iterator[tuple[cst.Call, bool, tuple[Event, ...]]]:
    match node:
        case cst.Lambda() | cst.SimpleString() | cst.Name() | cst.GeneratorExp():
            return
        case cst.BooleanOperation(operator=operator, left=left, right=right):
            yield from _list_calls(left, around, False)
            yield from _list_calls(right, (*around, _make_fact(left, isinstance(operator, cst.And))), False)
        case cst.IfExp(test=test, body=body, orelse=orelse):
            yield from _list_calls(test, around, False)
            yield from _list_calls(body, (*around, _make_fact(test, True)), False)
            yield from _list_calls(orelse, (*around, _make_fact(test, False)), False)
        case cst.Await(expression=inner):
            yield from _list_calls(inner, around, True)
        case cst.ListComp() | cst.SetComp() | cst.DictComp():
            yield from _list_inside(node, around)
        case _:
            if isinstance(node, cst.Call):
                yield node, is_awaited, around
            for child in list_inner(node):
                yield from _list_calls(child, around, False)


def _list_inside(
    node: cst.BaseComp | cst.DictComp, around: tuple[Event, ...]
) -> Iterator[tuple[cst.Call, bool, tuple[Event, ...]]]:
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        yield from _list_calls(clause.iter, around, False)
        text = f"{write_expression(clause.target)} in {write_expression(clause.iter)}"
        around = (*around, Fact("for", Atom(text, is_words=True), text, False, 0, find_reads(clause.iter)))
        for test in clause.ifs:
            around = (*around, _make_fact(test.test, True))
        clause = clause.inner_for_in
    elements = (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,)  # type: ignore[attr-defined]
    for element in elements:
        yield from _list_calls(element, around, False)


def _make_fact(test: cst.BaseExpression, held: bool) -> Fact:
    formula = read_formula(test)
    return Fact("if", formula if held else negate(formula), write_expression(test), not held, 0, find_reads(test))


_Read = tuple[EntryKind, ExceptionType, Message | None, str | None]


def _read_exit(call: cst.Call, scope: Scope) -> _Read | None:
    found = read_quit(call, scope)
    if found is None:
        return None
    reason = None if any(draft.has_text for draft in found.drafts) else explain_dynamic(found.argument)
    return "exit", found.exception, make_message(found.drafts, reason), None


def _read_helper(call: cst.Call, is_awaited: bool, scope: Scope, reading: Reading, leaving: Leaving) -> _Read | None:
    path = find_path(call.func)
    if path is None or "[]" in path:
        return None
    if path[-1] == "raise_from" and call.args:
        throws = tuple(read_value(call.args[0].value, scope))
        exception, message = compose(tuple(follow_throws(throws, reading)))
        return "call", exception, message, reading.context.resolve(".".join(path)) or ".".join(path)
    if not leaving.knows(path[-1], reading.context.find_import(path[-1])):
        return None
    function = reading.find_function(call.func)
    if function is None or function.is_async != is_awaited or not leaving.has(function.qualified):
        return None
    outcomes = _take_given(tuple(follow_helper(function, call.args, scope, reading)))
    if not outcomes:
        return None
    exception, message = compose(outcomes)
    return "call", exception, message, function.qualified


def _take_given(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Keep what a helper throws when some of it comes from what it is given."""
    return tuple(outcomes) if any(outcome.uses_arguments for outcome in outcomes) else ()
