"""The modules a scan has read, by name, each outlined when it is asked for, and what a name means in one of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import libcst as cst

from miner.decoding import UndecodableError, decode_source
from miner.effects import find_path
from miner.facts import ModuleFacts
from miner.locate import Unit
from miner.names import World
from miner.options.outline import Outline

_MAX_HOPS = 8


def _open(facts: ModuleFacts, data: bytes) -> Outline | None:
    try:
        return Outline(facts, decode_source(data))
    except UndecodableError:
        return None


@dataclass(frozen=True, slots=True)
class Place:
    """A definition of the target, in the module that has it."""

    outline: Outline
    unit: Unit

    @property
    def qualified(self) -> str:
        """The dotted name with the module's."""
        return f"{self.outline.facts.module}.{self.unit.qualname}"

    @property
    def owner(self) -> "Place | None":
        """The class whose body this stands in, through functions."""
        around = self.unit.parent
        while around is not None and around.kind == "function":
            around = around.parent
        return Place(self.outline, around) if around is not None and around.kind == "class" else None

    def cite(self, line: int) -> str:
        """Name a line of this module."""
        return f"{self.outline.facts.path}:{line}"


@dataclass(frozen=True)
class Atlas:
    """All that is known of the target's source."""

    world: World
    sources: Mapping[str, bytes]
    """By module."""
    _opened: dict[str, Outline | None] = field(default_factory=dict)
    _classes: dict[str, Place | None] = field(default_factory=dict)

    def open(self, module: str) -> Outline | None:
        """Give the outline of a module, if its text is at hand."""
        if module not in self._opened:
            facts, data = self.world.modules.get(module), self.sources.get(module)
            self._opened[module] = _open(facts, data) if facts is not None and data is not None else None
        return self._opened[module]

    def find(self, qualified: str) -> Place | None:
        """Find a class or function of the target by its qualified name."""
        if qualified not in self._classes:
            self._classes[qualified] = self._find(qualified)
        return self._classes[qualified]

    def _find(self, qualified: str) -> Place | None:
        found = self.world.split(self.world.settle(qualified))
        if found is None or not found[1]:
            return None
        outline = self.open(found[0].module)
        unit = outline.units.get(found[1]) if outline is not None else None
        return Place(outline, unit) if outline is not None and unit is not None else None

    def resolve(self, dotted: str, outline: Outline, unit: Unit | None = None) -> str | None:
        """Give the qualified name of a dotted one as a unit sees it."""
        head = dotted.partition(".")[0]
        local = outline.read_imports(unit)
        if head not in local and (head in outline.units or head in outline.globals):
            return f"{outline.facts.module}.{dotted}"
        return self.world.resolve(dotted, outline.facts, local)

    def resolve_class(
        self, node: cst.BaseExpression | None, outline: Outline, unit: Unit | None = None
    ) -> Place | None:
        """Find the class of the target that a name or dotted name stands for."""
        path = find_path(node) if node is not None else None
        if path is None or "[]" in path:
            return None
        qualified = self.resolve(".".join(path), outline, unit)
        place = self.find(qualified) if qualified is not None else None
        return place if place is not None and place.unit.kind == "class" else None

    def find_global(self, qualified: str) -> tuple[Outline, str] | None:
        """Find a module-level assignment by its qualified name: the module and the name in it."""
        for _ in range(_MAX_HOPS):
            found = self.world.split(self.world.settle(qualified))
            outline = self.open(found[0].module) if found is not None else None
            if found is None or outline is None:
                return None
            if found[1] in outline.globals:
                return outline, found[1]
            source = outline.facts.imports.get(found[1])
            if source is None or source == qualified:
                return None
            qualified = source
        return None

    def list_ancestry(self, place: Place) -> Iterator[Place]:
        """List a class and those of the target that it derives from, nearest first."""
        for facts, class_ in self.world.list_ancestry(place.qualified):
            outline = self.open(facts.module)
            if outline is None:
                continue
            name = next((name for name, each in facts.classes.items() if each is class_), None)
            unit = outline.units.get(name) if name is not None else None
            if unit is not None:
                yield Place(outline, unit)

    def find_member(self, place: Place, name: str) -> Place | None:
        """Find the method of a class, its own or inherited."""
        for home in self.list_ancestry(place):
            unit = home.outline.units.get(f"{home.unit.qualname}.{name}")
            if unit is not None and unit.parent is home.unit:
                return Place(home.outline, unit)
        return None

    def is_below(self, place: Place, other: Place) -> bool:
        """Tell whether a class is another one or derives from it."""
        return any(each.qualified == other.qualified for each in self.list_ancestry(place))
