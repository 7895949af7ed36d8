"""A name in a guard or message → the options that it leads to, each with the steps on the way."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from miner.effects import find_path
from miner.options.atlas import Atlas, Place
from miner.options.calls import MAX_CALLS, Call, Calls
from miner.options.environment import NAME, find_declarer
from miner.options.frames import Defined, Frame, OnEntry, Outside
from miner.options.inventory import Inventory
from miner.options.leaves import list_leaves
from miner.options.outline import parse
from miner.options.typing import MAX_DEPTH, RECEIVER_DEPTH, Instance, Types, find_copied, list_attributes
from miner.options.wording import read_text
from miner.wording import write_expression

_VALIDATOR = re.compile(r"(?:[\w.]+\.)?(?:field_validator|validator|field_serializer)\s*\(")
_SIMPLE_ROWS = frozenset(("return", "if", "else", "elif", "", "assert", "from", "import"))
_MAX_RETURN = 6
_MAX_STEP = 160


@dataclass(frozen=True, slots=True)
class Hit:
    """An option that a name leads to."""

    id: str
    via: tuple[str, ...]


@dataclass
class Tracer:
    """Follows names through a target's source."""

    atlas: Atlas
    inventory: Inventory
    types: Types = field(init=False)
    calls: Calls = field(init=False)
    _following: set[tuple[str, str]] = field(default_factory=set)
    _short: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make ready what works on the atlas."""
        self.types = Types(self, {})
        self.calls = Calls(self.atlas, self._find_receiver)
        for cls, name in self.inventory.fields:
            if cls in self.inventory.classes:
                self._short.setdefault(_snake(cls.rpartition(".")[2]), [])
                if cls not in self._short[_snake(cls.rpartition(".")[2])]:
                    self._short[_snake(cls.rpartition(".")[2])].append(cls)
            del name

    def trace(self, node: cst.BaseExpression, frame: Frame, depth: int = 0) -> tuple[Hit, ...]:
        """Trace what an expression's value is made of."""
        if depth > MAX_DEPTH:
            return ()
        return merge(hit for leaf in list_leaves(node, loosely=False) for hit in self.trace_leaf(leaf, frame, depth))

    def trace_leaf(self, node: cst.BaseExpression, frame: Frame, depth: int = 0) -> tuple[Hit, ...]:
        """Trace one name, attribute or call."""
        match node:
            case cst.Name():
                return self._trace_name(node.value, frame, depth)
            case cst.Attribute():
                return self._trace_attribute(node, frame, depth)
            case cst.Call():
                return self._trace_call(node, frame, depth)
            case cst.Subscript():
                return self._trace_subscript(node, frame, depth)
            case _:
                return self.trace(node, frame, depth + 1)

    def _trace_name(self, name: str, frame: Frame, depth: int) -> tuple[Hit, ...]:
        place = frame.place
        if name in ("self", "cls"):
            return ()
        match frame.mean(name):
            case Defined(value, line):
                return self._trace_value(name, value, line, frame, depth)
            case OnEntry():
                return self._trace_parameter(name, frame, depth)
            case Outside():
                outer = place.unit.parent
                if place.unit.kind == "function" and outer is not None and outer.kind == "function":
                    return self._trace_name(name, Frame(Place(place.outline, outer), frame.line), depth + 1)
                return self._trace_global(name, frame, depth)
            case _:
                return ()

    def _trace_value(self, name: str, value: str, line: int, frame: Frame, depth: int) -> tuple[Hit, ...]:
        parsed = parse(value)
        if parsed is None:
            return ()
        step = shorten(f"{frame.place.cite(line)}: {name} = {write_expression(parsed)}")
        return prepend((step,), self.trace(parsed, frame.step_back(line), depth + 1))

    def _trace_global(self, name: str, frame: Frame, depth: int) -> tuple[Hit, ...]:
        qualified = self.atlas.resolve(name, frame.place.outline, frame.place.unit)
        found = self.atlas.find_global(qualified) if qualified is not None else None
        if found is None:
            return ()
        assigned = found[0].globals[found[1]]
        module = Frame(Place(found[0], found[0].units["<module>"]), assigned.line)
        if assigned.value is None:
            return ()
        return self._trace_value(assigned.name, assigned.value, assigned.line, module, depth)

    def _trace_parameter(self, name: str, frame: Frame, depth: int) -> tuple[Hit, ...]:
        place = frame.place
        if name in frame.arguments:
            argument, there = frame.arguments[name]
            return self.trace(argument, there, depth + 1)
        command = self.inventory.parameters.get((place.qualified, name))
        if command is not None:
            return (Hit(command, (f"parameter {name} of the command {place.unit.qualname}",)),)
        validated = tuple(self._list_validated(name, frame))
        if validated:
            return validated
        key = (place.qualified, name)
        if key in self._following:
            return ()
        self._following.add(key)
        try:
            hits: list[Hit] = []
            for argument, there in self.list_arguments(frame, name):
                steps = (
                    f"parameter {name} of {place.unit.qualname}",
                    shorten(f"{there.place.cite(there.line)}: {write_expression(argument)}"),
                )
                hits += prepend(steps, self.trace(argument, there, depth + 1))
            return merge(hits)
        finally:
            self._following.discard(key)

    def list_arguments(self, frame: Frame, name: str) -> Iterator[tuple[cst.BaseExpression, Frame]]:
        """List what the calls in the target give for a parameter, where that can be told."""
        found = self.calls.find(frame.place)
        if len(found) > MAX_CALLS:
            return
        for call in found:
            given = self.calls.give(call, frame.place, name)
            if given is not None:
                yield given.value, Frame(call.place, call.line)

    def _list_validated(self, name: str, frame: Frame) -> Iterator[Hit]:
        """List the fields that a validator checks, for the parameter that is their value."""
        place, owner = frame.place, frame.owner
        parameters = [each.name for each in place.outline.read_parameters(place.unit)]
        if owner is None or name not in parameters[1:2]:
            return
        for decorator in place.outline.read_decorators(place.unit):
            call = parse(decorator) if _VALIDATOR.match(decorator) else None
            for each in call.args if isinstance(call, cst.Call) else ():
                text = read_text(each.value) if each.keyword is None else None
                id_ = self.find_field(owner, text) if text is not None else None
                if id_ is not None:
                    yield Hit(id_, (f"parameter {name} of the validator {place.unit.qualname}",))

    def _trace_attribute(self, node: cst.Attribute, frame: Frame, depth: int) -> tuple[Hit, ...]:
        path, name = find_path(node), node.attr.value
        if path is not None and "[]" not in path:
            variable = self._find_variable(path, frame)
            if variable is not None:
                return (Hit(variable, ()),)
            bound = next((each for each in frame.bindings if each.name == ".".join(path)), None)
            if bound is not None and not self._keeps(node, bound.value, frame, depth):
                followed = self._trace_value(".".join(path), bound.value, bound.line, frame, depth)
                if followed:
                    return followed
        base = self.types.find(node.value, frame, depth)
        if base is None:
            return self._trace_namespace(node, frame, depth) or self._trace_untyped(node, frame, depth)
        if find_declarer(base.cls, name) and name in self.inventory.variables:
            return (Hit(name, ()),)
        steps = self._explain(node.value, base, frame)
        copied = find_copied(self, base.cls, name) if not frame.place.qualified.endswith(".__post_init__") else None
        if copied is not None and not (base.made or base.derived):
            name, steps = copied[0], (*steps, shorten(copied[1]))
        return prepend(steps, self._trace_member(base, name, depth))

    def _keeps(self, node: cst.Attribute, value: str, frame: Frame, depth: int) -> bool:
        """Tell whether a field that is an option got a value made of itself: it still is that option."""
        if not re.search(rf"(?<![\w.]){re.escape(write_expression(node))}\b(?!\.)", value):
            return False
        base = self.types.find(node.value, frame, depth)
        return base is not None and self.find_field(base.cls, node.attr.value) is not None

    def _explain(self, base: cst.BaseExpression, instance: Instance, frame: Frame) -> tuple[str, ...]:
        """Say what the base of an attribute is, unless it is `self`."""
        text = write_expression(base)
        if text in ("self", "cls"):
            return ()
        return (shorten(f"{frame.place.cite(frame.line)}: {text} is a {instance.cls.unit.name}"),)

    def _trace_member(self, base: Instance, name: str, depth: int) -> tuple[Hit, ...]:
        if base.made:
            return self._trace_made(base.made, base.cls, name, depth)
        if base.derived:
            return ()
        id_ = self.find_field(base.cls, name)
        if id_ is not None:
            return (Hit(id_, ()),)
        if name in self.types.list_fields(base.cls):
            return ()
        member = self.atlas.find_member(base.cls, name)
        if member is not None:
            decorated = any("property" in text for text in member.outline.read_decorators(member.unit))
            return self._trace_returned(Frame(member, 0, base.cls), depth) if decorated else ()
        assigned = list(list_attributes(self, base.cls, name))
        if len(assigned) != 1 or assigned[0][0].value is None:
            return ()
        each, method = assigned[0]
        return self._trace_value(each.name, each.value or "", each.line, Frame(method, each.line, base.cls), depth)

    def _trace_made(self, made: tuple[cst.Call, Frame], cls: Place, name: str, depth: int) -> tuple[Hit, ...]:
        """Trace a field of an object that was made in sight: only what its maker was given counts."""
        call, frame = made
        for each in call.args:
            if each.keyword is not None and each.keyword.value == name:
                step = shorten(
                    f"{frame.place.cite(frame.line)}: {cls.unit.name}({name}={write_expression(each.value)})"
                )
                return prepend((step,), self.trace(each.value, frame, depth + 1))
        if any(each.star == "**" for each in call.args) and (id_ := self.find_field(cls, name)) is not None:
            return (Hit(id_, ()),)
        return ()

    def _trace_returned(self, frame: Frame, depth: int, index: int | None = None) -> tuple[Hit, ...]:
        """Trace what a small function returns, or one element of that."""
        place = frame.place
        returns = place.outline.read_returns(place.unit)
        if not returns or len(returns) > 1 or len(place.unit.rows) > _MAX_RETURN or depth > MAX_DEPTH:
            return ()
        text, line = returns[0]
        node = parse(text)
        if node is not None and index is not None and isinstance(node, cst.Tuple) and index < len(node.elements):
            node = node.elements[index].value
        if node is None or (place.qualified, "") in self._following:
            return ()
        self._following.add((place.qualified, ""))
        try:
            there = Frame(place, line, frame.cls, arguments=frame.arguments)
            step = shorten(f"{place.cite(line)}: {place.unit.qualname} returns {write_expression(node)}")
            return prepend((step,), self.trace(node, there, depth + 1))
        finally:
            self._following.discard((place.qualified, ""))

    def _trace_namespace(self, node: cst.Attribute, frame: Frame, depth: int) -> tuple[Hit, ...]:
        """Trace an attribute of what a command line was parsed into."""
        if not isinstance(node.value, cst.Name) or not self._is_namespace(node.value.value, frame):
            return ()
        module = frame.place.outline.facts.module
        found = self.inventory.dests.get(node.attr.value, ())
        ids = list(dict.fromkeys(id_ for _, id_ in found))
        here = list(dict.fromkeys(id_ for home, id_ in found if home == module))
        chosen = here or ids
        declared = {self.inventory.declared.get(id_) for id_ in chosen}
        step = f"{frame.place.cite(frame.line)}: {node.value.value} is the parsed command line"
        return (Hit(chosen[0], (step,)),) if len(declared) == 1 else ()

    def _is_namespace(self, name: str, frame: Frame) -> bool:
        match frame.mean(name):
            case OnEntry(parameter):
                annotation = parameter.annotation
                return annotation is not None and write_expression(annotation).rpartition(".")[2] == "Namespace"
            case Defined(value):
                return ".parse_args(" in value and "parse_known" not in value
            case _:
                return False

    def _trace_untyped(self, node: cst.Attribute, frame: Frame, depth: int) -> tuple[Hit, ...]:
        """Trace `self.field.attribute` where the field's value is of no class of the target: an enum, a text."""
        if not isinstance(node.value, cst.Attribute | cst.Name) or depth > MAX_DEPTH:
            return ()
        if isinstance(node.value, cst.Name) and not isinstance(frame.mean(node.value.value), Defined | OnEntry):
            return ()
        return self.trace_leaf(node.value, frame, depth + 1) if node.attr.value in ("value", "name", "shape") else ()

    def _trace_subscript(self, node: cst.Subscript, frame: Frame, depth: int) -> tuple[Hit, ...]:
        found = re.fullmatch(rf"(?:os\.)?environ\[[\"']({NAME})[\"']\]", write_expression(node))
        if found is not None:
            return (Hit(found[1], ()),) if found[1] in self.inventory.variables else ()
        if isinstance(node.value, cst.Call):
            return self._trace_call(node.value, frame, depth, _read_index(node)) or self.trace(node.value, frame, depth)
        return self.trace_leaf(node.value, frame, depth)

    def _trace_call(self, node: cst.Call, frame: Frame, depth: int, index: int | None = None) -> tuple[Hit, ...]:
        named = write_expression(node.func).rpartition(".")[2]
        plain = [each.value for each in node.args if each.keyword is None and not each.star]
        literal = read_text(plain[0]) if plain else None
        if literal in self.inventory.variables and "env" in write_expression(node.func):
            return (Hit(literal, ()),) if literal is not None else ()
        if named == "getattr" and len(plain) > 1:
            attribute = read_text(plain[1])
            if attribute is not None and attribute.isidentifier():
                return self._trace_attribute(cst.Attribute(plain[0], cst.Name(attribute)), frame, depth)
            return ()
        function = self.find_function(node, frame, depth)
        if function is None:
            return ()
        bound = isinstance(node.func, cst.Attribute) and function.owner is not None
        static = any(text.startswith("staticmethod") for text in function.outline.read_decorators(function.unit))
        call = Call(node, frame.place, frame.line, bound and not static)
        arguments = {}
        for parameter in function.outline.read_parameters(function.unit):
            given = self.calls.give(call, function, parameter.name)
            if given is not None:
                arguments[parameter.name] = (given.value, frame)
        cls = None
        if bound and isinstance(node.func, cst.Attribute):
            instance = self.types.find(node.func.value, frame, depth + 1)
            if instance is not None and (instance.derived or instance.made):
                return ()
            cls = instance.cls if instance is not None else None
        return self._trace_returned(Frame(function, 0, cls, arguments=arguments), depth, index)

    def find_function(self, node: cst.Call, frame: Frame, depth: int) -> Place | None:
        """Find the function or method of the target that a call is of."""
        path = find_path(node.func)
        if path is not None and path[0] not in ("self", "cls"):
            if isinstance(frame.mean(path[0]), Outside):
                qualified = self.atlas.resolve(".".join(path), frame.place.outline, frame.place.unit)
                found = self.atlas.find(qualified) if qualified is not None else None
                if found is not None:
                    return found if found.unit.kind == "function" else None
            elif len(path) == 1:
                return None
        if isinstance(node.func, cst.Attribute):
            receiver = self.types.find(node.func.value, frame, depth + 1)
            member = self.atlas.find_member(receiver.cls, node.func.attr.value) if receiver is not None else None
            return member if member is not None and member.unit.kind == "function" else None
        return None

    def _find_receiver(self, node: cst.BaseExpression, place: Place, line: int) -> Place | None:
        found = self.types.find(node, Frame(place, line), RECEIVER_DEPTH)
        return found.cls if found is not None else None

    def _find_variable(self, path: tuple[str, ...], frame: Frame) -> str | None:
        """Find the variable that `envs.NAME` means, `envs` being the module that lists it."""
        if len(path) < 2 or path[-1] not in self.inventory.variables:
            return None
        if not isinstance(frame.mean(path[0]), Outside):
            return None
        qualified = self.atlas.resolve(".".join(path[:-1]), frame.place.outline, frame.place.unit)
        facts = self.atlas.world.modules.get(self.atlas.world.settle(qualified)) if qualified is not None else None
        option = self._option(path[-1])
        return path[-1] if facts is not None and option == facts.path else None

    def _option(self, id_: str) -> str | None:
        return self.inventory.places.get(id_)

    def find_field(self, cls: Place, name: str) -> str | None:
        """Find the option that a field of a class is."""
        for home in (cls, *self.atlas.list_ancestry(cls)):
            found = self.inventory.fields.get((home.qualified, name))
            if found is not None:
                return found
        return None

    def find_configuration(self, name: str, module: str) -> Place | None:
        """Find the one configuration class that a name spells: `server_args`, of several the one nearest."""
        classes = self._short.get(name, [])
        if not classes:
            return None
        near = [(count_shared_start(cls.split("."), module.split(".")), cls) for cls in classes]
        best = max(score for score, _ in near)
        chosen = [cls for score, cls in near if score == best]
        return self.atlas.find(chosen[0]) if len(chosen) == 1 else None


def _read_index(node: cst.Subscript) -> int | None:
    index = node.slice[0].slice if len(node.slice) == 1 else None
    literal = index.value if isinstance(index, cst.Index) else None
    return int(literal.value) if isinstance(literal, cst.Integer) and literal.value.isdigit() else None


def count_shared_start(first: Sequence[str], second: Sequence[str]) -> int:
    """Count the steps that two paths have in common from their start."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(first), len(second)))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def prepend(steps: tuple[str, ...], hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Put steps before those of each hit."""
    return tuple(Hit(hit.id, (*steps, *hit.via)) for hit in hits)


def merge(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Keep one hit for each option: the one with the fewest steps, the first of these."""
    best: dict[str, Hit] = {}
    for hit in hits:
        known = best.get(hit.id)
        if known is None or len(hit.via) < len(known.via):
            best[hit.id] = hit
    return tuple(best.values())


def shorten(step: str) -> str:
    """Cut a step that would not fit on a line."""
    return step if len(step) <= _MAX_STEP else f"{step[: _MAX_STEP - 1]}…"
