"""A class called with arguments → what its constructors leave: attributes, and what the builtin exception was given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import libcst as cst

from miner.binding import Bound, bind_arguments, spread
from miner.conditions import Formula, has_words, join, negate, read_formula
from miner.effects import IDENTITY, Path, Read, find_path
from miner.frames import Frame, Given, give
from miner.functions import Function
from miner.lookup import Context, find_constant, make_scope
from miner.supers import is_base_init, is_super
from miner.templates import MAX_DRAFTS, Draft, Found, Scope, read_drafts
from miner.trail import Fact, is_disturbed
from miner.walking import Arrival

_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument as it arrives at a class, in the words of the statement that throws."""

    given: Given
    keyword: str | None = None
    star: Literal["", "*", "**"] = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A class among those an exception derives from, itself included."""

    qualified: str
    methods: Mapping[str, Function]
    is_known: bool
    """Defined in the target, or a builtin exception."""

    @property
    def is_builtin(self) -> bool:
        """A builtin exception: its constructor keeps what it is given, and calls no other."""
        return self.qualified.startswith("builtins.")


@dataclass(slots=True)
class Made:
    """What constructing an exception leaves behind."""

    attributes: dict[str, Given] = field(default_factory=dict)
    calls_base: bool = False
    printed: list[tuple[tuple[Formula, ...], tuple[Argument, ...]]] = field(default_factory=list)
    """What `BaseException` was given, with the conditions for it."""

    @property
    def is_bare(self) -> bool:
        """A constructor has given `BaseException` nothing, and so made it forget what the class was given."""
        return self.calls_base and not any(arguments for _, arguments in self.printed)


def construct(chain: Sequence[Link], arguments: tuple[Argument, ...], made: Made, depth: int) -> None:
    """Run the constructors of a chain of classes, as far as their statements say what they do."""
    place = next((i for i, link in enumerate(chain) if link.is_builtin or "__init__" in link.methods), None)
    if place is None or depth > _MAX_DEPTH or chain[place].is_builtin:
        made.printed.append(((), arguments))
        return
    function = chain[place].methods["__init__"]
    entered = _enter(function, arguments)
    before = len(made.printed)
    for arrival in function.arrivals:
        values = {**entered.values, **name_attributes(made)}
        scope = hide(make_scope(function.context, arrival.trail, len(arrival.trail)), made)
        conditions = Frame(values).decide(conditions_of(arrival))
        if conditions is None:
            continue
        frame = Frame(_follow(values, arrival, scope))
        match arrival.step.node:
            case cst.Expr(value=cst.Call() as call) if is_base_init(call):
                start = len(made.printed)
                made.calls_base = True
                construct(_find_rest(chain, place, call), _hand_on(call, frame, scope, entered), made, depth + 1)
                made.printed[start:] = [((*conditions, *held), given) for held, given in made.printed[start:]]
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
                _keep(target, value, _Setting(frame, scope, conditions, function.context), made)
            case cst.AnnAssign(target=target, value=cst.BaseExpression() as value):
                _keep(target, value, _Setting(frame, scope, conditions, function.context), made)
            case _:
                pass
    if len(made.printed) == before:
        made.printed.append(((), tuple(a for a in arguments if a.keyword is None)))


def _follow(values: Mapping[Path, Given], arrival: Arrival, scope: Scope) -> dict[Path, Given]:
    """Give what parameters stand for at a step; one that holds something else by now, and nothing says what, is out."""
    now = dict(values)
    for path in values:
        if len(path) != 1 or not is_disturbed(Read(path, IDENTITY), arrival.trail):
            continue
        found = scope(cst.Name(path[0]))
        node = _decide(found.node, Frame(values)) if found is not None else None
        if found is None or node is None:
            del now[path]
        else:
            now[path] = _give(node, Frame(values), found.scope)
    return now


def _decide(node: cst.BaseExpression, frame: Frame) -> cst.BaseExpression | None:
    """Choose the side of a conditional expression that the arguments decide for; `None` where they don't."""
    if not isinstance(node, cst.IfExp):
        return node
    held = frame.decide((read_formula(node.test),))
    return node.orelse if held is None else node.body if held == () else None


def _find_rest(chain: Sequence[Link], place: int, call: cst.Call) -> Sequence[Link]:
    """Find the classes that a call of a base's constructor goes through; one may be left out by name."""
    path = find_path(call.func)
    named = path[-2] if path is not None and len(path) > 1 else None
    index = next((i for i, link in enumerate(chain) if i > place and link.qualified.rpartition(".")[2] == named), None)
    if index is None:
        return chain[place + 1 :] if is_super(call) else ()
    return chain[index:]


@dataclass(frozen=True, slots=True)
class _Setting:
    """Where in a constructor a statement stands, and what holds there."""

    frame: Frame
    scope: Scope
    conditions: tuple[Formula, ...]
    context: Context


def _keep(target: cst.BaseExpression, value: cst.BaseExpression, setting: _Setting, made: Made) -> None:
    """Keep an attribute that is set, or the arguments; where that depends, also what it is otherwise."""
    path = find_path(target)
    if path is None or len(path) != 2 or path[0] != "self":
        return
    given = _give(value, setting.frame, setting.scope)
    if path[1] == "args" and isinstance(value, cst.Tuple):
        kept = tuple(Argument(_give(element.value, setting.frame, setting.scope)) for element in value.elements)
        made.printed.append((setting.conditions, kept))
    elif setting.conditions:
        before = made.attributes.get(path[1])
        constant = find_constant(setting.context, path) if before is None else None
        others = before.drafts if before is not None else ()
        if constant is not None:
            others = read_drafts(constant.node, constant.scope)
        drafts = _require(given.drafts, setting.conditions)
        drafts += _require(others, (negate(join(setting.conditions)),))
        made.attributes[path[1]] = Given(target, drafts[:MAX_DRAFTS])
    else:
        made.attributes[path[1]] = given


def _require(drafts: tuple[Draft, ...], conditions: tuple[Formula, ...]) -> tuple[Draft, ...]:
    return tuple(replace(d, conditions=tuple(dict.fromkeys((*conditions, *d.conditions)))) for d in drafts)


def hide(scope: Scope, made: Made) -> Scope:
    """Leave the attributes that were set to what was found: a class's constants of that name are covered."""

    def look(node: cst.BaseExpression) -> Found | None:
        path = find_path(node)
        if path is not None and len(path) == 2 and path[0] == "self" and path[1] in made.attributes:
            return None
        return scope(node)

    return look


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


def name_attributes(made: Made) -> dict[Path, Given]:
    """Give what `self`'s attributes stand for, by path."""
    return {("self", name): given for name, given in made.attributes.items()}


def conditions_of(arrival: Arrival) -> tuple[Formula, ...]:
    """Give what holds at a step of a function, as far as expressions say it."""
    return tuple(e.formula for e in arrival.trail if isinstance(e, Fact) and not has_words(e.formula))
