"""Assignments → definitions: which expression a name or attribute holds afterwards."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import libcst as cst

from miner.effects import CONTENT, Path, Read, Rebind, bind_target, disturbs, find_path, find_reads, find_targets
from miner.exits import Summary, as_change
from miner.trail import Change, Definition, Event, effects_of
from miner.wording import write_expression

FindReads = Callable[[cst.CSTNode], tuple[Read, ...]]


def define_targets(
    targets: Sequence[cst.CSTNode], value: cst.BaseExpression, line: int, find: FindReads = find_reads
) -> Iterator[Event]:
    """Give what an assignment defines, and what it changes where no single expression says the new value."""
    for target in targets:
        yield from _define(target, value, line, find)


def _define(target: cst.CSTNode, value: cst.BaseExpression, line: int, find: FindReads) -> Iterator[Event]:
    match target:
        case cst.Name() | cst.Attribute():
            path = find_path(target)
            if path is not None and "[]" not in path:
                yield Definition(path, lambda: (write_expression(value), find(value)), line)
                return
        case cst.Tuple() | cst.List():
            yield from _define_each(target, value, line, find)
            return
        case _:
            pass
    yield from (Change(bind_target(path)) for path in find_targets(target))


def _define_each(
    target: cst.Tuple | cst.List, value: cst.BaseExpression, line: int, find: FindReads
) -> Iterator[Event]:
    names = [element.value for element in target.elements]
    plain = not any(isinstance(element, cst.StarredElement) for element in target.elements)
    if plain and isinstance(value, cst.Tuple | cst.List) and len(value.elements) == len(names):
        ordered = _order(names, [element.value for element in value.elements], find)
        if ordered is not None:
            for name, part in ordered:
                yield from _define(name, part, line, find)
            return
    if plain and isinstance(value, cst.Call | cst.Name | cst.Attribute | cst.Subscript):
        for index, name in enumerate(names):
            path = find_path(name)
            if isinstance(name, cst.Name | cst.Attribute) and path is not None and "[]" not in path:
                yield Definition(path, partial(_write_element, value, index, find), line)
            else:
                yield from (Change(bind_target(found)) for found in find_targets(name))
        return
    yield from (Change(bind_target(path)) for path in find_targets(target))


def _order(
    names: Sequence[cst.BaseExpression], values: Sequence[cst.BaseExpression], find: FindReads
) -> list[tuple[cst.BaseExpression, cst.BaseExpression]] | None:
    """Put assignments that happen at once in an order that gives the same; `None` where they exchange values."""
    waiting = list(zip(names, values, strict=True))
    ordered = []
    while waiting:
        for pair in waiting:
            touched = [Rebind(path) for path in find_targets(pair[0])]
            reads = [read for _, other in waiting if other is not pair[1] for read in find(other)]
            if not any(disturbs(effect, read) for effect in touched for read in reads):
                break
        else:
            return None
        ordered.append(pair)
        waiting.remove(pair)
    return ordered


def _write_element(value: cst.BaseExpression, index: int, find: FindReads) -> tuple[str, tuple[Read, ...]]:
    return f"{write_expression(value)}[{index}]", find(value)


def merge_branches(test: str, reads: tuple[Read, ...], then: Summary, other: Summary, line: int) -> tuple[Event, ...]:
    """Give what has happened behind an `if`: what one branch alone defined becomes a conditional expression."""
    if not then.falls or not other.falls:
        return (then if then.falls else other).events if then.falls or other.falls else ()
    events = (*then.events, *other.events)
    defined: list[Definition] = []
    for path in dict.fromkeys(event.path for event in events if isinstance(event, Definition)):
        choice = _choose(path, test, reads, then.events, other.events)
        if choice is not None and not _reads_another(choice, defined):
            defined.append(choice)
    settled = {Rebind(definition.path) for definition in defined}
    return (*defined, *(change for change in as_change(events) if change.effect not in settled))


def _choose(
    path: Path, test: str, reads: tuple[Read, ...], then: tuple[Event, ...], other: tuple[Event, ...]
) -> Definition | None:
    """Say as one conditional expression what a path holds behind two branches, where that can be said."""
    first, second = _find_only(path, then), _find_only(path, other)
    definition = first or second
    if definition is None or (first is None and _touches(path, then)) or (second is None and _touches(path, other)):
        return None
    if any(disturbs(e, read) for e in effects_of(then + other) for read in reads if read.path != path):
        return None
    return Definition(path, lambda: _write_choice(path, test, reads, first, second), definition.line)


def _write_choice(
    path: Path, test: str, reads: tuple[Read, ...], first: Definition | None, second: Definition | None
) -> tuple[str, tuple[Read, ...]]:
    name = ".".join(path)
    yes, no = (_enclose(found.value) if found else name for found in (first, second))
    unchanged = (Read(path, CONTENT),)
    inner = (*(first.reads if first else unchanged), *(second.reads if second else unchanged))
    return f"{yes} if {_write_test(test)} else {no}", (*reads, *inner)


def _reads_another(choice: Definition, defined: list[Definition]) -> bool:
    return any(disturbs(Rebind(d.path), read) for d in defined for read in choice.reads)


def _write_test(test: str) -> str:
    return f"({test})" if " if " in test or ":=" in test or test.startswith("lambda") else test


def _enclose(value: str) -> str:
    return f"({value})" if " if " in value or value.startswith("lambda") or ":=" in value else value


def _find_only(path: Path, events: tuple[Event, ...]) -> Definition | None:
    """Find the one definition of a path in a branch, whose own inputs nothing in the branch changed before it."""
    found: Definition | None = None
    earlier: list[Event] = []
    for event in events:
        if isinstance(event, Definition) and event.path == path:
            if found is not None or any(disturbs(e, read) for e in effects_of(earlier) for read in event.reads):
                return None
            found = event
        elif isinstance(event, Change | Definition):
            if found is not None and any(disturbs(e, Read(path, 0)) for e in effects_of((event,))):
                return None
            earlier.append(event)
    return found


def _touches(path: Path, events: tuple[Event, ...]) -> bool:
    return any(disturbs(effect, Read(path, 0)) for effect in effects_of(events))
