"""How is an expression worked out, once it is read: each part of its tree as a small function of the values?

Nothing is ever compiled to Python or handed to `eval`: every kind of part that is understood stands here by name, and
any other is Unknown.
"""

import ast
from collections.abc import Callable, Mapping
from typing import Any

from catalog.notes.evaluation.calls import NAMED_TYPES, call_function
from catalog.notes.evaluation.comprehensions import build_comprehension
from catalog.notes.evaluation.invocations import build_call, build_items
from catalog.notes.evaluation.operations import apply_sign, calculate, compare, pick
from catalog.notes.evaluation.plain import DEEPEST, Budget, Unknown, keep
from catalog.notes.evaluation.run import MISSING, Part, Run, cut, is_true, list_names, refuse
from catalog.notes.evaluation.source import write

_LONGEST_REASON = 80


def build(node: ast.AST, depth: int = DEEPEST) -> Part:
    """Build the function that works out an expression; a part that isn't understood is Unknown when it is reached."""
    if depth == 0:
        raise Unknown("nested too deeply")
    builder = _BUILDERS.get(type(node))
    if builder is None:
        return refuse(f"`{cut(node)}` is not computed here")
    return builder(node, depth - 1)


def _build_constant(node: ast.Constant, depth: int) -> Part:
    value = keep(node.value, Budget())
    return lambda run: value


def _build_name(node: ast.Name, depth: int) -> Part:
    name = node.id
    named_type = NAMED_TYPES.get(name, MISSING)

    def find(run: Run) -> object:
        if name in run.inner:
            return run.inner[name]
        if name in run.bound:
            return run.bound[name]
        found = run.find(name, frozenset())
        if found is MISSING:
            found = named_type
        if found is MISSING:
            raise Unknown(f"`{name}` has no value here")
        return found

    return find


def _build_attribute(node: ast.Attribute, depth: int) -> Part:
    text, names = write(node), list_names(node)
    subject = build(node.value, depth) if node.attr == "__name__" else None

    def find(run: Run) -> object:
        found = run.find(text, names)
        if found is MISSING and subject is not None:
            kind = subject(run)
            found = kind.__name__ if isinstance(kind, type) else MISSING
        if found is MISSING:
            raise Unknown(f"`{cut(node)}` has no value here")
        return found

    return find


def _build_subscript(node: ast.Subscript, depth: int) -> Part:
    text, names = write(node), list_names(node)
    subject, index = build(node.value, depth), build(node.slice, depth)

    def find(run: Run) -> object:
        found = run.find(text, names)
        return pick(subject(run), index(run), run.budget) if found is MISSING else found

    return find


def _build_slice(node: ast.Slice, depth: int) -> Part:
    ends = [build(end, depth) if end is not None else lambda run: None for end in (node.lower, node.upper, node.step)]
    return lambda run: slice(*[end(run) for end in ends])


def _build_collection(node: Any, depth: int) -> Part:
    type_ = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
    items = build_items(node.elts, depth, build)

    def make(run: Run) -> object:
        try:
            return keep(type_(items(run)), run.budget)
        except TypeError as error:
            raise Unknown(str(error)) from error

    return make


def _build_dict(node: ast.Dict, depth: int) -> Part:
    if None in node.keys:
        return refuse("`**` in a dictionary is not computed here")
    pairs = [(build(key, depth), build(value, depth)) for key, value in zip(node.keys, node.values, strict=True) if key]

    def make(run: Run) -> object:
        try:
            return keep({key(run): value(run) for key, value in pairs}, run.budget)
        except TypeError as error:
            raise Unknown(str(error)) from error

    return make


def _build_boolop(node: ast.BoolOp, depth: int) -> Part:
    parts = [build(value, depth) for value in node.values]
    decisive = isinstance(node.op, ast.Or)

    def decide(run: Run) -> object:
        value: object = None
        for part in parts:
            value = part(run)
            if is_true(value) is decisive:
                break
        return value

    return decide


def _build_compare(node: ast.Compare, depth: int) -> Part:
    first = build(node.left, depth)
    links = [(type(op), build(right, depth)) for op, right in zip(node.ops, node.comparators, strict=True)]

    def decide(run: Run) -> object:
        left, verdict = first(run), True
        for op, part in links:
            right = part(run)
            verdict = bool(compare(op, left, right, run.budget))
            if not verdict:
                break
            left = right
        return verdict

    return decide


def _build_binop(node: ast.BinOp, depth: int) -> Part:
    op, left, right = type(node.op), build(node.left, depth), build(node.right, depth)
    return lambda run: calculate(op, left(run), right(run), run.budget)


def _build_unaryop(node: ast.UnaryOp, depth: int) -> Part:
    op, operand = type(node.op), build(node.operand, depth)
    return lambda run: apply_sign(op, operand(run), run.budget)


def _build_ifexp(node: ast.IfExp, depth: int) -> Part:
    test, body, orelse = (build(part, depth) for part in (node.test, node.body, node.orelse))
    return lambda run: body(run) if is_true(test(run)) else orelse(run)


def _build_walrus(node: ast.NamedExpr, depth: int) -> Part:
    name, value = node.target.id, build(node.value, depth)

    def bind(run: Run) -> object:
        run.bound[name] = value(run)
        return run.bound[name]

    return bind


def _build_text(node: ast.JoinedStr, depth: int) -> Part:
    """Read an f-string; a format of its own is not computed."""
    pieces = [_build_piece(piece, depth) for piece in node.values]
    return lambda run: keep("".join([str(piece(run)) for piece in pieces]), run.budget)


def _build_piece(piece: ast.expr, depth: int) -> Part:
    match piece:
        case ast.Constant():
            return build(piece, depth)
        case ast.FormattedValue(value=value, conversion=conversion, format_spec=None) if conversion in (-1, 114, 115):
            part, function = build(value, depth), "repr" if conversion == 114 else "str"
            return lambda run: call_function(function, [part(run)], {}, run.budget)
    return refuse("such a format is not computed here")


def _build_call(node: ast.Call, depth: int) -> Part:
    return build_call(node, depth, build)


def _build_comprehension(node: Any, depth: int) -> Part:
    return build_comprehension(node, depth, build)


_BUILDERS: Mapping[type[ast.AST], Callable[[Any, int], Part]] = {
    ast.Constant: _build_constant,
    ast.Name: _build_name,
    ast.Attribute: _build_attribute,
    ast.Subscript: _build_subscript,
    ast.Slice: _build_slice,
    ast.Call: _build_call,
    ast.List: _build_collection,
    ast.Tuple: _build_collection,
    ast.Set: _build_collection,
    ast.Dict: _build_dict,
    ast.BoolOp: _build_boolop,
    ast.Compare: _build_compare,
    ast.BinOp: _build_binop,
    ast.UnaryOp: _build_unaryop,
    ast.IfExp: _build_ifexp,
    ast.NamedExpr: _build_walrus,
    ast.JoinedStr: _build_text,
    ast.ListComp: _build_comprehension,
    ast.SetComp: _build_comprehension,
    ast.DictComp: _build_comprehension,
    ast.GeneratorExp: _build_comprehension,
}
