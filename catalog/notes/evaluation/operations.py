"""What do Python's operators give for plain values, within bounds?"""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from catalog.notes.evaluation.plain import LARGEST, LARGEST_INT, Budget, Refused, Stream, Unknown, keep, name_type, walk

_BINARY: Mapping[type[ast.operator], tuple[str, Callable[[Any, Any], object]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], object]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_COMPARISONS: Mapping[type[ast.cmpop], tuple[str, Callable[[Any, Any], object]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
REFUSALS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What plain values may raise among themselves."""


def calculate(op: type[ast.operator], left: object, right: object, budget: Budget) -> object:
    """Give the value of `left op right`."""
    sign, function = _BINARY.get(op, ("@", None))
    if function is None or isinstance(left, Stream) or isinstance(right, Stream):
        raise Unknown(f"`{sign}` is not computed here")
    _check_growth(op, left, right)
    try:
        return keep(function(left, right), budget)
    except REFUSALS as error:
        raise Refused(f"`{sign}` on {name_type(left)} and {name_type(right)}: {error}") from error


def apply_sign(op: type[ast.unaryop], value: object, budget: Budget) -> object:
    """Give the value of `op value`."""
    if isinstance(value, Stream):
        raise Unknown("a generator has no sign")
    try:
        return keep(_UNARY[op](value), budget)
    except REFUSALS as error:
        raise Refused(str(error)) from error


def compare(op: type[ast.cmpop], left: object, right: object, budget: Budget) -> object:
    """Give the value of `left op right`, one link of a chain."""
    if op is ast.In:
        return _is_in(left, right, budget)
    if op is ast.NotIn:
        return not _is_in(left, right, budget)
    if isinstance(left, Stream) or isinstance(right, Stream):
        raise Unknown("a generator is not compared here")
    if op is ast.Is:
        return _is_same(left, right)
    if op is ast.IsNot:
        return not _is_same(left, right)
    sign, function = _COMPARISONS[op]
    keep(left, budget)  # comparing costs what there is to compare
    try:
        return function(left, right)
    except REFUSALS as error:
        raise Refused(f"`{sign}` on {name_type(left)} and {name_type(right)}: {error}") from error


def pick(value: Any, index: Any, budget: Budget) -> object:
    """Give the value of `value[index]`."""
    if not isinstance(value, str | bytes | list | tuple | dict | range):
        raise Refused(f"{name_type(value)} has no items by key")
    try:
        return keep(value[index], budget)
    except REFUSALS as error:
        raise Refused(f"no item {index!r}: {error}"[:120]) from error


def _check_growth(op: type[ast.operator], left: Any, right: Any) -> None:
    """Refuse what would be too large before it is made."""
    if op is ast.Mult:
        for items, times in ((left, right), (right, left)):
            is_repeated = isinstance(items, str | bytes | list | tuple) and isinstance(times, int)
            if is_repeated and len(items) * max(times, 0) > LARGEST:
                raise Unknown("a collection grows too large")
    elif op is ast.Pow and isinstance(left, int) and isinstance(right, int):
        if left.bit_length() * right > LARGEST_INT:
            raise Unknown("a number grows too large")
    elif op is ast.LShift and isinstance(right, int):
        if right > LARGEST_INT:
            raise Unknown("a number grows too large")
    elif op is ast.Mod and isinstance(left, str | bytes):
        raise Unknown("text is not formatted here")


def _is_same(left: object, right: object) -> bool:
    """Tell whether both are one object; of numbers and texts only the interpreter knows."""
    if any(side is None or side is True or side is False or side is Ellipsis for side in (left, right)):
        return left is right
    if isinstance(left, type) and isinstance(right, type):
        return left is right
    raise Unknown("`is` between values is up to the interpreter")


def _is_in(item: object, values: Any, budget: Budget) -> bool:
    if isinstance(item, Stream):
        raise Unknown("a generator is not compared here")
    if isinstance(values, Stream):
        return any(item is one or compare(ast.Eq, item, one, budget) for one in walk(values, budget, ordered=False))
    if isinstance(values, range) and type(item) not in (int, bool):
        return any(item == one for one in walk(values, budget))
    if not isinstance(values, str | bytes | list | tuple | set | frozenset | dict | range):
        raise Refused(f"`in` {name_type(values)}")
    keep(values, budget)
    try:
        return item in values
    except REFUSALS as error:
        raise Refused(f"`in`: {error}") from error
