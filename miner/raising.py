"""A `raise` statement → what it throws: a class with its arguments, something caught before, or an unknown."""

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from miner.conditions import Formula, negate, read_formula
from miner.effects import find_path
from miner.templates import Scope

_MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Caught:
    """The statement only passes on what a handler caught."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """The statement throws an exception of its own."""

    target: cst.BaseExpression
    """The class, or whatever makes the exception."""
    arguments: tuple[cst.Arg, ...] | None
    """`None` when the class is thrown without a call."""
    scope: Scope
    conditions: tuple[Formula, ...] = ()
    is_variable: bool = False
    """It was made above and kept in a variable."""


def read_raise(node: cst.Raise, scope: Scope, caught: frozenset[str]) -> tuple[Thrown, ...] | Caught:
    """Read a `raise`; several throws when it chooses between them."""
    if node.exc is None:
        return Caught()
    thrown = tuple(_read(node.exc, scope, caught, 0))
    return thrown if thrown else Caught()


def read_value(node: cst.BaseExpression, scope: Scope) -> Iterator[Thrown]:
    """Read an expression that makes an exception, outside a `raise`."""
    return _read(node, scope, frozenset(), 0)


def _read(node: cst.BaseExpression, scope: Scope, caught: frozenset[str], depth: int) -> Iterator[Thrown]:
    match node:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value="with_traceback"))):
            yield from _read(inner, scope, caught, depth)
        case cst.Call(func=func):
            yield from _read_makers(func, tuple(node.args), scope)
        case cst.IfExp():
            test = read_formula(node.test)
            for held, branch in ((test, node.body), (negate(test), node.orelse)):
                for thrown in _read(branch, scope, caught, depth):
                    yield _add_condition(thrown, held)
        case cst.BooleanOperation(operator=cst.Or(), left=left, right=right):
            test = read_formula(left)
            for held, branch in ((test, left), (negate(test), right)):
                for thrown in _read(branch, scope, caught, depth):
                    yield _add_condition(thrown, held)
        case cst.Name(value=name) if depth < _MAX_DEPTH and (found := scope(node)) is not None:
            if isinstance(found.node, cst.Name) and found.node.value in caught and name not in caught:
                return
            for thrown in _read(found.node, found.scope, caught, depth + 1):
                yield Thrown(thrown.target, thrown.arguments, thrown.scope, thrown.conditions, is_variable=True)
        case cst.Name(value=name) if name in caught:
            return
        case _:
            yield Thrown(node, None, scope)


def _read_makers(func: cst.BaseExpression, arguments: tuple[cst.Arg, ...], scope: Scope) -> Iterator[Thrown]:
    match func:
        case cst.BooleanOperation(operator=cst.Or(), left=left, right=right):
            test = read_formula(left)
            yield Thrown(left, tuple(arguments), scope, (test,))
            yield Thrown(right, tuple(arguments), scope, (negate(test),))
        case cst.IfExp():
            test = read_formula(func.test)
            yield Thrown(func.body, tuple(arguments), scope, (test,))
            yield Thrown(func.orelse, tuple(arguments), scope, (negate(test),))
        case _:
            yield Thrown(func, tuple(arguments), scope)


def _add_condition(thrown: Thrown, condition: Formula) -> Thrown:
    return Thrown(thrown.target, thrown.arguments, thrown.scope, (condition, *thrown.conditions), thrown.is_variable)


def name_class(node: cst.BaseExpression) -> str | None:
    """Give the dotted name of what is thrown where it reads as a class: its last part starts with a capital."""
    path = find_path(node)
    if path is None or "[]" in path or not path[-1].lstrip("_")[:1].isupper():
        return None
    return ".".join(path)
