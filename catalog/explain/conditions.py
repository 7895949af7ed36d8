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
_UNKNOWN = object()
_NEWLINE = 10


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
    tree = _parse(guard.branch)
    known = _collect(guard, values)
    if tree is None or not known:
        return Tripped(guard.branch, None, clause)
    filling = _Filling(guard.branch, known)
    because = filling.find_cause(tree)
    return Tripped(filling.write(tree), filling.write(because) if because is not None else None, clause)


def read_literal(text: str) -> object:
    """Read a value's text as the object it shows, if it shows a plain one; else it stays text."""
    if len(text) > _LONGEST_VALUE:
        return text
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return text


def _collect(guard: Guard, values: Sequence[Value]) -> dict[str, str]:
    """Give what is known by the expression it is known of, also by the name the guard has for it."""
    known: dict[str, str] = {}
    for value in values:
        tree = _parse(value.expr)
        if tree is not None:
            known.setdefault(ast.dump(tree), _show(value.text))
    for binding in guard.bindings:
        bound, name = _parse(binding.value), _parse(binding.name)
        if bound is not None and name is not None and ast.dump(bound) in known:
            known.setdefault(ast.dump(name), known[ast.dump(bound)])
    return known


def _show(text: str) -> str:
    """Show a value as source: what is no literal was printed without its quotes."""
    value = read_literal(text)
    shown = text.strip() if not isinstance(value, str) or text.strip()[:1] in "'\"" else repr(text)
    if len(shown) > _LONGEST_VALUE:
        shown = f"{shown[: _LONGEST_VALUE - 1]}\u2026"
    return " ".join(shown.split())


@dataclass(frozen=True, slots=True)
class _Filling:
    """A condition, and what is known of the expressions in it."""

    source: str
    known: Mapping[str, str]
    """By the dump of an expression, its value as source."""

    def write(self, node: ast.expr) -> str:
        """Write a part of the condition with the values in their places, the rest as the source has it."""
        data = self.source.encode("utf-8", "surrogatepass")
        starts = [0, *(place + 1 for place, byte in enumerate(data) if byte == _NEWLINE)]

        def locate(part: ast.expr) -> tuple[int, int]:
            end_line, end = part.end_lineno or part.lineno, part.end_col_offset or 0
            return starts[part.lineno - 1] + part.col_offset, starts[end_line - 1] + end

        begin, end = locate(node)
        pieces = []
        for part in sorted(self._list_known(node), key=lambda part: (part.lineno, part.col_offset)):
            low, high = locate(part)
            pieces += [data[begin:low], self.known[ast.dump(part)].encode("utf-8", "surrogatepass")]
            begin = high
        return b"".join([*pieces, data[begin:end]]).decode("utf-8", "surrogatepass")

    def find_cause(self, branch: ast.expr) -> ast.expr | None:
        """Find the smallest part that has values and explains: the last comparison that isn't about None."""
        parts = [part for part in self._split(branch) if any(self._list_known(part))]
        telling = [part for part in parts if self._judge(part) is not False and not _is_about_none(part)]
        return next(reversed(telling or parts), None)

    def _list_known(self, node: ast.AST) -> Iterator[ast.expr]:
        """Give the outermost parts of which a value is known."""
        if isinstance(node, ast.expr) and ast.dump(node) in self.known:
            yield node
            return
        for child in ast.iter_child_nodes(node):
            yield from self._list_known(child)

    def _split(self, node: ast.expr) -> Iterator[ast.expr]:
        """Give the parts of a conjunction; of a disjunction the one that the values make true."""
        match node:
            case ast.BoolOp(op=ast.And(), values=parts):
                for part in parts:
                    yield from self._split(part)
            case ast.BoolOp(op=ast.Or(), values=parts):
                held = next((part for part in parts if self._judge(part) is True), None)
                if held is not None:
                    yield from self._split(held)
                else:
                    yield node
            case _:
                yield node

    def _judge(self, node: ast.expr) -> bool | None:
        """Tell whether a part holds, as far as plain values tell."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self._judge(operand)
                return None if inner is None else not inner
            case ast.BoolOp(op=op, values=parts):
                verdicts = [self._judge(part) for part in parts]
                decisive = isinstance(op, ast.Or)
                if decisive in verdicts:
                    return decisive
                return None if None in verdicts else not decisive
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _compare(op, self._evaluate(left), self._evaluate(right))
        return None

    def _evaluate(self, node: ast.expr) -> object:
        """Give the object that an expression of plain values stands for, or `_UNKNOWN`."""
        shown = self.known.get(ast.dump(node))
        if shown is not None:
            value = read_literal(shown)
            return value if not isinstance(value, str) or shown[:1] in "'\"" else _UNKNOWN
        match node:
            case ast.Constant(value=constant):
                return constant
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                items = [self._evaluate(element) for element in elements]
                return _UNKNOWN if any(item is _UNKNOWN for item in items) else tuple(items)
            case ast.BinOp(left=left, op=op, right=right):
                return _calculate(op, self._evaluate(left), self._evaluate(right))
        return _UNKNOWN


def _is_about_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot)


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
    """Parse an expression, as it stands: places in it are counted from its beginning."""
    try:
        return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
