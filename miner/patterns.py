"""A match pattern → the test it makes, as an expression where one says the same, else in words."""

from dataclasses import dataclass

import libcst as cst

from miner.conditions import Atom, Formula, Some, join, read_formula, write_formula
from miner.nodes import list_inner
from miner.wording import write_expression

_LOOSE = (cst.Comparison, cst.BooleanOperation, cst.UnaryOperation, cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Yield)


@dataclass(frozen=True, slots=True)
class Taken:
    """When a case is taken."""

    formula: Formula | None
    """`None` for a case that is always taken."""
    text: str
    names: tuple[str, ...]
    """What the pattern binds."""
    literal: str | None
    """The literal that the subject must equal, when that is all."""

    def excludes(self, other: Formula) -> bool:
        """Tell whether taking this case means that the other, with another literal, can't hold."""
        if self.literal is None or not isinstance(other, Atom):
            return False
        return " == " in other.text and other.text.rsplit(" == ", 1)[1][:1] in "'\"0123456789-"


def read_pattern(subject: cst.BaseExpression, pattern: cst.MatchPattern, test: cst.BaseExpression | None) -> Taken:
    """Read a case: its pattern and its `if`."""
    text = _write_subject(subject)
    names = tuple(dict.fromkeys(list_captures(pattern)))
    formula = _read(text, pattern)
    literal = None
    if isinstance(pattern, cst.MatchValue) and test is None and isinstance(formula, Atom):
        literal = formula.text
    if test is not None:
        own = read_formula(test)
        formula = own if formula is None else join((formula, own))
    return Taken(formula, write_formula(formula) if formula is not None else "True", names, literal)


def _write_subject(node: cst.BaseExpression) -> str:
    """Write what is matched so that it may stand in a comparison."""
    text = write_expression(node)
    loose = isinstance(node, _LOOSE) or (isinstance(node, cst.Tuple) and not node.lpar)
    return f"({text})" if loose else text


def _read(subject: str, pattern: cst.MatchPattern) -> Formula | None:
    match pattern:
        case cst.MatchValue(value=value):
            word = write_expression(value)
            return Atom(f"{subject} == {word}", opposite=f"{subject} != {word}")
        case cst.MatchSingleton(value=value):
            word = write_expression(value)
            return Atom(f"{subject} is {word}", opposite=f"{subject} is not {word}")
        case cst.MatchAs(pattern=None):
            return None
        case cst.MatchAs(pattern=inner) if inner is not None:
            return _read(subject, inner)
        case cst.MatchClass(cls=cls, patterns=(), kwds=()):
            return Atom(f"isinstance({subject}, {write_expression(cls)})")
        case cst.MatchOr(patterns=options):
            parts = [_read(subject, option.pattern) for option in options]
            if any(part is None for part in parts):
                return None
            return Some(tuple(part for part in parts if part is not None))
        case _:
            return Atom(f"{subject} matches {write_expression(pattern)}", is_words=True)


def list_captures(pattern: cst.CSTNode) -> list[str]:
    """List the names that a pattern binds."""
    found: list[str] = []
    if isinstance(pattern, cst.MatchAs | cst.MatchStar) and pattern.name is not None:
        found.append(pattern.name.value)
    if isinstance(pattern, cst.MatchMapping) and pattern.rest is not None:
        found.append(pattern.rest.value)
    if isinstance(pattern, cst.MatchValue | cst.MatchSingleton):
        return found
    for child in list_inner(pattern):
        found.extend(list_captures(child))
    return found
