"""Ways out of a statement before its end, and what arriving behind it therefore says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from miner.conditions import Formula, Not, has_words, join, list_conjuncts, negate, write_formula
from miner.effects import IDENTITY, Read, Rebind
from miner.trail import Change, Definition, Doubt, Event, Fact, Trail, forget_values, is_disturbed

ExitKind = Literal["leave", "assert", "continue", "break"]
_RECENT = 60
"""How far back a known test is looked for: enough for any chain people write, and linear in the function."""
WALRUS = re.compile(r"\b(\w+) :=")
_CHANGES = "a name changes between the tests of an earlier exit"


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """A test on the way to an exit, that must hold."""

    formula: Formula
    reads: tuple[Read, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Exit:
    """One way out: taken when all the tests on its path hold."""

    kind: ExitKind
    line: int
    path: tuple[Tested | Event, ...] = ()
    """What happens from the statement's start to the exit, in order: tests, and what is defined and changed between."""
    doubt: str | None = None
    """Why its tests don't decide alone; then arrival says nothing about them."""
    is_silent: bool = False
    """It follows a call that raised, which guards leave aside."""

    @property
    def tests(self) -> tuple[Formula, ...]:
        """The tests alone."""
        return tuple(step.formula for step in self.path if isinstance(step, Tested))

    @property
    def reads(self) -> tuple[Read, ...]:
        """What the tests read."""
        return tuple(read for step in self.path if isinstance(step, Tested) for read in step.reads)


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What one statement, or a block of them, does as a whole."""

    falls: bool
    """Control may arrive behind it."""
    exits: tuple[Exit, ...] = ()
    events: tuple[Event, ...] = ()
    """What has happened when control arrives behind it."""


def put_before(exit_: Exit, path: Sequence[Tested | Event], line: int | None = None) -> Exit:
    """Put what happens first before a way out; its line becomes that of the first test of a bare one."""
    first = exit_.line if line is None or exit_.tests else line
    return replace(exit_, path=(*path, *exit_.path), line=first)


def list_facts(exits: Sequence[Exit], trail: Trail) -> list[Event]:
    """Give what arriving behind a statement says of its ways out, as events for the trail."""
    events: list[Event] = []
    for exit_ in exits:
        if exit_.is_silent:
            continue
        if exit_.doubt is not None:
            events.append(Doubt(exit_.doubt))
            continue
        tests = _drop_known(exit_, [*trail[-_RECENT:], *events])
        if tests:
            events.extend(_tell(exit_, tests))
    return events


def _tell(exit_: Exit, tests: tuple[Formula, ...]) -> Iterator[Event]:
    """Tell of one way out: what happens on its path before the last test, the fact, and that the path was not taken."""
    last = max(index for index, step in enumerate(exit_.path) if isinstance(step, Tested))
    between = [step for step in exit_.path[:last] if not isinstance(step, Tested | Fact | Doubt)]
    yield from between
    yield _make_fact(exit_, tests)
    yield from (Change(Rebind(step.path)) for step in between if isinstance(step, Definition))
    if between and _is_torn(exit_.path[: last + 1]):
        yield Doubt(_CHANGES)


def _is_torn(path: Sequence[Tested | Event]) -> bool:
    """Tell whether something that a test reads changes before the last test runs.

    A name that one test binds and a later one reads must keep its value, too: written side by side, the second would
    read what the first binds.
    """
    tests = [(index, step) for index, step in enumerate(path) if isinstance(step, Tested)]
    for index, step in tests:
        later = [event for event in path[index + 1 :] if not isinstance(event, Tested)]
        read_later = {read.path for place, test in tests if place > index for read in test.reads}
        bound = {(name,) for name in WALRUS.findall(write_formula(step.formula))} & {p[:1] for p in read_later}
        if any(is_disturbed(read, later) for read in (*step.reads, *(Read(p, IDENTITY) for p in bound))):
            return True
    return False


def _make_fact(exit_: Exit, tests: tuple[Formula, ...]) -> Fact:
    whole = join(tests)
    kind: Literal["assert", "past"] = "assert" if exit_.kind == "assert" and len(tests) == 1 else "past"
    held = negate(whole)
    if kind == "assert" or (len(tests) == 1 and isinstance(whole, Not)):
        return Fact(kind, held, write_formula(held), False, exit_.line, exit_.reads)
    return Fact(kind, held, write_formula(whole), True, exit_.line, exit_.reads)


def _drop_known(exit_: Exit, trail: Trail) -> tuple[Formula, ...]:
    """Drop the tests that arrival already tells: in `elif b: return` after `if a: return`, that `a` did not hold."""
    parts = tuple(part for test in exit_.tests for part in list_conjuncts(test))
    if len(parts) < 2:
        return parts
    known = {
        write_formula(part)
        for index, event in enumerate(trail)
        if isinstance(event, Fact) and not has_words(event.formula)
        if not any(is_disturbed(read, trail[index + 1 :]) for read in event.reads)
        for part in list_conjuncts(event.formula)
    }
    return tuple(part for part in parts if write_formula(part) not in known)


def settle_block(falls: bool, exits: Sequence[Exit]) -> tuple[Exit, ...]:
    """Fold the exits of a block that never reaches its end, and only ever leaves, into one that is always taken."""
    if falls or not exits or any(e.kind not in ("leave", "assert") or e.doubt for e in exits):
        return tuple(exits)
    return (Exit("leave", exits[-1].line),)


def weaken(exits: Sequence[Exit], doubt: str) -> tuple[Exit, ...]:
    """Mark ways out as not decided by their tests alone."""
    return tuple(replace(exit_, doubt=doubt) for exit_ in exits)


def as_change(events: Sequence[Event]) -> tuple[Change, ...]:
    """Weaken events to changes, each once."""
    changes = {event.effect: event for event in forget_values(events) if isinstance(event, Change)}
    return tuple(changes.values())
