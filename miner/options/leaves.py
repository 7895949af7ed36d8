"""An expression → the names, attributes and calls in it whose values it speaks of."""

from collections.abc import Iterator

import libcst as cst

from miner.effects import find_targets
from miner.nodes import list_inner

PRESERVING = frozenset(
    """abs bool cast ceil copy deepcopy dict float floor frozenset int len list max min next range repr reversed round
    set sorted str sum tuple""".split()
)
"""Functions whose result still is what they are given, in another form."""
SAME = frozenset(
    """capitalize casefold copy count endswith find get index items keys lower lstrip partition pop removeprefix
    removesuffix replace rpartition rstrip split splitlines startswith strip title upper values is_set format""".split()
)
"""Methods whose result still is what they are called on, in another form."""
_CALLED_ONLY = frozenset("isinstance issubclass hasattr callable type id super vars dir print".split())


def list_leaves(node: cst.CSTNode, *, loosely: bool) -> Iterator[cst.BaseExpression]:
    """List the leaves of an expression in order.

    Loosely: also what is only given to a function that the answer of which the expression depends on, as in a test.
    """
    yield from _list(node, loosely, frozenset())


def _list(node: cst.CSTNode, loosely: bool, bound: frozenset[str]) -> Iterator[cst.BaseExpression]:
    match node:
        case cst.Name():
            if node.value not in bound and node.value not in ("True", "False", "None"):
                yield node
        case cst.Attribute():
            if _root_of(node) not in bound:
                yield node
        case cst.Subscript():
            if _root_of(node) not in bound:
                whole = isinstance(node.value, cst.Call) or _is_environment(node.value)
                yield node if whole else node.value
            if loosely:
                for element in node.slice:
                    if isinstance(element.slice, cst.Index):
                        yield from _list(element.slice.value, loosely, bound)
        case cst.Call():
            yield from _list_call(node, loosely, bound)
        case cst.Lambda():
            return
        case cst.ListComp() | cst.SetComp() | cst.GeneratorExp() | cst.DictComp():
            yield from _list_comprehension(node, loosely, bound)
        case cst.IfExp():
            parts = (node.test, node.body, node.orelse) if loosely else (node.body, node.orelse)
            for part in parts:
                yield from _list(part, loosely, bound)
        case _:
            for child in list_inner(node):
                yield from _list(child, loosely, bound)


def _root_of(node: cst.CSTNode) -> str | None:
    while True:
        match node:
            case cst.Attribute() | cst.Subscript():
                node = node.value
            case cst.Call():
                node = node.func
            case cst.Name():
                return node.value
            case _:
                return None


def _list_call(node: cst.Call, loosely: bool, bound: frozenset[str]) -> Iterator[cst.BaseExpression]:
    match node.func:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)) if name in PRESERVING and not (
            isinstance(node.func, cst.Attribute) and name in SAME and not _is_module(node.func.value)
        ):
            for argument in node.args:
                yield from _list(argument.value, loosely, bound)
            return
        case cst.Attribute(attr=cst.Name(value=name)) if name in SAME and not _is_environment(node.func.value):
            yield from _list(node.func.value, loosely, bound)
            if loosely:
                for argument in node.args:
                    yield from _list(argument.value, loosely, bound)
            return
        case _:
            pass
    if _root_of(node) not in bound:
        yield node
    named = node.func.value if isinstance(node.func, cst.Name) else ""
    if loosely and named not in ("getattr", *_CALLED_ONLY):
        for argument in node.args:
            yield from _list(argument.value, loosely, bound)
    elif loosely and named in ("isinstance", "hasattr") and node.args:
        yield from _list(node.args[0].value, loosely, bound)


def _is_environment(node: cst.BaseExpression) -> bool:
    last = node.attr if isinstance(node, cst.Attribute) else node
    return isinstance(last, cst.Name) and last.value == "environ"


def _is_module(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in ("copy", "math", "np", "typing", "builtins", "numpy")


def _list_comprehension(
    node: cst.BaseComp | cst.DictComp, loosely: bool, bound: frozenset[str]
) -> Iterator[cst.BaseExpression]:
    clause: cst.CompFor | None = node.for_in
    names = bound
    while clause is not None:
        yield from _list(clause.iter, loosely, names)
        names = names | frozenset(path[0] for path in find_targets(clause.target))
        if loosely:
            for test in clause.ifs:
                yield from _list(test.test, loosely, names)
        clause = clause.inner_for_in
    elements = (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,)  # type: ignore[attr-defined]
    for element in elements:
        yield from _list(element, loosely, names)
