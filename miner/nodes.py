"""The expressions inside an expression, at a fraction of the cost of libcst's own `children`.

`children` finds them by visiting, whitespace included, and builds every node anew. Which fields of a class can hold
expressions is known from the class alone.
"""

from collections.abc import Sequence
from types import NoneType

import libcst as cst

_SKIPPED_FIELDS = frozenset(
    """lpar rpar lbracket rbracket lbrace rbrace comma semicolon dot equal colon star header footer leading_lines
    lines_after_decorators separator first_colon second_colon eq""".split()
)
_NO_NODES = frozenset([str, bool, NoneType, cst.MaybeSentinel])
LEAVES = frozenset([cst.Name, cst.SimpleString, cst.Integer, cst.Float, cst.Imaginary, cst.Ellipsis])
"""Nothing stands inside them. (A type is asked for by `is`: to ask a class of libcst for instances takes ten times.)"""
_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {}


def list_inner(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """Give the nodes directly inside a node, in source order, without whitespace and punctuation."""
    fields = _FIELDS.get(type(node))
    if fields is None:
        fields = _FIELDS[type(node)] = _find_fields(type(node))
    if not fields:
        return ()
    inner: list[cst.CSTNode] = []
    for name in fields:
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple or kind is list:
            inner.extend(value)
        elif kind not in _NO_NODES:
            inner.append(value)
    return inner


def _find_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    fields = getattr(kind, "__dataclass_fields__", {})
    texts = {name for name, field in fields.items() if field.type in (str, "str")}
    return tuple(n for n in fields if n not in _SKIPPED_FIELDS | texts and not n.startswith("whitespace"))
