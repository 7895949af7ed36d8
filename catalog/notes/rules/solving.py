"""Which values bring an error about, and which change makes it go away?"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product

from catalog.notes.evaluate import Unknown, decide
from catalog.notes.parameters import list_leaves
from catalog.notes.places import Place
from catalog.notes.rules.candidates import INVENTED, Value, list_candidates
from catalog.notes.rules.cases import Case
from catalog.notes.words.texts import write_source

_MOST_STEPS = 1500
_MOST_WAYS = 300
_MOST_LEAVES = 14


_IDLE = {"False": 0, "None": 1}
"""What stays out of the way best comes first."""


class _Exhausted(Exception):
    """The search took too long to be worth an example."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Values by key, with which a branch is taken, and the same with the fewest changes so that it isn't."""

    before: Mapping[str, Value]
    after: Mapping[str, Value]


@dataclass(slots=True)
class Search:
    """One search for values of a branch; a key is an option's id, or the source text of what is none."""

    case: Case
    branch: ast.expr
    settables: Mapping[str, Place]
    keys: Mapping[str, str]
    """By source text, the key."""
    candidates: Mapping[str, tuple[Value, ...]]
    steps: int = 0
    texts: dict[int, str] = field(default_factory=dict)
    leaves: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def solve(self) -> Solution | None:
        """Find values for which the branch holds, and a change of the user's own values for which it doesn't."""
        try:
            for found in islice(self._satisfy(self.branch, True, {}), 20):
                before = self._complete(found)
                if not self._holds(self.branch, before):
                    continue
                after = self._repair(before)
                if after is not None:
                    return Solution(before, after)
        except _Exhausted:
            pass
        return None

    def _complete(self, known: Mapping[str, Value]) -> Mapping[str, Value]:
        """Add what the way that was found did not need, so that it stays out of the way: defaults, False, unset."""
        for key in dict.fromkeys(self.keys.values()):
            if key not in known:
                idle = sorted(self.candidates[key], key=lambda value: _IDLE.get(repr(value), 2 + bool(value)))
                fitting = (value for value in idle if self._holds(self.branch, {**known, key: value}))
                known = {**known, key: next(fitting, None)}
        return known

    def _satisfy(self, node: ast.expr, wanted: bool, known: Mapping[str, Value]) -> Iterator[Mapping[str, Value]]:
        """Give the ways to add values so that a condition comes out as wanted, the most natural first."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield from self._satisfy(operand, not wanted, known)
            case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is wanted:
                yield from self._satisfy_all(values, wanted, known)
            case ast.BoolOp(values=values):
                for value in values:
                    yield from self._satisfy(value, wanted, known)
            case _:
                yield from self._satisfy_test(node, wanted, known)

    def _satisfy_all(
        self, nodes: list[ast.expr], wanted: bool, known: Mapping[str, Value]
    ) -> Iterator[Mapping[str, Value]]:
        if not nodes:
            yield known
            return
        for found in self._satisfy(nodes[0], wanted, known):
            yield from self._satisfy_all(nodes[1:], wanted, found)

    def _satisfy_test(self, node: ast.expr, wanted: bool, known: Mapping[str, Value]) -> Iterator[Mapping[str, Value]]:
        keys = dict.fromkeys(self.keys[text] for text in self._list_texts(node))
        missing = [key for key in keys if key not in known]
        for values in islice(product(*(self.candidates[key] for key in missing)), _MOST_WAYS):
            tried = {**known, **dict(zip(missing, values, strict=True))}
            if self._holds(node, tried) is wanted:
                yield tried

    def _repair(self, before: Mapping[str, Value]) -> Mapping[str, Value] | None:
        """Change as few of the user's values as it takes, those that the culprit speaks of first."""
        keys = self._list_changeable()
        ways = [{**before, key: value} for key in keys for value in self._list_instead(key, before)]
        for changed in ways:
            if self._ends_only_culprit(changed):
                return changed
        for changed in ways:
            if self._holds(self.branch, changed) is False:
                return changed
        for one, other in islice(((a, b) for a in keys for b in keys if a < b), 3):
            for values in product(self._list_instead(one, before)[:6], self._list_instead(other, before)[:6]):
                changed = {**before, one: values[0], other: values[1]}
                if self._holds(self.branch, changed) is False:
                    return changed
        return None

    def _ends_only_culprit(self, changed: Mapping[str, Value]) -> bool:
        """Tell whether all that changed is what the culprit says, the rest of the branch being as it was."""
        parts = self.case.parts
        return self.case.culprit is not None and all(
            self._holds(part.node, changed) is (part.holds is not (part is self.case.culprit)) for part in parts
        )

    def _list_changeable(self) -> list[str]:
        case = self.case
        parts = [case.culprit] if case.culprit is not None else []
        parts += [part for part in reversed(case.parts) if part is not case.culprit]
        texts = [text for part in parts for text in self._list_texts(part.node) if text in self.settables]
        return list(dict.fromkeys(self.settables[text].option.id for text in texts))

    def _list_instead(self, key: str, before: Mapping[str, Value]) -> list[Value]:
        """Give what a value may be changed to: the bound itself, then what else there is; unset comes last."""
        culprit = self.case.culprit
        near = [self.keys[text] for text in self._list_texts(culprit.node)] if culprit is not None else []
        number = isinstance(before[key], int | float) and not isinstance(before[key], bool)
        values = [before[other] for other in near if other != key and number and _is_number(before[other])]
        values += self.candidates[key]
        changed = [value for value in values if value != before[key] or type(value) is not type(before[key])]
        return sorted(changed, key=lambda value: _rank(value, before[key]))

    def _holds(self, node: ast.expr, known: Mapping[str, Value]) -> bool | None:
        """Tell whether a condition holds; None where that can't be told."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _Exhausted
        text = self.texts.get(id(node))
        if text is None:
            text = self.texts[id(node)] = write_source(node)
        try:
            return decide(text, {source: known[key] for source, key in self.keys.items() if key in known})
        except Unknown:
            return None

    def _list_texts(self, node: ast.expr) -> tuple[str, ...]:
        if id(node) not in self.leaves:
            texts = map(write_source, list_leaves(node, self.case.terms))
            self.leaves[id(node)] = tuple(text for text in texts if text in self.keys)
        return self.leaves[id(node)]


def _rank(value: Value, before: Value) -> tuple[int, float]:
    """Rank what to change a value to: the nearest number, then unset, then any text."""
    near = abs(value - before) if _is_number(value) and _is_number(before) else 0  # type: ignore[operator]
    return (value is None) + 2 * (isinstance(value, str) and value in INVENTED), near


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def solve(case: Case, leaves: tuple[ast.expr, ...], settables: Mapping[str, Place]) -> Solution | None:
    """Find values that bring a case about and a change that ends it; None where none are found."""
    if len(leaves) > _MOST_LEAVES or not settables:
        return None
    keys = {write_source(leaf): find_key(leaf, settables) for leaf in leaves}
    candidates: dict[str, tuple[Value, ...]] = {}
    for leaf in leaves:
        place = settables.get(write_source(leaf))
        found = list_candidates(leaf, place, case.branch, case.terms)
        if case.entry.kind == "constraint":  # what isn't given isn't looked at
            found = tuple(value for value in found if value is not None)
        candidates[keys[write_source(leaf)]] = (*candidates.get(keys[write_source(leaf)], ()), *found)
    return Search(case, case.branch, settables, keys, candidates).solve()


def find_key(leaf: ast.expr, settables: Mapping[str, Place]) -> str:
    """Give what a leaf's value goes by: the option's id, or the source text of what is none."""
    place = settables.get(write_source(leaf))
    return place.option.id if place is not None else write_source(leaf)
