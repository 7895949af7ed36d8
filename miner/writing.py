"""A libcst expression → the text it was parsed from, at a tenth of what libcst's own writer costs.

libcst opens two context managers for every node it writes, to record positions that nobody asked for. What is common in
tests and messages is joined here; everything else is left to libcst.
"""

from collections.abc import Callable, Sequence

import libcst as cst

_EMPTY = cst.Module([])
_OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.Equal: "==",
    cst.LessThan: "<",
    cst.GreaterThan: ">",
    cst.LessThanEqual: "<=",
    cst.GreaterThanEqual: ">=",
    cst.In: "in",
    cst.Is: "is",
    cst.And: "and",
    cst.Or: "or",
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
}
_SIGNS: dict[type[cst.CSTNode], str] = {cst.Not: "not", cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~"}


def write_source(node: cst.CSTNode) -> str:
    """Write a node as its source has it, parentheses and comments included."""
    parts: list[str] = []
    _add(node, parts)
    return "".join(parts)


def write_bare(node: cst.CSTNode) -> str:
    """Write an expression as its source has it, without the parentheses around it."""
    parts: list[str] = []
    write = _WRITERS.get(type(node))
    if write is not None:
        write(node, parts)
        return "".join(parts)
    bare = node.with_changes(lpar=(), rpar=()) if getattr(node, "lpar", ()) else node
    return _EMPTY.code_for_node(bare)


def _add(node: cst.CSTNode, parts: list[str]) -> None:
    write = _WRITERS.get(type(node))
    if write is None:
        parts.append(_EMPTY.code_for_node(node))
        return
    opening: Sequence[cst.LeftParen] = node.lpar  # type: ignore[attr-defined]
    for left in opening:
        parts.append("(")
        _add_space(left.whitespace_after, parts)
    write(node, parts)
    if opening:
        for right in node.rpar:  # type: ignore[attr-defined]
            _add_space(right.whitespace_before, parts)
            parts.append(")")


def _add_space(space: cst.BaseParenthesizableWhitespace, parts: list[str]) -> None:
    parts.append(space.value if isinstance(space, cst.SimpleWhitespace) else _EMPTY.code_for_node(space))


def _add_value(node: cst.Name | cst.SimpleString | cst.Integer | cst.Float, parts: list[str]) -> None:
    parts.append(node.value)


def _add_attribute(node: cst.Attribute, parts: list[str]) -> None:
    _add(node.value, parts)
    _add_space(node.dot.whitespace_before, parts)
    parts.append(".")
    _add_space(node.dot.whitespace_after, parts)
    _add(node.attr, parts)


def _add_subscript(node: cst.Subscript, parts: list[str]) -> None:
    _add(node.value, parts)
    _add_space(node.whitespace_after_value, parts)
    parts.append("[")
    _add_space(node.lbracket.whitespace_after, parts)
    last = len(node.slice) - 1
    for index, element in enumerate(node.slice):
        inner = element.slice
        if isinstance(inner, cst.Index) and inner.star is None:
            _add(inner.value, parts)
        else:
            parts.append(_EMPTY.code_for_node(inner))
        _add_comma(element.comma, index < last, parts)
    _add_space(node.rbracket.whitespace_before, parts)
    parts.append("]")


def _add_call(node: cst.Call, parts: list[str]) -> None:
    _add(node.func, parts)
    _add_space(node.whitespace_after_func, parts)
    parts.append("(")
    _add_space(node.whitespace_before_args, parts)
    last = len(node.args) - 1
    for index, argument in enumerate(node.args):
        parts.append(argument.star)
        _add_space(argument.whitespace_after_star, parts)
        if argument.keyword is not None:
            _add(argument.keyword, parts)
            _add_equal(argument.equal, parts)
        _add(argument.value, parts)
        _add_comma(argument.comma, index < last, parts)
        _add_space(argument.whitespace_after_arg, parts)
    parts.append(")")


def _add_equal(equal: cst.AssignEqual | cst.MaybeSentinel, parts: list[str]) -> None:
    if isinstance(equal, cst.MaybeSentinel):
        parts.append(" = ")
        return
    _add_space(equal.whitespace_before, parts)
    parts.append("=")
    _add_space(equal.whitespace_after, parts)


def _add_comma(comma: cst.Comma | cst.MaybeSentinel, needed: bool, parts: list[str]) -> None:
    if isinstance(comma, cst.MaybeSentinel):
        if needed:
            parts.append(", ")
        return
    _add_space(comma.whitespace_before, parts)
    parts.append(",")
    _add_space(comma.whitespace_after, parts)


def _add_comparison(node: cst.Comparison, parts: list[str]) -> None:
    _add(node.left, parts)
    for target in node.comparisons:
        _add_operator(target.operator, parts)
        _add(target.comparator, parts)


def _add_operation(node: cst.BinaryOperation | cst.BooleanOperation, parts: list[str]) -> None:
    _add(node.left, parts)
    _add_operator(node.operator, parts)
    _add(node.right, parts)


def _add_operator(operator: cst.CSTNode, parts: list[str]) -> None:
    token = _OPERATORS.get(type(operator))
    if token is None:
        parts.append(_EMPTY.code_for_node(operator))
        return
    _add_space(operator.whitespace_before, parts)  # type: ignore[attr-defined]
    parts.append(token)
    _add_space(operator.whitespace_after, parts)  # type: ignore[attr-defined]


def _add_unary(node: cst.UnaryOperation, parts: list[str]) -> None:
    parts.append(_SIGNS[type(node.operator)])
    _add_space(node.operator.whitespace_after, parts)
    _add(node.expression, parts)


_WRITERS: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.Name: _add_value,
    cst.SimpleString: _add_value,
    cst.Integer: _add_value,
    cst.Float: _add_value,
    cst.Attribute: _add_attribute,
    cst.Subscript: _add_subscript,
    cst.Call: _add_call,
    cst.Comparison: _add_comparison,
    cst.BinaryOperation: _add_operation,
    cst.BooleanOperation: _add_operation,
    cst.UnaryOperation: _add_unary,
}
