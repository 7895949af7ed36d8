"""A record with an overlay: which functions add entries to it by name, and which views look it up by name alone?

`declare(args, size=1)` that appends `dict(fields)` to `args.declared` changes nothing for a view of `args` that, asked
for `kind`, looks into each of `args.declared` for nothing but `kind`. Then only what is named at the call has changed.
"""

import ast
import textwrap
from collections.abc import Iterator

import libcst as cst

from miner.effects import Path, find_path
from miner.flow import Block, Step, list_blocks
from miner.locate import Unit

_ADDERS = ("append", "update", "add")
_EMPTY = ("[]", "{}", "list()", "dict()")


def find_keyed(text: str, unit: Unit) -> frozenset[str]:
    """Find the attributes that a `__getattr__` goes through, looking in what they hold for the asked name alone."""
    assert unit.header is not None
    end = unit.rows[-1].end if unit.rows else unit.header.end
    start = text.rfind("\n", 0, unit.header.start) + 1
    try:
        function = ast.parse(textwrap.dedent(text[start:end])).body[0]
    except (SyntaxError, IndexError, ValueError):
        return frozenset()
    if not isinstance(function, ast.FunctionDef) or len(function.args.args) != 2:
        return frozenset()
    asked = function.args.args[1].arg
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For)]
    found: set[str] = set()
    for loop in loops:
        held = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        if all(_is_lookup(parent, node, asked) for parent, node in _list_uses(function, held)):
            found.update(_list_attributes(loop.iter))
    elsewhere = [node for node in ast.walk(function) if not any(node in ast.walk(loop.iter) for loop in loops)]
    return frozenset(found - {name for node in elsewhere for name in _name_attribute(node)})


def _list_uses(function: ast.AST, names: set[str]) -> Iterator[tuple[ast.AST, ast.Name]]:
    for parent in ast.walk(function):
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.Name) and child.id in names and isinstance(child.ctx, ast.Load):
                yield parent, child


def _is_lookup(parent: ast.AST, node: ast.Name, asked: str) -> bool:
    """Tell whether a use is `asked in held` or `held[asked]`."""
    match parent:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return name == asked and right is node
        case ast.Subscript(value=value, slice=ast.Name(id=name)):
            return name == asked and value is node
        case _:
            return False


def _list_attributes(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        yield from _name_attribute(inner)


def _name_attribute(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Attribute(attr=name):
            yield name
        case ast.Constant(value=str(name)) if name.isidentifier():
            yield name
        case _:
            return


def find_additions(block: Block, fields: str) -> frozenset[cst.CSTNode]:
    """Find the calls in a function that add its `**fields` to something, and nothing else that has names."""
    found = (_find_addition(step.node, fields) for step in _list_steps(block))
    return frozenset(call for call in found if call is not None)


def _list_steps(block: Block) -> Iterator[Step]:
    for statement in block:
        if isinstance(statement, Step):
            yield statement
        for inner in list_blocks(statement):
            yield from _list_steps(inner)


def _find_addition(node: cst.CSTNode, fields: str) -> cst.Call | None:
    match node:
        case cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name(value=name)), args=[argument]) as call):
            is_addition = name in _ADDERS and argument.star == "" and _holds_only(argument.value, fields)
            return call if is_addition else None
        case _:
            return None


def _holds_only(node: cst.BaseExpression, fields: str) -> bool:
    """Tell whether a value is `fields`, `dict(fields)`, or a tuple of plain names with one of them."""
    match node:
        case cst.Tuple(elements=elements):
            values = [element.value for element in elements]
            holding = [value for value in values if _holds_only(value, fields)]
            return len(holding) == 1 and all(value in holding or isinstance(value, cst.Name) for value in values)
        case cst.Call(func=cst.Name(value="dict"), args=[argument]):
            return argument.star == "" and isinstance(argument.value, cst.Name) and argument.value.value == fields
        case cst.Name(value=name):
            return name == fields
        case _:
            return False


def find_beginnings(block: Block) -> frozenset[Path]:
    """Find the attributes that a function only sets where they were missing, to something empty.

    `held = getattr(args, "held", None)`, and where that is `None`: `held = []` and `args.held = held`.
    """
    values: dict[str, list[cst.BaseExpression]] = {}
    written: list[tuple[Path, str]] = []
    for step in _list_steps(block):
        match step.node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                values.setdefault(name, []).append(value)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)], value=cst.Name(value=name)):
                path = find_path(target)
                if path is not None:
                    written.append((path, name))
            case _:
                pass
    return frozenset(path for path, name in written if _begins(path, values.get(name, [])))


def _begins(path: Path, values: list[cst.BaseExpression]) -> bool:
    looked_up = [value for value in values if find_path(value) == path]
    empty = [value for value in values if cst.Module([]).code_for_node(value) in _EMPTY]
    return bool(looked_up) and len(values) == len(looked_up) + len(empty)


def name_keywords(call: cst.Call) -> tuple[str, ...] | None:
    """Name what a call gives by keyword; `None` where it also gives what only running tells."""
    if any(argument.star == "**" for argument in call.args):
        return None
    return tuple(argument.keyword.value for argument in call.args if argument.keyword is not None)
