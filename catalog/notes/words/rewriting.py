"""How are parts of an expression replaced by others, without touching it?"""

import ast
from collections.abc import Callable, Mapping
from typing import cast

from catalog.notes.words.texts import list_parts, write_source


def replace(node: ast.expr, find: Callable[[ast.expr], ast.expr | None]) -> ast.expr:
    """Give an expression in which what `find` has another expression for is replaced, from the outside in."""
    return cast(ast.expr, _copy(node, find))


def rename(node: ast.expr, names: Mapping[str, str]) -> ast.expr:
    """Give a copy of an expression in which parts, by their source text, are plain names."""

    def find(part: ast.expr) -> ast.expr | None:
        name = names.get(write_source(part))
        return ast.Name(name, ast.Load()) if name is not None else None

    return replace(node, find)


def inline_walruses(node: ast.expr) -> ast.expr:
    """Give a copy in which a name bound by `:=` is what it was bound to, everywhere."""
    bound = {part.target.id: part.value for part in list_parts(node) if isinstance(part, ast.NamedExpr)}

    def find(part: ast.expr) -> ast.expr | None:
        match part:
            case ast.NamedExpr(value=value):
                return replace(value, find)
            case ast.Name(id=name) if name in bound and not _speaks_of(bound[name], name):
                return replace(bound[name], find)
        return None

    return replace(node, find) if bound else node


def _speaks_of(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in list_parts(node))


def _copy(node: ast.AST, find: Callable[[ast.expr], ast.expr | None]) -> ast.AST:
    if isinstance(node, ast.expr):
        other = find(node)
        if other is not None:
            return other
    changed: dict[str, object] = {}
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            copied = _copy(value, find)
            if copied is not value:
                changed[field] = copied
        elif isinstance(value, list):
            items = [_copy(item, find) if isinstance(item, ast.AST) else item for item in value]
            if any(item is not old for item, old in zip(items, value, strict=True)):
                changed[field] = items
    return type(node)(**{**dict(ast.iter_fields(node)), **changed}) if changed else node
