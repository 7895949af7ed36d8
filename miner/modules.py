"""The modules of the target: their text and units, found when a question leads into them."""

import re
from collections.abc import Mapping

from miner.asking import listen_to
from miner.decoding import UndecodableError, decode_source
from miner.ledger import Ledger
from miner.lexing import LexError
from miner.locate import Unit, locate_units
from miner.lookup import Context, parse_value
from miner.names import World
from miner.overlays import find_keyed
from miner.tables import find_fillers, find_foreign_fills, is_used, list_literal

_MAX_CHOICE = 2
_WORD = re.compile(r"[A-Za-z_]\w*")
_KEEP_NOTHING = ("Enum", "Flag", "Exception", "Error", "NamedTuple")
"""An enumeration's members stand fixed, and what an exception was made of is only read."""


class Modules:
    """Text and units by module, each located once."""

    def __init__(self, world: World, sources: Mapping[str, bytes]) -> None:
        self.ledger = Ledger()
        self.world = listen_to(world, self.ledger)
        self._plain = world
        self._tops = frozenset(module.partition(".")[0] for module in world.modules)
        self._sources = sources
        self._units: dict[str, tuple[str, list[Unit], dict[str, Unit]] | None] = {}
        self._methods: dict[str, list[str]] | None = None
        self._names: dict[str, frozenset[str] | None] = {}
        self._keyed: dict[str, frozenset[str]] = {}
        self._tables: dict[str, tuple[str, ...] | None] = {}

    def is_own(self, package: str) -> bool:
        """Tell whether a package is one of the target's own."""
        self.ledger.note("own", package)
        return package in self._tops

    def has_function(self, qualified: str) -> bool:
        """Tell whether the target defines a function of this name."""
        self.ledger.note("function", qualified)
        return self._find_unit(qualified) is not None

    def find_unit(self, qualified: str) -> tuple[str, Unit, str] | None:
        """Find a function of the target: its file's text, its unit and its module."""
        self.ledger.note("body", qualified)
        return self._find_unit(qualified)

    def _find_unit(self, qualified: str) -> tuple[str, Unit, str] | None:
        found = self._plain.split(qualified)
        if found is None or not found[1]:
            return None
        module = found[0].module
        units = self.find_units(module)
        if units is None or found[1] not in units[2]:
            return None
        return units[0], units[2][found[1]], module

    def find_units(self, module: str) -> tuple[str, list[Unit], dict[str, Unit]] | None:
        """Find a module's text, its units, and its functions by qualified name inside it."""
        if module not in self._units:
            self._units[module] = self._locate(module)
        return self._units[module]

    def _locate(self, module: str) -> tuple[str, list[Unit], dict[str, Unit]] | None:
        if module not in self._sources:
            return None
        try:
            text = decode_source(self._sources[module])
            units = locate_units(text)
        except (UndecodableError, LexError):
            return None
        return text, units, {unit.qualname: unit for unit in units if unit.kind == "function"}

    def list_methods(self, name: str) -> tuple[str, ...]:
        """List the methods of a name, whatever class of the target has them; none where there are too many to tell."""
        self.ledger.note("methods", name)
        if self._methods is None:
            self._methods = {}
            for facts in self._plain.modules.values():
                for owner, class_ in facts.classes.items():
                    for method in class_.methods:
                        self._methods.setdefault(method, []).append(f"{facts.module}.{owner}.{method}")
        found = self._methods.get(name, ())
        return tuple(sorted(found)) if len(found) <= _MAX_CHOICE else ()

    def find_names(self, qualified: str) -> frozenset[str] | None:
        """Find the words in the code of a class and those it derives from; `None` where instances keep no argument."""
        self.ledger.note("names", qualified)
        if qualified not in self._names:
            self._names[qualified] = self._read_names(qualified)
        return self._names[qualified]

    def _read_names(self, qualified: str) -> frozenset[str] | None:
        names: set[str] = set()
        for facts, class_ in self._plain.list_ancestry(qualified):
            if any(base.rpartition(".")[2].endswith(_KEEP_NOTHING) for base in class_.bases):
                return None
            name = next((name for name, other in facts.classes.items() if other is class_), None)
            units = self.find_units(facts.module)
            if units is None or name is None:
                return None
            for unit in units[2].values():
                if unit.qualname.startswith(f"{name}."):
                    names.update(_WORD.findall(units[0][unit.rows[0].start : unit.rows[-1].end]) if unit.rows else ())
        return frozenset(names)

    def find_keyed(self, qualified: str) -> frozenset[str]:
        """Find the attributes in which a class, asked for one of its own, looks for the asked name alone."""
        self.ledger.note("keyed", qualified)
        if qualified not in self._keyed:
            self._keyed[qualified] = self._read_keyed(qualified)
        return self._keyed[qualified]

    def _read_keyed(self, qualified: str) -> frozenset[str]:
        found = self._find_unit(f"{qualified}.__getattr__")
        if found is None:
            return frozenset()
        text, unit, module = found
        units = (self.find_units(module) or ("", [], {}))[2].values()
        others = {
            word
            for other in units
            if other is not unit and other.parent is unit.parent and other.rows
            for word in _WORD.findall(text[other.rows[0].start : other.rows[-1].end])
        }
        is_alone = len(list(self._plain.list_ancestry(qualified))) == 1
        return find_keyed(text, unit) - others if is_alone else frozenset()

    def list_table(self, module: str, name: str) -> tuple[str, ...] | None:
        """List the functions that a table of a module may hold; `None` where that can't be told."""
        self.ledger.note("table", module, name)
        key = f"{module}.{name}"
        if key not in self._tables:
            self._tables[key] = self._read_table(module, name)
        return self._tables[key]

    def _read_table(self, module: str, name: str) -> tuple[str, ...] | None:
        found = self.find_units(module)
        if found is None:
            return None
        text, units, _ = found
        begin = re.compile(rf"{name}\b[^=\n]*=(?!=)\s*")
        bound = [text[m.end() : row.end] for row in units[0].rows if (m := begin.match(text, row.start, row.end))]
        value = parse_value(bound[0]) if len(bound) == 1 else None
        paths = list_literal(value) if value is not None else None
        fillers = {*find_fillers(text, units, name)}
        if paths is None or any(filler is None or is_used(filler, self._sources) for filler in fillers):
            return None
        if find_foreign_fills(name, module, self._sources):
            return None
        context = Context(self._plain, self._plain.modules[module], {}, frozenset(), None)
        functions = [context.resolve(".".join(path)) for path in paths]
        return None if None in functions else tuple(dict.fromkeys(each for each in functions if each is not None))
