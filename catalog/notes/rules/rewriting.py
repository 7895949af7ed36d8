"""How are parts of an expression replaced by others, in a copy?"""

import ast
from collections.abc import Callable, Mapping
from typing import cast


def replace(node: ast.expr, find: Callable[[ast.expr], ast.expr | None]) -> ast.expr:
    """Give a copy of an expression in which what `find` has another expression for is replaced, from the outside in."""
    return cast(ast.expr, _copy(node, find))


def rename(node: ast.expr, names: Mapping[str, str]) -> ast.expr:
    """Give a copy of an expression in which parts, by their source text, are plain names."""

    def find(part: ast.expr) -> ast.expr | None:
        name = names.get(ast.unparse(part))
        return ast.Name(name, ast.Load()) if name is not None else None

    return replace(node, find)


def inline_walruses(node: ast.expr) -> ast.expr:
    """Give a copy in which a name bound by `:=` is what it was bound to, everywhere."""
    bound = {part.target.id: part.value for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}

    def find(part: ast.expr) -> ast.expr | None:
        match part:
            case ast.NamedExpr(value=value):
                return replace(value, find)
            case ast.Name(id=name) if name in bound and not _speaks_of(bound[name], name):
                return replace(bound[name], find)
        return None

    return replace(node, find) if bound else node


def _speaks_of(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _copy(node: ast.AST, find: Callable[[ast.expr], ast.expr | None]) -> ast.AST:
    if isinstance(node, ast.expr):
        other = find(node)
        if other is not None:
            return other
    changed: dict[str, object] = {}
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            changed[field] = _copy(value, find)
        elif isinstance(value, list):
            changed[field] = [_copy(item, find) if isinstance(item, ast.AST) else item for item in value]
        else:
            changed[field] = value
    return type(node)(**changed)
