"""Walking loops: what runs again may have changed, and how a loop ended says something."""

from dataclasses import replace

import libcst as cst

from miner.branches import is_constant
from miner.conditions import Atom, join, negate, read_formula, write_formula
from miner.effects import bind_target, find_targets
from miner.exits import Exit, Summary, as_change, weaken
from miner.flow import For, While
from miner.loops import EARLIER_LOOP, note_break, summarise_for
from miner.trail import Change, Event, Fact, forget_values
from miner.walking import Walker
from miner.wording import write_expression


def walk_for(walker: Walker, statement: For) -> Summary:
    """Walk a `for` loop."""
    before = walker.reader.find_changes(statement.items)
    walker.trail.extend(before)
    mark = len(walker.trail)
    targets = tuple(Change(bind_target(path)) for path in find_targets(statement.target))
    changes = as_change((*targets, *walker.reader.list_changes(statement.body)))
    walker.trail.extend(changes)
    text = f"{_write_bare(statement.target)} in {_write_bare(statement.items)}"
    reads = walker.reader.find_reads(statement.items)
    walker.trail.append(Fact("for", Atom(text, is_words=True), text, False, statement.line, reads))
    body = walker.walk_block(statement.body)
    del walker.trail[mark:]
    exits, facts = summarise_for(statement, body, changes, reads)
    if not statement.orelse:
        return Summary(True, exits, (*before, *changes))
    walker.trail.extend(changes)
    walker.trail.extend(facts)
    other = walker.walk_block(statement.orelse)
    breaks = [exit_ for exit_ in body.exits if exit_.kind == "break"]
    if breaks and not other.falls and (broken := note_break(statement, breaks, changes, reads)):
        return Summary(True, exits, (*before, *changes, broken))
    exits += weaken(other.exits, EARLIER_LOOP) if breaks else other.exits
    return Summary(bool(breaks) or other.falls, exits, (*before, *changes, *forget_values(other.events)))


def walk_while(walker: Walker, statement: While) -> Summary:
    """Walk a `while` loop; behind one that only its test ends, the test did not hold."""
    endless = is_constant(statement.test, truth=True)
    formula, reads = read_formula(statement.test), walker.reader.find_reads(statement.test)
    text = write_expression(statement.test)
    before, after = walker.reader.split_test(statement.test, statement.line)
    mark = len(walker.trail)
    changes = as_change((*before, *after, *walker.reader.list_changes(statement.body)))
    walker.trail.extend(changes)
    if not endless:
        walker.trail.extend((*before, Fact("while", formula, text, False, statement.line, reads), *after))
    body = walker.walk_block(statement.body)
    del walker.trail[mark:]
    breaks = [exit_ for exit_ in body.exits if exit_.kind == "break"]
    exits = tuple(replace(e, doubt=EARLIER_LOOP) for e in body.exits if e.kind in ("leave", "assert"))
    events: list[Event] = list(changes)
    if endless:
        if len(breaks) == 1 and breaks[0].tests and not breaks[0].doubt:
            events.extend(_note_way_out(breaks[0]))
        walker.walk_unreachable(statement.orelse)
        return Summary(bool(breaks), exits, tuple(events))
    if not breaks:
        events.extend((*before, Fact("while", negate(formula), text, True, statement.line, reads), *after))
    walker.trail.extend(events)
    other = walker.walk_block(statement.orelse)
    del walker.trail[mark:]
    exits += weaken(other.exits, EARLIER_LOOP) if breaks else other.exits
    events.extend(forget_values(other.events) if breaks else other.events)
    return Summary(bool(breaks) or other.falls, exits, tuple(events))


def _note_way_out(exit_: Exit) -> list[Event]:
    """Say what arriving behind an endless loop means that one `break` alone ends."""
    whole = join(exit_.tests)
    fact = Fact("while", whole, write_formula(whole), False, exit_.line, exit_.reads)
    return [fact, *as_change([step for step in exit_.path if isinstance(step, Event)])]


def _write_bare(node: cst.BaseExpression) -> str:
    text = write_expression(node)
    if isinstance(node, cst.Tuple) and node.lpar and len(node.elements) > 1:
        return text[1:-1].strip().rstrip(",")
    return text
