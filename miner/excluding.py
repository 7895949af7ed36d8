"""The texts that a message may have → those that the tests before its site leave possible."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from miner.conditions import Formula, has_words, list_conjuncts, negate, write_formula
from miner.templates import Draft
from miner.trail import Fact, Trail, is_disturbed

_IS_NONE = re.compile(r"([\w.]+) is (not )?None")
_SHOWS = r"{0}|isinstance\({0}, (?!.*\bNone).*|{0} (?:<|>|<=|>=) .*|[^()]* (?:<|>|<=|>=) {0}|{0} == (?:\d.*|[\"'].*)"
"""How a test reads that only a value other than `None` passes."""


def rule_out(drafts: Sequence[Draft], trail: Trail) -> tuple[Draft, ...]:
    """Drop texts whose conditions can't hold at a site, and conditions that surely do."""
    if len(drafts) < 2:
        return tuple(drafts)
    known = frozenset(_list_known(trail))
    kept = tuple(settled for draft in drafts if (settled := _settle(draft, known)) is not None)
    return kept or tuple(drafts)


def _list_known(trail: Trail) -> Iterator[str]:
    for index, event in enumerate(trail):
        if not isinstance(event, Fact) or has_words(event.formula):
            continue
        if not any(is_disturbed(read, trail[index + 1 :]) for read in event.reads):
            yield from (write_formula(part) for part in list_conjuncts(event.formula))


def _settle(draft: Draft, known: frozenset[str]) -> Draft | None:
    left: list[Formula] = []
    for condition in draft.conditions:
        parts = list_conjuncts(condition)
        if any(_holds(negate(part), known) for part in parts):
            return None
        if not all(_holds(part, known) for part in parts):
            left.append(condition)
    return replace(draft, conditions=tuple(left))


def _holds(formula: Formula, known: Iterable[str]) -> bool:
    text = write_formula(formula)
    if text in known:
        return True
    found = _IS_NONE.fullmatch(text)
    if found is None or found[2] is None:
        return False
    shows = re.compile(_SHOWS.format(re.escape(found[1])))
    return any(shows.fullmatch(each) is not None for each in known)
