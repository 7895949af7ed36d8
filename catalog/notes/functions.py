"""What does the function of a check give for some values, worked out statement by statement without running it?"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from catalog.notes.evaluate import Unknown, is_shallow
from catalog.notes.evaluation.comprehensions import bind
from catalog.notes.evaluation.expressions import build
from catalog.notes.evaluation.operations import calculate
from catalog.notes.evaluation.plain import Budget, walk
from catalog.notes.evaluation.run import Part, Run, is_true
from catalog.notes.evaluation.source import write
from catalog.notes.snippets.parts import SnippetError

_LONGEST = 20_000
_MODULES = frozenset({"math"})
_NOTHING = object()
"""What a statement gives that doesn't return."""

Step: TypeAlias = Callable[[Run], object]


@dataclass(frozen=True, slots=True)
class Function:
    """The function of a check."""

    name: str
    parameters: tuple[str, ...]
    hints: Mapping[str, str]
    """By parameter, as written: `int | None`."""
    tree: ast.FunctionDef
    steps: tuple[Step, ...]

    def call(self, arguments: Mapping[str, object]) -> object:
        """Give what the function returns; raises `Unknown` where that can't be told."""
        run = Run({}, dict(arguments), Budget())
        value = _run(self.steps, run)
        return None if value is _NOTHING else value


def read_function(code: str) -> Function:
    """Read the one function of a check; raises `SnippetError` for anything that isn't one."""
    tree = _parse(code)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    others = [node for node in tree.body if not isinstance(node, ast.FunctionDef) and not _is_allowed_import(node)]
    if len(functions) != 1 or others:
        raise SnippetError("a check is one function and nothing else (`import math` may stand above it)")
    (function,) = functions
    _check_form(function)
    body = function.body[1:]
    try:
        steps = tuple(_build(statement) for statement in body)
    except Unknown as error:
        raise SnippetError(error.reason) from error
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    hints = {argument.arg: write(argument.annotation) for argument in arguments if argument.annotation}
    return Function(function.name, tuple(argument.arg for argument in arguments), hints, function, steps)


def _parse(code: str) -> ast.Module:
    if len(code) > _LONGEST:
        raise SnippetError("the check is too long")
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        place = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else str(error)
        raise SnippetError(f"the check does not parse: {place}") from error
    if not is_shallow(tree):
        raise SnippetError("the check is nested too deeply")
    return tree


def _is_allowed_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) and {alias.name for alias in node.names} <= _MODULES


def _check_form(function: ast.FunctionDef) -> None:
    """Hold a check to its form: plain parameters with type hints, one line of docstring, a truth value."""
    arguments = function.args
    if (
        arguments.vararg
        or arguments.kwarg
        or arguments.defaults
        or any(arguments.kw_defaults)
        or function.decorator_list
    ):
        raise SnippetError(f"`{function.name}` takes plain parameters: no defaults, `*`, `**` or decorators")
    bare = [
        one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs) if one.annotation is None
    ]
    if bare:
        raise SnippetError(f"the parameter `{bare[0]}` of `{function.name}` has no type hint")
    if function.returns is None or write(function.returns) != "bool":
        raise SnippetError(f"`{function.name}` must say that it returns `bool`: True when the values are fine")
    docstring = ast.get_docstring(function)
    if docstring is None or "\n" in docstring.strip():
        raise SnippetError(f"`{function.name}` needs a docstring of one line")


def _run(steps: Sequence[Step], run: Run) -> object:
    for step in steps:
        run.budget.spend(1)
        value = step(run)
        if value is not _NOTHING:
            return value
    return _NOTHING


def _build(statement: ast.stmt) -> Step:
    """Build the step that does what a statement says."""
    match statement:
        case ast.Return(value=value):
            return build(value or ast.Constant(None))
        case ast.If(test=test, body=body, orelse=orelse):
            decide, then, otherwise = build(test), _build_all(body), _build_all(orelse)
            return lambda run: _run(then if is_true(decide(run)) else otherwise, run)
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            return _build_assignment(name, build(value))
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            old, new = build(ast.Name(name, ast.Load())), build(value)
            return _build_assignment(name, lambda run: calculate(type(op), old(run), new(run), run.budget))
        case ast.For(target=ast.Name() | ast.Tuple() as target, iter=items, body=body, orelse=[]):
            return _build_loop(target, build(items), _build_all(body))
        case ast.Pass():
            return lambda run: _NOTHING
        case ast.Expr(value=ast.Constant()):
            return lambda run: _NOTHING
    raise Unknown(f"line {statement.lineno} of the check is no statement that is worked out here")


def _build_all(statements: Sequence[ast.stmt]) -> tuple[Step, ...]:
    return tuple(_build(statement) for statement in statements)


def _build_assignment(name: str, value: Part) -> Step:
    def assign(run: Run) -> object:
        run.bound[name] = value(run)
        return _NOTHING

    return assign


def _build_loop(target: ast.expr, items: Part, body: tuple[Step, ...]) -> Step:
    def loop(run: Run) -> object:
        for item in walk(items(run), run.budget):
            bind(target, item, run, run.bound)
            value = _run(body, run)
            if value is not _NOTHING:
                return value
        return _NOTHING

    return loop
