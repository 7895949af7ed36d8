"""Which words of a message changed?"""

import re
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Indel


@dataclass(frozen=True, slots=True)
class Span:
    """A run of words that both messages have, or only one."""

    side: Literal["both", "old", "new"]
    text: str


def compare_texts(old: str, new: str) -> tuple[Span, ...]:
    """Give the words of both texts in reading order: the old ones joined give the old text, the new ones the new."""
    one, two = _split(old), _split(new)
    spans: list[Span] = []
    for step in Indel.opcodes(one, two):
        if step.tag == "equal":
            _add(spans, "both", one[step.src_start : step.src_end])
        else:
            _add(spans, "old", one[step.src_start : step.src_end])
            _add(spans, "new", two[step.dest_start : step.dest_end])
    return tuple(_order(spans))


def _split(text: str) -> list[str]:
    """Split where there is space, which stays with the word before it."""
    return re.findall(r"\S+\s*|\s+", text)


def _add(spans: list[Span], side: Literal["both", "old", "new"], words: list[str]) -> None:
    if words:
        spans.append(Span(side, "".join(words)))


def _order(spans: list[Span]) -> list[Span]:
    """Join what belongs together: one old and one new run between two runs of both."""
    ordered: list[Span] = []
    waiting: dict[Literal["both", "old", "new"], str] = {}
    for span in [*spans, Span("both", "")]:
        if span.side != "both":
            waiting[span.side] = waiting.get(span.side, "") + span.text
            continue
        ordered += [Span(side, waiting.pop(side)) for side in ("old", "new") if side in waiting]
        if span.text:
            ordered.append(span)
    return ordered
