"""Members of enumerations, and the types of tensors: users write them by their names.

What one is compared with for equality comes from a user, so that the name is what counts there, and no value has to be
known. Nothing else is taken for a member: a limit that a class holds (`x > Limits.LARGEST`) is a number.
"""

import ast
import re

from catalog.notes.words.rewriting import replace
from catalog.notes.words.texts import write_source

_MEMBER = re.compile(r"(?:\w+\.)*_?[A-Z]\w*[a-z]\w*\.[A-Z][A-Z0-9_]*")
_TENSOR_TYPE = re.compile(r"(?:torch|np|numpy|jnp)\.(?:b?float|u?int|bool|complex|half|double|long|short)\w*")
_EQUALITIES: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Eq: ast.Eq(),
    ast.Is: ast.Eq(),
    ast.NotEq: ast.NotEq(),
    ast.IsNot: ast.NotEq(),
    ast.In: ast.In(),
    ast.NotIn: ast.NotIn(),
}


def find_member(node: ast.AST) -> str | None:
    """Give the name that users write for a member of an enumeration or a type of tensors; None for anything else."""
    if not isinstance(node, ast.Attribute):
        return None
    text = write_source(node)
    return node.attr if _MEMBER.fullmatch(text) or is_tensor_type(node) else None


def is_tensor_type(node: ast.AST) -> bool:
    """Tell a type of tensors, as `torch.float16`."""
    return isinstance(node, ast.Attribute) and _TENSOR_TYPE.fullmatch(write_source(node)) is not None


def name_members(node: ast.expr) -> ast.expr:
    """Give a condition in which members that something is compared with are texts: their names."""
    return replace(node, _name_compared)


def _name_compared(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _EQUALITIES:
            named = _name(left), _name(right)
            if (named[0] is left) is not (named[1] is right):
                sides = [replace(side, _name_compared) for side in named]
                return ast.Compare(sides[0], [_EQUALITIES[type(op)]], [sides[1]])
    return None


def _name(node: ast.expr) -> ast.expr:
    """Give the name of a member as a text, and those of several; the node itself where there is none in it."""
    name = find_member(node)
    if name is not None:
        return ast.Constant(name)
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            named = [_name(each) for each in elements]
            if any(one is not other for one, other in zip(named, elements, strict=True)):
                return ast.Set(named) if isinstance(node, ast.Set) else ast.Tuple(named, ast.Load())
    return node
