"""A flow → for each of its sites, the trail that leads there.

Statements are taken in the order in which control does. Going into a branch adds its test to the trail; coming out of
a statement leaves behind what its early exits rule out, what it defined and what it may have changed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import libcst as cst

from miner.conditions import Atom, Formula, join, negate, read_formula, write_formula
from miner.effects import (
    Effect,
    Read,
    Rebind,
    bind_target,
    find_effects,
    find_path,
    find_reads,
    find_statement_effects,
    find_targets,
)
from miner.exits import Exit, Summary, as_change, list_facts, put_before, settle_block, weaken
from miner.flow import Block, Flow, For, If, Match, Nested, Statement, Step, Try, While, With
from miner.loops import is_endless, note_break, summarise_for
from miner.nodes import list_inner
from miner.patterns import read_pattern
from miner.trail import Change, Definition, Doubt, Event, Fact, forget_values
from miner.values import define_targets, merge_branches
from miner.wording import write_expression

LeavesForGood = Callable[[cst.Call], bool]
_LOOP = "an earlier loop may leave"
_TRY = "an earlier try may leave"
_WITH = "an earlier with block may swallow an exception"
_SWALLOWS = ("suppress", "raises", "assertRaises", "ignore", "catch", "swallow")


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """A site and the trail behind it."""

    step: Step
    trail: tuple[Event, ...]
    caught: frozenset[str]
    """Names that handlers around the site have given to what they caught."""


def walk_flow(flow: Flow, leaves_for_good: LeavesForGood) -> list[Arrival]:
    """Find the trail to each site of a flow, in source order; `leaves_for_good` knows the calls that never return."""
    walker = _Walker(leaves_for_good)
    walker.walk_block(flow.body)
    return walker.arrivals


class _Walker:
    def __init__(self, leaves_for_good: LeavesForGood) -> None:
        self.arrivals: list[Arrival] = []
        self._trail: list[Event] = []
        self._caught: list[str] = []
        self._leaves_for_good = leaves_for_good

    def walk_block(self, block: Block) -> Summary:
        start = len(self._trail)
        falls = True
        exits: list[Exit] = []
        events: list[Event] = []
        passed: tuple[Formula, ...] = ()
        passed_reads: tuple[Read, ...] = ()
        for statement in block:
            if not falls:
                self._trail.append(Doubt("the statement before always leaves"))
            mark = len(self._trail)
            summary = self._walk_statement(statement)
            del self._trail[mark:]
            for exit_ in summary.exits:
                exits.append(
                    replace(put_before(exit_, passed, passed_reads), events=(*as_change(events), *exit_.events))
                )
            facts = list_facts(summary.exits, self._trail) if summary.falls else []
            for exit_ in summary.exits:
                if exit_.kind in ("continue", "break") and exit_.tests and exit_.doubt is None:
                    passed += (negate(join(exit_.tests)),)
                    passed_reads += exit_.reads
            self._trail.extend(facts)
            self._trail.extend(summary.events)
            events.extend(summary.events)
            falls = falls and summary.falls
        del self._trail[start:]
        return Summary(falls, settle_block(falls, exits), tuple(events))

    def _walk_statement(self, statement: Statement) -> Summary:
        match statement:
            case Step():
                return self._walk_step(statement)
            case If():
                return self._walk_if(statement)
            case For():
                return self._walk_for(statement)
            case While():
                return self._walk_while(statement)
            case Try():
                return self._walk_try(statement)
            case With():
                return self._walk_with(statement)
            case Match():
                return self._walk_match(statement)
            case Nested():
                return Summary(True, (), (Change(Rebind((statement.name,))),))

    def _walk_step(self, step: Step) -> Summary:
        node = step.node
        match node:
            case cst.Raise():
                self._arrive(step)
                return Summary(False, (Exit("leave", (), (), step.line),))
            case cst.Assert():
                return self._walk_assert(step, node)
            case cst.Return():
                return Summary(False, (Exit("leave", (), (), step.line),))
            case cst.Continue():
                return Summary(False, (Exit("continue", (), (), step.line),))
            case cst.Break():
                return Summary(False, (Exit("break", (), (), step.line),))
            case cst.Expr(value=cst.Call() as call) if self._leaves_for_good(call):
                return Summary(False, (Exit("leave", (), (), step.line),))
            case _:
                return Summary(True, (), read_events(node, step.line))

    def _walk_assert(self, step: Step, node: cst.Assert) -> Summary:
        formula = read_formula(node.test)
        reads = find_reads(node.test)
        before, after = _split_effects(node.test, step.line)
        mark = len(self._trail)
        self._trail.extend(before)
        text = write_expression(node.test)
        self._trail.append(Fact("own", negate(formula), text, True, step.line, reads))
        self._arrive(step)
        del self._trail[mark:]
        if is_constant(node.test, truth=False):
            return Summary(False, (Exit("leave", (), (), step.line),))
        fails = Exit("assert", (negate(formula),), reads, step.line)
        return Summary(True, (fails,), (*before, *after))

    def _arrive(self, step: Step) -> None:
        if step.mark is not None:
            self.arrivals.append(Arrival(step, tuple(self._trail), frozenset(self._caught)))

    def _walk_if(self, statement: If) -> Summary:
        formula, reads = read_formula(statement.test), find_reads(statement.test)
        text = write_expression(statement.test)
        before, after = _split_effects(statement.test, statement.line)
        self._trail.extend(before)
        mark = len(self._trail)
        arms: list[Summary] = []
        for held, block in ((formula, statement.body), (negate(formula), statement.orelse)):
            fact = Fact("if", held, text, held is not formula, statement.line, reads)
            self._trail.append(fact)
            self._trail.extend(after)
            inner = self.walk_block(block)
            del self._trail[mark:]
            exits = tuple(
                replace(put_before(e, (held,), reads, statement.line), events=(*after, *e.events)) for e in inner.exits
            )
            arms.append(replace(inner, exits=exits))
        then, other = arms
        falls = then.falls or other.falls
        if is_constant(statement.test, truth=True) and not statement.orelse:
            falls = then.falls
        exits = then.exits + other.exits
        if not falls:
            exits = settle_block(False, list(exits))
        merged = merge_branches(text, reads, then, other, statement.line)
        return Summary(falls, exits, (*before, *after, *merged))

    def _enter_loop(self, body: Block, targets: tuple[Effect, ...]) -> tuple[Change, ...]:
        changes = as_change((*(Change(effect) for effect in targets), *list_changes(body)))
        self._trail.extend(changes)
        return changes

    def _walk_for(self, statement: For) -> Summary:
        before = tuple(Change(effect) for effect in find_effects(statement.items))
        self._trail.extend(before)
        targets = tuple(bind_target(path) for path in find_targets(statement.target))
        mark = len(self._trail)
        changes = self._enter_loop(statement.body, targets)
        text = f"{_write_bare(statement.target)} in {_write_bare(statement.items)}"
        reads = find_reads(statement.items)
        self._trail.append(Fact("for", Atom(text, is_words=True), text, False, statement.line, reads))
        body = self.walk_block(statement.body)
        del self._trail[mark:]
        exits, facts = summarise_for(statement, body, changes)
        if statement.orelse:
            self._trail.extend(changes)
            self._trail.extend(facts)
            other = self.walk_block(statement.orelse)
            breaks = [e for e in body.exits if e.kind == "break"]
            if breaks and not other.falls and (broken := note_break(statement, breaks, changes)):
                return Summary(True, exits, (*before, *changes, broken))
            exits += other.exits if not breaks else weaken(other.exits, _LOOP)
            return Summary(bool(breaks) or other.falls, exits, (*before, *changes, *forget_values(other.events)))
        return Summary(True, exits, (*before, *changes))

    def _walk_while(self, statement: While) -> Summary:
        endless = is_endless(statement.test)
        formula, reads = read_formula(statement.test), find_reads(statement.test)
        text = write_expression(statement.test)
        before, after = _split_effects(statement.test, statement.line)
        mark = len(self._trail)
        changes = self._enter_loop(statement.body, tuple(e.effect for e in (*forget_values(before), *after)))  # type: ignore[union-attr]
        if not endless:
            self._trail.extend(before)
            self._trail.append(Fact("while", formula, text, False, statement.line, reads))
            self._trail.extend(after)
        body = self.walk_block(statement.body)
        del self._trail[mark:]
        breaks = [e for e in body.exits if e.kind == "break"]
        exits = tuple(replace(e, doubt=_LOOP) for e in body.exits if e.kind in ("leave", "assert"))
        events: list[Event] = list(changes)
        if not endless and not breaks:
            events.append(Fact("while", negate(formula), text, True, statement.line, reads))
            events.extend(after)
        elif endless and len(breaks) == 1 and breaks[0].tests and not breaks[0].doubt:
            events.extend(_note_way_out(breaks[0], statement.line))
        falls = bool(breaks)
        if not endless:
            self._trail.extend(events)
            other = self.walk_block(statement.orelse)
            del self._trail[mark:]
            exits += other.exits if not breaks else weaken(other.exits, _LOOP)
            events.extend(other.events if not breaks else forget_values(other.events))
            falls = falls or other.falls
        return Summary(falls, exits, tuple(events))

    def _walk_try(self, statement: Try) -> Summary:
        mark = len(self._trail)
        body = self.walk_block(statement.body)
        changes = as_change(body.events if not statement.handlers else list_changes(statement.body, with_returns=True))
        handlers: list[Summary] = []
        for handler in statement.handlers:
            self._trail.extend(changes)
            types = write_expression(handler.types) if handler.types is not None else "BaseException"
            words = Atom(f"caught {types}", is_words=True)
            self._trail.append(Fact("except", words, types, False, statement.line, ()))
            self._trail.append(Doubt("it stands in an exception handler"))
            if handler.name:
                self._trail.append(Change(Rebind((handler.name,))))
                self._caught.append(handler.name)
            handlers.append(self.walk_block(handler.body))
            if handler.name:
                self._caught.pop()
            del self._trail[mark:]
        recovers = any(handler.falls for handler in handlers)
        orelse = self._walk_try_else(statement, body)
        del self._trail[mark:]
        inside = body.exits + orelse.exits
        exits = weaken(inside, _TRY) if recovers else inside
        exits += tuple(replace(e, is_silent=True) for handler in handlers for e in handler.exits)
        events: list[Event] = [*body.events, *orelse.events]
        if recovers:
            undone = [event for handler in handlers for event in handler.events]
            events = list(as_change([*changes, *orelse.events, *undone]))
        falls = recovers or (body.falls and orelse.falls)
        if not falls:
            exits = settle_block(False, list(exits))
        return self._walk_final(statement, Summary(falls, exits, tuple(events)))

    def _walk_try_else(self, statement: Try, body: Summary) -> Summary:
        if not statement.orelse:
            return Summary(True)
        self._trail.extend(list_facts(body.exits, self._trail))
        self._trail.extend(body.events)
        types = ", ".join(write_expression(h.types) if h.types else "BaseException" for h in statement.handlers)
        words = Atom(f"caught {types}", is_words=True)
        self._trail.append(Fact("else", negate(words), types, True, statement.line, ()))
        return self.walk_block(statement.orelse)

    def _walk_final(self, statement: Try, inside: Summary) -> Summary:
        if not statement.final:
            return inside
        mark = len(self._trail)
        blocks = (statement.body, *(h.body for h in statement.handlers), statement.orelse)
        self._trail.extend(as_change([change for block in blocks for change in list_changes(block, with_returns=True)]))
        self._trail.append(Doubt("it stands in a finally block"))
        final = self.walk_block(statement.final)
        del self._trail[mark:]
        exits = inside.exits + final.exits
        return Summary(inside.falls and final.falls, exits, (*inside.events, *final.events))

    def _walk_with(self, statement: With) -> Summary:
        events: list[Event] = []
        swallows = False
        for item, target in statement.items:
            events.extend(Change(effect) for effect in find_effects(item))
            name = find_path(item.func if isinstance(item, cst.Call) else item)
            swallows = swallows or bool(name and any(word in name[-1] for word in _SWALLOWS))
            if target is not None:
                events.extend(Change(bind_target(path)) for path in find_targets(target))
        self._trail.extend(events)
        body = self.walk_block(statement.body)
        if swallows:
            return Summary(True, weaken(body.exits, _WITH), (*events, *as_change(body.events)))
        return Summary(body.falls, body.exits, (*events, *body.events))

    def _walk_match(self, statement: Match) -> Summary:
        subject = statement.subject
        before = tuple(Change(effect) for effect in find_effects(subject))
        self._trail.extend(before)
        mark = len(self._trail)
        missed: list[tuple[Fact, Formula]] = []
        arms: list[Summary] = []
        exits: list[Exit] = []
        reads = find_reads(subject)
        for case in statement.cases:
            taken = read_pattern(subject, case.pattern, case.test)
            reads_here = reads + (find_reads(case.test) if case.test is not None else ())
            self._trail.extend(fact for fact, formula in missed if not taken.excludes(formula))
            earlier = tuple(negate(formula) for _, formula in missed if not taken.excludes(formula))
            tests = earlier + ((taken.formula,) if taken.formula is not None else ())
            self._trail.extend(Change(Rebind((name,))) for name in taken.names)
            if taken.formula is not None:
                self._trail.append(Fact("case", taken.formula, taken.text, False, case.line, reads_here))
            inner = self.walk_block(case.body)
            del self._trail[mark:]
            exits.extend(put_before(e, tests, reads_here, case.line) for e in inner.exits)
            bound = tuple(Change(Rebind((name,))) for name in taken.names)
            arms.append(replace(inner, events=(*bound, *inner.events)))
            if taken.formula is None:
                break
            missed.append((Fact("case", negate(taken.formula), taken.text, True, case.line, reads_here), taken.formula))
        complete = bool(arms) and len(missed) < len(arms)
        falls = not complete or any(arm.falls for arm in arms)
        events = as_change([event for arm in arms if arm.falls for event in arm.events])
        return Summary(falls, settle_block(falls, exits), (*before, *events))


def _note_way_out(exit_: Exit, line: int) -> list[Event]:
    whole = join(exit_.tests)
    fact = Fact("while", whole, write_formula(whole), False, exit_.line, exit_.reads)
    return [fact, *forget_values(exit_.events)]


def is_constant(test: cst.BaseExpression, *, truth: bool) -> bool:
    """Tell whether a test is a literal of this truth value."""
    match test:
        case cst.Name(value="True" | "False" | "None" | "__debug__"):
            return (test.value in ("True", "__debug__")) == truth
        case cst.Integer():
            return bool(int(test.value, 0)) == truth
        case _:
            return False


def _write_bare(node: cst.BaseExpression) -> str:
    text = write_expression(node)
    if isinstance(node, cst.Tuple) and node.lpar and len(node.elements) > 1:
        return text[1:-1].strip().rstrip(",")
    return text


def _split_effects(test: cst.BaseExpression, line: int) -> tuple[tuple[Event, ...], tuple[Change, ...]]:
    """Split what a test does into what it defines before it is decided (walrus) and what its calls may change."""
    before: list[Event] = []
    named = _find_walrus(test)
    for node in named:
        before.extend(define_targets((node.target,), node.value, line))
    walrus = {Rebind(path) for node in named for path in find_targets(node.target)}
    after = tuple(Change(effect) for effect in find_effects(test) if effect not in walrus)
    return tuple(before), after


def _find_walrus(node: cst.CSTNode) -> list[cst.NamedExpr]:
    if isinstance(node, cst.Name | cst.SimpleString | cst.Lambda):
        return []
    found = [inner for child in list_inner(node) for inner in _find_walrus(child)]
    return [*found, node] if isinstance(node, cst.NamedExpr) else found


@lru_cache(maxsize=4096)
def read_events(node: cst.BaseSmallStatement, line: int) -> tuple[Event, ...]:
    """Read what a simple statement defines and changes. Kept for a while: loops and branches ask again."""
    events: list[Event] = []
    match node:
        case cst.Assign():
            events.extend(Change(effect) for effect in find_effects(node.value))
            events.extend(define_targets(tuple(t.target for t in node.targets), node.value, line))
        case cst.AnnAssign() if node.value is not None:
            events.extend(Change(effect) for effect in find_effects(node.value))
            events.extend(define_targets((node.target,), node.value, line))
        case cst.AugAssign():
            events.extend(_augment(node, line))
        case _:
            events.extend(Change(effect) for effect in find_statement_effects(node))
    if _yields(node):
        events.append(Doubt("it stands behind a yield of a generator"))
    return tuple(events)


def _augment(node: cst.AugAssign, line: int) -> list[Event]:
    events: list[Event] = [Change(effect) for effect in find_effects(node.value)]
    path = find_path(node.target)
    if path is None or path[-1] == "[]":
        return [*events, *(Change(bind_target(p)) for p in find_targets(node.target))]
    symbol = cst.Module([]).code_for_node(node.operator).strip()[:-1]
    value = write_formula(Atom(write_expression(node.value)))
    if not isinstance(node.value, cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.Integer | cst.SimpleString):
        value = f"({value})"
    reads = (*find_reads(node.target), *find_reads(node.value))
    events.append(Definition(path, f"{write_expression(node.target)} {symbol} {value}", reads, line))
    return events


def _yields(node: cst.CSTNode) -> bool:
    match node:
        case cst.Expr(value=cst.Yield()) | cst.Assign(value=cst.Yield()) | cst.Yield():
            return True
        case cst.Name() | cst.SimpleString() | cst.Lambda() | cst.Integer() | cst.Attribute() | cst.Import():
            return False
        case _:
            return any(_yields(child) for child in list_inner(node))


def list_changes(block: Block, *, with_returns: bool = False) -> list[Change]:
    """Collect everything that any statement of a block may change, however control runs through it.

    What a `return` changes is seen only by a handler around it.
    """
    found: list[Event] = []
    for statement in block:
        match statement:
            case Step(node=cst.Return()) if not with_returns:
                continue
            case Step():
                found.extend(read_events(statement.node, statement.line))
                if isinstance(statement.node, cst.Assert):
                    found.extend(Change(effect) for effect in find_effects(statement.node.test))
            case If():
                found.extend(Change(effect) for effect in find_effects(statement.test))
                found.extend(list_changes(statement.body + statement.orelse, with_returns=with_returns))
            case For():
                found.extend(Change(effect) for effect in find_effects(statement.items))
                found.extend(Change(bind_target(path)) for path in find_targets(statement.target))
                found.extend(list_changes(statement.body + statement.orelse, with_returns=with_returns))
            case While():
                found.extend(Change(effect) for effect in find_effects(statement.test))
                found.extend(list_changes(statement.body + statement.orelse, with_returns=with_returns))
            case Try():
                for handler in statement.handlers:
                    if handler.name:
                        found.append(Change(Rebind((handler.name,))))
                    found.extend(list_changes(handler.body, with_returns=with_returns))
                found.extend(
                    list_changes(statement.body + statement.orelse + statement.final, with_returns=with_returns)
                )
            case With():
                for item, target in statement.items:
                    found.extend(Change(effect) for effect in find_effects(item))
                    if target is not None:
                        found.extend(Change(bind_target(path)) for path in find_targets(target))
                found.extend(list_changes(statement.body, with_returns=with_returns))
            case Match():
                found.extend(Change(effect) for effect in find_effects(statement.subject))
                for case in statement.cases:
                    names = read_pattern(statement.subject, case.pattern, case.test).names
                    found.extend(Change(Rebind((name,))) for name in names)
                    found.extend(list_changes(case.body, with_returns=with_returns))
            case Nested():
                found.append(Change(Rebind((statement.name,))))
    return list(as_change(found))
