"""Does a name of the source have the very value of the option that it leads to?"""

import ast
import re

from catalog.records import OptionUse

_SAME_VALUE = ("int", "float", "str", "bool")
_STEP = re.compile(r"^\S+?:\d+: ")


def is_same_value(use: OptionUse) -> bool:
    """Tell whether the name has the option's own value, by each step that leads from one to the other."""
    return all(_keeps_value(strip_place(step)) for step in use.via)


def _keeps_value(step: str) -> bool:
    if re.search(r" is (?:an? [A-Z_]\w*|the parsed command line)$", step) or step.startswith("parameter "):
        return True
    text = step.partition(" returns ")[2] or step
    name, found, value = text.partition(" = ")
    tree = parse(value if found and parse(name) is not None else text)
    return tree is not None and is_path(tree)


def is_path(node: ast.expr) -> bool:
    """Tell whether an expression is what a name or an attribute holds, at most as another plain type."""
    match node:
        case ast.Name() | ast.Constant(value=str()):
            return True
        case ast.Attribute(value=value):
            return is_path(value) or isinstance(value, ast.Call)
        case ast.Call(func=ast.Name(id=name), args=[value], keywords=[]) if name in _SAME_VALUE:
            return is_path(value)
        case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[], keywords=[]):
            return is_path(value)
        case ast.Subscript(value=value, slice=ast.Constant(value=str())):
            return is_path(value)
    return False


def strip_place(step: str) -> str:
    """Give a step of the way to an option without its file and line."""
    return _STEP.sub("", step)


def parse(text: str) -> ast.expr | None:
    """Parse an expression; None for what is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
