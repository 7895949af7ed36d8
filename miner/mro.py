"""A class of the target → the order in which Python looks for a method in it and in what it derives from.

The order is C3's, as in "The Python 2.3 Method Resolution Order". Classes that the target doesn't define stand in it by
name: builtin exceptions with what they derive from, others as if they derived from `Exception` and nothing else.
"""

from collections.abc import Sequence

from miner.names import World, list_builtin_bases

_MAX_CLASSES = 200
_EXCEPTION = ("builtins.Exception", "builtins.BaseException")
NO_EXCEPTIONS = frozenset(("object", "Generic", "Protocol", "ABC"))
"""Bases, as written, that print nothing of their own."""


def linearize(world: World, qualified: str) -> tuple[str, ...]:
    """List a class and those it derives from, by qualified name, in the order of a look-up.

    Where bases contradict each other, which Python refuses, or derive from themselves, they stand as they are met.
    """
    return _linearize(world, qualified, ())


def _linearize(world: World, qualified: str, below: tuple[str, ...]) -> tuple[str, ...]:
    if qualified in below or len(below) > _MAX_CLASSES:
        return ()
    module, _, short = qualified.rpartition(".")
    if module == "builtins":
        above = list_builtin_bases(short)
        order = dict.fromkeys((qualified, *(f"builtins.{name}" for name in above), "builtins.BaseException"))
        return tuple(order)
    if world.find_class(qualified) is None:
        return (qualified,) if short in NO_EXCEPTIONS else (qualified, *_EXCEPTION)
    bases = world.list_direct_bases(qualified)
    orders = [_linearize(world, base, (*below, qualified)) for base in bases]
    return (qualified, *_merge([*orders, bases]))


def _merge(orders: Sequence[Sequence[str]]) -> tuple[str, ...]:
    merged: list[str] = []
    waiting = [list(order) for order in orders if order]
    while waiting:
        heads = [order[0] for order in waiting]
        later = {name for order in waiting for name in order[1:]}
        chosen = next((name for name in heads if name not in later), heads[0])
        merged.append(chosen)
        waiting = [rest for order in waiting if (rest := [name for name in order if name != chosen])]
    return tuple(merged)
