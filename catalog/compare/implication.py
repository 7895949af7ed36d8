"""Does one condition imply another?

Decided by looking for a state in which the first holds and the second doesn't, over the facts the two speak of. Only
"yes" is a claim: where the search finds a state, or gives up, the answer is no. A condition that raises doesn't hold;
a term is taken to be None, or of a sort that can't be compared with a constant, only if one of the two conditions asks
about that; two terms compared with each other are taken to be of one sort, and what isn't None to be computed with.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal as OneOf

from catalog.compare.clauses import Conjuncts, list_names, split_test
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
    return compare_tests(split_test(old), split_test(new))


def compare_tests(old: Conjuncts, new: Conjuncts) -> GuardChange:
    """Tell the same of conditions whose conjuncts are known, each written in one way."""
    tighter, looser = _imply(new, old), _imply(old, new)
    if tighter and looser:
        return "equivalent"
    if tighter:
        return "tightened"
    return "loosened" if looser else "changed"


def implies(premise: str, conclusion: str) -> bool:
    """Tell whether the second condition is proved to hold wherever the first does."""
    return _imply(split_test(premise), split_test(conclusion))


@lru_cache(maxsize=4096)
def _imply(premise: Conjuncts, conclusion: Conjuncts) -> bool:
    """Prove each conjunct that only the second has.

    What the two have in common is a premise of the rest, looked at only when the rest can't be proved without.
    """
    wanted = [_read_formula(test) for test in conclusion if test not in premise]
    known = [_read_formula(test) for test in premise if test not in conclusion]
    there = [formula for formula in (*wanted, *known) if formula is not None]
    if len(there) < len(wanted) + len(known):
        return False
    goals, premises = there[: len(wanted)], there[len(wanted) :]
    shared = [test for test in premise if test in conclusion]
    asked = frozenset(term for formula in there for term in _list_asked(formula))
    asked |= {term for test in shared for term in _list_asked(_read_formula(test) or TRUE)}
    if all(_follows(each, premises, asked) for each in goals):
        return True
    names = _list_all_names(set(premise) ^ set(conclusion)) - {"self"}
    near = [_read_formula(test) or TRUE for test in shared if list_names(test) & names]
    return bool(near) and all(_follows(each, premises + near, asked) for each in goals)


def _list_all_names(tests: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(list_names, tests))


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


@lru_cache(maxsize=8192)
def _read_formula(test: str) -> Formula | None:
    """Read one conjunct; None when it can't be parsed or is too large to reason about."""
    try:
        node = ast.parse(test, mode="eval").body
        return read_holds(node) if sum(1 for _ in ast.walk(node)) <= _LARGEST_CONDITION else None
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
