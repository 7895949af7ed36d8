"""What do the functions and methods that an expression may call give?

The list is closed: all are pure, and quick on plain values.
"""

import math
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from catalog.notes.evaluation.operations import REFUSALS
from catalog.notes.evaluation.plain import (
    LARGEST,
    TYPES,
    Budget,
    Refused,
    Stream,
    Unknown,
    has_order,
    keep,
    name_type,
    take,
    walk,
)

Function: TypeAlias = Callable[[Sequence[Any], Mapping[str, Any], Budget], object]

NAMED_TYPES: Mapping[str, type] = {type_.__name__: type_ for type_ in TYPES if type_ is not type(None)}
_MOST_DIGITS = 300
_MATH = frozenset(
    "ceil copysign exp fabs floor fmod gcd isclose isfinite isinf isnan isqrt log log10 log2 sqrt trunc".split()
)
_METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        "capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit isidentifier islower "
        "isnumeric isprintable isspace istitle isupper join lower lstrip partition removeprefix removesuffix replace "
        "rfind rindex rpartition rsplit rstrip split splitlines startswith strip swapcase title upper".split()
    ),
    bytes: frozenset("count endswith find lower startswith strip upper".split()),
    dict: frozenset("copy get items keys values".split()),
    list: frozenset("copy count index".split()),
    tuple: frozenset("count index".split()),
    set: frozenset("copy difference intersection isdisjoint issubset issuperset symmetric_difference union".split()),
    int: frozenset({"bit_count", "bit_length"}),
    float: frozenset({"is_integer"}),
}
_OF_ITEMS = frozenset("difference intersection isdisjoint issubset issuperset symmetric_difference union".split())


def call_function(name: str, arguments: Sequence[object], named: Mapping[str, object], budget: Budget) -> object:
    """Give what a builtin function, or one of `math`, gives."""
    function = FUNCTIONS.get(name)
    if function is None:
        raise Unknown(f"`{name}(…)` is not among the functions computed here")
    try:
        return keep(function(arguments, named, budget), budget)
    except REFUSALS as error:
        raise Refused(f"`{name}(…)`: {error}"[:160]) from error


def call_method(
    subject: object, name: str, arguments: Sequence[object], named: Mapping[str, object], budget: Budget
) -> object:
    """Give what a method of a plain value gives."""
    kind = set if isinstance(subject, frozenset) else type(subject)
    if name not in _METHODS.get(kind, frozenset()):
        raise Unknown(f"`.{name}(…)` of {name_type(subject)} is not among the methods computed here")
    if kind is set and name in _OF_ITEMS:
        arguments = [take(argument, budget, ordered=False) for argument in arguments]
    if name == "join":
        arguments = [take(argument, budget) for argument in arguments]
    _check_length(subject, name, arguments)
    if any(isinstance(argument, Stream) for argument in (*arguments, *named.values())):
        raise Unknown(f"`.{name}(…)` of a generator")
    try:
        given = getattr(subject, name)(*arguments, **named)
    except REFUSALS as error:
        raise Refused(f"`.{name}(…)`: {error}"[:160]) from error
    if kind is dict and name in ("items", "keys", "values"):
        return Stream(iter(list(given)))
    return keep(given, budget)


def _check_length(subject: Any, name: str, arguments: Sequence[Any]) -> None:
    """Refuse what would be too long before it is made."""
    match name, arguments:
        case "join", [items]:
            length = sum(len(item) + len(subject) for item in items if isinstance(item, str))
        case "replace", [str(), str() as new, *_]:
            length = (len(subject) + 1) * (len(new) + 1)
        case _:
            return
    if length > 10 * LARGEST:
        raise Unknown("a text grows too long")


def _call_isinstance(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> bool:
    value, kinds = arguments
    if isinstance(value, Stream | type | types.UnionType):
        raise Unknown("only plain values have a type here")
    return isinstance(value, kinds)


def _call_type(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> type:
    (value,) = arguments
    if isinstance(value, Stream | type | types.UnionType):
        raise Unknown("only plain values have a type here")
    return type(value)


def _call_round(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> object:
    digits = next(iter([*arguments[1:], *named.values()]), None)
    if digits is not None and abs(digits) > _MOST_DIGITS:
        raise Unknown("rounds to too many digits")
    return round(*arguments, **named)


def _call_sum(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> object:
    items = take(arguments[0], budget, ordered=False)
    if not has_order(arguments[0]) and not all(isinstance(item, int) for item in items):
        raise Unknown("the order of a set is not fixed")  # floats add up to another sum in another order
    if not all(isinstance(item, int | float) for item in items):
        raise Unknown("`sum(…)` of what are no numbers")
    return sum(items, *arguments[1:], **named)  # type: ignore[arg-type]


def _call_extreme(function: Callable[..., object]) -> Function:
    def call(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> object:
        if "key" in named:
            raise Unknown("a `key` function is not called here")
        if len(arguments) == 1:
            return function(take(arguments[0], budget, ordered=False), **named)
        return function(*arguments, **named)

    return call


def _call_truth(wanted: bool) -> Function:
    def call(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> bool:
        (items,) = arguments
        for item in walk(items, budget, ordered=False):
            if isinstance(item, Stream):
                raise Unknown("a generator in a collection")
            if bool(item) is wanted:
                return wanted
        return not wanted

    return call


def _call_sorted(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> list[Any]:
    (items,) = arguments
    if named.get("key") is not None:
        raise Unknown("a `key` function is not called here")
    taken: list[Any] = take(items, budget, ordered=False)
    return sorted(taken, **named)


def _call_collection(type_: Callable[..., object], ordered: bool) -> Function:
    def call(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> object:
        return type_(*[take(argument, budget, ordered) for argument in arguments], **named)

    return call


def _call_dict(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> dict[Any, Any]:
    plain = [argument if isinstance(argument, dict) else take(argument, budget) for argument in arguments]
    return dict(*plain, **named)


def _call_plain(function: Callable[..., object]) -> Function:
    """Call a function of scalars and texts as it is."""

    def call(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> object:
        if any(isinstance(argument, Stream) for argument in arguments):
            raise Unknown("a generator is not taken here")
        return function(*arguments, **named)

    return call


def _call_text(function: Callable[..., str]) -> Function:
    def call(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> str:
        for argument in arguments:
            if _holds_set(argument) or isinstance(argument, Stream | bytes):
                raise Unknown("the text of such a value is not fixed")
        return function(*arguments, **named)

    return call


def _holds_set(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_set(item) for pair in value.items() for item in pair)
    return isinstance(value, set | frozenset) or (isinstance(value, list | tuple) and any(map(_holds_set, value)))


def _call_next(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> object:
    items, *default = arguments
    if not isinstance(items, Stream) or len(default) > 1:
        raise Unknown("`next(…)` of what is no generator")
    for item in walk(items, budget):
        return item
    if not default:
        raise Unknown("`next(…)` of nothing")
    return default[0]


def _call_stream(function: Callable[..., Iterator[object]]) -> Function:
    def call(arguments: Sequence[Any], named: Mapping[str, Any], budget: Budget) -> Stream:
        numbers = [argument for argument in arguments if isinstance(argument, int)]
        items = [take(argument, budget) for argument in arguments if not isinstance(argument, int)]
        return Stream(iter(list(function(*items, *numbers, **named))))

    return call


FUNCTIONS: Mapping[str, Function] = {
    "abs": _call_plain(abs),
    "all": _call_truth(wanted=False),
    "any": _call_truth(wanted=True),
    "bool": _call_plain(bool),
    "dict": _call_dict,
    "divmod": _call_plain(divmod),
    "enumerate": _call_stream(enumerate),
    "float": _call_plain(float),
    "frozenset": _call_collection(frozenset, ordered=False),
    "int": _call_plain(int),
    "isinstance": _call_isinstance,
    "len": _call_plain(len),
    "list": _call_collection(list, ordered=True),
    "max": _call_extreme(max),
    "min": _call_extreme(min),
    "next": _call_next,
    "range": _call_plain(range),
    "repr": _call_text(repr),
    "reversed": _call_stream(reversed),
    "round": _call_round,
    "set": _call_collection(set, ordered=False),
    "sorted": _call_sorted,
    "str": _call_text(str),
    "sum": _call_sum,
    "tuple": _call_collection(tuple, ordered=True),
    "type": _call_type,
    "zip": _call_stream(zip),
    **{f"math.{name}": _call_plain(getattr(math, name)) for name in sorted(_MATH)},
}
