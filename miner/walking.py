"""The walk's state: the trail, the sites found, and how a block of statements is taken as a whole.

Statements are taken in the order in which control does. Going into a branch adds its test to the trail; coming out of
a statement leaves behind what its early exits rule out, what it defined and what it may have changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import libcst as cst

from miner.conditions import join, negate
from miner.effects import find_consumed
from miner.exits import Exit, Summary, Tested, list_facts, put_before, settle_block
from miner.flow import Block, Statement, Step
from miner.steps import StepReader
from miner.trail import Change, Doubt, Event

LeavesForGood = Callable[[cst.Call], bool]
_UNREACHABLE = "the statement before always leaves"


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """A site and the trail behind it."""

    step: Step
    trail: tuple[Event, ...]
    caught: frozenset[str]
    """Names that handlers around the site have given to what they caught."""
    shields: tuple[str, ...] = ()
    """Exceptions that handlers of a `try` around it catch, by short names; those of the function itself."""


Handler = Callable[["Walker", Statement], Summary]


class Walker:
    """Walks the statements of one unit, each kind by its own handler."""

    def __init__(
        self, handlers: Mapping[type, Callable[..., Summary]], reader: StepReader, leaves_for_good: LeavesForGood
    ) -> None:
        self.arrivals: list[Arrival] = []
        self.trail: list[Event] = []
        self.caught: list[str] = []
        self.shields: list[str] = []
        self.reader = reader
        self.leaves_for_good = leaves_for_good
        self._handlers = handlers
        self._depth = 0

    def arrive(self, step: Step) -> None:
        """Note a site with the trail that leads to it, and with what its own message consumes before it fires."""
        if step.mark is not None:
            consumed = (Change(effect) for effect in find_consumed(step.node))
            self.arrivals.append(Arrival(step, (*self.trail, *consumed), frozenset(self.caught), tuple(self.shields)))

    def walk_unreachable(self, block: Block) -> None:
        """Walk statements that control never comes to: their sites are sites all the same."""
        self.trail.append(Doubt(_UNREACHABLE))
        self.walk_block(block)
        self.trail.pop()

    def walk_block(self, block: Block) -> Summary:
        """Walk statements one after the other and say what they do as a whole; the trail is left as it was."""
        start = len(self.trail)
        self._depth += 1
        falls = True
        exits: list[Exit] = []
        events: list[Event] = []
        history: list[Tested | Event] = []
        for statement in block:
            if not falls:
                self.trail.append(Doubt(_UNREACHABLE))
            mark = len(self.trail)
            summary = self._handlers[type(statement)](self, statement)
            del self.trail[mark:]
            facts = list_facts(summary.exits, self.trail) if summary.falls else []
            if self._depth > 1:
                exits.extend(put_before(exit_, history) for exit_ in summary.exits)
                history.extend(_find_passed(summary))
                history.extend(summary.events)
                events.extend(summary.events)
            self.trail.extend(facts)
            self.trail.extend(summary.events)
            falls = falls and summary.falls
        del self.trail[start:]
        self._depth -= 1
        return Summary(falls, settle_block(falls, exits), tuple(events))


def _find_passed(summary: Summary) -> list[Tested]:
    """Find what going on behind a `continue` or `break` means for the exits that come later."""
    return [
        Tested(negate(join(exit_.tests)), exit_.reads)
        for exit_ in summary.exits
        if exit_.kind in ("continue", "break") and exit_.tests and exit_.doubt is None and not exit_.is_silent
    ]
