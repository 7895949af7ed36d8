"""A place in a function → what a name means there: a definition that surely arrives, what it was on entry, or unknown.

For a site the guard's bindings are proven definitions. Elsewhere only a name that is bound once counts as defined.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import libcst as cst

from catalog.records import Binding
from miner.options.atlas import Place
from miner.options.outline import Assignment, Parameter, read_assignment


@dataclass(frozen=True, slots=True)
class Defined:
    """A name has this value."""

    value: str
    line: int
    annotation: str | None = None


@dataclass(frozen=True, slots=True)
class OnEntry:
    """A name is a parameter, as the caller gave it."""

    parameter: Parameter


@dataclass(frozen=True, slots=True)
class Outside:
    """A name is bound around the function: in another function, or the module."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name may be one of several values."""


Meaning = Defined | OnEntry | Outside | Unknown


@dataclass(frozen=True)
class Frame:
    """Where an expression is evaluated."""

    place: Place
    line: int
    cls: Place | None = None
    """The class of `self`, when it is known better than by the method's own class."""
    bindings: tuple[Binding, ...] = ()
    closed: bool = False
    """Every name that the bindings lack is what it was on entry."""
    arguments: Mapping[str, "tuple[cst.BaseExpression, Frame]"] = field(default_factory=dict)
    """What the parameters are, when one call is meant."""

    @property
    def owner(self) -> Place | None:
        """The class that `self` is of."""
        return self.cls or self.place.owner

    def step_back(self, line: int) -> "Frame":
        """Give the frame as it was when an earlier line ran."""
        earlier = tuple(binding for binding in self.bindings if binding.line < line)
        return replace(self, line=line, bindings=earlier)

    def mean(self, name: str) -> Meaning:
        """Tell what a name, or an attribute as the source writes it, means here."""
        bound = [binding for binding in self.bindings if binding.name == name]
        if bound:
            last = max(bound, key=lambda binding: binding.line)
            return Defined(last.value, last.line)
        parameter = self.find_parameter(name)
        if self.closed and parameter is not None:
            return OnEntry(parameter)
        assigned, count = self._find_assigned(name)
        if count == 0:
            return OnEntry(parameter) if parameter is not None else Outside()
        if count == 1 and assigned is not None and parameter is None and assigned.value is not None:
            return Defined(assigned.value, assigned.line, assigned.annotation)
        if count == 1 and parameter is not None and assigned is not None and assigned.line > self.line:
            return OnEntry(parameter)
        return Unknown()

    def find_parameter(self, name: str) -> Parameter | None:
        """Find a parameter of the function by name."""
        if self.place.unit.kind != "function":
            return None
        return next((each for each in self.place.outline.read_parameters(self.place.unit) if each.name == name), None)

    def _find_assigned(self, name: str) -> tuple[Assignment | None, int]:
        text, unit = self.place.outline.text, self.place.unit
        if unit.kind == "module":
            found = self.place.outline.globals.get(name)
            return found, 1 if found is not None else 0
        rows = self.place.outline.find_binding_rows(unit, name)
        if any(row.start in unit.nested or row.word in ("import", "from") for row in rows):
            return None, 0
        return read_assignment(text, rows[-1]) if rows else None, len(rows)
