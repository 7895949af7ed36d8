"""What does a condition say, as a formula over facts that can be compared?

Python's conditions have three outcomes: they hold, they fail, or they raise (`None > 3`). Control arrives at a site
only when its condition holds, so a formula is read for one outcome at a time: `read_holds` gives the formula for
"evaluating this gives something true", in which every comparison that could raise carries what keeps it from raising.
Terms with the same text are taken to have the same value, which is all that "over the same names" can mean.
"""

import ast
import operator
from collections.abc import Callable, Iterator

from catalog.compare.formulas import (
    FALSE,
    TRUE,
    Compared,
    Defined,
    Divisible,
    Family,
    Formula,
    Instance,
    Literal,
    Ordered,
    Related,
    Truthy,
    conjoin,
    disjoin,
)

_ORDERINGS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "is": "is"}
_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.NotEq: ast.Eq, ast.IsNot: ast.Is, ast.NotIn: ast.In}
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_NO_NONE_ON_THE_LEFT = (ast.Add, ast.Sub, ast.Mod, ast.FloorDiv, ast.Div, ast.Pow)
_SINGLETONS = ("None", "True", "False", "Ellipsis")


def read_holds(node: ast.expr) -> Formula:
    """Give the formula for: evaluating this expression gives something true."""
    return _read(node, wanted=True)


def read_constant(node: ast.expr) -> ast.Constant | ast.Tuple | None:
    """Give the constant this expression is, small sums and products worked out, or None."""
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() | bytes()):
            return node
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return ast.Constant(-value)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            sides = (read_constant(left), read_constant(right))
            match sides:
                case (ast.Constant(value=int() as one), ast.Constant(value=int() as two)):
                    return ast.Constant(_ARITHMETIC[type(op)](one, two))
        case ast.Tuple(elts=elements) if elements:
            constants = [read_constant(element) for element in elements]
            if all(isinstance(constant, ast.Constant) for constant in constants):
                return ast.Tuple([constant for constant in constants if constant], ast.Load())
    return None


def _read(node: ast.expr, wanted: bool) -> Formula:
    """Give the formula for one outcome of an expression: something true, or something false; never an error."""
    match node:
        case ast.Constant(value=value):
            return TRUE if bool(value) is wanted else FALSE
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _read(operand, not wanted)
        case ast.BoolOp(op=op, values=values):
            return _read_sequence(values, wanted, stops_at=isinstance(op, ast.Or))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            taken = conjoin((_read(test, True), _read(body, wanted)))
            return disjoin((taken, conjoin((_read(test, False), _read(orelse, wanted)))))
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            return _read_chain([left, *comparators], ops, wanted)
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, classes], keywords=[]):
            return _read_instance(subject, classes, wanted)
        case ast.Call(func=ast.Name(id="bool"), args=[argument], keywords=[]):
            return _read(argument, wanted)
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith") as method, args=[ast.Tuple(elts=ends)]) if (
            not any(isinstance(end, ast.Starred) for end in ends)
        ):
            join = disjoin if wanted else conjoin
            return join(_read(ast.Call(method, [end], node.keywords), wanted) for end in ends)
        case ast.BinOp(op=ast.Mod(), right=ast.Constant(value=int())):
            return _read_pair(node, ast.Eq(), ast.Constant(0), not wanted)
    return conjoin((*_keep_from_raising(node), Literal(Truthy(ast.unparse(node)), wanted)))


def _read_sequence(values: list[ast.expr], wanted: bool, stops_at: bool) -> Formula:
    """Read `and` (stops at the first false) and `or` (stops at the first true): what follows isn't evaluated."""
    if wanted is not stops_at:
        return conjoin(_read(value, wanted) for value in values)
    ways: list[Formula] = []
    passed: list[Formula] = []
    for value in values:
        ways.append(conjoin((*passed, _read(value, wanted))))
        passed.append(_read(value, not wanted))
    return disjoin(ways)


def _read_chain(sides: list[ast.expr], ops: list[ast.cmpop], wanted: bool) -> Formula:
    pairs = list(zip(sides, ops, sides[1:], strict=False))
    if wanted:
        return conjoin(_read_pair(*pair, True) for pair in pairs)
    ways: list[Formula] = []
    passed: list[Formula] = []
    for pair in pairs:
        ways.append(conjoin((*passed, _read_pair(*pair, False))))
        passed.append(_read_pair(*pair, True))
    return disjoin(ways)


def _read_pair(left: ast.expr, op: ast.cmpop, right: ast.expr, wanted: bool) -> Formula:
    """Read one comparison; `!=`, `is not` and `not in` are read as the other outcome of their opposites."""
    if type(op) in _OPPOSITES:
        return _read_pair(left, _OPPOSITES[type(op)](), right, not wanted)
    if isinstance(op, ast.In):
        return _read_membership(left, right, wanted)
    name = _ORDERINGS.get(type(op)) or ("==" if isinstance(op, ast.Eq) else "is")
    needs = [*_keep_from_raising(left), *_keep_from_raising(right)]
    one, two = read_constant(left), read_constant(right)
    if one is not None and two is None:
        one, two, left, right, name = two, one, right, left, _MIRRORED[name]
    if one is None and two is not None:
        return conjoin((*needs, *_compare_with_constant(left, name, two, wanted)))
    first, second = ast.unparse(left), ast.unparse(right)
    if name in ("<", "<=", ">", ">="):
        needs += [Literal(Defined(term), True) for term in (first, second)]
    if second < first:
        first, second, name = second, first, _MIRRORED[name]
    return conjoin((*needs, Literal(Related(first, name, second), wanted)))


def _compare_with_constant(left: ast.expr, name: str, constant: ast.expr, wanted: bool) -> Iterator[Formula]:
    text = ast.unparse(constant)
    match left, name, text:
        case ast.BinOp(left=base, op=ast.Mod(), right=ast.Constant(value=int() as by)), "==", "0" if by > 0:
            yield Literal(Divisible(ast.unparse(base), by), wanted)
            return
    term = ast.unparse(left)
    if name == "is" and text not in _SINGLETONS:
        # Whether two equal numbers or strings are one object is up to the interpreter.
        yield Literal(Truthy(f"{term} is {text}"), wanted)
        return
    if name in ("<", "<=", ">", ">="):
        if text == "None":  # raises whatever the term is, so it neither holds nor fails
            yield FALSE
            return
        yield Literal(Ordered(term, _find_family(constant)), True)
    yield Literal(Compared(term, name, text), wanted)


def _find_family(constant: ast.expr) -> Family:
    if isinstance(constant, ast.Constant) and not isinstance(constant.value, str | bytes):
        return "number"
    return type(constant.value).__name__ if isinstance(constant, ast.Constant) else "tuple"


def _read_membership(subject: ast.expr, container: ast.expr, wanted: bool) -> Formula:
    """Read `x in (a, b)` as `x == a or x == b`; any other container stays whole."""
    match container:
        case ast.Tuple(elts=members) | ast.List(elts=members) | ast.Set(elts=members) if not any(
            isinstance(member, ast.Starred) for member in members
        ):
            join = disjoin if wanted else conjoin
            return conjoin(
                (*_keep_from_raising(subject), join(_read_pair(subject, ast.Eq(), each, wanted) for each in members))
            )
    text = f"{ast.unparse(subject)} in {ast.unparse(container)}"
    needs = [*_keep_from_raising(subject), *_keep_from_raising(container)]
    needs.append(Literal(Defined(ast.unparse(container)), True))
    return conjoin((*needs, Literal(Truthy(text), wanted)))


def _read_instance(subject: ast.expr, classes: ast.expr, wanted: bool) -> Formula:
    """Read `isinstance(x, (A, B))` and `isinstance(x, A | B)` as one fact for each class."""
    term = ast.unparse(subject)
    literals = [Literal(Instance(term, ast.unparse(each)), wanted) for each in _list_classes(classes)]
    join = disjoin if wanted else conjoin
    return conjoin((*_keep_from_raising(subject), join(literals)))


def _list_classes(classes: ast.expr) -> Iterator[ast.expr]:
    match classes:
        case ast.Tuple(elts=elements):
            for element in elements:
                yield from _list_classes(element)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _list_classes(left)
            yield from _list_classes(right)
        case _:
            yield classes


def _keep_from_raising(node: ast.expr) -> Iterator[Formula]:
    """Give what must not be None for this term to have a value: owners of attributes, operands, what is indexed."""
    for needed in _list_needed(node):
        if needed not in ("self", "cls"):
            yield Literal(Defined(needed), True)


def _list_needed(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Attribute(value=value, attr=attr):
            yield from _list_needed(value)
            if not attr.startswith("__"):
                yield ast.unparse(value)
        case ast.Subscript(value=value):
            yield from _list_needed(value)
            yield ast.unparse(value)
        case ast.Call(func=func, args=args):
            yield from _list_needed(func)
            for argument in args:
                yield from _list_needed(argument)
            if isinstance(func, ast.Name) and func.id == "len" and len(args) == 1:
                yield ast.unparse(args[0])
        case ast.BinOp(left=left, op=op, right=right):
            yield from _list_needed(left)
            yield from _list_needed(right)
            if isinstance(op, _NO_NONE_ON_THE_LEFT) and read_constant(left) is None:
                yield ast.unparse(left)
