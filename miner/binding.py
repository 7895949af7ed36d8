"""A call and the parameters of what it calls → which parameter takes which argument."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst


@dataclass(frozen=True, slots=True)
class Bound:
    """What each parameter holds while the call runs; one that can't be told is missing."""

    given: Mapping[str, cst.BaseExpression]
    """In the caller's words."""
    defaults: Mapping[str, cst.BaseExpression]
    """In the callee's words: parameters that the call leaves out."""
    rest: tuple[cst.Arg, ...] = ()
    """What a `*args` takes."""
    more: tuple[cst.Arg, ...] = ()
    """What a `**kwargs` takes."""
    star: str | None = None
    star_kwarg: str | None = None
    names: frozenset[str] = field(default=frozenset())
    """All parameters."""


def bind_arguments(parameters: cst.Parameters, arguments: Sequence[cst.Arg], *, skip_first: bool) -> Bound:
    """Bind a call's arguments; `skip_first` leaves out `self` or `cls`."""
    positional = [*parameters.posonly_params, *parameters.params]
    named = {p.name.value for p in (*positional, *parameters.kwonly_params)}
    defaults = {p.name.value: p.default for p in (*positional, *parameters.kwonly_params) if p.default is not None}
    slots = [p.name.value for p in positional][1 if skip_first else 0 :]
    given: dict[str, cst.BaseExpression] = {}
    rest: list[cst.Arg] = []
    more: list[cst.Arg] = []
    is_clear = True
    for argument in arguments:
        if argument.star:
            is_clear = False
        elif argument.keyword is not None:
            name = argument.keyword.value
            if name in named:
                given[name] = argument.value
            else:
                more.append(argument)
        elif is_clear and slots:
            given[slots.pop(0)] = argument.value
        elif is_clear:
            rest.append(argument)
    left = {name: value for name, value in defaults.items() if name not in given} if is_clear else {}
    star = parameters.star_arg.name.value if isinstance(parameters.star_arg, cst.Param) else None
    kwarg = parameters.star_kwarg.name.value if parameters.star_kwarg is not None else None
    everything = named | {name for name in (star, kwarg) if name}
    return Bound(given, left, tuple(rest), tuple(more), star, kwarg, frozenset(everything))


def spread(arguments: Sequence[cst.Arg], bound: Bound) -> tuple[cst.Arg, ...]:
    """Put what `*args` and `**kwargs` hold in the place of a call's own `*args` and `**kwargs`."""
    spread_out: list[cst.Arg] = []
    for argument in arguments:
        name = argument.value.value if argument.star and isinstance(argument.value, cst.Name) else None
        if argument.star == "*" and name == bound.star and name is not None:
            spread_out.extend(bound.rest)
        elif argument.star == "**" and name == bound.star_kwarg and name is not None:
            spread_out.extend(bound.more)
        else:
            spread_out.append(argument)
    return tuple(spread_out)
