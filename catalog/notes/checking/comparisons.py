"""Which comparisons hold when a guard's error is raised?"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from catalog.notes.evaluate import Unknown, evaluate, is_shallow, parse
from catalog.notes.evaluation.source import write
from catalog.records import Guard

OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SIGNS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides that are compared so when the error is raised; a number is always on the right."""

    left: str
    op: str
    right: str | int | float
    """Source text, or a number."""


def list_comparisons(guard: Guard, source: str) -> tuple[Comparison, ...]:
    """Give the comparisons of a guard's condition, with the definitions of names put in, turned round where denied."""
    bindings = {binding.name: binding.value for binding in guard.bindings}
    return tuple(dict.fromkeys(_read(source, bindings, True, _DEEPEST)))


def list_items(guard: Guard) -> frozenset[str]:
    """Give the names for the items of a collection in a guard's branch: `r` in `any(r < 0 for r in rates)`."""
    tree = _parse(guard.branch)
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.comprehension)] if tree is not None else []
    return frozenset(part.id for loop in loops for part in ast.walk(loop.target) if isinstance(part, ast.Name))


def list_members(guard: Guard) -> frozenset[int | float]:
    """Give the numbers that a guard looks for something among: 2 and 4 of `size not in (2, 4)`."""
    trees = filter(None, map(_parse, (guard.branch, guard.condition)))
    compared = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    among = [
        right
        for node in compared
        for op, right in zip(node.ops, node.comparators, strict=True)
        if isinstance(op, ast.In | ast.NotIn)
    ]
    sides = (_read_side(part) for right in among for part in ast.walk(right) if isinstance(part, ast.Constant))
    return frozenset(side for side in sides if not isinstance(side, str))


def _read(source: str, bindings: Mapping[str, str], holds: bool, depth: int) -> Iterator[Comparison]:
    tree = _parse(source)
    if tree is not None:
        yield from _walk(tree, bindings, holds, depth)


@lru_cache(maxsize=1024)
def _parse(source: str) -> ast.expr | None:
    try:
        tree = parse(source)
    except Unknown:
        return None
    return tree if is_shallow(tree) else None


def _walk(node: ast.AST, bindings: Mapping[str, str], holds: bool, depth: int) -> Iterator[Comparison]:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _walk(operand, bindings, not holds, depth)
        case ast.Compare(left=left, ops=ops, comparators=rights):
            for op, one, other in zip(ops, [left, *rights], rights, strict=False):
                if type(op) in _SIGNS:
                    sign = _SIGNS[type(op)]
                    yield from _order(one, sign if holds else OPPOSITES[sign], other)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            for part, way in ((test, True), (test, False), (body, holds), (orelse, holds)):
                yield from _walk(part, bindings, way, depth)
        case ast.Name() | ast.Attribute() if depth and write(node) in bindings:
            yield from _read(bindings[write(node)], bindings, holds, depth - 1)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _walk(child, bindings, holds, depth)


def _order(left: ast.expr, op: str, right: ast.expr) -> Iterator[Comparison]:
    one, other = _read_side(left), _read_side(right)
    if isinstance(one, str):
        yield Comparison(one, op, other)
    elif isinstance(other, str):
        yield Comparison(other, MIRRORED[op], one)


def _read_side(node: ast.expr) -> str | int | float:
    text = write(node)
    if isinstance(node, ast.Name | ast.Attribute):
        return text
    try:
        value = evaluate(text, {})
    except Unknown:
        return text
    return value if isinstance(value, int | float) and not isinstance(value, bool) else text
