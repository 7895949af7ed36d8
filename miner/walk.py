"""A flow → for each of its sites, the trail that leads there."""

from collections.abc import Callable, Mapping

from miner.branches import walk_if, walk_match, walk_nested, walk_step
from miner.exits import Summary
from miner.flow import Flow, For, If, Match, Nested, Step, Try, While, With
from miner.looping import walk_for, walk_while
from miner.steps import StepReader
from miner.tries import walk_try, walk_with
from miner.walking import Arrival, LeavesForGood, Walker

_HANDLERS: Mapping[type, Callable[..., Summary]] = {
    Step: walk_step,
    If: walk_if,
    For: walk_for,
    While: walk_while,
    Try: walk_try,
    With: walk_with,
    Match: walk_match,
    Nested: walk_nested,
}


def walk_flow(flow: Flow, leaves_for_good: LeavesForGood, reader: StepReader | None = None) -> list[Arrival]:
    """Find the trail to each site of a flow, in source order; `leaves_for_good` knows the calls that never return."""
    walker = Walker(_HANDLERS, reader or StepReader(), leaves_for_good)
    walker.walk_block(flow.body)
    return walker.arrivals
