"""Which values are worth trying on a check: those around the constants of the guard, and what the example has?"""

import ast
import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from catalog.notes.evaluate import Unknown, parse

_MOST = 14
_LARGEST = 10**12


def list_constants(sources: Iterable[str | ast.AST]) -> tuple[object, ...]:
    """Give the constants in conditions, each once, in the order in which they come."""
    found: dict[tuple[type, object], None] = {}
    for source in sources:
        try:
            tree = parse(source) if isinstance(source, str) else source
        except Unknown:
            continue
        for node in ast.walk(tree):
            match node:
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                    found[type(number), -number] = None
            if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float | str | None):
                found[type(node.value), node.value] = None
    return tuple(value for _, value in found)


def list_candidates(hint: str, constants: Sequence[object]) -> list[object]:
    """Give values of a type to try, those nearest to the constants first."""
    names = frozenset(re.findall(r"\w+", hint))
    anything = not names & {"int", "float", "str", "bool", "list", "tuple", "set", "dict"}
    numbers = [value for value in constants if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = [value for value in constants if isinstance(value, str)]
    found: list[object] = []
    if anything or "None" in names or "Optional" in names:
        found.append(None)
    if anything or "bool" in names:
        found += [True, False]
    if anything or "int" in names:
        found += _list_numbers([value for value in numbers if isinstance(value, int)])
    if "float" in names:
        found += [value + step for value in numbers if abs(value) < _LARGEST for step in (0.0, 0.5, -0.5)]
        found += [0.5, float("inf"), float("nan")]
    if anything or "str" in names:
        found += [*texts, "other", ""]
    if anything or names & {"list", "tuple", "set", "List"}:
        found += [[], *([text] for text in texts[:4]), [0], [1, 2]]
    if anything or "dict" in names:
        found += [{}, {"other": 1}]
    return _once(found)


def list_assignments(
    candidates: Mapping[str, Sequence[object]], bases: Sequence[Mapping[str, object]], most: int
) -> Iterator[dict[str, object]]:
    """Give values for all parameters: each base, each base with one changed, then all mixed, always the same ones."""
    names = list(candidates)
    yield from (dict(base) for base in bases)
    changed = [{**base, name: value} for base in bases for name in names for value in candidates[name][:_MOST]]
    yield from changed[:most]
    size = 1
    for name in names:
        size *= len(candidates[name])
    if size <= most:
        yield from (dict(zip(names, values, strict=True)) for values in itertools.product(*candidates.values()))
        return
    chance = random.Random(len(names))
    for _ in range(most):
        yield {name: chance.choice(candidates[name]) for name in names}


def _list_numbers(numbers: Sequence[int]) -> list[object]:
    small = [number for number in numbers if abs(number) < _LARGEST]
    return [*small, *(number + step for number in small for step in (1, -1)), 0, 1, 2, 3]


def _once(values: Iterable[object]) -> list[object]:
    found: dict[str, object] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return list(found.values())
