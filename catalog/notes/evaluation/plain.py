"""Which values may be computed with: plain ones, and how large may they grow?

What is computed here comes from a target's source or from a note that anyone may have written. So only exact builtin
types take part (no `__eq__` of anyone else's ever runs), each value is weighed when it is made, and all of an
evaluation is paid from one budget.
"""

import types
from collections.abc import Iterator

LARGEST = 10_000
"""Items or characters in one value, all levels counted."""
LARGEST_INT = 4096
"""Bits; more than any size of memory, and quick to multiply."""
DEEPEST = 80
"""Levels of an expression or a value."""
STEPS = 200_000
"""What one evaluation may spend, about a microsecond each."""

SCALARS = frozenset({type(None), bool, float, complex, type(Ellipsis), range})
TYPES = frozenset({bool, bytes, complex, dict, float, frozenset, int, list, range, set, str, tuple, type(None)})
"""The classes that an expression may name."""


class Unknown(Exception):
    """An expression has no value here; `reason` says why, in a few words that name the part."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Refused(Unknown):
    """An expression has no value because Python would raise: `None > 3`."""


class Budget:
    """What one evaluation may still spend."""

    __slots__ = ("left",)

    def __init__(self, steps: int = STEPS) -> None:
        self.left = steps

    def spend(self, amount: int) -> None:
        """Pay for work before doing it."""
        self.left -= amount
        if self.left < 0:
            raise Unknown("takes too many steps")


class Stream:
    """What gives its items once: a generator, `zip(…)`, a view of a dictionary."""

    __slots__ = ("items", "ordered")

    def __init__(self, items: Iterator[object], ordered: bool = True) -> None:
        self.items = items
        self.ordered = ordered


def keep(value: object, budget: Budget) -> object:
    """Give a value back once it is known to be plain and small enough; its weight is paid."""
    if type(value) not in SCALARS:
        budget.spend(_weigh(value, LARGEST, DEEPEST))
    return value


def is_plain(value: object) -> bool:
    """Tell whether a value may take part at all."""
    try:
        _weigh(value, LARGEST, DEEPEST)
    except Unknown:
        return False
    return True


def _weigh(value: object, allowed: int, levels: int) -> int:
    """Count the items of a value, all levels, as a tree: what is shared counts each time, as comparing it would."""
    kind = type(value)
    if kind in SCALARS or kind is Stream:
        return 1
    if kind is int:
        if value.bit_length() > LARGEST_INT:  # type: ignore[attr-defined]
            raise Unknown("a number grows too large")
        return 1
    if kind is str or kind is bytes:
        if len(value) > LARGEST:  # type: ignore[arg-type]
            raise Unknown("a text grows too long")
        return 1 + len(value) // 64  # type: ignore[arg-type]
    if kind in (list, tuple, set, frozenset, dict):
        return _weigh_items(value, allowed, levels)
    if value in TYPES if kind is type else kind is types.UnionType:
        return 1
    raise Unknown(f"a {kind.__name__} is no plain value")


def _weigh_items(value: object, allowed: int, levels: int) -> int:
    if levels == 0:
        raise Unknown("a value is nested too deeply")
    if len(value) > allowed:  # type: ignore[arg-type]
        raise Unknown("a collection grows too large")
    weight = 1
    items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    for item in items:  # type: ignore[attr-defined]
        weight += 1 if type(item) in SCALARS else _weigh(item, allowed - weight, levels - 1)
        if weight > allowed:
            raise Unknown("a collection grows too large")
    return weight


def take(value: object, budget: Budget, ordered: bool = True) -> list[object]:
    """Give all items of a value; the items of a set have no order that could be relied on."""
    return list(walk(value, budget, ordered))


def walk(value: object, budget: Budget, ordered: bool = True) -> Iterator[object]:
    """Give the items of a value one by one, each paid for."""
    if ordered and not has_order(value):
        raise Unknown("the order of a set is not fixed")
    if isinstance(value, Stream):
        source = value.items
    elif isinstance(value, str | bytes | list | tuple | set | frozenset | dict | range):
        source = iter(value)
    else:
        raise Unknown(f"{name_type(value)} has no items")
    for count, item in enumerate(source):
        if count >= LARGEST:
            raise Unknown("takes too many steps")
        budget.spend(1)
        yield item


def has_order(value: object) -> bool:
    """Tell whether the items of a value come in an order that is the same on every run."""
    if isinstance(value, Stream):
        return value.ordered
    return not isinstance(value, set | frozenset) or len(value) <= 1


def name_type(value: object) -> str:
    """Name what kind of value this is: `None`, `an int`, `a str`."""
    if value is None:
        return "None"
    name = type(value).__name__.lower()
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
