"""What does each function raise, and when?"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from catalog.publish.naming import describe_target
from catalog.records import Catalog, Entry
from catalog.terminal import safe

_LONGEST = 160
"""Characters of a signature: beyond, it hides what the function raises."""


@dataclass(frozen=True, slots=True)
class Raise:
    """One exception that a function raises."""

    id: str
    exception: str
    qualified: str | None
    message: str | None
    """The template."""
    branch: str
    condition: str
    exact: bool
    line: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function with what it raises, by line."""

    path: str
    module: str
    qualname: str
    signature: str
    raises: tuple[Raise, ...]


@dataclass(frozen=True, slots=True)
class RaisesAnswer:
    """All functions that raise, by place."""

    target: dict[str, str | None]
    functions: tuple[Function, ...]


def find_functions(entries: Iterable[Entry]) -> Iterator[Function]:
    """Find the functions that entries stand in; what is raised outside of any, and declared rules, are left out."""
    inside: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if entry.site.signature is not None and entry.kind != "constraint":
            inside.setdefault((entry.site.path, entry.site.qualname), []).append(entry)
    for (path, qualname), members in inside.items():
        site = members[0].site
        yield Function(path, site.module, qualname, site.signature or "()", tuple(map(_read_raise, members)))


def build_raises_answer(catalog: Catalog, entries: Iterable[Entry]) -> RaisesAnswer:
    """Build what `--json` gives."""
    return RaisesAnswer(describe_target(catalog.target), tuple(find_functions(entries)))


def write_raises(entries: Iterable[Entry]) -> str:
    """Write for each function what the section `Raises` of its docstring may hold."""
    lines: list[str] = []
    for path, functions in groupby(find_functions(entries), key=lambda function: function.path):
        lines += [f"# {safe(path)}", ""]
        for function in functions:
            lines += [f"{safe(function.qualname + shorten_signature(function.signature))}", "    Raises:"]
            lines += [f"        {safe(_say_raise(raised))}" for raised in function.raises]
            lines.append("")
    return "".join(f"{line}\n" for line in lines)


def shorten_signature(signature: str) -> str:
    """Shorten a signature that is too long to read as one: to its parameters' names, which it cuts if it must."""
    if len(signature) <= _LONGEST:
        return signature
    try:
        (function,) = ast.parse(f"def f{signature}: ...").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return f"{signature[:_LONGEST]}…"
    assert isinstance(function, ast.FunctionDef)
    for node in ast.walk(function.args):
        if isinstance(node, ast.arg):
            node.annotation = None
    function.args.defaults = []
    function.args.kw_defaults = [None] * len(function.args.kwonlyargs)
    names = ast.unparse(function.args)
    return (
        f"({names})" if len(names) <= _LONGEST else f"({names[:_LONGEST].rpartition(', ')[0] or names[:_LONGEST]}, …)"
    )


def _read_raise(entry: Entry) -> Raise:
    template = entry.message.template if entry.message is not None else None
    exception, guard = entry.exception, entry.guard
    names = (exception.name, exception.qualified)
    return Raise(entry.id, *names, template, guard.branch, guard.condition, guard.exact, entry.site.line)


def _say_raise(raised: Raise) -> str:
    """Say it in a line; where the guard isn't exact, the condition is only about right."""
    when = raised.branch if raised.branch != "True" else raised.condition
    said = "Always" if when == "True" else f"If `{when}`"
    if not raised.exact:
        said = "In some cases" if when == "True" else f"If, roughly, `{when}`"
    return f"{raised.exception}: {said}" + (f': "{raised.message}"' if raised.message is not None else ".")
