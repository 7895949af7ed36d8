"""A function of the target → the calls of it in the target, with what each gives for a parameter."""

import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from miner.effects import find_path
from miner.locate import Unit
from miner.options.atlas import Atlas, Place
from miner.options.flags import read_call
from miner.options.outline import Outline

_NAME = re.compile(r"[^\W\d]\w*\Z")
_ASCII = string.ascii_letters + string.digits + "_"
_SUPER = "super()."
_LONGEST_NAME = 200
MAX_CALLS = 40
"""A function called from more places says nothing about any one option."""
_MAX_CANDIDATES = 100
"""A name that is called in more places is not looked into: `forward`, `get`."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a known function."""

    node: cst.Call
    place: Place
    """The function that calls."""
    line: int
    bound: bool
    """The first parameter is what the method is called on."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a call gives for a parameter."""

    call: Call
    value: cst.BaseExpression


def list_called(text: str) -> Iterator[tuple[str, int]]:
    """List the names right before a parenthesis, with where they begin. (A pattern takes ten times as long.)"""
    end = 0
    for piece in text.split("(")[:-1]:
        end += len(piece)
        bare = piece.rstrip(_ASCII)
        if bare and not bare[-1].isascii():
            found = _NAME.search(piece[-_LONGEST_NAME:])
            name = found[0] if found is not None else ""
        else:
            name = piece[len(bare) :]
        if name and not name[0].isdigit():
            yield name, end - len(name)
        end += 1


def find_begin(text: str, start: int) -> int | None:
    """Find where the path begins that ends with a name; `None` where that hangs on another expression: `f().name(`."""
    while text.startswith(".", start - 1) and start > 0:
        if text.startswith(_SUPER, start - len(_SUPER)) and start >= len(_SUPER):
            start -= len(_SUPER)
            continue
        found = _NAME.search(text[max(0, start - 1 - _LONGEST_NAME) : start - 1])
        if found is None:
            return None
        start -= 1 + len(found[0])
    return None if start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_") else start


@dataclass
class Calls:
    """The calls in the modules of an atlas."""

    atlas: Atlas
    type_of: Callable[[cst.BaseExpression, Place, int], Place | None]
    """The class of a receiver."""
    _names: dict[str, list[tuple[str, int]]] | None = None
    _offsets: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    _aliases: dict[str, list[tuple[str, str, str]]] | None = None
    _found: dict[str, tuple[Call, ...]] = field(default_factory=dict)

    def find(self, place: Place) -> tuple[Call, ...]:
        """Find the calls of a function or method; of `__init__`, those of its class."""
        if place.qualified not in self._found:
            self._found[place.qualified] = ()
            self._found[place.qualified] = tuple(self._find(place))
        return self._found[place.qualified]

    def _find(self, place: Place) -> Iterator[Call]:
        owner = place.owner if place.unit.parent is not None and place.unit.parent.kind == "class" else None
        made = owner is not None and place.unit.name == "__init__"
        name = owner.unit.name if made and owner is not None else place.unit.name
        offsets = [*self._list_offsets(name), *self._list_renamed(place.qualified, name)]
        if made:
            offsets = [*offsets, *self._list_offsets("__init__")]
        for module, offset in offsets if len(offsets) <= _MAX_CANDIDATES else ():
            outline = self.atlas.open(module)
            found = self._locate(outline, offset) if outline is not None else None
            if outline is None or found is None:
                continue
            end, unit, line = found
            around = Place(outline, unit)
            call = read_call(outline.text, offset, end)
            bound = self._match(call, place, owner, made, around, line) if call is not None else None
            if call is not None and bound is not None:
                yield Call(call, around, line, bound)

    def _list_renamed(self, qualified: str, name: str) -> Iterator[tuple[str, int]]:
        """List the calls by another name that a module imports the function under."""
        for module, alias, imported in self._list_aliases().get(name, ()):
            if self.atlas.world.settle(imported) == qualified:
                yield from (each for each in self._list_offsets(alias) if each[0] == module)

    def _list_aliases(self) -> dict[str, list[tuple[str, str, str]]]:
        if self._aliases is None:
            self._aliases = {}
            for module, facts in sorted(self.atlas.world.modules.items()):
                for alias, imported in facts.imports.items():
                    name = imported.rpartition(".")[2]
                    if name != alias:
                        self._aliases.setdefault(name, []).append((module, alias, imported))
        return self._aliases

    def _list_offsets(self, name: str) -> list[tuple[str, int]]:
        """List where something of this name is called: where the receiver begins, `a` of `a.b.name(…)`."""
        if self._names is None:
            self._names = {}
            for module in sorted(self.atlas.sources):
                outline = self.atlas.open(module)
                for called, start in list_called(outline.text) if outline is not None else ():
                    self._names.setdefault(called, []).append((module, start))
        if name not in self._offsets:
            found = self._offsets[name] = []
            for module, start in self._names.get(name, ()):
                outline = self.atlas.open(module)
                begin = find_begin(outline.text, start) if outline is not None else None
                if begin is not None:
                    found.append((module, begin))
        return self._offsets[name]

    def _locate(self, outline: Outline, offset: int) -> tuple[int, Unit, int] | None:
        """Find where the logical line at an offset ends, unless it is a definition, a decorator or a text."""
        found = outline.locate(offset)
        if found is None or found[0].start in found[1].nested or outline.text[found[0].start] == "@":
            return None
        return found[0].end, found[1], outline.text.count("\n", 0, offset) + 1

    def _match(
        self, call: cst.Call, place: Place, owner: Place | None, made: bool, around: Place, line: int
    ) -> bool | None:
        """Tell whether a call is of this function: `None` when not, else whether it is bound to a receiver."""
        path = find_path(call.func)
        static = any(text.startswith("staticmethod") for text in place.outline.read_decorators(place.unit))
        by_class = any(text.startswith("classmethod") for text in place.outline.read_decorators(place.unit))
        if path is None:
            return True if self._is_super(call, owner, place, around) else None
        if len(path) > 1 and path[0] in ("self", "cls") and len(path) == 2 and not made:
            receiver = around.owner
            member = self.atlas.find_member(receiver, path[1]) if receiver is not None and owner is not None else None
            return not static if member is not None and member.qualified == place.qualified else None
        qualified = self.atlas.resolve(".".join(path), around.outline, around.unit)
        target = self.atlas.find(qualified) if qualified is not None else None
        if target is not None and not self._is_local(path[0], around):
            if made:
                return True if owner is not None and target.qualified == owner.qualified else None
            if target.qualified == place.qualified:
                return by_class
        if owner is None or made or len(path) < 2:
            return None
        if target is None and qualified is not None and (cls := self._find_class(qualified)) is not None:
            member = self.atlas.find_member(cls, path[-1])
            return by_class if member is not None and member.qualified == place.qualified else None
        assert isinstance(call.func, cst.Attribute)
        receiver = self.type_of(call.func.value, around, line)
        member = self.atlas.find_member(receiver, path[-1]) if receiver is not None else None
        return not static if member is not None and member.qualified == place.qualified else None

    def _find_class(self, qualified: str) -> Place | None:
        found = self.atlas.find(qualified.rpartition(".")[0])
        return found if found is not None and found.unit.kind == "class" else None

    def _is_super(self, call: cst.Call, owner: Place | None, place: Place, around: Place) -> bool:
        func = call.func
        if not (isinstance(func, cst.Attribute) and func.attr.value == place.unit.name and owner is not None):
            return False
        if not (isinstance(func.value, cst.Call) and isinstance(func.value.func, cst.Name)):
            return False
        inner = around.owner
        if func.value.func.value != "super" or inner is None:
            return False
        above = list(self.atlas.list_ancestry(inner))[1:]
        member = self.atlas.find_member(above[0], place.unit.name) if above else None
        return member is not None and member.qualified == place.qualified

    def _is_local(self, name: str, around: Place) -> bool:
        """Tell whether a parameter of the calling function hides the name."""
        if around.unit.kind != "function":
            return False
        return any(each.name == name for each in around.outline.read_parameters(around.unit))

    def give(self, call: Call, place: Place, name: str) -> Given | None:
        """Find what a call gives for a parameter; `None` when it gives nothing, or it can't be told."""
        parameters = [each for each in place.outline.read_parameters(place.unit) if not each.star]
        for each in call.node.args:
            if each.keyword is not None and each.keyword.value == name:
                return Given(call, each.value)
        by_place = [each.name for each in parameters if not each.by_name_only][1 if call.bound else 0 :]
        if name not in by_place:
            return None
        index = by_place.index(name)
        given = [each for each in call.node.args if each.keyword is None]
        if index >= len(given) or any(each.star for each in given[: index + 1]):
            return None
        return Given(call, given[index].value)
