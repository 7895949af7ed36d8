"""What does a guard say once the values of a message are put in?"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from catalog.explain.values import Value
from catalog.records import Clause, Guard

_LONGEST_VALUE = 80
_BIGGEST = 10**18
_BRANCHING = frozenset({"if", "own", "while", "case"})
_Number = int | float


@dataclass(frozen=True, slots=True)
class Tripped:
    """A guard with values in it."""

    branch: str
    """The branch with every known value in its place: `65536 is not None and 65536 > 32768`."""
    because: str | None
    """The part of it that says why: `65536 > 32768`; None when no part of it has a value."""
    clause: Clause | None
    """The step that led here."""


def put_values(guard: Guard, values: Sequence[Value]) -> Tripped:
    """Put values into a guard's branch, and find the part of it that they explain."""
    clause = next((clause for clause in reversed(guard.clauses) if clause.kind in _BRANCHING), None)
    known = _collect(guard, values)
    tree = _parse(guard.branch)
    if tree is None or not known:
        return Tripped(guard.branch, None, clause)
    filled = _Filler(known)
    branch = filled.visit(tree)
    if not filled.placed:
        return Tripped(guard.branch, None, clause)
    because = _find_cause(branch, {id(value) for value in filled.placed})
    return Tripped(_unparse(branch), _unparse(because) if because is not None else None, clause)


def read_literal(text: str) -> object:
    """Read a value's text as the object it shows, if it shows a plain one; else it stays text."""
    if len(text) > _LONGEST_VALUE:
        return text
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return text


def _collect(guard: Guard, values: Sequence[Value]) -> dict[str, ast.Name]:
    """Give what is known by the expression it is known of, also by the name the guard has for it."""
    known: dict[str, ast.Name] = {}
    for value in values:
        tree = _parse(value.expr)
        if tree is not None:
            known.setdefault(ast.dump(tree), _show(value.text))
    for binding in guard.bindings:
        tree = _parse(binding.value)
        if tree is not None and ast.dump(tree) in known:
            name = _parse(binding.name)
            if name is not None:
                known.setdefault(ast.dump(name), known[ast.dump(tree)])
    return known


def _show(text: str) -> ast.Name:
    """Show a value as source: what is no literal was printed without its quotes."""
    value = read_literal(text)
    shown = text.strip() if not isinstance(value, str) or text.strip()[:1] in "'\"" else repr(text)
    if len(shown) > _LONGEST_VALUE:
        shown = f"{shown[: _LONGEST_VALUE - 1]}\u2026"
    return ast.Name(id=" ".join(shown.split()), ctx=ast.Load())


class _Filler(ast.NodeTransformer):
    """Puts values in the places of expressions."""

    def __init__(self, known: Mapping[str, ast.Name]) -> None:
        self.known = known
        self.placed: list[ast.expr] = []

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr):
            value = self.known.get(ast.dump(node))
            if value is not None:
                self.placed.append(ast.Name(id=value.id, ctx=ast.Load()))
                return self.placed[-1]
        return self.generic_visit(node)


def _find_cause(branch: ast.AST, places: set[int]) -> ast.expr | None:
    """Find the smallest part that has values and explains: the last comparison that isn't about None."""
    parts = [part for part in _split(branch) if any(id(node) in places for node in ast.walk(part))]
    telling = [part for part in parts if _judge(part) is not False and not _is_about_none(part)]
    return next(reversed(telling or parts), None)


def _split(node: ast.AST) -> Iterator[ast.expr]:
    """Give the parts of a conjunction; of a disjunction those that the values make true."""
    match node:
        case ast.Expression(body=body):
            yield from _split(body)
        case ast.BoolOp(op=ast.And(), values=parts):
            for part in parts:
                yield from _split(part)
        case ast.BoolOp(op=ast.Or(), values=parts):
            held = [part for part in parts if _judge(part) is True]
            if held:
                yield from _split(held[0])
            elif isinstance(node, ast.expr):
                yield node
        case ast.expr():
            yield node


def _is_about_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot)


def _judge(node: ast.AST) -> bool | None:
    """Tell whether a part holds, as far as plain values tell."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _judge(operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=parts):
            verdicts = [_judge(part) for part in parts]
            decisive = isinstance(op, ast.Or)
            if decisive in verdicts:
                return decisive
            return None if None in verdicts else not decisive
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compare(op, _evaluate(left), _evaluate(right))
    return None


def _compare(op: ast.cmpop, left: object, right: object) -> bool | None:
    if left is _UNKNOWN or right is _UNKNOWN:
        return None
    try:
        match op:
            case ast.Lt():
                return bool(left < right)  # type: ignore[operator]
            case ast.LtE():
                return bool(left <= right)  # type: ignore[operator]
            case ast.Gt():
                return bool(left > right)  # type: ignore[operator]
            case ast.GtE():
                return bool(left >= right)  # type: ignore[operator]
            case ast.Eq():
                return bool(left == right)
            case ast.NotEq():
                return bool(left != right)
            case ast.In():
                return bool(left in right)  # type: ignore[operator]
            case ast.NotIn():
                return bool(left not in right)  # type: ignore[operator]
    except TypeError:
        return None
    return None


_UNKNOWN = object()


def _evaluate(node: ast.AST) -> object:
    """Give the object that an expression of plain values stands for, or `_UNKNOWN`."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=shown):
            shown_value = read_literal(shown)
            return shown_value if not isinstance(shown_value, str) or shown[:1] in "'\"" else _UNKNOWN
        case ast.Tuple() | ast.List() | ast.Set():
            items = [_evaluate(item) for item in node.elts]
            return _UNKNOWN if _UNKNOWN in items else tuple(items)
        case ast.BinOp(left=left, op=op, right=right):
            return _calculate(op, _evaluate(left), _evaluate(right))
    return _UNKNOWN


def _calculate(op: ast.operator, left: object, right: object) -> object:
    if not isinstance(left, _Number) or not isinstance(right, _Number) or max(abs(left), abs(right)) > _BIGGEST:
        return _UNKNOWN
    try:
        match op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Mod():
                return left % right
            case ast.FloorDiv():
                return left // right
            case ast.Div():
                return left / right
    except ZeroDivisionError:
        return _UNKNOWN
    return _UNKNOWN


def _parse(source: str) -> ast.expr | None:
    try:
        return ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _unparse(node: ast.AST) -> str:
    return ast.unparse(node)
