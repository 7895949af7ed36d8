"""Walking simple statements, `if` and `match`: each branch adds its test to the trail."""

from dataclasses import replace

import libcst as cst

from miner.conditions import Formula, negate, read_formula
from miner.effects import Rebind
from miner.exits import Exit, Summary, Tested, as_change, put_before, settle_block
from miner.flow import If, Match, Nested, Step
from miner.patterns import read_pattern
from miner.trail import Change, Event, Fact
from miner.values import merge_branches
from miner.walking import Walker
from miner.wording import write_expression


def walk_step(walker: Walker, step: Step) -> Summary:
    """Walk a simple statement."""
    node = step.node
    if not isinstance(node, cst.Assert):
        walker.arrive(step)
    match node:
        case cst.Raise():
            return Summary(False, (Exit("leave", step.line),))
        case cst.Assert():
            return _walk_assert(walker, step, node)
        case cst.Return():
            return Summary(False, (Exit("leave", step.line),))
        case cst.Continue():
            return Summary(False, (Exit("continue", step.line),))
        case cst.Break():
            return Summary(False, (Exit("break", step.line),))
        case cst.Expr(value=(cst.Call() as call) | cst.Await(expression=cst.Call() as call)) if walker.leaves_for_good(
            call
        ):
            return Summary(False, (Exit("leave", step.line),))
        case _:
            return Summary(True, (), walker.reader.read_step(step))


def _walk_assert(walker: Walker, step: Step, node: cst.Assert) -> Summary:
    formula = read_formula(node.test)
    reads = walker.reader.find_reads(node.test)
    before, after = walker.reader.split_test(node.test, step.line)
    mark = len(walker.trail)
    walker.trail.extend(before)
    text = write_expression(node.test)
    walker.trail.append(Fact("own", negate(formula), text, True, step.line, reads))
    walker.arrive(step)
    del walker.trail[mark:]
    if is_constant(node.test, truth=False):
        return Summary(False, (Exit("leave", step.line),))
    fails = Exit("assert", step.line, (*before, Tested(negate(formula), reads)))
    return Summary(True, (fails,), (*before, *after))


def walk_nested(_: Walker, statement: Nested) -> Summary:
    """Walk over a definition inside the unit: it only binds its name."""
    return Summary(True, (), (Change(Rebind((statement.name,))),))


def walk_if(walker: Walker, statement: If) -> Summary:
    """Walk an `if` with its `elif`s and `else`."""
    formula, reads = read_formula(statement.test), walker.reader.find_reads(statement.test)
    text = write_expression(statement.test)
    before, after = walker.reader.split_test(statement.test, statement.line)
    walker.trail.extend(before)
    mark = len(walker.trail)
    arms: list[Summary] = []
    for held, block in ((formula, statement.body), (negate(formula), statement.orelse)):
        walker.trail.append(Fact("if", held, text, held is not formula, statement.line, reads))
        walker.trail.extend(after)
        inner = walker.walk_block(block)
        del walker.trail[mark:]
        path = (*before, Tested(held, reads), *after)
        exits = tuple(put_before(exit_, path, statement.line) for exit_ in inner.exits)
        arms.append(replace(inner, exits=exits))
    then, other = arms
    always = is_constant(statement.test, truth=True) and not statement.orelse
    falls = then.falls or (other.falls and not always)
    exits = then.exits + other.exits
    merged = merge_branches(text, reads, then, other, statement.line)
    return Summary(falls, exits if falls else settle_block(False, exits), (*before, *after, *merged))


def walk_match(walker: Walker, statement: Match) -> Summary:
    """Walk a `match`: a case also means that the earlier ones that could have been taken were not."""
    before = walker.reader.find_changes(statement.subject)
    subject = walker.reader.find_reads(statement.subject)
    walker.trail.extend(before)
    mark = len(walker.trail)
    missed: list[tuple[Fact, Formula]] = []
    arms: list[Summary] = []
    exits: list[Exit] = []
    for case in statement.cases:
        taken = read_pattern(statement.subject, case.pattern, case.test)
        reads = subject + (walker.reader.find_reads(case.test) if case.test is not None else ())
        possible = [(fact, formula) for fact, formula in missed if not taken.excludes(formula)]
        bound = tuple(Change(Rebind((name,))) for name in taken.names)
        walker.trail.extend(fact for fact, _ in possible)
        walker.trail.extend(bound)
        path: list[Tested | Event] = [*(Tested(negate(formula), reads) for _, formula in possible), *bound]
        if taken.formula is not None:
            walker.trail.append(Fact("case", taken.formula, taken.text, False, case.line, reads))
            path.append(Tested(taken.formula, reads))
        inner = walker.walk_block(case.body)
        del walker.trail[mark:]
        exits.extend(put_before(exit_, path, case.line) for exit_ in inner.exits)
        arms.append(replace(inner, events=(*bound, *inner.events)))
        if taken.formula is None:
            break
        missed.append((Fact("case", negate(taken.formula), taken.text, True, case.line, reads), taken.formula))
    complete = len(missed) < len(arms)
    for case in statement.cases[len(arms) :]:
        walker.walk_unreachable(case.body)
    falls = not complete or any(arm.falls for arm in arms)
    events = as_change([event for arm in arms if arm.falls for event in arm.events])
    return Summary(falls, settle_block(falls, exits), (*before, *events))


def is_constant(test: cst.BaseExpression, *, truth: bool) -> bool:
    """Tell whether a test is a literal of this truth value."""
    match test:
        case cst.Name(value="True" | "False" | "None" | "__debug__"):
            return (test.value in ("True", "__debug__")) == truth
        case cst.Integer():
            return bool(int(test.value, 0)) == truth
        case _:
            return False
