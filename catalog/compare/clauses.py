"""Which clauses of a guard are the entry's own, each as one comparable text?

A guard also holds what the function checked before: after ten earlier checks, ten clauses say only that none of them
fired. Each of those checks is an entry itself and is compared as one, so here they are left out; otherwise a check
put in front would turn up as a change of everything behind it. An earlier `return` stays: nothing else speaks of it.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from catalog.records import Clause, Entry

Conjuncts = tuple[str, ...]

_BRANCHES = ("if", "own", "while", "case")
_EXPRESSIONS = ("if", "own", "while", "past", "assert")
_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True, slots=True)
class OwnGuard:
    """What decides about this entry and no other."""

    tests: Conjuncts
    """Expressions: `size > limit`, `not self.ready`."""
    steps: Conjuncts
    """What is no expression: `for name in names`, `except KeyError`."""
    innermost: str
    """The last test or step, which usually is the check itself."""


@dataclass(frozen=True, slots=True)
class Checks:
    """What the entries of one function check, as an earlier exit in a later guard names it."""

    tests: frozenset[Conjuncts]
    lines: frozenset[int]
    """Where the innermost tests stand: an exit may be named by less than was written."""


def read_own_guard(entry: Entry, checks: Checks, others: Checks | None = None) -> OwnGuard:
    """Read an entry's own guard; `checks` are those of its function, `others` those of the same one elsewhere."""
    guard = entry.guard
    if not guard.clauses:
        conjuncts = split_test(guard.condition, negated=False)
        return OwnGuard(conjuncts, (), conjuncts[-1] if conjuncts else "")
    known = checks.tests | (others.tests if others else frozenset())
    own = [clause for clause in guard.clauses if not _is_other_check(clause, known, checks.lines)]
    tests = [test for clause in own if clause.kind in _EXPRESSIONS for test in _read_clause(clause)]
    steps = [step for clause in own if clause.kind not in _EXPRESSIONS for step in _read_clause(clause)]
    branches = [clause for clause in own if clause.kind in _BRANCHES] or own
    innermost = " and ".join(_read_clause(branches[-1])) if branches else ""
    return OwnGuard(tuple(dict.fromkeys(tests)), tuple(dict.fromkeys(steps)), innermost)


def list_checks(entries: Iterable[Entry]) -> Checks:
    """List what the entries of one function check."""
    tests: set[Conjuncts] = set()
    lines: set[int] = set()
    for entry in entries:
        branches = [clause for clause in entry.guard.clauses if clause.kind in _BRANCHES]
        lines.update(clause.line for clause in branches[-1:])
        for start in range(len(branches)):
            tests.add(tuple(test for clause in branches[start:] for test in _read_clause(clause)))
    return Checks(frozenset(tests), frozenset(lines))


@lru_cache(maxsize=65536)
def split_test(test: str, negated: bool = False) -> Conjuncts:
    """Give the conjuncts of a test, each written in one way; what can't be parsed stays as it is."""
    try:
        node = ast.parse(test.strip(), mode="eval").body
        return tuple(ast.unparse(each) for each in _split(node, negated) if not _is_true(each))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return (f"not ({test})" if negated else test,)


@lru_cache(maxsize=65536)
def split_alternatives(test: str) -> Conjuncts:
    """Give the alternatives of a test, those that `or` joins, each written in one way."""
    try:
        node = ast.parse(test.strip(), mode="eval").body
        alternatives = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else [node]
        return tuple(map(ast.unparse, alternatives))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return (test,)


@lru_cache(maxsize=65536)
def normalize(expression: str) -> str:
    """Write an expression in one way; what can't be parsed stays as it is."""
    try:
        return ast.unparse(ast.parse(expression.strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return expression


@lru_cache(maxsize=65536)
def list_names(text: str) -> frozenset[str]:
    """Give the names and dotted names in an expression."""
    try:
        nodes = list(ast.walk(ast.parse(text.strip(), mode="eval")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(ast.unparse(node) for node in nodes if isinstance(node, ast.Name) or _is_dotted(node))


def _is_other_check(clause: Clause, tests: frozenset[Conjuncts], lines: frozenset[int]) -> bool:
    if clause.kind != "past":
        return clause.kind == "assert"
    return clause.line in lines or split_test(clause.test, negated=not clause.negated) in tests


def _read_clause(clause: Clause) -> Conjuncts:
    if clause.kind in _EXPRESSIONS:
        return split_test(clause.test, clause.negated)
    return (f"{'not ' if clause.negated else ''}{clause.kind} {' '.join(clause.test.split())}",)


def _split(node: ast.expr, negated: bool) -> Iterator[ast.expr]:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _split(operand, not negated)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.Or) is negated:
            for value in values:
                yield from _split(value, negated)
        case ast.BoolOp(op=op, values=values) if negated:
            parts = [list(_split(value, negated)) for value in values]
            yield ast.BoolOp(ast.Or(), [part[0] if len(part) == 1 else ast.BoolOp(ast.And(), part) for part in parts])
        case ast.Compare(left=left, ops=[op], comparators=comparators) if negated and type(op) in _OPPOSITES:
            yield ast.Compare(left, [_OPPOSITES[type(op)]()], comparators)
        case _:
            yield ast.UnaryOp(ast.Not(), node) if negated else node


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _is_dotted(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
