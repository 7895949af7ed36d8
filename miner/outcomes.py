"""What a statement may throw, each with its texts → one exception and one message."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from catalog.records import ExceptionType, Message
from miner.conditions import Formula
from miner.excluding import rule_out
from miner.messages import make_message
from miner.templates import Draft
from miner.trail import Trail


@dataclass(frozen=True, slots=True)
class Outcome:
    """One exception that a statement may throw, with the texts it may have."""

    exception: ExceptionType
    drafts: tuple[Draft, ...]
    reason: str | None
    """Why no text can be read, where none can."""
    uses_arguments: bool = False
    """The exception or its text comes from what the function was given."""


def compose(outcomes: Sequence[Outcome], trail: Trail = ()) -> tuple[ExceptionType, Message | None]:
    """Put together what a statement may throw behind a trail; classes it chooses between are joined by `|`."""
    found = list(dict.fromkeys(outcome.exception for outcome in outcomes))
    exception = found[0]
    if len(found) > 1:
        shared = [base for base in exception.bases if all(base in other.bases for other in found[1:])]
        exception = ExceptionType(" | ".join(dict.fromkeys(each.name for each in found)), None, tuple(shared))
    drafts = [draft for outcome in outcomes for draft in outcome.drafts]
    reason = next((outcome.reason for outcome in outcomes if outcome.reason), None)
    if reason is not None and any(draft.has_text for draft in drafts):
        reason = None
        drafts.sort(key=lambda draft: not draft.has_text)
    return exception, make_message(_merge(rule_out(drafts, trail)), reason)


def _merge(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """Keep each text once: one that several ways lead to has no condition of its own."""
    merged: dict[object, Draft] = {}
    for draft in drafts:
        known = merged.get(draft.parts)
        merged[draft.parts] = draft if known is None else replace(known, conditions=())
    return tuple(merged.values())


def add_conditions(outcome: Outcome, conditions: tuple[Formula, ...]) -> Outcome:
    """Put conditions before all that an outcome may say."""
    if not conditions:
        return outcome
    return replace(outcome, drafts=tuple(replace(d, conditions=(*conditions, *d.conditions)) for d in outcome.drafts))
