"""An exception class of the target, called with arguments → the text it makes of them.

`__init__` says what is handed to the builtin exception and which attributes are kept, `__str__` what is printed of
them. Both are read along the classes the exception derives from; where neither exists, a builtin prints its arguments.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import libcst as cst

from catalog.records import Hole, Part, Text
from miner.binding import Bound, bind_arguments, spread
from miner.conditions import Formula, has_words
from miner.effects import Path, find_path
from miner.frames import Frame, Given, give
from miner.functions import Function, Functions
from miner.lists import list_worlds
from miner.lookup import make_scope
from miner.names import World
from miner.supers import is_base_init, is_base_text, is_super
from miner.templates import MAX_DRAFTS, Draft, Scope, combine
from miner.trail import Fact
from miner.walking import Arrival
from miner.wording import write_expression

_TEXT_ATTRIBUTES = ("message", "msg", "detail", "default_message", "default_detail", "description")


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument as it arrives at a class, in the words of the statement that throws."""

    given: Given
    keyword: str | None = None
    star: Literal["", "*", "**"] = ""


@dataclass(frozen=True, slots=True)
class _Link:
    """A class among those an exception derives from, itself included."""

    name: str
    methods: Mapping[str, Function]


@dataclass(slots=True)
class _Made:
    """What constructing an exception leaves behind."""

    attributes: dict[str, Given] = field(default_factory=dict)
    calls_base: bool = False
    printed: list[tuple[tuple[Formula, ...], tuple[Argument, ...]]] = field(default_factory=list)
    """What `BaseException` was given, with the conditions for it."""

    @property
    def is_bare(self) -> bool:
        """A constructor has given `BaseException` nothing, and so made it forget what the class was given."""
        return self.calls_base and not any(arguments for _, arguments in self.printed)


def make_class_text(
    functions: Functions, world: World, qualified: str, arguments: Sequence[cst.Arg], scope: Scope
) -> tuple[Draft, ...] | None:
    """Make the text of a class of the target: `None` where it makes none of its own, empty where it prints nothing."""
    chain = list(_list_chain(functions, world, qualified))
    if not any(link.methods for link in chain):
        return None
    made = _Made()
    taken = tuple(Argument(give(a.value, scope), a.keyword.value if a.keyword else None, a.star) for a in arguments)
    _construct(chain, taken, made, 0)
    base = _print_arguments(made)
    for link in chain:
        printer = link.methods.get("__str__")
        if printer is not None:
            texts = _print(printer, made, base)
            return _mark_class(texts) if texts else None
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


def _list_chain(functions: Functions, world: World, qualified: str) -> Iterator[_Link]:
    """List the methods that make a text, class by class, nearest first, each as the thrown class sees it."""
    for facts, class_ in world.list_ancestry(qualified):
        name = next((name for name, other in facts.classes.items() if other is class_), None)
        found: dict[str, Function] = {}
        for method in ("__init__", "__str__"):
            if name is not None and method in class_.methods:
                function = functions.find(f"{facts.module}.{name}.{method}")
                if function is not None:
                    found[method] = replace(function, context=replace(function.context, owner=qualified))
        yield _Link(name or "", found)


def _construct(chain: Sequence[_Link], arguments: tuple[Argument, ...], made: _Made, depth: int) -> None:
    """Run the constructors of a chain of classes, as far as their statements say what they do."""
    place = next((index for index, link in enumerate(chain) if "__init__" in link.methods), None)
    if place is None or depth > 6:
        made.printed.append(((), arguments))
        return
    function = chain[place].methods["__init__"]
    entered = _enter(function, arguments)
    before = len(made.printed)
    for arrival in function.arrivals:
        frame = Frame({**entered.values, **_name_attributes(made)})
        scope = make_scope(function.context, arrival.trail, len(arrival.trail))
        conditions = frame.decide(conditions_of(arrival))
        if conditions is None:
            continue
        match arrival.step.node:
            case cst.Expr(value=cst.Call() as call) if is_base_init(call):
                start = len(made.printed)
                made.calls_base = True
                _construct(_find_rest(chain, place, call), _hand_on(call, frame, scope, entered), made, depth + 1)
                made.printed[start:] = [((*conditions, *held), given) for held, given in made.printed[start:]]
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
                _keep(target, value, frame, scope, conditions, made)
            case cst.AnnAssign(target=target, value=cst.BaseExpression() as value):
                _keep(target, value, frame, scope, conditions, made)
            case _:
                pass
    if len(made.printed) == before:
        made.printed.append(((), tuple(a for a in arguments if a.keyword is None)))


def _find_rest(chain: Sequence[_Link], place: int, call: cst.Call) -> Sequence[_Link]:
    """Find the classes that a call of a base's constructor goes through; one may be left out by name."""
    path = find_path(call.func)
    named = path[-2] if path is not None and len(path) > 1 else None
    index = next((i for i, link in enumerate(chain) if i > place and link.name.rpartition(".")[2] == named), None)
    if index is None:
        return chain[place + 1 :] if is_super(call) else ()
    return chain[index:]


def _keep(
    target: cst.BaseExpression,
    value: cst.BaseExpression,
    frame: Frame,
    scope: Scope,
    conditions: tuple[Formula, ...],
    made: _Made,
) -> None:
    path = find_path(target)
    if path is None or len(path) != 2 or path[0] != "self":
        return
    if path[1] == "args" and isinstance(value, cst.Tuple):
        kept = tuple(Argument(_give(element.value, frame, scope)) for element in value.elements)
        made.printed.append((conditions, kept))
    elif conditions and path[1] in made.attributes:
        del made.attributes[path[1]]
    elif not conditions:
        made.attributes[path[1]] = _give(value, frame, scope)


def _give(node: cst.BaseExpression, frame: Frame, scope: Scope) -> Given:
    return Given(frame.rewrite(node), frame.read(node, scope))


@dataclass(frozen=True, slots=True)
class _Entered:
    """A constructor with its parameters filled."""

    values: Mapping[Path, Given]
    bound: Bound
    texts: Mapping[int, Given]
    """What the arguments stand for, by the identity of their nodes."""


def _enter(function: Function, arguments: tuple[Argument, ...]) -> _Entered:
    """Give each parameter what it stands for."""
    plain = [cst.Arg(a.given.node, keyword=cst.Name(a.keyword) if a.keyword else None, star=a.star) for a in arguments]
    bound = bind_arguments(function.parameters, plain, skip_first=function.is_bound)
    texts = {id(a.given.node): a.given for a in arguments}
    module = make_scope(replace(function.context, local=frozenset()), (), 0)
    values: dict[Path, Given] = {(name,): give(node, module) for name, node in bound.defaults.items()}
    values.update({(name,): texts[id(node)] for name, node in bound.given.items()})
    return _Entered(values, bound, texts)


def _hand_on(call: cst.Call, frame: Frame, scope: Scope, entered: "_Entered") -> tuple[Argument, ...]:
    """Give the arguments of a call inside a constructor in the words of the statement that throws."""
    handed = call.args if is_super(call) else call.args[1:]
    return tuple(
        Argument(
            entered.texts.get(id(argument.value)) or _give(argument.value, frame, scope),
            argument.keyword.value if argument.keyword else None,
            argument.star,
        )
        for argument in spread(handed, entered.bound)
        if not _is_empty(argument, entered.bound)
    )


def _is_empty(argument: cst.Arg, bound: Bound) -> bool:
    """Tell a `*args` or `**kwargs` that holds nothing."""
    name = argument.value.value if argument.star and isinstance(argument.value, cst.Name) else None
    return name is not None and name in (bound.star, bound.star_kwarg)


def _name_attributes(made: _Made) -> dict[Path, Given]:
    return {("self", name): given for name, given in made.attributes.items()}


def conditions_of(arrival: Arrival) -> tuple[Formula, ...]:
    """Give what holds at a step of a function, as far as expressions say it."""
    return tuple(e.formula for e in arrival.trail if isinstance(e, Fact) and not has_words(e.formula))


def _print_arguments(made: _Made) -> tuple[Draft, ...]:
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


def _print(function: Function, made: _Made, base: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """Read what a `__str__` returns."""
    frame = Frame(_name_attributes(made), lambda node: base if is_base_text(node) else None)
    texts: list[Draft] = []
    for arrival in function.arrivals:
        node = arrival.step.node
        if not isinstance(node, cst.Return) or node.value is None:
            continue
        scope = make_scope(function.context, arrival.trail, len(arrival.trail))
        conditions = conditions_of(arrival)
        for world in list_worlds(node.value, function.arrivals, arrival, scope):
            inner = Frame({**frame.values, **world.lists}, frame.special)
            texts.extend(inner.read(node.value, world.scope, (*conditions, *world.conditions)))
    return tuple(dict.fromkeys(sorted(texts[:MAX_DRAFTS], key=lambda draft: not draft.has_text)))


def _mark_class(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    return tuple(replace(draft, resolution="class") for draft in drafts)
