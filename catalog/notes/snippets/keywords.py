"""What do lines of Python set: keywords of calls, attributes, items, plain names?"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from catalog.notes.evaluate import Unknown, evaluate, is_shallow
from catalog.notes.evaluation.run import cut
from catalog.notes.evaluation.source import write
from catalog.notes.snippets.parts import Setting, SnippetError, Unreadable


@dataclass(slots=True)
class _Reader:
    """What is known while the lines are gone through."""

    settings: list[Setting] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    variables: dict[str, object] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    """Variables that stand in for a value further down: these are no settings."""


def read_python(text: str) -> tuple[tuple[Setting, ...], tuple[str, ...]]:
    """Give the settings of a snippet and what it calls; raises `SnippetError` when it doesn't parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        place = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else str(error)
        raise SnippetError(f"the Python does not parse: {place}") from error
    if not is_shallow(tree):
        raise SnippetError("the Python is nested too deeply")
    reader = _Reader()
    for statement in tree.body:
        _read_statement(statement, reader)
    kept = [setting for setting in reader.settings if setting.name not in reader.used or setting.owner]
    return tuple(kept), tuple(dict.fromkeys(reader.calls))


def _read_statement(statement: ast.stmt, reader: _Reader) -> None:
    match statement:
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            given = _read_value(value, reader)
            if not isinstance(value, ast.Call) or _is_computed(value, reader.variables):
                reader.settings += _read_target(target, given)
            if isinstance(target, ast.Name):
                reader.variables[target.id] = given
        case ast.Expr(value=value):
            _read_value(value, reader)
        case ast.With(items=items, body=body):
            for item in items:
                _read_value(item.context_expr, reader)
            for inner in body:
                _read_statement(inner, reader)
        case ast.Import() | ast.ImportFrom() | ast.Pass():
            return
        case _:
            raise SnippetError(f"line {statement.lineno}: an example sets values, it does not decide or loop")


def _read_target(target: ast.expr, given: object) -> Iterator[Setting]:
    """Give the setting that an assignment makes; the object in front is whatever the user has."""
    path = _read_path(target)
    if path is None:
        return
    if path[:2] == ["os", "environ"]:
        yield Setting("variable", path[2], given)
    elif len(path) > 1 and not path[0].endswith("_config"):
        yield Setting("keyword", path[1], given, tuple(path[2:]))
    else:
        yield Setting("keyword", path[0], given, tuple(path[1:]))


def _read_path(node: ast.expr) -> list[str] | None:
    match node:
        case ast.Name(id=name):
            return [name]
        case (
            ast.Attribute(value=value, attr=name) | ast.Subscript(value=value, slice=ast.Constant(value=str() as name))
        ):
            path = _read_path(value)
            return None if path is None else [*path, name]
    return None


def _read_value(node: ast.expr, reader: _Reader) -> object:
    """Give the value of an expression; calls in it are read on the way."""
    match node:
        case ast.Call(func=func, args=arguments, keywords=keywords) if not _is_computed(node, reader.variables):
            return _read_call(func, arguments, keywords, reader)
        case ast.Dict(keys=keys, values=values) if all(isinstance(key, ast.Constant) for key in keys):
            names = [key.value for key in keys if isinstance(key, ast.Constant)]
            return {name: _read_value(value, reader) for name, value in zip(names, values, strict=True)}
    try:
        value = evaluate(write(node), reader.variables)
    except Unknown:
        return Unreadable(write(node))
    reader.used.update(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
    return value


def _is_computed(node: ast.Call, variables: Mapping[str, object]) -> bool:
    try:
        evaluate(write(node), variables)
    except Unknown:
        return False
    return True


def _read_call(func: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword], reader: _Reader) -> object:
    """Read a call's keywords as settings; as a value, the call is the object with these fields."""
    path = _read_path(func)
    callee = path[-1] if path else None
    if path and path[0][:1].isupper() and len(path) > 1 and not path[-1][:1].isupper():
        callee = path[-2]  # `ServerArgs.from_cli_args(…)` makes a ServerArgs
    if callee:
        reader.calls.append(callee)
    for argument in arguments:
        _read_value(argument, reader)
    fields = {keyword.arg: _read_value(keyword.value, reader) for keyword in keywords if keyword.arg is not None}
    if callee not in ("dict", "print"):
        reader.settings += [Setting("keyword", name, value, (), callee or "a call") for name, value in fields.items()]
    return (
        fields
        if fields and not arguments and len(fields) == len(keywords)
        else Unreadable(cut(ast.Call(func, arguments, keywords)))
    )
