"""What arriving behind a `for` loop says of the exits inside it: that no item took one."""

import libcst as cst

from miner.conditions import Atom, Some, has_words, join, negate, write_formula
from miner.effects import Rebind, disturbs, find_reads, find_targets
from miner.exits import Exit, Summary
from miner.flow import For
from miner.trail import Change, Doubt, Event, Fact, is_disturbed
from miner.wording import write_expression

_DOUBT = "an earlier loop may leave"


def is_endless(test: cst.BaseExpression) -> bool:
    """Tell whether a `while` test is a literal that always holds."""
    match test:
        case cst.Name(value="True"):
            return True
        case cst.Integer(value=value):
            return bool(int(value, 0))
        case _:
            return False


def summarise_for(statement: For, body: Summary, changes: tuple[Change, ...]) -> tuple[tuple[Exit, ...], list[Event]]:
    """Give the ways out of the function through a loop, and what standing in its `else` says.

    `for x in xs: if bad(x): return` leaves when `any(bad(x) for x in xs)`. That holds where nothing else ends the loop
    early and the body changes nothing that the test reads; elsewhere the way out is in doubt.
    """
    leaving = [e for e in body.exits if e.kind in ("leave", "assert")]
    breaking = [e for e in body.exits if e.kind == "break"]
    if not leaving and not breaking:
        return (), []
    exits = tuple(_lift(statement, e, changes, alone=not breaking) for e in leaving)
    facts: list[Event] = []
    if statement.orelse:
        for way in leaving + breaking:
            lifted = _lift(statement, way, changes, alone=True)
            if lifted.doubt is not None:
                facts.append(Doubt(lifted.doubt))
            else:
                whole = join(lifted.tests)
                facts.append(Fact("else", negate(whole), write_formula(whole), True, way.line, lifted.reads))
    return exits, facts


def note_break(statement: For, breaks: list[Exit], changes: tuple[Change, ...]) -> Fact | None:
    """Say what arriving behind a loop means whose `else` always leaves: some item ended the loop."""
    lifted = [_lift(statement, way, changes, alone=True) for way in breaks]
    if any(way.doubt is not None or way.is_silent for way in lifted):
        return None
    ways = tuple(join(way.tests) for way in lifted)
    whole = ways[0] if len(ways) == 1 else Some(ways)
    reads = tuple(read for way in lifted for read in way.reads)
    return Fact("for", whole, write_formula(whole), False, breaks[0].line, reads)


def _lift(statement: For, exit_: Exit, changes: tuple[Change, ...], *, alone: bool) -> Exit:
    names = list(find_targets(statement.target))
    targets = {Rebind(path) for path in names}
    others = [change for change in changes if change.effect not in targets]
    inner = [read for read in exit_.reads if not any(disturbs(effect, read) for effect in targets)]
    whole = join(exit_.tests) if exit_.tests else Atom("True")
    if (
        exit_.doubt is not None
        or exit_.is_silent
        or not alone
        or statement.is_async
        or any(len(path) > 1 for path in names)
        or has_words(whole)
        or any(is_disturbed(read, others) for read in exit_.reads)
        or any(is_disturbed(read, others) for read in find_reads(statement.items))
    ):
        return Exit("leave", (), (), exit_.line, doubt=exit_.doubt or _DOUBT, is_silent=exit_.is_silent)
    items = write_expression(statement.items)
    if isinstance(statement.items, cst.Tuple) and not statement.items.lpar:
        items = f"({items})"
    target = write_expression(statement.target)
    text = f"any({write_formula(whole)} for {target} in {items})"
    if not exit_.tests:
        text = f"any(True for {target} in {items})"
    reads = (*find_reads(statement.items), *inner)
    return Exit("leave", (Atom(text),), reads, exit_.line)
