"""How is a comprehension worked out, step by step and within the budget?"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from catalog.notes.evaluation.plain import Stream, Unknown, has_order, keep, walk
from catalog.notes.evaluation.run import Build, Part, Run, is_true

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True, slots=True)
class _Level:
    """One `for` with its `if`s."""

    target: ast.expr
    items: Part
    tests: tuple[Part, ...]


def build_comprehension(node: Comprehension, depth: int, build: Build) -> Part:
    """Build the function that works out a comprehension."""
    if any(level.is_async for level in node.generators):
        raise Unknown("nothing asynchronous is computed here")
    levels = [_read_level(level, depth, build) for level in node.generators]
    size = sum(1 for _ in ast.walk(node))
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    elements = [build(part, depth) for part in parts]

    def give(source: object, run: Run, ordered: bool) -> Iterator[tuple[object, ...]]:
        return _step(levels, walk(source, run.budget, ordered), run.enter(), elements, size)

    def stream(run: Run) -> Stream:
        source = levels[0].items(run)
        return Stream((item for (item,) in give(source, run, False)), has_order(source))

    def collect(run: Run) -> object:
        found = give(levels[0].items(run), run, not isinstance(node, ast.SetComp))
        try:
            return keep(_fill(node, found), run.budget)
        except TypeError as error:
            raise Unknown(str(error)) from error

    return stream if isinstance(node, ast.GeneratorExp) else collect


def _fill(node: Comprehension, found: Iterator[tuple[Any, ...]]) -> object:
    if isinstance(node, ast.DictComp):
        return dict(found)
    items = [item for (item,) in found]
    return set(items) if isinstance(node, ast.SetComp) else items


def _read_level(level: ast.comprehension, depth: int, build: Build) -> _Level:
    return _Level(level.target, build(level.iter, depth), tuple(build(test, depth) for test in level.ifs))


def _step(
    levels: list[_Level], items: Iterator[object], run: Run, elements: list[Part], size: int
) -> Iterator[tuple[object, ...]]:
    level, *deeper = levels
    for item in items:
        run.budget.spend(size)
        bind(level.target, item, run, run.inner)
        if not all(is_true(test(run)) for test in level.tests):
            continue
        if deeper:
            inner = walk(deeper[0].items(run), run.budget)
            yield from _step(deeper, inner, run, elements, size)
        else:
            yield tuple(element(run) for element in elements)


def bind(target: ast.expr, value: object, run: Run, names: dict[str, object]) -> None:
    """Bind the variables of a `for` to one item, among these names."""
    match target:
        case ast.Name(id=name):
            names[name] = value
        case ast.Tuple(elts=targets) | ast.List(elts=targets) if not any(
            isinstance(one, ast.Starred) for one in targets
        ):
            items = list(walk(value, run.budget))
            if len(items) != len(targets):
                raise Unknown(f"{len(items)} values for {len(targets)} names")
            for one, item in zip(targets, items, strict=True):
                bind(one, item, run, names)
        case _:
            raise Unknown("such a loop variable is not bound here")
