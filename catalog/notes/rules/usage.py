"""How does a condition use a leaf: as a number, for its items, or as a yes or no?"""

import ast

from catalog.notes.words.texts import list_parts, write_source

_COUNTS = ("num", "count", "port", "len", "tokens", "size", "degree", "rank", "steps", "width")
"""What names of numbers have in them."""


def list_truths(leaf: ast.expr, branch: ast.expr) -> list[object]:
    """Give yes and no for a leaf that a condition asks for whether it is so."""
    text = write_source(leaf)
    tested = [branch]
    for node in list_parts(branch):
        match node:
            case ast.BoolOp(values=values):
                tested += values
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                tested.append(operand)
            case ast.comprehension(ifs=tests):
                tested += tests
    return [True, False] if any(write_source(node) == text for node in tested) else []


def is_ordered(text: str, branch: ast.expr) -> bool:
    """Tell whether a leaf is compared by size, or computed with."""
    for node in list_parts(branch):
        match node:
            case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE(), *_], comparators=rights):
                if any(write_source(side) == text for side in (left, *rights)):
                    return True
            case ast.BinOp(left=left, right=right):
                if text in (write_source(left), write_source(right)):
                    return True
    return False


def needs_items(node: ast.AST, text: str) -> bool:
    """Tell whether a part of a condition counts or walks through a leaf's items."""
    match node:
        case ast.Call(func=ast.Name(id="len" | "sorted" | "set" | "sum" | "any" | "all"), args=[inner]):
            return write_source(inner) == text
        case ast.comprehension(iter=items):
            return write_source(items) == text
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[container]):
            return write_source(container) == text
    return False


def is_counted(leaf: ast.expr, branch: ast.expr) -> bool:
    """Tell whether a leaf is ordered, computed with, or compared with something else of which nothing is known."""
    text = write_source(leaf)
    for node in list_parts(branch):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.In() | ast.NotIn()]):
                continue
            case ast.Compare(left=left, comparators=rights) if any(wraps(side, text) for side in (left, *rights)):
                sides = (left, *rights)
                if any(isinstance(value, str) for side in sides for value in list_constants(side)):
                    return False
                ordered = any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops)
                return ordered or any(word in text.lower() for word in _COUNTS)
            case ast.BinOp(left=left, right=right) if wraps(left, text) or wraps(right, text):
                return True
    return False


def wraps(node: ast.expr, text: str) -> bool:
    """Tell whether a side of a comparison is the leaf, or a plain function of it."""
    if write_source(node) == text:
        return True
    match node:
        case ast.Call(func=ast.Name(id="len" | "int" | "float" | "str" | "abs" | "set" | "bool"), args=[inner]):
            return wraps(inner, text)
        case ast.Call(func=ast.Attribute(value=inner, attr="lower" | "upper" | "strip"), args=[]):
            return wraps(inner, text)
        case ast.BoolOp(values=values):
            return any(wraps(value, text) for value in values)
        case ast.BinOp(left=left, right=right):
            return wraps(left, text) or wraps(right, text)
        case ast.NamedExpr(value=value):
            return wraps(value, text)
    return False


def is_length(node: ast.expr, text: str) -> bool:
    """Tell whether a side of a comparison is the number of a leaf's items."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            return wraps(inner, text)
    return False


def list_constants(node: ast.expr) -> list[object]:
    """Give the constants that a side is or holds, in the order in which the source has them."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [value for part in node.elts for value in list_constants(part)]
    try:
        return [ast.literal_eval(node)]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return []
