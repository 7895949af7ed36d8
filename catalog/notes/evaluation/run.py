"""What does one evaluation know while it is under way?"""

import ast
from collections.abc import Callable, Mapping
from typing import TypeAlias

from catalog.notes.evaluation.plain import Budget, Stream, Unknown, keep
from catalog.notes.evaluation.source import write

MISSING = object()
_LONGEST_REASON = 80


class Run:
    """One evaluation: what is known, what the expression itself has bound, and what it may still spend."""

    __slots__ = ("bound", "budget", "inner", "values")

    def __init__(self, values: Mapping[str, object], bound: dict[str, object], budget: Budget) -> None:
        self.values = values
        self.bound = bound
        self.budget = budget
        self.inner: dict[str, object] = {}
        """The variables of the comprehensions that are under way."""

    def enter(self) -> "Run":
        """Give the run inside a comprehension, which binds its own variables."""
        run = Run(self.values, self.bound, self.budget)
        run.inner = dict(self.inner)
        return run

    def find(self, text: str, names: frozenset[str]) -> object:
        """Find what is known under a source text, unless a comprehension gives its names another meaning."""
        if self.inner and not names.isdisjoint(self.inner):
            return MISSING
        try:
            found = self.values[text]
        except KeyError:
            return MISSING
        return keep(found, self.budget)


Part: TypeAlias = Callable[[Run], object]
"""How one part of an expression is worked out."""
Build: TypeAlias = Callable[[ast.AST, int], Part]
"""What builds the inner parts of a part, with the levels that are still allowed."""


def is_true(value: object) -> bool:
    """Tell whether a condition takes a value for true."""
    if isinstance(value, Stream):
        raise Unknown("a generator is always true")
    return bool(value)


def refuse(reason: str) -> Part:
    """Give the part that has no value, for this reason."""

    def refuse(run: Run) -> object:
        raise Unknown(reason)

    return refuse


def cut(node: ast.AST) -> str:
    """Write a part of a tree, short enough for a reason."""
    text = write(node)
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}…"


def list_names(node: ast.AST) -> frozenset[str]:
    """Give the names that a part of a tree speaks of."""
    return frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
