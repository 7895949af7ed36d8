"""How is a call worked out: looked up by its text, or one of the few functions that are computed?"""

import ast
from collections.abc import Callable, Sequence

from catalog.notes.evaluation.calls import FUNCTIONS, call_function, call_method
from catalog.notes.evaluation.plain import Unknown, walk
from catalog.notes.evaluation.run import MISSING, Build, Part, Run, cut, list_names, refuse
from catalog.notes.evaluation.source import write


def build_call(node: ast.Call, depth: int, build: Build) -> Part:
    """Build the function that works out a call: looked up by its text, or one of those that are computed."""
    text, names = write(node), list_names(node)
    work = _build_work(node, depth, build)

    def call(run: Run) -> object:
        found = run.find(text, names)
        return work(run) if found is MISSING else found

    return call


def _build_work(node: ast.Call, depth: int, build: Build) -> Part:
    """Build the call itself, for where the values don't have its outcome."""
    unknown = refuse(f"`{cut(node)}` has no value here")
    arguments = build_items(node.args, depth, build)
    named = [(keyword.arg, build(keyword.value, depth)) for keyword in node.keywords if keyword.arg is not None]
    if len(named) != len(node.keywords):
        return unknown

    def give_named(run: Run) -> dict[str, object]:
        return {name: value(run) for name, value in named}

    match node.func:
        case ast.Name(id=name) if name in FUNCTIONS:

            def call(run: Run) -> object:
                if name in run.inner or name in run.bound or run.find(name, frozenset()) is not MISSING:
                    return unknown(run)
                return call_function(name, arguments(run), give_named(run), run.budget)

            return call
        case ast.Attribute(value=ast.Name(id="math"), attr=attr) if f"math.{attr}" in FUNCTIONS:
            return lambda run: call_function(f"math.{attr}", arguments(run), give_named(run), run.budget)
        case ast.Name(id="getattr"):
            return _build_getattr(node, unknown, depth, build)
        case ast.Attribute(value=value, attr=attr):
            subject = build(value, depth)

            def call_it(run: Run) -> object:
                try:
                    on = subject(run)
                except Unknown:
                    if isinstance(value, ast.Name | ast.Attribute):
                        return unknown(run)
                    raise
                return call_method(on, attr, arguments(run), give_named(run), run.budget)

            return call_it
    return unknown


def _build_getattr(node: ast.Call, unknown: Part, depth: int, build: Build) -> Part:
    """Read `getattr(a, "b", …)` as `a.b`, when that has a value."""
    match node.args:
        case [subject, ast.Constant(value=str() as name), *_] if name.isidentifier():
            path = build(ast.Attribute(subject, name, ast.Load()), depth)

            def find(run: Run) -> object:
                try:
                    return path(run)
                except Unknown:
                    return unknown(run)

            return find
    return unknown


def build_items(nodes: Sequence[ast.expr], depth: int, build: Build) -> Callable[[Run], list[object]]:
    """Build the function that gives arguments or elements, starred ones spread out."""
    parts = [
        (isinstance(node, ast.Starred), build(node.value if isinstance(node, ast.Starred) else node, depth))
        for node in nodes
    ]

    def give(run: Run) -> list[object]:
        items: list[object] = []
        for starred, part in parts:
            if starred:
                items.extend(walk(part(run), run.budget))
            else:
                items.append(part(run))
        return items

    return give
