"""A call → the functions of the target that it may reach, as the module understands the names in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import libcst as cst

from miner.effects import PURE_FUNCTIONS, find_path
from miner.flow import Block
from miner.lookup import Context
from miner.overlays import name_keywords
from miner.passing import Adding, Answers, Choice, Harmless, Making, Passing
from miner.tables import find_choices

_MUTATORS = frozenset(
    "shuffle heappush heappop heapify heapreplace heappushpop insort insort_left insort_right".split()
)
_CONTAINERS = frozenset(name for kind in (list, dict, set, str, bytes) for name in dir(kind))
"""A method of one of these names is as likely a container's as one of the target's."""


class Targets(Answers, Protocol):
    """Knows which functions there are, too."""

    def is_own(self, package: str) -> bool:
        """Tell whether a package is one of the target's own."""

    def has_function(self, qualified: str) -> bool:
        """Tell whether the target defines a function of this name."""

    def list_methods(self, name: str) -> tuple[str, ...]:
        """List the methods of a name."""

    def list_table(self, module: str, name: str) -> tuple[str, ...] | None:
        """List the functions that a table of a module may hold; `None` where that can't be told."""


@dataclass(frozen=True)
class Calls:
    """The calls of one unit, as its module understands the names in them."""

    bodies: Targets
    context: Context
    block: Block = ()
    """The unit's statements, which say what its local names stand for."""
    additions: frozenset[cst.CSTNode] = frozenset()
    """Calls that add what the unit is given by keyword, and nothing else."""

    @cached_property
    def _choices(self) -> Mapping[str, str]:
        return find_choices(self.block)

    def refine(self, call: cst.Call, slot: int | str) -> Passing | Choice | Adding | Harmless | None:
        """Find the function that a call reaches."""
        if slot == "." and call in self.additions:
            return Adding()
        path = find_path(call.func)
        if path is None or "[]" in path:
            return self._choose(call, slot)
        if path[0] in ("self", "cls") and len(path) == 2:
            method = self.find_method(path[1]) if self.context.owner else None
            return Passing(method, slot, True, self.bodies, name_keywords(call)) if method else None
        qualified = self.context.resolve(".".join(path))
        if qualified is None:
            return self._choose(call, slot)
        if self.bodies.has_function(qualified):
            return Passing(qualified, slot, False, self.bodies, name_keywords(call))
        if slot == "." or self.context.world.knows(qualified) or path[-1] in _MUTATORS:
            return self._choose(call, slot) if slot == "." else None
        return None if self.bodies.is_own(qualified.partition(".")[0]) else Harmless()

    def _choose(self, call: cst.Call, slot: int | str) -> Choice | None:
        """Find the functions that a call may reach: those of a table, or the methods of a name."""
        match call.func:
            case cst.Name(value=name) if slot != "." and (table := self._choices.get(name)) is not None:
                functions = self._list_table(table)
                return None if functions is None else self._pass(functions, slot, is_bound=False)
            case cst.Attribute(attr=cst.Name(value=name)) if name not in _CONTAINERS:
                methods = self.bodies.list_methods(name)
                return self._pass(methods, slot, is_bound=True) if methods else None
            case _:
                return None

    def _pass(self, functions: Iterable[str], slot: int | str, *, is_bound: bool) -> Choice:
        return Choice(tuple(Passing(function, slot, is_bound, self.bodies) for function in functions))

    def _list_table(self, name: str) -> tuple[str, ...] | None:
        imported = self.context.find_import(name)
        module, _, table = (imported or f"{self.context.facts.module}.{name}").rpartition(".")
        return self.bodies.list_table(module, table)

    def link(self, call: cst.Call, slot: int | str) -> Passing | Choice | Making | None:
        """Find the function or class of the target whose result may hold what it is given."""
        path = find_path(call.func)
        if path is None or "[]" in path or (len(path) == 1 and path[0] in PURE_FUNCTIONS):
            return None
        found = self.refine(call, slot)
        if isinstance(found, Passing | Choice):
            return found
        qualified = self.context.resolve(".".join(path)) if slot != "." else None
        if qualified is None or not self.context.world.has_class(qualified):
            return None
        return Making(qualified, self.bodies)

    def find_method(self, name: str) -> str | None:
        """Find a method of the unit's class or of those it derives from."""
        owner = self.context.owner
        return self.context.world.find_method(owner, name) if owner else None
