"""What is the test like that a statement stands under, whatever its names are?"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from catalog.records import Guard

_PLATFORM = re.compile(
    r"(?:^|_)(?:is_(?:cuda|rocm|hip|npu|xpu|cpu|tpu|hpu|mps|musa|sm\d|blackwell|hopper|windows|linux)"
    r"|capability|device_type|compute_cap|sys_platform)"
)
_DEVICE = re.compile(r"\bdevice(?:_type)?(?: [!=]= '|\.startswith\()")
_FILES = ("isfile", "is_file", "isdir", "is_dir", "exists")
_BRANCHING = ("if", "own", "while", "case")


def read_shapes(guard: Guard) -> frozenset[str]:
    """Read the shapes of the innermost test of a guard: `ordering`, `not among`, `is none`, `platform` and such."""
    found: set[str] = set()
    for clause in reversed(guard.clauses):
        if " takes the value of " in clause.test:
            return frozenset({"read as"})
        if clause.kind == "except" and not clause.negated:
            found.add("handler")
            break
        if clause.kind in _BRANCHING and (clause.kind == "own" or not clause.negated):
            return frozenset(found | _read_test(clause.test, not clause.negated))
    return frozenset(found or _read_test(guard.branch, True))


@lru_cache(maxsize=4096)
def _read_test(test: str, holds: bool) -> frozenset[str]:
    try:
        tree = ast.parse(test.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return frozenset()
    parts = list(_split(tree, holds))
    telling = [part for part in parts if not _is_presence(*part)] or parts
    return frozenset(shape for node, positive in telling for shape in name_shapes(node, positive))


def _split(node: ast.expr, holds: bool) -> Iterator[tuple[ast.expr, bool]]:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _split(operand, not holds)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _split(value, holds)
        case _:
            yield node, holds


def _is_presence(node: ast.expr, holds: bool) -> bool:
    match node:
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return holds
        case ast.Compare(ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return not holds
    return False


def name_shapes(node: ast.expr, holds: bool) -> Iterator[str]:
    """Name the shapes of one test that holds, or does not."""
    written = ast.unparse(node)
    if any(_PLATFORM.search(name) for name in re.findall(r"\w+", written)) or _DEVICE.search(written):
        yield "platform"
        return
    match node:
        case ast.Compare(left=ast.Constant(), ops=[_, _], comparators=[ast.Call(func=ast.Name(id="len")), _]):
            yield "length"
        case ast.Compare(left=left, ops=[op, *_], comparators=[right, *_]):
            yield from _name_comparison(left, op, right, holds)
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" | "callable")):
            if not holds:
                yield "type"
        case ast.Call(func=ast.Name(id="hasattr")):
            yield "no attribute" if not holds else "in use"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _FILES:
            yield "no file" if not holds else "in use"
        case ast.Call(func=ast.Name(id="any" | "all"), args=[ast.GeneratorExp(elt=inner)]):
            yield from name_shapes(inner, holds)
        case ast.BinOp(op=ast.Mod()):
            yield "remainder"
        case ast.Name() | ast.Attribute():
            yield "in use" if holds else "empty"


def _name_comparison(left: ast.expr, op: ast.cmpop, right: ast.expr, holds: bool) -> Iterator[str]:
    sides = (left, right)
    if any(isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mod) for side in sides):
        yield "remainder"
    elif any(_is_length(side) for side in sides):
        yield "length"
    elif isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        yield "ordering"
    elif isinstance(op, ast.In | ast.NotIn):
        yield "not among" if isinstance(op, ast.NotIn) is holds else "in use"
    elif isinstance(right, ast.Constant) and right.value is None:
        yield "is none" if isinstance(op, ast.Is | ast.Eq) is holds else "in use"
    elif isinstance(op, ast.Eq | ast.Is) is holds:
        yield "equal"
    else:
        yield "unequal to a constant" if isinstance(right, ast.Constant) else "unequal"


def _is_length(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="len") | ast.Attribute(attr="dim" | "size" | "ndimension")):
            return True
        case ast.Attribute(attr="shape" | "ndim" | "size") | ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
    return False
