"""A test whose arguments are known → whether it holds, where literals alone decide that."""

import libcst as cst

from miner.wording import strip_parentheses

_FILLED = (
    *(cst.FormattedString, cst.Lambda, cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp),
    *(cst.BinaryOperation, cst.UnaryOperation, cst.Comparison),
)
_MAKERS = frozenset("bool dict float frozenset int len list repr round set sorted str sum tuple type".split())
"""Functions that never give `None`."""


def settle(node: cst.CSTNode) -> bool | None:
    """Tell whether a test holds; `None` where it takes more than literals to know."""
    match strip_parentheses(node):
        case cst.BooleanOperation(operator=operator, left=left, right=right):
            sides = (settle(left), settle(right))
            decisive = isinstance(operator, cst.Or)
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        case cst.UnaryOperation(operator=cst.Not(), expression=inside):
            known = settle(inside)
            return None if known is None else not known
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
            return _compare(left, operator, right)
        case bare:
            return _is_true(bare)


def _is_true(node: cst.CSTNode) -> bool | None:
    match node:
        case cst.Name(value="True"):
            return True
        case cst.Name(value="False" | "None"):
            return False
        case cst.SimpleString() | cst.ConcatenatedString() | cst.Integer() | cst.Float():
            value = node.evaluated_value
            return None if value is None else bool(value)
        case cst.List(elements=elements) | cst.Tuple(elements=elements) | cst.Dict(elements=elements):
            return bool(elements) if not any("Starred" in type(e).__name__ for e in elements) else None
        case _:
            return None


def _compare(left: cst.BaseExpression, operator: cst.BaseCompOp, right: cst.BaseExpression) -> bool | None:
    is_same = isinstance(operator, cst.Is | cst.Equal)
    if not (is_same or isinstance(operator, cst.IsNot | cst.NotEqual)):
        return None
    if _is_none(right):
        known = _is_none(left) or (False if _is_something(left) else None)
    else:
        one, other = (_value_of(strip_parentheses(side)) for side in (left, right))
        known = None if one is None or other is None or isinstance(operator, cst.Is | cst.IsNot) else one == other
    return known if known is None else known == is_same


def _is_none(node: cst.CSTNode) -> bool:
    bare = strip_parentheses(node)
    return isinstance(bare, cst.Name) and bare.value == "None"


def _is_something(node: cst.CSTNode) -> bool:
    """Tell whether an expression can't be `None`, whatever its parts are."""
    match strip_parentheses(node):
        case cst.Call(func=cst.Name(value=name)):
            return name in _MAKERS
        case bare:
            return _is_true(bare) is not None or isinstance(bare, _FILLED)


def _value_of(node: cst.CSTNode) -> str | int | float | None:
    match node:
        case cst.SimpleString() | cst.Integer() | cst.Float():
            value = node.evaluated_value
            return value if isinstance(value, str | int | float) else None
        case _:
            return None
