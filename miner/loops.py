"""What arriving behind a `for` loop says of the exits inside it: that no item took one."""

from collections.abc import Iterable, Iterator

import libcst as cst

from miner.conditions import Atom, Formula, Some, has_words, join, negate, write_formula
from miner.effects import Path, Read, Rebind, disturbs, find_items, find_targets
from miner.exits import Exit, Summary, Tested
from miner.flow import For
from miner.trail import Change, Definition, Doubt, Event, Fact, is_disturbed
from miner.wording import write_expression

EARLIER_LOOP = "an earlier loop may leave"


def summarise_for(
    statement: For, body: Summary, changes: tuple[Change, ...], items: tuple[Read, ...]
) -> tuple[tuple[Exit, ...], list[Event]]:
    """Give the ways out of the function through a loop, and what standing in its `else` says.

    `for x in xs: if bad(x): return` leaves when `any(bad(x) for x in xs)`. That holds where nothing else ends the loop
    early and the body changes nothing that the test reads; elsewhere the way out is in doubt.
    """
    leaving = [exit_ for exit_ in body.exits if exit_.kind in ("leave", "assert")]
    breaking = [exit_ for exit_ in body.exits if exit_.kind == "break"]
    # A handler that goes on with the next item has passed over tests of this one.
    skips = any(exit_.is_silent and exit_.kind in ("continue", "break") for exit_ in body.exits)
    exits = tuple(_lift(statement, exit_, changes, items, alone=not breaking and not skips) for exit_ in leaving)
    facts: list[Event] = []
    for way in leaving + breaking if statement.orelse else ():
        lifted = _lift(statement, way, changes, items, alone=not skips)
        if lifted.doubt is not None:
            facts.append(Doubt(lifted.doubt))
        else:
            whole = join(lifted.tests)
            facts.append(Fact("else", negate(whole), write_formula(whole), True, way.line, lifted.reads))
    return exits, facts


def note_break(statement: For, breaks: list[Exit], changes: tuple[Change, ...], items: tuple[Read, ...]) -> Fact | None:
    """Say what arriving behind a loop means whose `else` always leaves: some item ended the loop."""
    lifted = [_lift(statement, way, changes, items, alone=True) for way in breaks]
    if any(way.doubt is not None or way.is_silent for way in lifted):
        return None
    ways = tuple(join(way.tests) for way in lifted)
    whole = ways[0] if len(ways) == 1 else Some(ways)
    reads = tuple(read for way in lifted for read in way.reads)
    return Fact("for", whole, write_formula(whole), False, breaks[0].line, reads)


def _lift(statement: For, exit_: Exit, changes: tuple[Change, ...], items: tuple[Read, ...], *, alone: bool) -> Exit:
    """Turn the way one item leaves a loop into the way the loop leaves."""
    written = None
    if alone and exit_.doubt is None and not exit_.is_silent and not statement.is_async:
        written = _write_any(statement, exit_, changes, items)
    if written is None:
        return Exit("leave", exit_.line, doubt=exit_.doubt or EARLIER_LOOP, is_silent=exit_.is_silent)
    text, reads = written
    return Exit("leave", exit_.line, (Tested(Atom(text), reads),))


def _write_any(
    statement: For, exit_: Exit, changes: tuple[Change, ...], items: tuple[Read, ...]
) -> tuple[str, tuple[Read, ...]] | None:
    """Write `any(test for item in items)`; a name the body computes on the way is bound by `for name in [value]`."""
    targets = list(find_targets(statement.target))
    defined = [step for step in exit_.path if isinstance(step, Definition)]
    own = {Rebind(path) for path in (*targets, *(step.path for step in defined))}
    others = [change for change in changes if change.effect not in own]
    reads = (*exit_.reads, *(read for step in defined for read in step.reads))
    if any(len(path) > 1 for path in (*targets, *(step.path for step in defined))):
        return None
    if any(is_disturbed(read, others) for read in (*reads, *items)) or has_words(join(exit_.tests)):
        return None
    if any(step.is_import for step in defined) or not _is_in_order(exit_, targets):
        return None
    head, tests = "", list[Formula]()
    for step in exit_.path:
        if isinstance(step, Tested):
            tests.append(step.formula)
        elif isinstance(step, Definition):
            head += "".join(f" if {write_formula(test, 'or')}" for test in tests)
            head += f" for {step.path[0]} in [{step.value}]"
            tests = []
    source = write_expression(statement.items)
    loose = isinstance(statement.items, cst.IfExp | cst.Lambda | cst.NamedExpr | cst.Yield)
    if loose or (isinstance(statement.items, cst.Tuple) and not statement.items.lpar):
        source = f"({source})"
    element = write_formula(join(tuple(tests))) if tests else "True"
    outer = tuple(_find_outer(reads, own, targets, find_items(items)))
    return f"any({element} for {write_expression(statement.target)} in {source}{head})", (*items, *outer)


def _find_outer(reads: Iterable[Read], own: set[Rebind], targets: list[Path], items: Path) -> Iterator[Read]:
    """Find what the tests read from outside the loop: also the attributes of the items."""
    for read in reads:
        if not any(disturbs(effect, read) for effect in own):
            yield read
        elif items and len(read.path) > 1 and read.path[:1] in targets:
            yield Read((*items, "[]", *read.path[1:]), read.depth)


def _is_in_order(exit_: Exit, targets: list[Path]) -> bool:
    """Tell whether what the tests read of the body's own names is defined once, before them."""
    known = set(targets)
    seen: set[Path] = set()
    for step in exit_.path:
        if isinstance(step, Definition):
            if step.path in known or step.path in seen:
                return False
            known.add(step.path)
        elif isinstance(step, Tested):
            seen.update((read.path[0],) for read in step.reads)
    return True
