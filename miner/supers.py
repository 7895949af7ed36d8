"""Expressions inside a class that speak of what it derives from."""

import libcst as cst

from miner.effects import find_path


def is_super(call: cst.Call) -> bool:
    """Tell `super().name(…)`."""
    match call.func:
        case cst.Attribute(value=cst.Call(func=cst.Name(value="super"))):
            return True
        case _:
            return False


def is_base_init(call: cst.Call) -> bool:
    """Tell `super().__init__(…)` and `Base.__init__(self, …)`."""
    match call.func:
        case cst.Attribute(value=cst.Call(func=cst.Name(value="super")), attr=cst.Name(value="__init__")):
            return True
        case cst.Attribute(attr=cst.Name(value="__init__")):
            return bool(call.args) and isinstance(call.args[0].value, cst.Name) and call.args[0].value.value == "self"
        case _:
            return False


def is_base_text(node: cst.BaseExpression) -> bool:
    """Tell an expression that is what the builtin exception would print."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Call(func=cst.Name(value="super")), attr=cst.Name(value="__str__"))):
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="__str__")), args=[cst.Arg(value=cst.Name(value="self"))]):
            return True
        case cst.Call(func=cst.Name(value="str"), args=[cst.Arg(value=inner)]):
            return is_base_text(inner)
        case cst.Subscript():
            return find_path(node) == ("self", "args", "[]")
        case _:
            return False
