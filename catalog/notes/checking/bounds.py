"""Do the bounds that the prose claims agree with the guard: "at least 1" where `x < 1` is refused?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalog.notes.checking.claims import Claim, list_claims
from catalog.notes.checking.comparisons import MIRRORED, OPPOSITES, Comparison, list_comparisons
from catalog.notes.checking.remedies import find_useless
from catalog.notes.checking.subject import Subject
from catalog.records import Entry, Option, Verification

_WORD = re.compile(r"[A-Za-z_]\w*")


def check_bounds(subject: Subject) -> Verification:
    """Hold every bound in the prose to the comparisons of the guard, and every value that is advised to its effect."""
    judge = _Judge(subject, list_comparisons(subject.entry.guard))
    complaints: list[str] = []
    count = 0
    for place, text in subject.texts:
        for claim in list_claims(text, place):
            count += 1
            complaints += [f"{place}: {complaint}" for complaint in judge.judge(claim)]
    tried = list(find_useless(subject))
    count += len(tried)
    complaints += [complaint for complaint in tried if complaint]
    if complaints:
        return Verification("bounds", False, "; ".join(dict.fromkeys(complaints)))
    return Verification("bounds", True, f"{count} agree with the guard" if count else "the prose claims none")


@dataclass(frozen=True, slots=True)
class _Judge:
    """What a guard compares, and which names stand for what in it."""

    subject: Subject
    comparisons: tuple[Comparison, ...]

    def judge(self, claim: Claim) -> Iterator[str]:
        """Say what is wrong with a claim, if anything is."""
        if isinstance(claim.bound, str):
            yield from self._judge_names(claim, claim.bound)
        else:
            yield from self._judge_number(claim, claim.bound)

    def _judge_number(self, claim: Claim, bound: int | float) -> Iterator[str]:
        numeric = [one for one in self.comparisons if not isinstance(one.right, str)]
        about = [one for one in numeric if claim.subject is None or self._speaks_of(one.left, claim.subject)]
        if any(_agrees(claim, bound, one) for one in about):
            return
        if about:
            shown = " and ".join(dict.fromkeys(f"{one.left} {one.op} {one.right}" for one in about[:2]))
            yield f"“{claim.text}” disagrees with the guard, which refuses `{shown}`"
        elif not _has_number(bound, self.subject.entry, self._list_options()):
            yield f"“{claim.text}”: the number {bound} is nowhere in the guard or the source around it"

    def _judge_names(self, claim: Claim, bound: str) -> Iterator[str]:
        if claim.subject is None:
            return
        ways: list[tuple[Comparison, str]] = []
        for one in self.comparisons:
            if not isinstance(one.right, str):
                continue
            if self._speaks_of(one.left, claim.subject) and self._speaks_of(one.right, bound):
                ways.append((one, one.op))
            if self._speaks_of(one.right, claim.subject) and self._speaks_of(one.left, bound):
                ways.append((one, MIRRORED[one.op]))
        if not ways or any(_fits(claim, op) for _, op in ways):
            return
        one = ways[0][0]
        yield f"“{claim.text}” disagrees with the guard, which refuses `{one.left} {one.op} {one.right}`"

    def _speaks_of(self, source: str, name: str) -> bool:
        """Tell whether a side of a comparison is what a name in the prose means."""
        words = set(_WORD.findall(source))
        plain = name.lstrip("-").replace("-", "_")
        if plain in words or name in source:
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


def _has_number(number: int | float, entry: Entry, options: Sequence[Option]) -> bool:
    """Tell whether a number stands somewhere in what the entry says."""
    texts = [entry.guard.condition, entry.excerpt.text, *(binding.value for binding in entry.guard.bindings)]
    texts += [clause.test for clause in entry.guard.clauses]
    texts += [entry.message.template] if entry.message else []
    texts += [f"{option.choices} {option.default} {option.help}" for option in options]
    found = (
        match.replace("_", "").replace(",", "") for text in texts for match in re.findall(r"\d[\d_,]*(?:\.\d+)?", text)
    )
    return any(float(match.rstrip(".")) == abs(number) for match in found)
