"""An exception class of the target, called with arguments → the text it makes of them.

`__init__` says what is handed to the builtin exception and which attributes are kept, `__str__` what is printed of
them. Both are read along the classes the exception derives from; where neither exists, a builtin prints its arguments.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import libcst as cst

from catalog.records import Hole, Part, Text
from miner.constructing import Argument, Link, Made, conditions_of, construct, hide, name_attributes
from miner.frames import Frame, Given, give
from miner.functions import Function, Functions
from miner.lists import list_worlds
from miner.lookup import make_scope
from miner.mro import NO_EXCEPTIONS, linearize
from miner.names import World
from miner.supers import is_base_text
from miner.templates import MAX_DRAFTS, Draft, Scope, combine
from miner.wording import write_expression

_MAX_CALLS = 2
_PRINTERS = frozenset(
    f"builtins.{name}"
    for name in "KeyError OSError ImportError SyntaxError UnicodeDecodeError UnicodeEncodeError".split()
)
"""Builtin exceptions with a `__str__` of their own, which covers that of a class behind them."""
_TEXT_ATTRIBUTES = ("message", "msg", "detail", "default_message", "default_detail", "description")


def make_class_text(
    functions: Functions, world: World, qualified: str, arguments: Sequence[cst.Arg], scope: Scope
) -> tuple[Draft, ...] | None:
    """Make the text of a class of the target: `None` where it makes none of its own, empty where it prints nothing."""
    chain = list(_list_chain(functions, world, qualified))
    if not any(link.methods for link in chain):
        return None
    made = Made()
    taken = tuple(Argument(give(a.value, scope), a.keyword.value if a.keyword else None, a.star) for a in arguments)
    construct(chain, taken, made, 0)
    base = _print_arguments(made)
    find = partial(_find_method, functions, world, qualified)
    for link in chain:
        printer = link.methods.get("__str__")
        if printer is not None:
            texts = _print(printer, made, base, find)
            return _mark_class(texts) if texts else None
        if link.qualified in _PRINTERS:
            break
    if any(len(arguments) > 1 for _, arguments in made.printed) and not all(link.is_known for link in chain):
        return None  # what a class of elsewhere prints of them isn't known
    if made.is_bare and world.find_builtin(qualified) is not None:
        return ()
    return _mark_class(base) if base and any(draft.parts for draft in base) else None


def read_class_attribute(world: World, qualified: str) -> str | None:
    """Name the attribute of a class that holds the text it prints when thrown without any."""
    for _, class_ in world.list_ancestry(qualified):
        for name in _TEXT_ATTRIBUTES:
            if name in class_.constants:
                return name
    return None


def _list_chain(functions: Functions, world: World, qualified: str) -> Iterator[Link]:
    """List the methods that make a text, class by class, nearest first, each as the thrown class sees it."""
    for name in linearize(world, qualified):
        known = world.find_class(name)
        found: dict[str, Function] = {}
        for method in ("__init__", "__str__"):
            if known is not None and method in known[1].methods:
                function = _see_from(qualified, functions.find(f"{name}.{method}"))
                if function is not None:
                    found[method] = function
        is_bland = name.startswith("builtins.") or name.rpartition(".")[2] in NO_EXCEPTIONS
        yield Link(name, found, known is not None or is_bland)


def _find_method(functions: Functions, world: World, qualified: str, method: str) -> Function | None:
    """Find a method that an object of a class has from the target."""
    found = world.find_method(qualified, method)
    return _see_from(qualified, functions.find(found)) if found is not None else None


def _see_from(qualified: str, function: Function | None) -> Function | None:
    """Let `self` be of a class that derives from the method's own."""
    if function is None:
        return None
    return replace(function, context=replace(function.context, owner=qualified, is_exact=True))


def _print_arguments(made: Made) -> tuple[Draft, ...]:
    """Print what the builtin exception was given, as its own `__str__` does."""
    texts: list[Draft] = []
    for conditions, arguments in made.printed[:MAX_DRAFTS]:
        positional = [argument for argument in arguments if argument.keyword is None and not argument.star]
        if len(positional) == 1:
            drafts = positional[0].given.drafts
        elif not positional:
            drafts = _print_keyword(arguments)
        else:
            drafts = _print_several(positional)
        texts.extend(replace(draft, conditions=(*conditions, *draft.conditions)) for draft in drafts)
    return tuple(texts)


def _print_keyword(arguments: Sequence[Argument]) -> tuple[Draft, ...]:
    for argument in arguments:
        if argument.keyword in _TEXT_ATTRIBUTES:
            return argument.given.drafts
    return (Draft(()),)


def _print_several(positional: Sequence[Argument]) -> tuple[Draft, ...]:
    groups: list[tuple[Draft, ...]] = [(Draft((Text("("),)),)]
    for index, argument in enumerate(positional):
        if index:
            groups.append((Draft((Text(", "),)),))
        groups.append(_represent(argument.given))
    groups.append((Draft((Text(")"),)),))
    return combine(*groups)


def _represent(given: Given) -> tuple[Draft, ...]:
    if all(draft.parts and all(isinstance(part, Text) for part in draft.parts) for draft in given.drafts):
        return tuple(replace(d, parts=(Text(repr("".join(_texts(d.parts)))),)) for d in given.drafts)
    return (Draft((Hole(write_expression(given.node), "r", None, False),)),)


def _texts(parts: Sequence[Part]) -> Iterator[str]:
    return (part.text for part in parts if isinstance(part, Text))


def _print(
    function: Function, made: Made, base: tuple[Draft, ...], find: Callable[[str], Function | None], depth: int = 0
) -> tuple[Draft, ...]:
    """Read what a `__str__`, or a method it calls without arguments, returns."""

    def explain(node: cst.BaseExpression) -> tuple[Draft, ...] | None:
        if is_base_text(node):
            return base
        match node:
            case cst.Call(func=cst.Attribute(value=cst.Name(value="self"), attr=cst.Name(value=name)), args=[]):
                called = find(name) if depth < _MAX_CALLS else None
                texts = _print(called, made, base, find, depth + 1) if called is not None else ()
                return texts if any(draft.has_text for draft in texts) else None
            case _:
                return None

    frame = Frame(name_attributes(made), explain)
    texts: list[Draft] = []
    for arrival in function.arrivals:
        node = arrival.step.node
        if not isinstance(node, cst.Return) or node.value is None:
            continue
        scope = hide(make_scope(function.context, arrival.trail, len(arrival.trail)), made)
        conditions = conditions_of(arrival)
        for world in list_worlds(node.value, function.arrivals, arrival, scope):
            inner = Frame({**frame.values, **world.lists}, frame.special)
            texts.extend(inner.read(node.value, world.scope, (*conditions, *world.conditions)))
    return tuple(dict.fromkeys(sorted(texts[:MAX_DRAFTS], key=lambda draft: not draft.has_text)))


def _mark_class(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    return tuple(replace(draft, resolution="class") for draft in drafts)
