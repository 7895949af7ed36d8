"""Can these facts hold together?

A term is tried with one value of every sort that could tell the facts apart: None, the booleans, NaN, each constant,
something between and beyond the constants, and objects that are none of these. Facts about different terms are taken
to be independent, so "no" is certain and "yes" is not, which is the side to err on: a proof is never wrong.
"""

import ast
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from catalog.compare.formulas import Compared, Defined, Divisible, Fact, Instance, Literal, Ordered, Related, Truthy

Group = tuple[str, ...]

_NUMBERS = (bool, int, float, Fraction)
_CLASSES: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (bool, int),
    "float": (float, Fraction),
    "str": (str,),
    "bytes": (bytes,),
    "NoneType": (type(None),),
    "type(None)": (type(None),),
}
_MAY_HOLD_NONE = ("object", "Any", "typing.Any", "types.NoneType")
_LARGEST_CYCLE = 100_000


class _Thing:
    """A value that is no constant: an instance of some class."""

    def __init__(self, truth: bool) -> None:
        self.truth = truth

    def __bool__(self) -> bool:
        return self.truth


_THINGS = (_Thing(True), _Thing(False))


def find_group(fact: Fact) -> Group:
    """Name the facts that this one can contradict: those about the same term or pair of terms."""
    match fact:
        case Related(left, op, right):
            return ("is" if op == "is" else "relation", left, right)
        case Divisible(term, _):
            return ("divisible", term)
        case Compared(term, _, _) | Defined(term) | Ordered(term, _) | Truthy(term) | Instance(term, _):
            return ("term", term)


def can_hold(literals: Iterable[Literal]) -> bool:
    """Tell whether literals of one group can all be so; when in doubt, they can."""
    literals = tuple(literals)
    match literals[0].fact:
        case Related(op="is"):
            return True
        case Related():
            return _can_relate(literals)
        case Divisible():
            return _can_divide(literals)
    return any(_can_be(value, literals) for value in _list_values(literals))


def _can_relate(literals: tuple[Literal, ...]) -> bool:
    """Two terms are below, equal, above, or (NaN, sets) none of these."""
    wanted = {literal.fact.op: literal.positive for literal in literals if isinstance(literal.fact, Related)}
    relations = (("<", "<="), ("<=", "==", ">="), (">", ">="), ())
    return any(all((op in true_ones) is positive for op, positive in wanted.items()) for true_ones in relations)


def _can_divide(literals: tuple[Literal, ...]) -> bool:
    wanted = {literal.fact.by: literal.positive for literal in literals if isinstance(literal.fact, Divisible)}
    cycle = math.lcm(*wanted)
    if not any(wanted.values()) or cycle > _LARGEST_CYCLE:
        return True
    return any(all((rest % by == 0) is positive for by, positive in wanted.items()) for rest in range(cycle))


def _can_be(value: object, literals: tuple[Literal, ...]) -> bool:
    return all(_is_so(literal.fact, value) in (literal.positive, None) for literal in literals)


def _is_so(fact: Fact, value: object) -> bool | None:
    """Tell whether the fact holds for this value; None when it may or may not."""
    match fact:
        case Truthy():
            return bool(value)
        case Defined():
            return value is not None
        case Ordered(_, family):
            return _is_of_family(value, family)
        case Instance(_, class_name):
            return _is_instance(value, class_name)
        case Compared(_, "is", constant):
            return value is _read_constant(constant)
        case Compared(_, op, constant):
            return _compare(value, op, _read_constant(constant))
    return None


def _is_of_family(value: object, family: str) -> bool:
    return isinstance(value, _NUMBERS) if family == "number" else type(value).__name__ == family


def _is_instance(value: object, class_name: str) -> bool | None:
    if class_name in _CLASSES:
        return type(value) in _CLASSES[class_name]
    if value is None and class_name not in _MAY_HOLD_NONE and "None" not in class_name:
        return False
    return None


def _compare(value: object, op: str, constant: object) -> bool | None:
    """Compare as Python would; where Python would raise, the fact is not so, and `Ordered` isn't either."""
    if op == "==":
        return value == constant
    same_family = isinstance(value, _NUMBERS) if isinstance(constant, _NUMBERS) else type(value) is type(constant)
    if not same_family:
        return False
    try:
        match op:
            case "<":
                return bool(value < constant)  # type: ignore[operator]
            case "<=":
                return bool(value <= constant)  # type: ignore[operator]
            case ">":
                return bool(value > constant)  # type: ignore[operator]
        return bool(value >= constant)  # type: ignore[operator]
    except TypeError:  # tuples of unlike members
        return None


def _list_values(literals: tuple[Literal, ...]) -> Iterator[object]:
    """List one value of every sort that could tell these facts apart."""
    constants = [_read_constant(literal.fact.constant) for literal in literals if isinstance(literal.fact, Compared)]
    numbers = sorted({Fraction(each) for each in constants if isinstance(each, int | float) and math.isfinite(each)})
    if any(_is_length(literal.fact.term) for literal in literals if isinstance(literal.fact, Compared | Truthy)):
        yield from sorted({max(0, int(number) + step) for number in (Fraction(0), *numbers) for step in (-1, 0, 1, 2)})
        return
    yield from (None, True, False, math.nan, math.inf, -math.inf, "", "\x00other", *_THINGS)
    yield from _spread(numbers)
    for constant in constants:
        match constant:
            case str():
                yield from (constant, constant + "\x00", "\U0010ffff" * 4)
            case bytes():
                yield from (b"", constant, constant + b"\x00", b"\xff" * 64)
            case tuple():
                yield from ((), constant, (*constant, -math.inf), (math.inf,))
            case _:
                yield constant


def _spread(numbers: list[Fraction]) -> Iterator[int | Fraction]:
    """List the numbers, and whole and broken ones between and beyond them."""
    points = sorted({Fraction(0), *numbers})
    edges = [points[0] - 2, *points, points[-1] + 2]
    for low, high in pairwise(edges):
        yield int(low) if low.denominator == 1 else low
        if math.floor(low) + 1 < high:
            yield math.floor(low) + 1
        yield (low + high) / 2 if ((low + high) / 2).denominator != 1 else (low + high) / 2 + (high - low) / 8


@lru_cache(maxsize=4096)
def _read_constant(text: str) -> object:
    return ... if text == "Ellipsis" else ast.literal_eval(text)


@lru_cache(maxsize=4096)
def _is_length(term: str) -> bool:
    match ast.parse(term, mode="eval").body:
        case ast.Call(func=ast.Name(id="len")):
            return True
    return False
