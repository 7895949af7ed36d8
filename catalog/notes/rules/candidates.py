"""Which values are worth trying for a part of a condition, the most natural first?"""

import ast
import re
from collections.abc import Iterable, Iterator, Sized

from catalog.notes.places import Place
from catalog.notes.rules.terms import Terms
from catalog.notes.rules.usage import is_counted, is_length, is_ordered, list_constants, list_truths, needs_items, wraps
from catalog.notes.words.comparisons import is_constant
from catalog.notes.words.names import find_sort, is_bound, may_be_unset
from catalog.notes.words.texts import list_parts, write_source

Value = object

_SCALES: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...] = (
    (("port",), (8000, 9000, 30000, 65536)),
    (("num", "count"), (4, 2, 1, 8, 3)),
    (("len", "length", "tokens"), (32768, 65536, 16384, 8192, 4096, 2048)),
    (("size", "degree", "rank", "steps", "width"), (4, 8, 2, 1, 16, 3, 6)),
)
_NUMBERS = (2, 4, 1, 8, 3, 0)
_SAMPLES: dict[str, tuple[Value, ...]] = {
    "int": (1,),
    "float": (0.5,),
    "str": ("text",),
    "bool": (True,),
    "list": (["a"],),
    "tuple": (("a",),),
    "dict": ({},),
    "set": ({"a"},),
    "bytes": (b"a",),
}
OTHER = "other"
_ITEMS = ("alpha", "beta")
"""What a named collection may hold, of which nothing is known."""
INVENTED = frozenset({OTHER, "value", "something", "my-model", "/path/to/file"})
"""Texts that stand for any text: good enough to set something, but no better choice than leaving it out."""
_MOST = 24


def list_candidates(leaf: ast.expr, place: Place | None, branch: ast.expr, terms: Terms) -> tuple[Value, ...]:
    """Give values to try for a leaf of a branch: those that its tests speak of, then those that its option takes."""
    text = write_source(leaf)
    spoken: list[Value] = []
    for node in list_parts(branch):
        if isinstance(node, ast.expr):
            spoken += _read_test(node, text, terms)
    known = list(_list_for_option(place)) if place is not None else []
    choices = _list_choices(place) if place is not None else []
    if place is None and isinstance(leaf, ast.Attribute) and is_constant(leaf):
        spoken = [leaf.attr, *spoken]
    found = [value for value in spoken if not choices or value in choices] + known + spoken
    found += list_truths(leaf, branch) + list(_list_for_sort(leaf, place, branch, terms))
    unique: list[Value] = []
    for value in found:
        if not any(value == other and type(value) is type(other) for other in unique):
            unique.append(value)
    counted = any(needs_items(node, text) for node in list_parts(branch))
    fitting = [value for value in unique if place is None or _fits(value, place)]
    if counted:
        fitting = [value for value in fitting if isinstance(value, Sized) or (value is None and None in spoken)]
    elif place is None and is_ordered(text, branch):
        numbers = [value for value in fitting if isinstance(value, int | float) and not isinstance(value, bool)]
        fitting = [*numbers, *([None] if None in spoken else [])] if numbers else fitting
    return (*fitting[:_MOST], *(value for value in fitting[_MOST:] if value in (OTHER, None)))


def _fits(value: Value, place: Place) -> bool:
    """Tell whether an option takes values of this sort; a yes or no is never a number."""
    declared = place.option.type or ""
    if isinstance(value, bool):
        return "bool" in declared or not declared
    if "bool" in declared and not any(kind in declared for kind in ("str", "int", "float", "list", "dict")):
        return value is None and may_be_unset(place.option)
    return value is not None or may_be_unset(place.option)


def _read_test(node: ast.expr, text: str, terms: Terms) -> list[Value]:
    """Give the values that one test has for a leaf."""
    match node:
        case ast.Compare(left=left, ops=ops, comparators=rights):
            sides = [left, *rights]
            values: list[Value] = []
            for one, op, other in zip(sides, ops, rights, strict=False):
                values += _read_pair(one, op, other, text, terms) + _read_pair(
                    other, op, one, text, terms, mirrored=True
                )
            return values
        case ast.Call(func=ast.Attribute(value=subject, attr="startswith" | "endswith" as attr), args=[ends]):
            if wraps(subject, text):
                texts = [value for value in list_constants(ends) if isinstance(value, str)]
                return [*(f"{end}" if attr == "startswith" else f"file{end}" for end in texts), OTHER]
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, classes]) if wraps(subject, text):
            kinds = [part.id for part in list_parts(classes) if isinstance(part, ast.Name)]
            right = [value for kind in kinds for value in _SAMPLES.get(kind, ())]
            wrong = [value for kind, values in _SAMPLES.items() if kind not in kinds for value in values]
            return [*right, *(value for value in wrong if value not in right)]
        case ast.GeneratorExp(elt=test, generators=[loop]) | ast.ListComp(elt=test, generators=[loop]):
            return _read_loop(test, loop, text, terms)
        case ast.BinOp(op=ast.Mod(), left=base, right=by) if wraps(base, text):
            by_value = next(iter(list_constants(by)), None)
            return [by_value * 2, by_value * 2 + 1] if isinstance(by_value, int) else [8, 6, 7]
        case ast.BinOp(op=ast.Mod(), right=by) if wraps(by, text):
            return [4, 2, 3]
    return []


def _read_loop(test: ast.expr, loop: ast.comprehension, text: str, terms: Terms) -> list[Value]:
    """Give what the test of a loop says of what it loops over: items of a leaf, or leaves among its items."""
    if not isinstance(loop.target, ast.Name):
        return []
    inner = [
        value
        for part in list_parts(test)
        if isinstance(part, ast.expr)
        for value in _read_test(part, loop.target.id, terms)
    ]
    if write_source(loop.iter) == text:
        return [[value] for value in inner if value is not None]
    items = loop.iter.elts if isinstance(loop.iter, ast.Tuple | ast.List | ast.Set) else []
    return inner if any(wraps(item, text) for item in items) else []


def _read_pair(
    one: ast.expr, op: ast.cmpop, other: ast.expr, text: str, terms: Terms, mirrored: bool = False
) -> list[Value]:
    """Give what a comparison says of the leaf that stands on one side of it."""
    if isinstance(one, ast.Tuple) and isinstance(other, ast.Tuple) and len(one.elts) == len(other.elts):
        pairs = zip(one.elts, other.elts, strict=True)
        return [value for left, right in pairs for value in _read_pair(left, op, right, text, terms, mirrored)]
    if not wraps(one, text) or (isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mod)):
        return []
    constants = [*list_constants(other), *_name_members(other)]
    if mirrored and isinstance(op, ast.In | ast.NotIn):
        return _list_containers(constants, other, terms)
    if is_length(one, text):
        sizes = [value for value in constants if isinstance(value, int)]
        place = next(
            (found for part in list_parts(one) if isinstance(part, ast.expr) and (found := terms.find(part))), None
        )
        declared = (place.option.type or "").removeprefix("Optional[") if place is not None else ""
        return [_make_items(size, declared) for base in sizes for size in (base, base + 1, base - 1) if 0 <= size <= 64]
    if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return [value for constant in constants for value in _list_around(constant)]
    texts = [value for value in constants if isinstance(value, str)]
    if isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq) and constants == [None]:
        return [None]
    is_open = isinstance(op, ast.In | ast.NotIn) and not constants
    rest = [value for number in constants for value in _list_next(number)]
    return [*constants, *([OTHER] if texts or is_open else []), *(_ITEMS[:1] if is_open else []), *rest]


def _list_around(bound: Value) -> list[Value]:
    if isinstance(bound, bool) or not isinstance(bound, int | float):
        return [bound]
    step = 1 if isinstance(bound, int) else 0.5
    return [bound, bound + step, bound - step, bound - 2 * step]


def _list_next(number: Value) -> list[Value]:
    return [number + 1] if isinstance(number, int | float) and not isinstance(number, bool) else []


def _name_members(node: ast.expr) -> Iterator[Value]:
    """Give the members of enumerations that a side is or holds by their names, which users write."""
    for part in node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else (node,):
        if isinstance(part, ast.Attribute) and is_constant(part):
            yield part.attr


def _list_containers(constants: list[Value], other: ast.expr, terms: Terms) -> list[Value]:
    """Give what a leaf may hold that is asked whether something is in it."""
    place = terms.find(other)
    known = _list_choices(place) if place is not None else []
    if constants and isinstance(constants[0], str):
        return [list(constants), constants[0], [], OTHER]
    return [list(constants or known[:2] or _ITEMS), *([known[1:3]] if len(known) > 2 and not constants else [])]


def _make_items(size: int, declared: str) -> list[Value]:
    """Give so many items, of the sort that the option's type says."""
    inner = declared.partition("[")[2]
    if inner.startswith("int"):
        return [number + 1 for number in range(size)]
    if inner.startswith("float"):
        return [(number + 1) / 10 for number in range(size)]
    return [f"item{number + 1}" for number in range(size)]


def _list_for_option(place: Place) -> Iterable[Value]:
    values: list[Value] = _list_choices(place)
    default = _read_default(place)
    if default is not None:
        values.append(default)
    if may_be_unset(place.option):
        values.append(None)
    return values


def _list_choices(place: Place) -> list[Value]:
    choices = [choice for choice in place.option.choices if not is_bound(choice)]
    is_number = "str" not in (place.option.type or "") and all(map(str.isdigit, choices))
    return [int(choice) for choice in choices] if is_number else list(choices)


def _read_default(place: Place) -> Value:
    try:
        return ast.literal_eval(place.option.default or "None")
    except (ValueError, SyntaxError):
        return None


def _list_for_sort(leaf: ast.expr, place: Place | None, branch: ast.expr, terms: Terms) -> Iterator[Value]:
    name = (place.option.name if place is not None else write_source(leaf).rpartition(".")[2]).lower()
    sort = find_sort(place.option) if place is not None else terms.sort(leaf)
    if sort == "yes or no":
        yield from (True, False)
    if place is None and not is_counted(leaf, branch):
        yield "something"
    if sort == "number" or place is None:
        scale = next((values for words, values in _SCALES if any(word in name for word in words)), _NUMBERS)
        yield from (*scale, *_NUMBERS)
        if place is not None and "float" in (place.option.type or ""):
            yield from (0.5, 1.5)
    if place is not None and set(re.findall(r"\w+", place.option.type or "")) & terms.facts.owners:
        yield {}
    elif sort in ("text", "any"):
        yield from _list_texts(name)
    if sort in ("several", "any"):
        declared = (place.option.type or "").removeprefix("Optional[") if place is not None else ""
        if not declared.startswith(("dict", "Dict", "Mapping")):
            yield from (_make_items(size, declared) for size in (1, 2, 0))
        yield {}
    if place is None:
        yield from (True, False, None, "")


def _list_texts(name: str) -> Iterator[Value]:
    if "path" in name or "file" in name or "dir" in name:
        yield "/path/to/file"
    elif "model" in name:
        yield "my-model"
    yield from ("value", OTHER)
