"""What a function of the target may do to what it is given, read from its body when the question comes up.

`view = resolved_view(args)` says nothing about `args` by itself; the body of `resolved_view` does. Bodies are parsed
once a process. The answer for one function never depends on which others were asked about before.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import libcst as cst

from miner.callees import Calls
from miner.docstrings import read_decorators
from miner.effects import Effect, Mutate, Path, Rebind, put_at
from miner.facts import read_imports
from miner.flow import Flow
from miner.glance import only_looks
from miner.holding import View, trace_returns
from miner.ledger import Remembered
from miner.locate import Unit
from miner.lookup import Context
from miner.modules import Modules
from miner.names import World
from miner.overlays import find_additions, find_beginnings
from miner.passing import Adding, Choice, Harmless, Passing, Recalls
from miner.slices import cut_slice
from miner.steps import StepReader
from miner.trail import Definition
from miner.visitor import UnreadableError, read_flow, read_parameters

_MAX_DEPTH = 5
_MAX_EFFECTS = 40
_FIELDS = re.compile(r"\*\*\s*(\w+)")
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_LOOKED_UP = re.compile(r"(\w+)\s*=\s*getattr\(\w+, [\"'](_\w+)[\"'], None\)")
_MISSING = re.compile(r"if (self\.(_\w+)) is None:")


@dataclass(frozen=True, slots=True)
class Body:
    """What a function does to its parameters, its calls not followed yet."""

    parameters: tuple[str, ...]
    effects: tuple[Effect, ...]
    is_method: bool
    is_static: bool
    flow: Flow
    calls: Calls

    def name_parameter(self, passing: Passing) -> str | None:
        """Name the parameter that takes a value."""
        return _name_parameter(self.parameters, passing, self.is_method, self.is_static)


class Bodies(Modules):
    """The functions of the target, by qualified name."""

    def __init__(self, world: World, sources: Mapping[str, bytes]) -> None:
        super().__init__(world, sources)
        self._bodies: dict[str, Remembered[Body | None]] = {}
        self._parameters: dict[str, tuple[str, ...]] = {}
        self._answers: dict[Passing, Remembered[tuple[Effect, ...] | None]] = {}
        self._views: dict[Passing, Remembered[tuple[View, ...]]] = {}
        self._following: set[Passing] = set()
        self.recall: Recalls | None = None
        """What earlier scans have found of functions."""

    def list_effects(self, passing: Passing) -> tuple[Effect, ...] | None:
        """List what a function may do to a value it is given, through all the functions it passes it on to."""
        return self.ledger.remember(self._answers, passing, lambda: self._list_effects(passing))

    def _list_effects(self, passing: Passing) -> tuple[Effect, ...] | None:
        known = self.recall.find(passing) if self.recall is not None and not self._only_looks(passing) else None
        if known is not None:
            self.ledger.note_all(known.asked)
            return known.effects
        with self.ledger.listen() as asked:
            found = self._follow(passing, ())
        self.ledger.note_all(asked)
        effects = None if found is None else tuple(found)
        if self.recall is not None and not self._only_looks(passing):
            self.recall.keep(passing, effects, asked)
        return effects

    def _follow(self, passing: Passing, above: tuple[Passing, ...]) -> dict[Effect, None] | None:
        if passing in above or self._only_looks(passing):
            return {}
        body = self._read_body(passing.function)
        name = body.name_parameter(passing) if body is not None and len(above) < _MAX_DEPTH else None
        if body is None or name is None:
            return None
        found: dict[Effect, None] = {}
        for effect in body.effects:
            if effect.path[0] == "?":
                found[effect] = None
            if effect.path[0] != name:
                continue
            path: Path = ("$", *effect.path[1:])
            if isinstance(effect, Rebind):
                found[replace(effect, path=path)] = None
                continue
            if isinstance(effect.refined, Adding):
                known = set(body.parameters)
                added = [key for key in passing.keywords if key not in known] if passing.keywords is not None else None
                found[Mutate(path, effect.deep, keys=None if added is None else tuple(added))] = None
                continue
            inner = self._refine(effect, (*above, passing))
            if inner is None:
                found[Mutate(path, effect.deep)] = None
            else:
                found.update(dict.fromkeys(put_at(each, path) for each in inner))
            if len(found) > _MAX_EFFECTS:
                return None
        return found

    def _only_looks(self, passing: Passing) -> bool:
        """Tell whether a function plainly does nothing to a value; a look at its text costs less than parsing it."""
        if (found := self.find_unit(passing.function)) is None:
            return False
        text, unit, _ = found
        if passing.function not in self._parameters:
            self._parameters[passing.function] = read_parameters(text, unit)
        name = _name_parameter(self._parameters[passing.function], passing, _is_method(unit), _is_static(text, unit))
        return name is not None and only_looks(text, unit, name)

    def _refine(self, effect: Mutate, above: tuple[Passing, ...]) -> dict[Effect, None] | None:
        match effect.refined:
            case Passing():
                return self._follow(effect.refined, above)
            case Choice(passings):
                each = [self._follow(passing, above) for passing in passings]
                return None if None in each else {found: None for one in each if one for found in one}
            case Harmless():
                return {}
            case _:
                return None

    def list_views(self, passing: Passing) -> tuple[View, ...]:
        """List how what a function returns may show a value; a function that can't be read shows nothing."""
        if passing in self._following:
            return ()  # a function that calls itself shows what its other ways out show
        return self.ledger.remember(self._views, passing, lambda: self._list_views(passing))

    def _list_views(self, passing: Passing) -> tuple[View, ...]:
        body = self._read_body(passing.function)
        name = body.name_parameter(passing) if body is not None else None
        if body is None or name is None:
            return ()
        self._following.add(passing)
        try:
            return tuple(dict.fromkeys(trace_returns(body.flow, name, body.calls)))
        finally:
            self._following.discard(passing)

    def _read_body(self, function: str) -> Body | None:
        return self.ledger.remember(self._bodies, function, lambda: self._parse_body(function))

    def _parse_body(self, function: str) -> Body | None:
        found = self.find_unit(function)
        if found is None:
            return None
        text, unit, module = found
        try:
            flow = read_flow(cut_slice(text, unit, whole=True), unit.marks, unit.kind)
        except UnreadableError:
            return None
        facts = self.world.modules[module]
        imports = read_imports(text, unit.rows, module, facts.is_package)[0]
        owner = f"{module}.{unit.parent.qualname}" if unit.parent is not None and unit.parent.kind == "class" else None
        context = Context(self.world, facts, imports, frozenset(flow.parameters), owner)
        fields = _FIELDS.search(text, header.start, header.end) if (header := unit.header) is not None else None
        additions = find_additions(flow.body, fields[1]) if fields is not None else frozenset[cst.CSTNode]()
        calls = Calls(self, context, flow.body, additions)
        beginnings = find_beginnings(flow.body) if fields is not None else frozenset[Path]()
        reader = StepReader(calls)
        changes = reader.list_changes(flow.body, with_returns=True)
        aliases = _find_aliases(reader, flow.parameters)
        kept = _find_kept_results(text, unit)
        effects: list[Effect] = []
        for change in changes:
            effect = change.effect
            alias = aliases.get(effect.path[0])
            if alias is not None and len(effect.path) + isinstance(effect, Mutate) > 1:
                path = (*alias, *effect.path[1:])
                effect = Rebind(path) if isinstance(effect, Rebind) else Mutate(path, effect.deep, effect.refined)
            if isinstance(effect, Rebind) and (len(effect.path) == 1 or _is_kept(effect.path[-1], kept)):
                continue
            if isinstance(effect, Rebind) and effect.path in beginnings:
                effect = replace(effect, keys=())
            if isinstance(effect, Rebind) and effect.path[0] not in flow.parameters:
                effect = Rebind(("?", effect.path[-1]))
            effects.append(effect)
        return Body(
            flow.parameters, tuple(dict.fromkeys(effects)), _is_method(unit), _is_static(text, unit), flow, calls
        )


def _find_aliases(reader: StepReader, parameters: tuple[str, ...]) -> dict[str, Path]:
    """Find the names that stand for a parameter or a part of one: `stash = args.overrides`."""
    return {
        event.path[0]: path
        for event in reader.list_read()
        if isinstance(event, Definition) and len(event.path) == 1
        if (path := _read_alias(event.value)) and path[0] in parameters and event.path[0] not in parameters
    }


def _find_kept_results(text: str, unit: Unit) -> frozenset[str]:
    """Find the private attributes in which a function keeps its own result: it returns what it finds there."""
    rows = [text[row.start : row.end] for row in unit.rows]
    looked_up = [(found[1], found[2]) for row in rows if (found := _LOOKED_UP.match(row))]
    looked_up += [(found[1], found[2]) for row in rows if (found := _MISSING.match(row))]
    returned = {row.removeprefix("return").strip() for row in rows if row.startswith("return")}
    return frozenset(attribute for variable, attribute in looked_up if variable in returned)


def _is_kept(attribute: str, kept: frozenset[str]) -> bool:
    """Tell whether an attribute holds a kept result, or what goes with it: `_config` and `_config_key`."""
    return any(attribute == name or attribute.startswith(f"{name}_") for name in kept)


def _read_alias(value: str) -> Path | None:
    if _PATH.fullmatch(value):
        return tuple(value.split("."))
    found = re.match(r"getattr\((\w+), [\"'](\w+)[\"']", value)
    return (found[1], found[2]) if found else None


def _is_method(unit: Unit) -> bool:
    return unit.parent is not None and unit.parent.kind == "class"


def _is_static(text: str, unit: Unit) -> bool:
    return _is_method(unit) and "staticmethod" in read_decorators(text, unit)


def _name_parameter(parameters: tuple[str, ...], passing: Passing, is_method: bool, is_static: bool) -> str | None:
    is_bound = passing.is_bound and not is_static
    if passing.slot == ".":
        return parameters[0] if is_bound and parameters else None
    if isinstance(passing.slot, str):
        # A keyword that no parameter has goes into the last one, `**fields`.
        return passing.slot if passing.slot in parameters else next(reversed(parameters), None)
    index = passing.slot + (is_bound or (is_method and parameters[:1] == ("cls",)))
    return parameters[index] if index < len(parameters) else None
