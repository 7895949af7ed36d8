"""Simple statements and tests → what they define and change, as events for the trail."""

from collections.abc import Iterable, Iterator

import libcst as cst

from miner.effects import (
    Effect,
    Knows,
    Read,
    Rebind,
    bind_target,
    find_effects,
    find_path,
    find_reads,
    find_statement_effects,
    find_targets,
    name_imports,
)
from miner.flow import Block, For, If, Match, Nested, Statement, Step, Try, While, With
from miner.holding import Holders
from miner.nodes import LEAVES, list_inner
from miner.patterns import list_captures
from miner.trail import Change, Definition, Doubt, Event, define_import
from miner.values import FindReads, define_targets
from miner.wording import write_expression

_TIGHT = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.SimpleString)
_EMPTY = cst.Module([])


class StepReader:
    """Reads the steps of one unit, each once; `knows` tells what calls of known functions change."""

    def __init__(
        self,
        knows: Knows | None = None,
        holders: Holders | None = None,
        *,
        may_yield: bool = True,
        fixed: frozenset[str] = frozenset(),
    ) -> None:
        self._knows = knows
        self._holders = holders
        self._may_yield = may_yield
        self._fixed = frozenset((name,) for name in fixed)
        self._read: dict[cst.CSTNode, tuple[Event, ...]] = {}

    def find_changes(self, node: cst.CSTNode) -> tuple[Change, ...]:
        """Find what evaluating an expression may change."""
        return tuple(self._note(find_effects(node, self._knows)))

    def _note(self, effects: Iterable[Effect]) -> Iterator[Change]:
        return (Change(effect) for effect in effects if isinstance(effect, Rebind) or effect.path not in self._fixed)

    def find_reads(self, node: cst.CSTNode) -> tuple[Read, ...]:
        """Find what an expression depends on, also under other names."""
        reads = find_reads(node)
        return self._holders.attach(reads) if self._holders is not None else reads

    def list_read(self) -> Iterable[Event]:
        """List the events of all steps read so far."""
        return (event for events in self._read.values() for event in events)

    def read_step(self, step: Step) -> tuple[Event, ...]:
        """Read what a simple statement defines and changes."""
        found = self._read.get(step.node)
        if found is None:
            found = self._read[step.node] = tuple(self._read_node(step.node, step.line))
        return found

    def _read_node(self, node: cst.BaseSmallStatement, line: int) -> list[Event]:
        events: list[Event] = []
        match node:
            case cst.Assign(targets=targets, value=value):
                events.extend(self.find_changes(value))
                events.extend(define_targets(tuple(target.target for target in targets), value, line, self.find_reads))
            case cst.AnnAssign(target=target, value=value) if value is not None:
                events.extend(self.find_changes(value))
                events.extend(define_targets((target,), value, line, self.find_reads))
            case cst.AugAssign():
                events.extend(self._augment(node, line))
            case cst.Import() | cst.ImportFrom():
                events.extend(define_import(name, line) for name in name_imports(node))
            case _:
                events.extend(self._note(find_statement_effects(node, self._knows)))
        if self._may_yield and _yields(node):
            events.append(Doubt("it stands behind a yield of a generator"))
        return events

    def _augment(self, node: cst.AugAssign, line: int) -> Iterable[Event]:
        yield from self.find_changes(node.value)
        path = find_path(node.target)
        if path is None or path[-1] == "[]":
            yield from (Change(bind_target(found)) for found in find_targets(node.target))
            return
        yield Definition(path, lambda: _write_augmented(node, self.find_reads), line)

    def split_test(self, test: cst.BaseExpression, line: int) -> tuple[tuple[Event, ...], tuple[Change, ...]]:
        """Split what a test does into what it defines before it is decided (walrus) and what its calls may change."""
        named = _find_walrus(test)
        before = [
            event for node in named for event in define_targets((node.target,), node.value, line, self.find_reads)
        ]
        walrus = {Rebind(path) for node in named for path in find_targets(node.target)}
        after = tuple(change for change in self.find_changes(test) if change.effect not in walrus)
        return tuple(before), after

    def list_changes(self, block: Block, *, with_returns: bool = False) -> tuple[Change, ...]:
        """Collect everything that any statement of a block may change, however control runs through it.

        What a `return` changes is seen only by a handler around it.
        """
        found: dict[Effect, Change] = {}
        for statement in block:
            for change in self._list_changes(statement, with_returns):
                found[change.effect] = change
        return tuple(found.values())

    def _list_changes(self, statement: Statement, with_returns: bool) -> Iterable[Change]:
        blocks: tuple[Block, ...] = ()
        match statement:
            case Step(node=cst.Return()) if not with_returns:
                return
            case Step(node=node):
                for event in self.read_step(statement):
                    if isinstance(event, Definition) and not event.is_import:
                        yield Change(Rebind(event.path))
                    elif isinstance(event, Change):
                        yield event
                if isinstance(node, cst.Assert):
                    yield from self.find_changes(node.test)
            case If(test=test, body=body, orelse=orelse) | While(test=test, body=body, orelse=orelse):
                yield from self.find_changes(test)
                blocks = (body, orelse)
            case For(target=target, items=items, body=body, orelse=orelse):
                yield from self.find_changes(items)
                yield from (Change(bind_target(path)) for path in find_targets(target))
                blocks = (body, orelse)
            case Try(body=body, handlers=handlers, orelse=orelse, final=final):
                yield from (Change(Rebind((handler.name,))) for handler in handlers if handler.name)
                blocks = (body, *(handler.body for handler in handlers), orelse, final)
            case With(items=items_, body=body):
                for manager, bound in items_:
                    yield from self.find_changes(manager)
                    if bound is not None:
                        yield from (Change(bind_target(path)) for path in find_targets(bound))
                blocks = (body,)
            case Match(subject=subject, cases=cases):
                yield from self.find_changes(subject)
                yield from (Change(Rebind((name,))) for case in cases for name in list_captures(case.pattern))
                blocks = tuple(case.body for case in cases)
            case Nested(name=name):
                yield Change(Rebind((name,)))
        for block in blocks:
            yield from self.list_changes(block, with_returns=with_returns)


def list_bound(block: Block) -> Iterable[str]:
    """List the names that statements bind, whichever way control runs."""
    blocks: tuple[Block, ...] = ()
    for statement in block:
        targets: list[cst.CSTNode] = []
        match statement:
            case Step(node=cst.Assign(targets=assigned)):
                targets.extend(target.target for target in assigned)
            case Step(node=cst.AnnAssign(target=target) | cst.AugAssign(target=target)):
                targets.append(target)
            case If(body=body, orelse=orelse) | While(body=body, orelse=orelse):
                blocks = (body, orelse)
            case For(target=target, body=body, orelse=orelse):
                targets.append(target)
                blocks = (body, orelse)
            case Try(body=body, handlers=handlers, orelse=orelse, final=final):
                yield from (handler.name for handler in handlers if handler.name)
                blocks = (body, *(handler.body for handler in handlers), orelse, final)
            case With(items=items, body=body):
                targets.extend(bound for _, bound in items if bound is not None)
                blocks = (body,)
            case Match(cases=cases):
                yield from (name for case in cases for name in list_captures(case.pattern))
                blocks = tuple(case.body for case in cases)
            case Nested(name=name):
                yield name
            case _:
                pass
        yield from (path[0] for target in targets for path in find_targets(target) if len(path) == 1)
        for inner in blocks:
            yield from list_bound(inner)
        blocks = ()


def _write_augmented(node: cst.AugAssign, find: FindReads) -> tuple[str, tuple[Read, ...]]:
    symbol = _EMPTY.code_for_node(node.operator).strip()[:-1]
    value = write_expression(node.value)
    if not isinstance(node.value, _TIGHT):
        value = f"({value})"
    reads = (*find(node.target), *find(node.value))
    return f"{write_expression(node.target)} {symbol} {value}", reads


def _find_walrus(node: cst.CSTNode) -> list[cst.NamedExpr]:
    if type(node) is cst.Lambda:
        return []
    inside = (child for child in list_inner(node) if type(child) not in LEAVES)
    found = [inner for child in inside for inner in _find_walrus(child)]
    return [*found, node] if type(node) is cst.NamedExpr else found


_WITHOUT_YIELD = LEAVES | {cst.Lambda, cst.Attribute, cst.Import}


def _yields(node: cst.CSTNode) -> bool:
    if type(node) is cst.Yield:
        return True
    return type(node) not in _WITHOUT_YIELD and any(map(_yields, list_inner(node)))
