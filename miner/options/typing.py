"""An expression → the class of the target that its value is of, and the call that made it where that is in sight."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import libcst as cst

from miner.effects import find_path
from miner.options.atlas import Place
from miner.options.fields import Field, list_fields, list_types
from miner.options.frames import Defined, Frame, OnEntry, Outside
from miner.options.outline import Assignment, Outline, parse
from miner.wording import write_expression

if TYPE_CHECKING:
    from miner.options.tracing import Tracer

MAX_DEPTH = 10
RECEIVER_DEPTH = 6
_MAX_CALLS_DEPTH = 3
_COPIES = frozenset(("copy", "deepcopy", "replace", "cast", "model_copy"))
_VIEW = re.compile(r"(?:\w+_)?view(?:_of)?\Z")
_VAGUE = frozenset(("Any", "object", "T", "Optional"))


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the target."""

    cls: Place
    made: "tuple[cst.Call, Frame] | None" = None
    """The call that made it, where it was made in sight: what it wasn't given there isn't the user's."""
    derived: bool = False
    """The target made it for itself: its fields are not what the user set."""


@dataclass
class Types:
    """The classes of expressions, as far as annotations, constructors and calls tell."""

    tracer: "Tracer"
    fields: dict[str, dict[str, Field]]
    _members: dict[tuple[str, str, int], Instance | None] = field(default_factory=dict)
    """By class, name and depth: what is remembered never depends on what was asked before."""

    def list_fields(self, place: Place) -> dict[str, Field]:
        """List a class's fields, those of an assembled class included."""
        if place.qualified not in self.fields:
            self.fields[place.qualified] = list_fields(self.tracer.atlas, place)
        return self.fields[place.qualified]

    def find(self, node: cst.BaseExpression, frame: Frame, depth: int = 0) -> Instance | None:
        """Find what an expression is an instance of; `None` when that can't be told."""
        if depth > MAX_DEPTH:
            return None
        match node:
            case cst.Name():
                return self._find_name(node.value, frame, depth)
            case cst.Attribute():
                return self._find_attribute(node, frame, depth)
            case cst.Call():
                return self._find_call(node, frame, depth)
            case cst.BooleanOperation(operator=cst.Or()):
                return self.find(node.left, frame, depth + 1) or self.find(node.right, frame, depth + 1)
            case cst.IfExp():
                return self.find(node.body, frame, depth + 1) or self.find(node.orelse, frame, depth + 1)
            case _:
                return None

    def _find_name(self, name: str, frame: Frame, depth: int) -> Instance | None:
        atlas, outline = self.tracer.atlas, frame.place.outline
        if name in ("self", "cls") and frame.owner is not None:
            return Instance(frame.owner)
        match frame.mean(name):
            case Defined(value, line, annotation):
                declared = self.read_type(parse(annotation) if annotation else None, outline, frame)
                if declared is not None:
                    return Instance(declared)
                parsed = parse(value)
                return self.find(parsed, frame.step_back(line), depth + 1) if parsed is not None else None
            case OnEntry(parameter):
                if name in frame.arguments:
                    argument, there = frame.arguments[name]
                    return self.find(argument, there, depth + 1)
                declared = self.read_type(parameter.annotation, outline, frame)
                if declared is not None:
                    return Instance(declared, derived=self._is_derived_argument(frame, name, depth))
                if self._is_vague(parameter.annotation):
                    return self._find_by_calls(frame, name, depth) or self._find_by_name(name, outline)
                return None
            case Outside():
                outer = frame.place.unit.parent
                if outer is not None and outer.kind == "function":
                    return self.find(cst.Name(name), Frame(Place(outline, outer), frame.line), depth + 1)
                qualified = atlas.resolve(name, outline, frame.place.unit)
                found = atlas.find_global(qualified) if qualified is not None else None
                if found is None:
                    return None
                assigned = found[0].globals[found[1]]
                return self._find_assigned(assigned, Frame(Place(found[0], found[0].units["<module>"]), 0), depth)
            case _:
                return None

    def _find_assigned(self, assigned: Assignment, frame: Frame, depth: int) -> Instance | None:
        declared = self.read_type(parse(assigned.annotation or ""), frame.place.outline, frame)
        if declared is not None:
            return Instance(declared)
        value = parse(assigned.value) if assigned.value is not None else None
        return self.find(value, frame, depth + 1) if value is not None else None

    def read_type(self, node: cst.BaseExpression | None, outline: Outline, frame: Frame | None = None) -> Place | None:
        """Read an annotation as one class of the target."""
        members = list(list_types(node))
        if len(members) != 1:
            return None
        unit = frame.place.unit if frame is not None else None
        return self.tracer.atlas.resolve_class(members[0], outline, unit)

    def _is_vague(self, node: cst.BaseExpression | None) -> bool:
        return node is None or write_expression(node).rpartition(".")[2] in _VAGUE

    def _find_by_calls(self, frame: Frame, name: str, depth: int) -> Instance | None:
        """Find the class on which all the calls agree that give this parameter.

        Not for the receiver of a call: to find a function's calls must not lead to finding them again.
        """
        if depth > _MAX_CALLS_DEPTH:
            return None
        found: dict[str, Instance] = {}
        for argument, there in self.tracer.list_arguments(frame, name):
            instance = self.find(argument, there, depth + 2)
            if instance is None:
                return None
            found[instance.cls.qualified] = replace(instance, made=None)
        return next(iter(found.values())) if len(found) == 1 else None

    def _find_by_name(self, name: str, outline: Outline) -> Instance | None:
        """Take `server_args` without a type for the one configuration class of that name that flags fill."""
        place = self.tracer.find_configuration(name, outline.facts.module)
        return Instance(place) if place is not None else None

    def _is_derived_argument(self, frame: Frame, name: str, depth: int) -> bool:
        """Tell whether every call gives an object that the target made for itself."""
        if depth > _MAX_CALLS_DEPTH:
            return False
        arguments = list(self.tracer.list_arguments(frame, name))
        return bool(arguments) and all(self._is_derived_value(value, there, depth) for value, there in arguments)

    def _is_derived_value(self, value: cst.BaseExpression, there: Frame, depth: int) -> bool:
        instance = self.find(value, there, depth + 3) if isinstance(value, cst.Attribute) else None
        return instance is not None and (instance.derived or instance.made is not None)

    def _find_attribute(self, node: cst.Attribute, frame: Frame, depth: int) -> Instance | None:
        path = find_path(node)
        name = node.attr.value
        if path is not None and frame.bindings:
            match frame.mean(".".join(path)):
                case Defined(value, line) if any(each.name == ".".join(path) for each in frame.bindings):
                    parsed = parse(value)
                    instance = self.find(parsed, frame.step_back(line), depth + 1) if parsed is not None else None
                    if instance is not None:
                        return instance
                case _:
                    pass
        base = self.find(node.value, frame, depth + 1)
        if base is None:
            return None
        known = self.list_fields(base.cls).get(name)
        if known is not None:
            declared = self.read_type(known.annotation, known.owner.outline)
            if declared is None:
                return None
            made = self.find_made(base.cls, name)
            if made:
                return Instance(declared, made, base.derived)
            return Instance(declared, derived=base.derived or made is not None or not known.settable)
        return self._find_member(base.cls, name, depth)

    def _find_member(self, cls: Place, name: str, depth: int) -> Instance | None:
        key = (cls.qualified, name, depth)
        if key not in self._members:
            self._members[key] = self._read_member(cls, name, depth)
        return self._members[key]

    def _read_member(self, cls: Place, name: str, depth: int) -> Instance | None:
        member = self.tracer.atlas.find_member(cls, name)
        if member is not None and member.unit.kind == "function":
            returned = self.read_type(member.outline.read_returned_type(member.unit), member.outline)
            return Instance(returned) if returned is not None else None
        for assigned, method in list_attributes(self.tracer, cls, name):
            there = Frame(method, assigned.line, cls)
            instance = self._find_assigned(assigned, there, depth)
            if instance is not None:
                return replace(instance, made=None)
        return None

    def find_made(self, cls: Place, name: str) -> "tuple[cst.Call, Frame] | tuple[()] | None":
        """Find how a class makes one of its own fields anew.

        `None`: it doesn't, the field is as it was given. Empty: in a way that can't be followed.
        """
        found: tuple[cst.Call, Frame] | tuple[()] | None = None
        for assigned, method in list_attributes(self.tracer, cls, name):
            value = parse(assigned.value) if assigned.value is not None else None
            frame = Frame(method, assigned.line, cls)
            if value is None or _passes_on(value, name, frame):
                continue
            if found is not None or not isinstance(value, cst.Call):
                return ()
            target = self.tracer.atlas.resolve_class(value.func, method.outline, method.unit)
            found = (value, frame) if target is not None and value.args else ()
            if target is not None and not value.args:
                found = None
        return found

    def _find_call(self, node: cst.Call, frame: Frame, depth: int) -> Instance | None:
        atlas, outline = self.tracer.atlas, frame.place.outline
        name = write_expression(node.func).rpartition(".")[2]
        plain = [each.value for each in node.args if each.keyword is None and not each.star]
        if name in _COPIES and plain:
            return self.find(plain[1] if name == "cast" and len(plain) > 1 else plain[0], frame, depth + 1)
        if name == "getattr" and len(plain) > 1 and isinstance(plain[1], cst.SimpleString):
            attribute = plain[1].evaluated_value
            if isinstance(attribute, str) and attribute.isidentifier():
                return self.find(cst.Attribute(plain[0], cst.Name(attribute)), frame, depth + 1)
        if _VIEW.match(name) and plain:
            return self.find(plain[0], frame, depth + 1)
        cls = atlas.resolve_class(node.func, outline, frame.place.unit)
        if cls is not None:
            return Instance(cls, (node, frame))
        if isinstance(node.func, cst.Name) and node.func.value == "cls" and frame.owner is not None:
            return Instance(frame.owner, (node, frame))
        function = self.tracer.find_function(node, frame, depth)
        if function is None:
            return None
        annotation = function.outline.read_returned_type(function.unit)
        returned = self.read_type(annotation, function.outline)
        if returned is not None:
            return Instance(returned)
        if annotation is not None and write_expression(annotation).strip("\"'") == "Self":
            return Instance(function.owner) if function.owner is not None else None
        return None


def _passes_on(value: cst.BaseExpression, name: str, frame: Frame) -> bool:
    """Tell whether an assignment only hands on what was given: the attribute itself, a parameter, a default."""
    text = write_expression(value)
    if re.search(rf"\bself\.{name}\b", text) or text == "None":
        return True
    return isinstance(value, cst.Name) and frame.find_parameter(value.value) is not None


def list_attributes(tracer: "Tracer", cls: Place, name: str) -> Iterator[tuple[Assignment, Place]]:
    """List where the methods of a class assign an attribute of `self`."""
    wanted = f"self.{name}"
    for home in tracer.atlas.list_ancestry(cls):
        text = home.outline.text
        if wanted not in text:
            continue
        for unit in home.outline.units.values():
            if unit.kind == "function" and unit.parent is home.unit:
                for assigned in home.outline.read_assignments(unit):
                    if assigned.name == wanted:
                        yield assigned, Place(home.outline, unit)


def find_copied(tracer: "Tracer", cls: Place, name: str) -> tuple[str, str] | None:
    """Find the field that `__post_init__` always copies into another, and the step that says so."""
    found = [pair for pair in list_attributes(tracer, cls, name) if pair[1].unit.qualname.endswith(".__post_init__")]
    if len(found) != 1:
        return None
    assigned, method = found[0]
    rows = method.unit.rows
    indents = {row.indent for row in rows if row.line in (rows[0].line, assigned.line)}
    source = (assigned.value or "").removeprefix("self.")
    if len(indents) != 1 or assigned.value != f"self.{source}" or not source.isidentifier() or source == name:
        return None
    if tracer.find_field(cls, name) is None or tracer.find_field(cls, source) is None:
        return None
    return source, f"{method.cite(assigned.line)}: {assigned.name} = {assigned.value}"
