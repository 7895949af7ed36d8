"""Does one condition imply another?

Decided by looking for a state in which the first holds and the second doesn't, over the facts the two speak of. Only
"yes" is a claim: where the search finds a state, or gives up, the answer is no. A condition that raises doesn't hold;
a term is taken to be None, or of a sort that can't be compared with a constant, only if one of the two conditions asks
about that; two terms compared with each other are taken to be of one sort.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal as OneOf

from catalog.compare.clauses import list_names
from catalog.compare.conditions import read_holds
from catalog.compare.formulas import (
    FALSE,
    TRUE,
    And,
    Compared,
    Defined,
    Fact,
    Formula,
    Instance,
    Literal,
    Or,
    Ordered,
    Truthy,
    conjoin,
    disjoin,
    negate,
)
from catalog.compare.theory import Group, can_hold, find_group

GuardChange = OneOf["tightened", "loosened", "equivalent", "changed"]

_LARGEST_CONDITION = 600
_MOST_STEPS = 300


class _Exhausted(Exception):
    """The search took too long to be worth an answer."""


def compare_conditions(old: str, new: str) -> GuardChange:
    """Tell how a condition changed: `tightened` when it now holds in fewer cases, `loosened` when in more.

    `changed` is the answer whenever neither direction can be proved.
    """
    tighter, looser = implies(new, old), implies(old, new)
    if tighter and looser:
        return "equivalent"
    if tighter:
        return "tightened"
    return "loosened" if looser else "changed"


def implies(premise: str, conclusion: str) -> bool:
    """Tell whether the second condition is proved to hold wherever the first does.

    What the two have in common is a premise of the rest, looked at only when the rest can't be proved without.
    """
    first, second = _read_conjuncts(premise), _read_conjuncts(conclusion)
    if first is None or second is None:
        return False
    wanted = [second[text] for text in second if text not in first]
    known = [first[text] for text in first if text not in second]
    asked = frozenset(term for formula in (*first.values(), *second.values()) for term in _list_asked(formula))
    if all(_follows(each, known, asked) for each in wanted):
        return True
    names = frozenset().union(*(list_names(text) for text in first.keys() ^ second.keys())) - {"self"}
    shared = [first[text] for text in first if text in second and list_names(text) & names]
    return bool(shared) and all(_follows(each, known + shared, asked) for each in wanted)


def _follows(conclusion: Formula, premises: list[Formula], asked: frozenset[str]) -> bool:
    try:
        formula = _trust_terms(conjoin((*premises, negate(conclusion))), asked)
        return not _Search().find_state(formula, {})
    except (_Exhausted, RecursionError):
        return False


def _list_asked(formula: Formula) -> Iterator[str]:
    """List the terms that a condition itself suspects of being None or of another sort."""
    match formula:
        case Literal(Truthy(term) | Instance(term, _) | Compared(term, "is" | "==", "None"), _):
            yield term
        case And(items) | Or(items):
            for item in items:
                yield from _list_asked(item)


def _trust_terms(formula: Formula, asked: frozenset[str]) -> Formula:
    """Take what nobody asked about to be as it must be for its use."""
    match formula:
        case Literal(Defined(term) | Ordered(term, _), positive) if term not in asked:
            return TRUE if positive else FALSE
        case And(items):
            return conjoin(_trust_terms(item, asked) for item in items)
        case Or(items):
            return disjoin(_trust_terms(item, asked) for item in items)
    return formula


@lru_cache(maxsize=1024)
def _read_conjuncts(condition: str) -> dict[str, Formula] | None:
    """Give the conjuncts of a condition by their text; None when it can't be parsed or is too large to reason about."""
    try:
        node = ast.parse(condition.strip(), mode="eval").body
        if sum(1 for _ in ast.walk(node)) > _LARGEST_CONDITION:
            return None
        nodes = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]
        return {ast.unparse(each): read_holds(each) for each in nodes}
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # ValueError: can't be written back as text
        return None


class _Search:
    """One search for a state, with its count of steps."""

    def __init__(self) -> None:
        self.steps = 0

    def find_state(self, formula: Formula, known: dict[Fact, bool]) -> bool:
        """Tell whether some state agrees with what is known and makes the formula true."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _Exhausted
        while certain := [item for item in _list_items(formula) if isinstance(item, Literal)]:
            known = known | {literal.fact: literal.positive for literal in certain}
            if any(known[literal.fact] is not literal.positive for literal in certain):
                return False
            if not _is_consistent(known, {find_group(literal.fact) for literal in certain}):
                return False
            formula = _put_in(formula, known)
        if formula is TRUE:
            return True
        if formula is FALSE:
            return False
        items = _list_items(formula)
        choice = min((item for item in items if isinstance(item, Or)), key=lambda item: len(item.items))
        others = [item for item in items if item is not choice]
        first, rest = choice.items[0], choice.items[1:]
        return self.find_state(conjoin((first, *others)), known) or self.find_state(
            conjoin((negate(first), disjoin(rest), *others)), known
        )


def _list_items(formula: Formula) -> tuple[Formula, ...]:
    return formula.items if isinstance(formula, And) else (formula,)


def _is_consistent(known: dict[Fact, bool], groups: set[Group]) -> bool:
    """Check the groups that have grown."""
    grown: dict[Group, list[Literal]] = {}
    for fact, positive in known.items():
        group = find_group(fact)
        if group in groups:
            grown.setdefault(group, []).append(Literal(fact, positive))
    return all(can_hold(literals) for literals in grown.values())


def _put_in(formula: Formula, known: dict[Fact, bool]) -> Formula:
    """Replace the facts that are known by what they are."""
    match formula:
        case Literal(fact, positive):
            return formula if fact not in known else TRUE if known[fact] is positive else FALSE
        case And(items):
            return conjoin(_put_in(item, known) for item in items)
        case Or(items):
            return disjoin(_put_in(item, known) for item in items)
