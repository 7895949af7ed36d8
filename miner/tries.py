"""Walking `try` and `with`: what may have been cut short, and what may have been swallowed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import libcst as cst

from miner.conditions import Atom, negate
from miner.effects import Rebind, bind_target, find_path, find_targets
from miner.exits import Summary, as_change, list_facts, settle_block, weaken
from miner.flow import Handler, Try, With
from miner.trail import Change, Doubt, Event, Fact
from miner.walking import Walker
from miner.wording import write_expression

_TRY = "an earlier try may leave"
_WITH = "an earlier with block may swallow an exception"
_SWALLOWS = ("suppress", "raises", "assertRaises", "ignore", "catch", "swallow")


def walk_try(walker: Walker, statement: Try) -> Summary:
    """Walk a `try`: a handler that goes on makes what its body ruled out uncertain."""
    mark = len(walker.trail)
    shields = len(walker.shields)
    walker.shields.extend(name for handler in statement.handlers for name in _name_types(handler.types))
    body = walker.walk_block(statement.body)
    del walker.shields[shields:]
    changes = walker.reader.list_changes(statement.body, with_returns=True)
    handlers = [_walk_handler(walker, handler, changes, statement.line) for handler in statement.handlers]
    orelse = _walk_else(walker, statement, body)
    del walker.trail[mark:]
    recovers = any(handler.falls for handler in handlers)
    inside = body.exits + orelse.exits
    exits = weaken(inside, _TRY) if recovers else inside
    exits += tuple(replace(exit_, is_silent=True) for handler in handlers for exit_ in handler.exits)
    events: tuple[Event, ...] = (*body.events, *orelse.events)
    if recovers:
        events = as_change([*changes, *orelse.events, *(event for handler in handlers for event in handler.events)])
    falls = recovers or (body.falls and orelse.falls)
    whole = Summary(falls, exits if falls else settle_block(False, exits), events)
    return _walk_final(walker, statement, whole) if statement.final else whole


def _name_types(types: cst.BaseExpression | None) -> Iterator[str]:
    """Name what a handler catches, without modules; a bare one catches all."""
    match types:
        case None:
            yield "BaseException"
        case cst.Tuple(elements=elements):
            for element in elements:
                yield from _name_types(element.value)
        case _:
            path = find_path(types)
            if path is not None:
                yield path[-1]


def _walk_handler(walker: Walker, handler: Handler, changes: Iterable[Change], line: int) -> Summary:
    mark = len(walker.trail)
    walker.trail.extend(changes)
    types = write_expression(handler.types) if handler.types is not None else "BaseException"
    walker.trail.append(Fact("except", Atom(f"caught {types}", is_words=True), types, False, line, ()))
    walker.trail.append(Doubt("it stands in an exception handler"))
    if handler.name:
        walker.trail.append(Change(Rebind((handler.name,))))
        walker.caught.append(handler.name)
    summary = walker.walk_block(handler.body)
    if handler.name:
        walker.caught.pop()
    del walker.trail[mark:]
    return summary


def _walk_else(walker: Walker, statement: Try, body: Summary) -> Summary:
    if not statement.orelse:
        return Summary(True)
    walker.trail.extend(list_facts(body.exits, walker.trail))
    walker.trail.extend(body.events)
    types = ", ".join(write_expression(h.types) if h.types else "BaseException" for h in statement.handlers)
    words = Atom(f"caught {types}", is_words=True)
    walker.trail.append(Fact("else", negate(words), types, True, statement.line, ()))
    return walker.walk_block(statement.orelse)


def _walk_final(walker: Walker, statement: Try, inside: Summary) -> Summary:
    mark = len(walker.trail)
    for block in (statement.body, *(handler.body for handler in statement.handlers), statement.orelse):
        walker.trail.extend(walker.reader.list_changes(block, with_returns=True))
    walker.trail.append(Doubt("it stands in a finally block"))
    final = walker.walk_block(statement.final)
    del walker.trail[mark:]
    return Summary(inside.falls and final.falls, inside.exits + final.exits, (*inside.events, *final.events))


def walk_with(walker: Walker, statement: With) -> Summary:
    """Walk a `with`; a manager that swallows exceptions makes what its body ruled out uncertain."""
    events: list[Event] = []
    swallows = False
    for item, target in statement.items:
        events.extend(walker.reader.find_changes(item))
        name = find_path(item.func if isinstance(item, cst.Call) else item)
        swallows = swallows or bool(name and any(word in name[-1] for word in _SWALLOWS))
        if target is not None:
            events.extend(Change(bind_target(path)) for path in find_targets(target))
    walker.trail.extend(events)
    body = walker.walk_block(statement.body)
    if swallows:
        return Summary(True, weaken(body.exits, _WITH), (*events, *as_change(body.events)))
    return Summary(body.falls, body.exits, (*events, *body.events))
