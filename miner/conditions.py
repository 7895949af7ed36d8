"""Boolean structure of tests: negated, joined and written so that each reads well and parses."""

from dataclasses import dataclass

import libcst as cst

from miner.wording import strip_parentheses, write_expression


@dataclass(frozen=True, slots=True)
class Atom:
    """A test that is no `and`, `or` or `not`."""

    text: str
    tight: bool = True
    """It needs no parentheses next to `and`, `or` and `not`."""
    opposite: str | None = None
    """Its negation where the language has an operator for it: `is not`, `!=`, `not in`."""
    is_words: bool = False
    """It describes what no expression says; it never enters a condition."""


@dataclass(frozen=True, slots=True)
class Not:
    """A negation."""

    item: "Formula"


@dataclass(frozen=True, slots=True)
class All:
    """A conjunction; of nothing, it always holds."""

    items: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True)
class Some:
    """A disjunction."""

    items: "tuple[Formula, ...]"


Formula = Atom | Not | All | Some

_OPPOSITES: dict[type[cst.BaseCompOp], str] = {
    cst.Is: "is not",
    cst.IsNot: "is",
    cst.Equal: "!=",
    cst.NotEqual: "==",
    cst.In: "not in",
    cst.NotIn: "in",
}
_LOOSE = (cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Yield)


def read_formula(node: cst.CSTNode) -> Formula:
    """Read a test's boolean structure."""
    match strip_parentheses(node):
        case cst.BooleanOperation(operator=operator, left=left, right=right):
            kind = All if isinstance(operator, cst.And) else Some
            items: list[Formula] = []
            for side in (left, right):
                part = read_formula(side)
                items.extend(part.items if isinstance(part, kind) else (part,))
            return kind(tuple(items))
        case cst.UnaryOperation(operator=cst.Not(), expression=inside):
            return negate(read_formula(inside))
        case bare:
            return Atom(write_expression(bare), not isinstance(bare, _LOOSE), _oppose(bare))


def _oppose(node: cst.CSTNode) -> str | None:
    if not (isinstance(node, cst.Comparison) and len(node.comparisons) == 1):
        return None
    target = node.comparisons[0]
    word = _OPPOSITES.get(type(target.operator))
    if word is None:
        return None
    return f"{_write_operand(node.left)} {word} {_write_operand(target.comparator)}"


def _write_operand(node: cst.BaseExpression) -> str:
    text = write_expression(node)
    return f"({text})" if node.lpar and not isinstance(node, cst.Tuple | cst.GeneratorExp) else text


def negate(formula: Formula) -> Formula:
    """Negate a formula; a double negation falls away, which keeps when it holds."""
    return formula.item if isinstance(formula, Not) else Not(formula)


def join(formulas: tuple[Formula, ...]) -> Formula:
    """Join formulas by `and`, flat."""
    items = [item for formula in formulas for item in (formula.items if isinstance(formula, All) else (formula,))]
    return items[0] if len(items) == 1 else All(tuple(items))


def list_conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Split a formula into the parts that must all hold: `not (a or b)` is `not a` and `not b`."""
    match formula:
        case All(items):
            return tuple(part for item in items for part in list_conjuncts(item))
        case Not(Some(items)):
            return tuple(part for item in items for part in list_conjuncts(negate(item)))
        case _:
            return (formula,)


def write_formula(formula: Formula, around: str = "") -> str:
    """Write a formula as an expression; `around` is the operator it will stand next to: `and`, `or`, `not` or none."""
    match formula:
        case Atom():
            return formula.text if formula.tight or not around else f"({formula.text})"
        case Not(item):
            return _write_negation(item, around)
        case All(items):
            return _enclose(" and ".join(write_formula(item, "and") for item in items) or "True", around == "not")
        case Some(items):
            text = " or ".join(write_formula(item, "or") for item in items) or "False"
            return _enclose(text, around in ("and", "not"))


def _write_negation(inside: Formula, around: str) -> str:
    match inside:
        case Atom():
            return inside.opposite or f"not {write_formula(inside, 'not')}"
        case Not(item):
            return write_formula(item, around)
        case All(items) | Some(items):
            if all(_negates_well(item) for item in items):
                turned = tuple(negate(item) for item in items)
                return write_formula(Some(turned) if isinstance(inside, All) else All(turned), around)
            return f"not {write_formula(inside, 'not')}"


def _negates_well(formula: Formula) -> bool:
    match formula:
        case Atom():
            return formula.opposite is not None or formula.text.isidentifier()
        case Not(Atom()):
            return True
        case _:
            return False


def _enclose(text: str, needed: bool) -> str:
    return f"({text})" if needed else text


def has_words(formula: Formula) -> bool:
    """Tell whether some part is only words."""
    match formula:
        case Atom():
            return formula.is_words
        case Not(item):
            return has_words(item)
        case All(items) | Some(items):
            return any(has_words(item) for item in items)
