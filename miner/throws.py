"""What a statement throws → the exceptions and their texts, followed into the target's classes and factories."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import libcst as cst

from catalog.records import ExceptionType
from miner.binding import Bound, bind_arguments
from miner.callees import Calls
from miner.classes import make_class_text, read_class_attribute
from miner.conditions import Formula
from miner.constructing import conditions_of
from miner.effects import Path, find_path, find_reads
from miner.frames import Frame, Given, give
from miner.functions import Function, Functions
from miner.lists import list_worlds
from miner.lookup import Context, find_constant, make_scope, parse_value
from miner.messages import GROUPS, explain_dynamic, read_thrown
from miner.outcomes import Outcome
from miner.printing import read_holes
from miner.quitting import read_quit
from miner.raising import Caught, Thrown, name_class, read_raise, read_value
from miner.templates import MAX_DRAFTS, Draft, Scope, read_drafts
from miner.walking import Arrival
from miner.wording import write_expression

_MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a site stands, and how to read on from there."""

    context: Context
    calls: Calls
    functions: Functions
    place: str
    """Qualified name of the function the site is in."""
    arguments: Mapping[Path, Given] = field(default_factory=dict)
    """Inside a function that is called: what its parameters stand for."""
    caller: "Reading | None" = None
    steps: Sequence[Arrival] = ()
    """The marked steps of the function that the site is in, where some of them fill a list."""

    def find_function(self, target: cst.BaseExpression) -> Function | None:
        """Find the function of the target that an expression names."""
        name = self.name_function(target)
        return self.functions.find(name) if name is not None else None

    def name_function(self, target: cst.BaseExpression) -> str | None:
        """Give the qualified name of the function of the target that an expression names."""
        path = find_path(target)
        if path is None or "[]" in path:
            return None
        if path[0] in ("self", "cls"):
            return self.calls.find_method(path[1]) if len(path) == 2 and self.context.owner else None
        around = self.place
        while len(path) == 1 and len(around) > len(self.context.facts.module):
            if self.calls.bodies.has_function(f"{around}.{path[0]}"):
                return f"{around}.{path[0]}"
            around = around.rpartition(".")[0]
        qualified = self.context.resolve(".".join(path))
        return qualified if qualified is not None and self.calls.bodies.has_function(qualified) else None


def follow_throws(throws: Iterable[Thrown], reading: Reading, depth: int = 0) -> Iterator[Outcome]:
    """Follow what is thrown to the exceptions it may be."""
    for thrown in throws:
        yield from _follow(thrown, reading, depth)


def _follow(thrown: Thrown, reading: Reading, depth: int) -> Iterator[Outcome]:
    given = _find_given(thrown.target, reading)
    if given is not None and thrown.arguments is None and reading.caller is not None:
        throws = read_value(given.node, lambda _: None)
        for outcome in follow_throws(throws, reading.caller, depth + 1):
            yield replace(outcome, uses_arguments=True)
        return
    dotted = name_class(given.node if given is not None else thrown.target)
    if dotted is None and thrown.arguments is not None and depth < _MAX_DEPTH:
        function = reading.find_function(thrown.target)
        outcomes = tuple(_call(function, thrown.arguments, thrown.scope, reading, depth)) if function else ()
        if outcomes:
            yield from (_add(outcome, thrown) for outcome in outcomes)
            return
    namer = reading.caller if given is not None and reading.caller is not None else reading
    exception = name_exception(given.node if given is not None else thrown.target, namer.context)
    drafts, reason = _read_texts(thrown, exception, namer)
    yield _add(Outcome(exception, drafts, reason, given is not None), thrown)


def _find_given(target: cst.BaseExpression, reading: Reading) -> Given | None:
    path = find_path(target)
    return reading.arguments.get(path) if path is not None else None


def _add(outcome: Outcome, thrown: Thrown) -> Outcome:
    drafts = tuple(replace(d, conditions=(*thrown.conditions, *d.conditions)) for d in outcome.drafts)
    if thrown.is_variable:
        drafts = tuple(
            replace(d, resolution="variable") if d.resolution in ("literal", "constant") else d for d in drafts
        )
    return replace(outcome, drafts=drafts)


def _read_texts(thrown: Thrown, exception: ExceptionType, reading: Reading) -> tuple[tuple[Draft, ...], str | None]:
    world = reading.context.world
    known = exception.qualified if exception.qualified and world.has_class(exception.qualified) else None
    if exception.name in GROUPS:
        return read_thrown(thrown, exception.name)
    if known is not None:
        made = make_class_text(reading.functions, world, known, thrown.arguments or (), thrown.scope)
        if made == ():
            return (), None
        if made is not None:
            shown = any(draft.has_text for draft in made)
            first = thrown.arguments[0].value if thrown.arguments else None
            reason = explain_dynamic(first) if first is not None else "its class computes the text"
            return made, None if shown else reason or "its class computes the text"
        is_foreign = world.find_builtin(known) is None
        if is_foreign and not thrown.arguments and (name := read_class_attribute(world, known)):
            found = find_constant(reading.context, (*known.split("."), name), is_qualified=True)
            if found is not None:
                return tuple(replace(d, resolution="class") for d in read_drafts(found.node, found.scope)), None
    drafts, reason = read_thrown(thrown, world.find_builtin(exception.qualified))
    called = thrown.arguments[0].value if reason is not None and thrown.arguments else None
    texts = _read_call(called, thrown.scope, reading) if isinstance(called, cst.Call) else ()
    return (texts, None) if texts else (drafts, reason)


def _read_call(call: cst.Call, scope: Scope, reading: Reading) -> tuple[Draft, ...]:
    """Read the texts that a function of the target returns; nothing where it returns anything else."""
    function = reading.find_function(call.func)
    if function is None or function.is_async:
        return ()
    inside = enter(function, call.args, scope, reading)
    frame = Frame(inside.arguments)
    texts: list[Draft] = []
    for arrival in function.arrivals:
        node = arrival.step.node
        if not isinstance(node, cst.Return) or node.value is None:
            continue
        inner = make_scope(function.context, arrival.trail, len(arrival.trail))
        conditions = frame.decide(conditions_of(arrival))
        for world in list_worlds(node.value, function.arrivals, arrival, inner) if conditions is not None else ():
            read = Frame({**frame.values, **world.lists}).read(node.value, world.scope, world.conditions)
            texts.extend(replace(d, conditions=_dedupe((*(conditions or ()), *d.conditions))) for d in read)
    if not texts or not all(draft.has_text for draft in texts) or len(texts) > MAX_DRAFTS:
        return ()
    return tuple(replace(draft, resolution="helper") for draft in texts)


def _call(
    function: Function, arguments: Sequence[cst.Arg], scope: Scope, reading: Reading, depth: int
) -> Iterator[Outcome]:
    """Follow a call of a factory to the exceptions it returns."""
    inside = enter(function, arguments, scope, reading)
    for arrival in function.arrivals:
        node = arrival.step.node
        if isinstance(node, cst.Return) and node.value is not None:
            inner = make_scope(function.context, arrival.trail, len(arrival.trail))
            throws = tuple(read_value(node.value, inner))
            if any(name_class(t.target) is None and t.arguments is None for t in throws):
                continue
            yield from leave(follow_throws(throws, inside, depth + 1), inside, arrival, inner)


def follow_helper(
    function: Function, arguments: Sequence[cst.Arg], scope: Scope, reading: Reading, depth: int = 0
) -> Iterator[Outcome]:
    """Follow a call of a function that never returns to the exceptions it raises."""
    inside = enter(function, arguments, scope, reading)
    for arrival in function.arrivals:
        inner = make_scope(function.context, arrival.trail, len(arrival.trail))
        thrown = _follow_step(function, arrival, inner, inside, depth)
        yield from leave((o for o in thrown if not _is_shielded(o, arrival)), inside, arrival, inner)


def _follow_step(function: Function, arrival: Arrival, inner: Scope, inside: Reading, depth: int) -> Iterator[Outcome]:
    """Follow one step of a helper to what it throws."""
    match arrival.step.node:
        case cst.Raise() as node:
            throws = read_raise(node, inner, arrival.caught)
            if not isinstance(throws, Caught):
                yield from follow_throws(throws, inside, depth + 1)
        case cst.Expr(value=cst.Call() as call) if depth < _MAX_DEPTH and _is_last(arrival, function):
            quits = read_quit(call, inner)
            other = inside.find_function(call.func)
            if quits is not None:
                yield Outcome(quits.exception, quits.drafts, explain_dynamic(quits.argument))
            elif other is not None and other is not function:
                yield from follow_helper(other, call.args, inner, inside, depth + 1)
        case _:
            pass


def _is_shielded(outcome: Outcome, arrival: Arrival) -> bool:
    """Tell whether a handler in the same function catches what a step throws."""
    exception = outcome.exception
    return any(name in arrival.shields for name in (exception.name, *exception.bases, "BaseException"))


def _is_last(arrival: Arrival, function: Function) -> bool:
    return arrival is function.arrivals[-1]


def enter(function: Function, arguments: Sequence[cst.Arg], scope: Scope, reading: Reading) -> Reading:
    """Give the parameters of a function what a call gives them."""
    bound = bind_arguments(function.parameters, arguments, skip_first=function.is_bound)
    return Reading(
        function.context,
        Calls(reading.calls.bodies, function.context),
        reading.functions,
        function.qualified,
        dict(_list_values(function, bound, scope)),
        reading,
    )


def _list_values(function: Function, bound: Bound, scope: Scope) -> Iterator[tuple[Path, Given]]:
    module = make_scope(replace(function.context, local=frozenset()), (), 0)
    for name, node in bound.defaults.items():
        yield (name,), give(node, module)
    for name, node in bound.given.items():
        yield (name,), give(node, scope)


def leave(outcomes: Iterable[Outcome], inside: Reading, arrival: Arrival, scope: Scope) -> Iterator[Outcome]:
    """Bring what a function throws into its caller's words; what the arguments rule out falls away."""
    frame = Frame(inside.arguments)
    conditions = frame.decide(conditions_of(arrival))
    if conditions is None:
        return
    for outcome in outcomes:
        drafts = frame.translate(outcome.drafts, scope)
        if outcome.drafts and not drafts:
            continue
        reason = outcome.reason if not any(draft.has_text for draft in drafts) else None
        held = tuple(replace(d, conditions=_dedupe((*conditions, *d.conditions))) for d in drafts)
        marked = tuple(replace(d, resolution="helper") if d.resolution != "class" else d for d in held)
        uses = outcome.uses_arguments or any(_reads_arguments(d, inside) for d in outcome.drafts)
        yield Outcome(outcome.exception, marked, reason, uses)


def _dedupe(conditions: tuple[Formula, ...]) -> tuple[Formula, ...]:
    return tuple(dict.fromkeys(conditions))


def _reads_arguments(draft: Draft, inside: Reading) -> bool:
    nodes = (parse_value(text) for text in read_holes(draft.parts))
    return any(read.path[:1] in inside.arguments for node in nodes if node is not None for read in find_reads(node))


def name_exception(target: cst.BaseExpression, context: Context) -> ExceptionType:
    """Name the class that an expression stands for; its own text where it is none."""
    dotted = name_class(target)
    if dotted is None:
        return ExceptionType(write_expression(target), None, ())
    qualified = context.resolve(dotted)
    name = dotted.rpartition(".")[2]
    if qualified is not None and context.world.has_class(qualified):
        name = qualified.rpartition(".")[2]
    return ExceptionType(name, qualified, context.world.list_bases(qualified))
