"""Where in a module's text are its functions, checks, statements and words?"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_FEWEST_LETTERS = 12
"""A message with fewer in its longer words is left alone."""

Origin = tuple[str, int] | None
"""The path and line that a line had before; None for a new one."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of source and where it comes from."""

    text: str
    origin: Origin


Module = tuple[Line, ...]
Modules = dict[str, Module]


@dataclass(frozen=True, slots=True)
class Source:
    """A module that is edited."""

    path: str
    lines: Module
    tree: ast.Module


def read_source(path: str, text: str) -> Source:
    """Read a module; raises what `ast.parse` raises."""
    lines = tuple(Line(line, (path, number)) for number, line in enumerate(text.splitlines(), start=1))
    return Source(path, lines, ast.parse(text))


def write_text(module: Module) -> str:
    """Give the text of a module."""
    return "".join(f"{line.text}\n" for line in module)


def list_checks(tree: ast.AST) -> Iterator[ast.If | ast.Assert]:
    """List the plain checks: an assert, or an `if` that raises and does nothing else."""
    for parent in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(parent, name, None)
            for node in body if isinstance(body, list) else ():
                if _is_check(node) and not _is_elif(parent, name, node):
                    yield node


def _is_check(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return True
    return isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and _is_raise(node.body[0])


def _is_raise(node: ast.AST) -> bool:
    return isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)


def _is_elif(parent: ast.AST, name: str, node: ast.AST) -> bool:
    return isinstance(parent, ast.If) and name == "orelse" and len(parent.orelse) == 1 and isinstance(node, ast.If)


def list_neighbours(tree: ast.AST) -> Iterator[tuple[ast.If | ast.Assert, ast.If | ast.Assert]]:
    """List the checks that follow each other."""
    checks = {id(node) for node in list_checks(tree)}
    for parent in ast.walk(tree):
        body = getattr(parent, "body", None)
        pairs = pairwise(body) if isinstance(body, list) else ()
        yield from (pair for pair in pairs if id(pair[0]) in checks and id(pair[1]) in checks)


def is_only_child(tree: ast.AST, node: ast.AST) -> bool:
    """Tell whether a statement is all there is in its block."""
    return any([node] in (getattr(parent, name, None) for name in ("body", "orelse")) for parent in ast.walk(tree))


def list_statements(tree: ast.AST) -> list[ast.Raise | ast.Assert]:
    """List the asserts, and the raises that call an exception."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Assert) or _is_raise(node)]  # type: ignore[misc]


def list_functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """List the functions at the top of a module that can raise."""
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and has_sites(node)]


def has_sites(node: ast.AST) -> bool:
    """Tell whether anything in here raises."""
    return bool(list_statements(node))


def list_lines(source: Source, node: ast.stmt) -> frozenset[Origin]:
    """Give the lines of a statement, its decorators included."""
    start, end = get_span(node)
    return frozenset((source.path, number) for number in range(start, end + 1))


def get_raised(node: ast.AST) -> ast.Name | None:
    """Give the plain name of an exception that is raised."""
    match node:
        case ast.Raise(exc=ast.Call(func=ast.Name() as name)) if name.id.endswith(("Error", "Exception")):
            return name
    return None


def is_docstring(node: ast.stmt) -> bool:
    """Tell whether a statement is nothing but a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def get_span(node: ast.stmt) -> tuple[int, int]:
    """Give the first and last line of a statement, its decorators included."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)]), node.end_lineno or node.lineno


def find_words(source: Source, node: ast.stmt) -> list[tuple[int, int, int]]:
    """Find the longer words in the texts of a raise or of an assert's message: line, start and end."""
    message = _get_message(node)
    if message is None:
        return []
    text = write_text(source.lines[message.lineno - 1 : message.end_lineno])
    found: list[tuple[int, int, int]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text.lstrip()).readline):
            if token.type == tokenize.STRING and token.start[0] == token.end[0]:
                found.extend(_find_in_string(token, message.lineno, len(text) - len(text.lstrip())))
    except (tokenize.TokenError, IndentationError):
        return []
    start, end = (message.lineno, message.col_offset), (message.end_lineno or 0, message.end_col_offset or 0)
    inside = [word for word in found if start <= word[:2] < end]
    return inside if sum(end - start for _, start, end in inside) >= _FEWEST_LETTERS else []


def _get_message(node: ast.stmt) -> ast.expr | None:
    match node:
        case ast.Assert(msg=message):
            return message
        case ast.Raise(exc=ast.Call(args=[message, *_])):
            return message
    return None


def _find_in_string(token: tokenize.TokenInfo, first: int, cut: int) -> Iterator[tuple[int, int, int]]:
    """Find words outside of holes and escapes; `cut` is the indentation left out of the first line."""
    offset = token.start[1] + (cut if token.start[0] == 1 else 0)
    if "\\" in token.string:
        return
    blanked = re.sub(r"\{[^{}]*\}", lambda hole: " " * len(hole[0]), token.string)
    if "{" in blanked or "}" in blanked:
        return
    for word in re.finditer(r"(?<![\w%])[a-zA-Z]{4,}(?![\w(])", blanked):
        yield first + token.start[0] - 1, offset + word.start(), offset + word.end()
