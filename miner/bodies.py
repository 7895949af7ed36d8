"""What a function of the target may do to what it is given, read from its body when the question comes up.

`view = resolved_view(args)` says nothing about `args` by itself; the body of `resolved_view` does. Bodies are parsed
once a process. The answer for one function never depends on which others were asked about before.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from miner.decoding import UndecodableError, decode_source
from miner.effects import Effect, Mutate, Path, Rebind, find_path, put_at
from miner.facts import read_imports
from miner.lexing import LexError
from miner.locate import Unit, locate_units
from miner.lookup import Context
from miner.names import World
from miner.slices import cut_slice
from miner.steps import StepReader
from miner.trail import Definition
from miner.visitor import UnreadableError, read_flow

_MAX_DEPTH = 6
_MAX_EFFECTS = 40
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_LOOKED_UP = re.compile(r"(\w+)\s*=\s*getattr\(\w+, [\"'](_\w+)[\"'], None\)")
_MISSING = re.compile(r"if (self\.(_\w+)) is None:")
_MUTATORS = frozenset(
    "shuffle heappush heappop heapify heapreplace heappushpop insort insort_left insort_right".split()
)


@dataclass(frozen=True, slots=True)
class Body:
    """What a function does to its parameters, its calls not followed yet."""

    parameters: tuple[str, ...]
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Passing:
    """A value passed to a function of the target: the question what becomes of it."""

    function: str
    """Qualified name."""
    slot: int | str
    """Index or keyword of the argument; `.` for the receiver."""
    is_bound: bool
    """The receiver is the function's first parameter."""
    bodies: "Bodies"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Passing) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int | str, bool]:
        return self.function, self.slot, self.is_bound

    def list_effects(self) -> tuple[Effect, ...] | None:
        """List what the function may do to the value at `$`; `None` when that can't be told."""
        return self.bodies.list_effects(self)


@dataclass(frozen=True, slots=True)
class Harmless:
    """A function of another project: taken not to change what it is given, save for a few known ones."""

    def list_effects(self) -> tuple[Effect, ...]:
        """List nothing."""
        return ()


class Bodies:
    """The functions of the target, by qualified name."""

    def __init__(self, world: World, sources: Mapping[str, bytes]) -> None:
        self.world = world
        self._sources = sources
        self._units: dict[str, tuple[str, dict[str, Unit]] | None] = {}
        self._bodies: dict[str, Body | None] = {}
        self._answers: dict[Passing, tuple[Effect, ...] | None] = {}

    def list_effects(self, passing: Passing) -> tuple[Effect, ...] | None:
        """List what a function may do to a value it is given, through all the functions it passes it on to."""
        if passing not in self._answers:
            found = self._follow(passing, ())
            self._answers[passing] = None if found is None else tuple(found)
        return self._answers[passing]

    def _follow(self, passing: Passing, above: tuple[Passing, ...]) -> dict[Effect, None] | None:
        if passing in above:
            return {}
        body = self._read_body(passing.function)
        name = _name_parameter(body, passing) if body is not None and len(above) < _MAX_DEPTH else None
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
                found[Rebind(path)] = None
                continue
            inner = self._refine(effect, (*above, passing))
            if inner is None:
                found[Mutate(path, effect.deep)] = None
            else:
                found.update(dict.fromkeys(put_at(each, path) for each in inner))
            if len(found) > _MAX_EFFECTS:
                return None
        return found

    def _refine(self, effect: Mutate, above: tuple[Passing, ...]) -> dict[Effect, None] | None:
        if isinstance(effect.refined, Passing):
            return self._follow(effect.refined, above)
        return {} if isinstance(effect.refined, Harmless) else None

    def has_function(self, qualified: str) -> bool:
        """Tell whether the target defines a function of this name."""
        return self.find_unit(qualified) is not None

    def find_unit(self, qualified: str) -> tuple[str, Unit, str] | None:
        """Find a function of the target: its file's text, its unit and its module."""
        found = self.world.split(qualified)
        if found is None or not found[1]:
            return None
        module = found[0].module
        if module not in self._units:
            self._units[module] = self._locate(module)
        units = self._units[module]
        if units is None or found[1] not in units[1]:
            return None
        return units[0], units[1][found[1]], module

    def _locate(self, module: str) -> tuple[str, dict[str, Unit]] | None:
        if module not in self._sources:
            return None
        try:
            text = decode_source(self._sources[module])
            units = locate_units(text)
        except (UndecodableError, LexError):
            return None
        return text, {unit.qualname: unit for unit in units if unit.kind == "function"}

    def _read_body(self, function: str) -> Body | None:
        if function not in self._bodies:
            self._bodies[function] = self._parse_body(function)
        return self._bodies[function]

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
        reader = StepReader(Calls(self, Context(self.world, facts, imports, frozenset(flow.parameters), owner)))
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
            if isinstance(effect, Rebind) and effect.path[0] not in flow.parameters:
                effect = Rebind(("?", effect.path[-1]))
            effects.append(effect)
        return Body(flow.parameters, tuple(dict.fromkeys(effects)))


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


def _name_parameter(body: Body, passing: Passing) -> str | None:
    if passing.slot == ".":
        return body.parameters[0] if passing.is_bound and body.parameters else None
    if isinstance(passing.slot, str):
        # A keyword that no parameter has goes into the last one, `**fields`.
        return passing.slot if passing.slot in body.parameters else next(reversed(body.parameters), None)
    index = passing.slot + (passing.is_bound or body.parameters[:1] == ("cls",))
    return body.parameters[index] if index < len(body.parameters) else None


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one unit, as its module understands the names in them."""

    bodies: Bodies
    context: Context

    def refine(self, call: cst.Call, slot: int | str) -> Passing | Harmless | None:
        """Find the function that a call reaches."""
        path = find_path(call.func)
        if path is None or "[]" in path:
            return None
        if path[0] in ("self", "cls"):
            method = self.find_method(path[1]) if len(path) == 2 and self.context.owner else None
            return Passing(method, slot, True, self.bodies) if method else None
        qualified = self.context.resolve(".".join(path))
        if qualified is None:
            return None
        if self.bodies.has_function(qualified):
            return Passing(qualified, slot, False, self.bodies)
        if slot == "." or self.context.world.split(qualified) is not None or path[-1] in _MUTATORS:
            return None
        top = qualified.partition(".")[0]
        is_own = any(module.partition(".")[0] == top for module in self.context.world.modules)
        return None if is_own else Harmless()

    def find_method(self, name: str) -> str | None:
        """Find a method of the unit's class or of those it derives from."""
        world, queue, seen = self.context.world, [self.context.owner], set[str]()
        while queue:
            owner = queue.pop(0)
            found = world.find_class(owner) if owner and owner not in seen else None
            if owner is None or found is None:
                continue
            seen.add(owner)
            facts, class_ = found
            if name in class_.methods:
                return f"{owner}.{name}"
            queue += [world.resolve(base, facts, {}) for base in class_.bases]
        return None
