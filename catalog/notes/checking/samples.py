"""Which values are worth trying on a check: those around the constants of the guard, and what the example has?"""

import ast
import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from catalog.notes.evaluate import Unknown, parse
from catalog.notes.words.members import find_member

_MOST = 14
_LARGEST = 10**12
_LONGEST = 130


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
            member = find_member(node)
            if member is not None:
                found[str, member] = None
    return tuple(value for _, value in found)


def list_near(tree: ast.AST, name: str) -> tuple[object, ...]:
    """Give the constants that a name is compared with, itself or its length, and what they are multiples of."""
    compared = [node for node in ast.walk(tree) if isinstance(node, ast.Compare) and _speaks_of(node, name)]
    return list_constants(compared)


def _speaks_of(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def list_multiples(tree: ast.AST, constants: Sequence[object]) -> tuple[object, ...]:
    """Give multiples beyond the constants, where a condition asks whether something can be divided."""
    if not any(isinstance(node, ast.Mod) for node in ast.walk(tree)):
        return ()
    numbers = [value for value in constants if type(value) is int and 1 < value < _LARGEST]
    parts = dict.fromkeys(number + step for number in numbers for step in (0, 1, -1))
    return tuple(dict.fromkeys((one // part + 1) * part for one in numbers for part in parts if 1 < part <= one))


def count_comparisons(tree: ast.AST) -> int:
    """Count the comparisons in a condition."""
    return sum(len(node.ops) for node in ast.walk(tree) if isinstance(node, ast.Compare))


def list_candidates(hint: str, constants: Sequence[object]) -> list[object]:
    """Give values of a type to try, those nearest to the constants first."""
    kinds = _list_kinds(hint)
    numbers = [value for value in constants if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = [value for value in constants if isinstance(value, str)]
    found: list[object] = []
    if "None" in kinds:
        found.append(None)
    if "bool" in kinds:
        found += [True, False]
    if "int" in kinds:
        found += _list_numbers([value for value in numbers if isinstance(value, int)])
    if "float" in kinds:
        found += [value + step for value in numbers if abs(value) < _LARGEST for step in (0.0, 0.5, -0.5)]
        found += [0.5, float("inf"), float("nan")]
    if "str" in kinds:
        found += [*texts, "other", ""]
    if "list" in kinds:
        found += _list_collections(hint, numbers, texts)
    if "dict" in kinds:
        found += [{}, {"other": 1}]
    return _once(found)


def _list_kinds(hint: str) -> frozenset[str]:
    """Give the kinds of value that a type hint allows: `list` and `None` of `list[str] | None`; any for `object`."""
    whole = re.sub(r"\bOptional\[(.*)\]", r"\1 | None", hint)
    outer = re.sub(r"\[[^\[\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", whole))
    kinds = {
        "list" if name.lower() in ("tuple", "set", "sequence", "list") else name for name in re.findall(r"\w+", outer)
    }
    known = frozenset(kinds & {"None", "bool", "int", "float", "str", "list", "dict"})
    return known if known - {"None"} else frozenset({"None", "bool", "int", "str", "list", "dict"})


def list_assignments(
    candidates: Mapping[str, Sequence[object]], bases: Sequence[Mapping[str, object]], most: int, mixed: int
) -> Iterator[dict[str, object]]:
    """Give values for all parameters: each base, each base with one changed, then all mixed, always the same ones."""
    names = list(candidates)
    yield from (dict(base) for base in bases)
    changed = [{**base, name: value} for base in bases for name in names for value in candidates[name][:_MOST]]
    yield from changed[:most]
    size = 1
    for name in names:
        size *= len(candidates[name])
    if size <= mixed:
        yield from (dict(zip(names, values, strict=True)) for values in itertools.product(*candidates.values()))
        return
    chance = random.Random(len(names))
    for _ in range(mixed):
        yield {name: chance.choice(candidates[name]) for name in names}


def _list_numbers(numbers: Sequence[int]) -> list[object]:
    small = [number for number in numbers if abs(number) < _LARGEST]
    return [*small, *(number + step for number in small for step in (1, -1)), 0, 1, 2, 3]


def _list_collections(hint: str, numbers: Sequence[int | float], texts: Sequence[str]) -> list[object]:
    """Give collections: of the texts, of numbers around the constants, rising and falling, and of many lengths."""
    found: list[object] = [[], *([text] for text in texts[:4]), [0], [1, 2]]
    if "str" not in hint:
        steps = (0, 0.5, -0.5) if "float" in hint else (0, 1, -1)
        near = dict.fromkeys(number + step for number in numbers if abs(number) < _LARGEST for step in steps)
        items = list(near)[:8]
        found += [[item] for item in items]
        found += [pair for one, other in itertools.pairwise(items) for pair in ([one, other], [other, one])]
    filler: object = texts[0] if texts else 0
    lengths = {number + step for number in numbers if type(number) is int for step in (-1, 0, 1)}
    return [*found, *([filler] * length for length in sorted(lengths) if 1 < length <= _LONGEST)]


def _once(values: Iterable[object]) -> list[object]:
    found: dict[str, object] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return list(found.values())
