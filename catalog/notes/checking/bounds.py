"""Do the bounds that the prose claims agree with the guard: "at least 1" where `x < 1` is refused?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalog.notes.checking.claims import Claim, list_claims, list_numbers
from catalog.notes.checking.comparisons import (
    MIRRORED,
    OPPOSITES,
    Comparison,
    list_comparisons,
    list_items,
    list_members,
)
from catalog.notes.checking.numbers import has_number
from catalog.notes.checking.remedies import find_useless
from catalog.notes.checking.subject import Subject
from catalog.notes.evaluate import normalize
from catalog.notes.words.computed import list_computed
from catalog.records import Option, Verification

_STRICT = frozenset({"meaning", "trigger"})
"""Where each number must be one of the guard's; elsewhere it may be an example."""
_WORD = re.compile(r"[A-Za-z_]\w*")


def check_bounds(subject: Subject) -> Verification:
    """Hold every bound in the prose to the comparisons of the guard, and every value that is advised to its effect."""
    claims = [(place, text, tuple(list_claims(text, place))) for place, text in subject.texts]
    judge = _make_judge(subject) if any(found for _, _, found in claims) else _Judge(subject, (), ())
    complaints: list[str] = []
    for place, text, found in claims:
        complaints += [f"{place}: {complaint}" for claim in found for complaint in judge.judge(claim)]
        if place in _STRICT:
            claimed = {claim.bound for claim in found}
            unknown = [number for number in list_numbers(text) if number not in claimed and not judge.knows(number)]
            complaints += [f"{place}: the number {number} is nowhere in the guard" for number in unknown]
    tried = list(find_useless(subject))
    complaints += [complaint for complaint in tried if complaint]
    if complaints:
        return Verification("bounds", False, "; ".join(dict.fromkeys(complaints)))
    count = len(tried) + sum(len(found) for _, _, found in claims)
    return Verification("bounds", True, f"{count} agree with the guard" if count else "the prose claims none")


def _make_judge(subject: Subject) -> "_Judge":
    guard = subject.entry.guard
    near = list_comparisons(guard, guard.branch)
    far = tuple(one for one in list_comparisons(guard, guard.condition) if one not in near)
    return _Judge(subject, near, far)


@dataclass(frozen=True, slots=True)
class _Judge:
    """What a guard compares, and which names stand for what in it."""

    subject: Subject
    near: tuple[Comparison, ...]
    """Those of the branch."""
    far: tuple[Comparison, ...]
    """Those of the rest of the condition: they count where the branch says nothing of the kind."""

    def judge(self, claim: Claim) -> Iterator[str]:
        """Say what is wrong with a claim, if anything is."""
        if isinstance(claim.bound, str):
            yield from self._judge_names(claim, claim.bound)
        else:
            yield from self._judge_number(claim, claim.bound)

    def _judge_number(self, claim: Claim, bound: int | float) -> Iterator[str]:
        near, far = self._list_about(claim, self.near), self._list_about(claim, self.far)
        agreeing = [one for one in (*near, *far) if _agrees(claim, bound, one)]
        alike = [one for one in near if not isinstance(one.right, str) and abs(one.right - bound) <= 1]
        if any(one in near for one in agreeing) or (agreeing and not alike):
            return
        if claim.op in ("==", "!="):
            if bound not in list_members(self.subject.entry.guard) and (near or far):
                yield _say_disagreement(claim, near or far)
            elif bound != 0 and not self.knows(bound):  # what is not 0 is just true
                yield f"“{claim.text}”: the number {bound} is nowhere in the guard or the source around it"
        elif not _is_alone((*near, *far)) and any(_agrees(claim, bound, one) for one in self.near):
            return  # said of something that the guard works out in its own way
        elif near or far:
            yield _say_disagreement(claim, alike or near or far)
        elif not self.knows(bound):
            yield f"“{claim.text}”: the number {bound} is nowhere in the guard or the source around it"

    def knows(self, number: int | float) -> bool:
        """Tell whether a number stands somewhere in what the entry says."""
        entry = self.subject.entry
        texts = [entry.guard.condition, *(binding.value for binding in entry.guard.bindings)]
        texts += [clause.test for clause in entry.guard.clauses]
        texts += [entry.message.template] if entry.message else []
        texts += [f"{option.choices} {option.default} {option.help}" for option in self._list_options()]
        return any(has_number(text, number) for text in texts) or number in tuple(list_computed(entry.guard.condition))

    def _list_about(self, claim: Claim, comparisons: Sequence[Comparison]) -> list[Comparison]:
        """Give the comparisons with numbers that may be about what a claim is about, those of that alone first."""
        is_equality = claim.op in ("==", "!=")
        numeric = [one for one in comparisons if not isinstance(one.right, str)]
        if claim.subject is None:
            return numeric if comparisons is self.near and not is_equality else []
        alone = [one for one in numeric if _is_path(one.left) and self._speaks_of(one.left, claim.subject)]
        if is_equality:
            return [one for one in alone if one.op in ("==", "!=")]
        items = list_items(self.subject.entry.guard)  # of which prose speaks in its own way
        return alone or [one for one in numeric if one.left in items or self._speaks_of(one.left, claim.subject)]

    def _judge_names(self, claim: Claim, bound: str) -> Iterator[str]:
        if claim.subject is None:
            return
        ways = [*self._list_ways(claim.subject, bound, self.near)] or [*self._list_ways(claim.subject, bound, self.far)]
        if ways and not any(_fits(claim, op) for _, op in ways):
            yield _say_disagreement(claim, [ways[0][0]])

    def _list_ways(
        self, subject: str, bound: str, comparisons: Sequence[Comparison]
    ) -> Iterator[tuple[Comparison, str]]:
        """Give the comparisons between two names, as seen from the first."""
        for one in comparisons:
            if not isinstance(one.right, str):
                continue
            if self._speaks_of(one.left, subject) and self._speaks_of(one.right, bound):
                yield one, one.op
            if self._speaks_of(one.right, subject) and self._speaks_of(one.left, bound):
                yield one, MIRRORED[one.op]

    def _speaks_of(self, source: str, name: str) -> bool:
        """Tell whether a side of a comparison is what a name in the prose means."""
        name = name if name.startswith("-") else normalize(name)
        expanded = self.subject.surroundings.definitions.expand(source)
        words = set(_WORD.findall(" ".join((source, *expanded[:2]))))
        plain = name.lstrip("-").replace("-", "_")
        if plain in words or any(name in text for text in (source, *expanded)):
            return True
        last = plain.rpartition(".")[2]
        uses = [use for use in self.subject.entry.options if self._is_called(use.id, name, last)]
        return last in words or any(use.as_ == source or set(_WORD.findall(use.as_)[-1:]) <= words for use in uses)

    def _is_called(self, id_: str, name: str, last: str) -> bool:
        option = self.subject.facts.options.get(id_)
        if name.startswith("-"):
            return option is not None and name in option.flags
        return option is not None and (
            name == id_ or name in option.flags or last in (option.name, option.name.lstrip("-"))
        )

    def _list_options(self) -> tuple[Option, ...]:
        options = (self.subject.facts.options.get(use.id) for use in self.subject.entry.options)
        return tuple(option for option in options if option is not None)


def _is_alone(comparisons: Sequence[Comparison]) -> bool:
    """Tell whether something is compared with numbers by itself, not as part of a calculation."""
    return any(_is_path(one.left) for one in comparisons)


def _is_path(source: str) -> bool:
    return re.fullmatch(r"[\w.]+|(?:int|float)\([\w.]+\)", source) is not None


def _say_disagreement(claim: Claim, comparisons: Sequence[Comparison]) -> str:
    shown = " and ".join(dict.fromkeys(f"{one.left} {one.op} {one.right}" for one in comparisons[:2]))
    return f"“{claim.text}” disagrees with the guard, which refuses `{shown}`"


def _fits(claim: Claim, op: str) -> bool:
    failing, working = claim.op == op, claim.op == OPPOSITES[op]
    return failing or working if claim.of_failure is None else (failing if claim.of_failure else working)


def _agrees(claim: Claim, bound: int | float, comparison: Comparison) -> bool:
    """Tell whether a claim and a comparison part the numbers in the same way, near their bounds."""
    limit = comparison.right
    if isinstance(limit, str):
        return False
    steps = (-1, 0, 1) if isinstance(bound, int) and isinstance(limit, int) else (-1, -0.001, 0, 0.001, 1)
    points = {number + step for number in (bound, limit) for step in steps}
    claimed = [_compare(point, claim.op, bound) for point in sorted(points)]
    failing = [_compare(point, comparison.op, limit) for point in sorted(points)]
    working = [not fails for fails in failing]
    if claim.of_failure is None:
        return claimed in (failing, working)
    return claimed == (failing if claim.of_failure else working)


def _compare(left: int | float, op: str, right: int | float) -> bool:
    return {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
        "==": left == right,
        "!=": left != right,
    }[op]
