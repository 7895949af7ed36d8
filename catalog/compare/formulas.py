"""What is a formula: facts about terms, joined with "and" and "or"?"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Family: TypeAlias = str
"""What an ordering needs its two sides to be: `number`, `str`, `bytes`, `tuple`."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A term against a constant: `op` is one of `<`, `<=`, `>`, `>=`, `==`, `is`."""

    term: str
    op: str
    constant: str
    """As source text, since `1` and `True` are equal but not the same."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """A term can be ordered against constants of this family."""

    term: str
    family: Family


@dataclass(frozen=True, slots=True)
class Defined:
    """A term isn't None, which using it as something else asks for."""

    term: str


@dataclass(frozen=True, slots=True)
class Truthy:
    """A term is true in a condition; also every condition that can't be taken apart."""

    term: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A term is an instance of the class with this name."""

    term: str
    class_name: str


@dataclass(frozen=True, slots=True)
class Related:
    """Two terms, neither of them constant, the first in the alphabet on the left."""

    left: str
    op: str
    right: str


@dataclass(frozen=True, slots=True)
class Divisible:
    """A term leaves no rest when divided by this."""

    term: str
    by: int


Fact: TypeAlias = Compared | Defined | Ordered | Truthy | Instance | Related | Divisible


@dataclass(frozen=True, slots=True)
class Literal:
    """A fact, or that it isn't so."""

    fact: Fact
    positive: bool


@dataclass(frozen=True, slots=True)
class And:
    """All of these; none is true."""

    items: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Any of these; none is false."""

    items: tuple["Formula", ...]


Formula: TypeAlias = Literal | And | Or

TRUE: Formula = And(())
FALSE: Formula = Or(())


def negate(formula: Formula) -> Formula:
    """Give the formula that is true exactly when this one isn't."""
    match formula:
        case Literal(fact, positive):
            return Literal(fact, not positive)
        case And(items):
            return disjoin(map(negate, items))
        case Or(items):
            return conjoin(map(negate, items))


def conjoin(items: Iterable[Formula]) -> Formula:
    """Join formulas with "and", flat, and false as soon as one is."""
    flat: list[Formula] = []
    for item in items:
        if item is FALSE:
            return FALSE
        flat.extend(item.items if isinstance(item, And) else (item,))
    return flat[0] if len(flat) == 1 else And(tuple(flat)) if flat else TRUE


def disjoin(items: Iterable[Formula]) -> Formula:
    """Join formulas with "or", flat, and true as soon as one is."""
    flat: list[Formula] = []
    for item in items:
        if item is TRUE:
            return TRUE
        flat.extend(item.items if isinstance(item, Or) else (item,))
    return flat[0] if len(flat) == 1 else Or(tuple(flat)) if flat else FALSE
