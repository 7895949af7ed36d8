"""Known edits of a module's text, each with what a diff must make of it. Text is never run, only parsed and cut."""

import ast
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pieces import (
    Line,
    Module,
    Modules,
    Origin,
    Source,
    find_words,
    get_raised,
    get_span,
    has_sites,
    is_docstring,
    is_only_child,
    list_checks,
    list_functions,
    list_lines,
    list_neighbours,
    list_statements,
)

_WORDS = ("always", "given", "rather", "value", "cannot", "expects", "instead", "support", "allowed", "setting")
_EXCEPTIONS = ("LookupError", "ArithmeticError", "PermissionError")
_MOST_WORDS = 0.4
"""Of a message's words, at most this share is replaced."""

Node = TypeVar("Node")


@dataclass(frozen=True, slots=True)
class Edit:
    """What was done, to which lines, and what it must be called."""

    name: str
    modules: Modules
    """What the touched files hold now; a file that is gone is empty."""
    touched: frozenset[Origin]
    """The lines that the edit is about, as they were before."""
    kinds: frozenset[str]
    """What a diff must say of these, and of no others."""


def move_function(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Move a function of the module to the end of another file.

    When that leaves nothing that raises here and nothing raised there, a catalog can't tell it from a renamed file.
    """
    function = _choose(list_functions(source.tree), pick)
    if function is None or any(getattr(node, "name", None) == function.name for node in other.tree.body):
        return None
    if not has_sites(other.tree) and len(list_statements(function)) == len(list_statements(source.tree)):
        return None
    block, rest = _cut(source.lines, *get_span(function))
    modules = {source.path: rest, other.path: (*other.lines, *_make_lines("", ""), *block)}
    return Edit("function moved to another file", modules, list_lines(source, function), frozenset({"moved"}))


def move_down(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Move a function or method to the end of what it stands in: only lines change."""
    parents: list[ast.Module | ast.ClassDef] = [source.tree]
    parents += [node for node in source.tree.body if isinstance(node, ast.ClassDef)]
    parent = _choose(parents, pick)
    functions = [node for node in parent.body if isinstance(node, ast.FunctionDef)] if parent else []
    function = _choose([node for node in functions if has_sites(node)], pick)
    if parent is None or function is None or function is parent.body[-1] or len(parent.body) < 2:
        return None
    start, end = get_span(function)
    last = get_span(parent.body[-1])[1]
    lines = (*source.lines[: start - 1], *source.lines[end:last], *source.lines[start - 1 : end], *source.lines[last:])
    return Edit("function moved within its file", {source.path: lines}, list_lines(source, function), frozenset())


def rename_function(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Give a function or method another name."""
    functions = [node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef) and has_sites(node)]
    function = _choose([node for node in functions if not node.name.startswith("__")], pick)
    if function is None:
        return None
    name = pick.choice((f"{function.name}_again", f"ensure_{function.name.strip('_')}", "look_it_over"))
    lines = _substitute(source.lines, function.lineno, rf"\bdef {function.name}\b", f"def {name}")
    return Edit("function renamed", {source.path: lines}, list_lines(source, function), frozenset({"renamed"}))


def rename_class(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Give a class another name."""
    found = _choose([node for node in source.tree.body if isinstance(node, ast.ClassDef) and has_sites(node)], pick)
    if found is None:
        return None
    name = pick.choice((f"{found.name}V2", f"Base{found.name}", "Thing"))
    lines = _substitute(source.lines, found.lineno, rf"\bclass {found.name}\b", f"class {name}")
    return Edit("class renamed", {source.path: lines}, list_lines(source, found), frozenset({"renamed"}))


def rename_file(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Give a file another name in its folder."""
    folder, _, name = source.path.rpartition("/")
    path = f"{folder}/{pick.choice(('new_', 'the_'))}{name}".lstrip("/")
    modules: Modules = {source.path: (), path: source.lines}
    return Edit("file renamed", modules, frozenset(line.origin for line in source.lines), frozenset({"renamed"}))


def reword(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Replace up to two in five of a message's words, at least one."""
    found = _choose([node for node in list_statements(source.tree) if find_words(source, node)], pick)
    if found is None:
        return None
    words = find_words(source, found)
    count = max(1, min(int(len(words) * _MOST_WORDS), pick.randint(1, len(words))))
    lines = list(source.lines)
    for number, start, end in sorted(pick.sample(words, count), reverse=True):
        text = lines[number - 1].text
        word = pick.choice([word for word in _WORDS if word != text[start:end]])
        lines[number - 1] = replace(lines[number - 1], text=text[:start] + word + text[end:])
    return Edit(
        "reworded", {source.path: tuple(lines)}, frozenset({(source.path, found.lineno)}), frozenset({"reworded"})
    )


def tighten(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Ask for one thing more before the error is raised."""
    return _reguard(source, pick, "tightened")


def loosen(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Let one thing more raise the error."""
    return _reguard(source, pick, "loosened")


def retype(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Raise another exception."""
    found = _choose([node for node in list_statements(source.tree) if get_raised(node) is not None], pick)
    name = get_raised(found) if found is not None else None
    if found is None or name is None:
        return None
    new = pick.choice([each for each in _EXCEPTIONS if each != name.id])
    line = source.lines[name.lineno - 1]
    text = _splice(line.text, name.col_offset, name.end_col_offset or 0, new)
    lines = _put(source.lines, name.lineno, text)
    return Edit("retyped", {source.path: lines}, frozenset({(source.path, found.lineno)}), frozenset({"retyped"}))


def swap(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Swap two checks that follow each other: nothing has changed but the order."""
    found = _choose(list(list_neighbours(source.tree)), pick)
    if found is None:
        return None
    (start, middle), (after, end) = map(get_span, found)
    lines = (
        *source.lines[: start - 1],
        *source.lines[after - 1 : end],
        *source.lines[middle : after - 1],
        *source.lines[start - 1 : middle],
        *source.lines[end:],
    )
    touched = list_lines(source, found[0]) | list_lines(source, found[1])
    return Edit("two checks swapped", {source.path: lines}, touched, frozenset())


def duplicate(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Copy a check to right behind itself, or to the start of another function: the copy is new."""
    check = _choose(list(list_checks(source.tree)), pick)
    if check is None:
        return None
    start, end = get_span(check)
    place = end
    if pick.random() < 0.5:
        function = _choose(list_functions(source.tree), pick)
        if function is None or start in range(*get_span(function)):
            return None
        place, column = function.body[0].lineno - 1, function.body[0].col_offset
    else:
        column = check.col_offset
    copy = [line.text[min(check.col_offset, len(line.text)) :] for line in source.lines[start - 1 : end]]
    block = _make_lines(*(" " * column + text for text in copy))
    lines = (*source.lines[:place], *block, *source.lines[place:])
    return Edit("check duplicated", {source.path: lines}, frozenset(), frozenset())


def delete(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Delete a check."""
    check = _choose([node for node in list_checks(source.tree) if not is_only_child(source.tree, node)], pick)
    if check is None:
        return None
    _, rest = _cut(source.lines, *get_span(check))
    return Edit("check deleted", {source.path: rest}, list_lines(source, check), frozenset({"removed"}))


def add(source: Source, other: Source, pick: random.Random) -> Edit | None:
    """Add a check at the start of a function, before all others."""
    functions = [node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef) and has_sites(node)]
    function = _choose(functions, pick)
    if function is None:
        return None
    first = next((node for node in function.body if not is_docstring(node)), function.body[-1])
    indent = " " * first.col_offset
    place = get_span(first)[0] - 1
    raising = f"{indent}    raise RuntimeError('nothing like this was here before')"
    lines = (*source.lines[:place], *_make_lines(f"{indent}if brand_new_flag:", raising), *source.lines[place:])
    return Edit("check added", {source.path: lines}, frozenset(), frozenset())


EDITS: tuple[Callable[[Source, Source, random.Random], Edit | None], ...] = (
    move_function,
    move_down,
    rename_function,
    rename_class,
    rename_file,
    reword,
    tighten,
    loosen,
    retype,
    swap,
    duplicate,
    delete,
    add,
)


def _reguard(source: Source, pick: random.Random, change: str) -> Edit | None:
    check = _choose(list(list_checks(source.tree)), pick)
    if check is None:
        return None
    # An assert raises when its test fails, so that more in it raises less.
    joint = "and" if (change == "tightened") is isinstance(check, ast.If) else "or"
    test = check.test
    last, end = test.end_lineno or 0, test.end_col_offset or 0
    lines = _put(source.lines, last, _splice(source.lines[last - 1].text, end, end, f") {joint} one_more_flag"))
    lines = _put(lines, test.lineno, _splice(lines[test.lineno - 1].text, test.col_offset, test.col_offset, "("))
    return Edit(change, {source.path: lines}, list_lines(source, check), frozenset({"reguarded", change}))


def _choose(nodes: Sequence[Node], pick: random.Random) -> Node | None:
    return pick.choice(nodes) if nodes else None


def _cut(lines: Module, start: int, end: int) -> tuple[Module, Module]:
    return lines[start - 1 : end], (*lines[: start - 1], *lines[end:])


def _put(lines: Module, number: int, text: str) -> Module:
    return (*lines[: number - 1], replace(lines[number - 1], text=text), *lines[number:])


def _substitute(lines: Module, number: int, pattern: str, text: str) -> Module:
    return _put(lines, number, re.sub(pattern, text, lines[number - 1].text, count=1))


def _splice(text: str, start: int, end: int, new: str) -> str:
    """Put text between two columns, which count bytes."""
    data = text.encode()
    return (data[:start] + new.encode() + data[end:]).decode()


def _make_lines(*texts: str) -> Module:
    return tuple(Line(text, None) for text in texts)
