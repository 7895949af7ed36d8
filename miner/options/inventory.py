"""The modules of a target → its options: fields of configuration classes, flags, environment variables."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from catalog.records import Option
from miner.options.atlas import Atlas
from miner.options.environment import Variable, find_variables
from miner.options.fields import Field, holds_fields, list_choices, list_types
from miner.options.flags import Flag
from miner.options.gathering import Draft, gather
from miner.wording import write_expression

_REFERENCE = re.compile(r"(?:\w+\(\s*)?([A-Z]\w*)(?:\.|,\s*[\"'])(\w+)(?:[\"']\s*\))?\Z")
_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Inventory:
    """The options of a target and the ways to find one."""

    options: tuple[Option, ...]
    fields: Mapping[tuple[str, str], str]
    """(qualified class, field) → id; also for the class that only declares the field."""
    flags: Mapping[str, tuple[str, ...]]
    """A flag → the ids that it sets."""
    variables: Mapping[str, str]
    dests: Mapping[str, tuple[tuple[str, str], ...]]
    """Where a command line's value is kept → (module of the declaration, id)."""
    parameters: Mapping[tuple[str, str], str]
    """(qualified function, parameter) → id, for commands whose parameters are flags."""
    classes: frozenset[str]
    """Qualified names of the classes whose fields are options."""
    places: Mapping[str, str]
    """An id → the path of the file that declares it."""
    at: Mapping[tuple[str, int], tuple[str, ...]]
    """Path and line → the ids declared there."""
    declared: Mapping[str, tuple[str, int]]
    """An id → the path and line of its declaration."""
    nested: Mapping[str, tuple[str, ...]]
    """A flag that takes JSON → the ids of its keys."""


def take_inventory(atlas: Atlas, configuration: Iterable[str]) -> Inventory:
    """Take the inventory of all modules; those named as configuration also count by their classes' names."""
    outlines = [outline for module in sorted(atlas.sources) if (outline := atlas.open(module)) is not None]
    variables = [each for outline in outlines for each in find_variables(outline)]
    return _Writer(gather(atlas, outlines, configuration)).write(variables)


def _group(pairs: Iterable[tuple[_Key, str]]) -> dict[_Key, tuple[str, ...]]:
    grouped: dict[_Key, list[str]] = {}
    for key, id_ in pairs:
        grouped.setdefault(key, []).append(id_)
    return {key: tuple(ids) for key, ids in grouped.items()}


@dataclass
class _Writer:
    draft: Draft
    names: dict[str, str] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    fields: dict[tuple[str, str], str] = field(default_factory=dict)
    dests: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    parameters: dict[tuple[str, str], str] = field(default_factory=dict)

    def write(self, variables: Iterable[Variable]) -> Inventory:
        self._name_classes()
        for qualified in self._order_classes():
            for each in self.draft.list_fields(self.draft.classes[qualified]).values():
                self._write_field(qualified, each)
        for above, leaf in self.draft.leaves.items():
            for (cls, name), id_ in tuple(self.fields.items()):
                if cls == leaf:
                    self.fields.setdefault((above, name), id_)
        for flag in sorted(self.draft.loose, key=lambda flag: (flag.place.outline.facts.path, flag.line)):
            self._write_flag(flag)
        for dest, module, key in self.draft.filled:
            if key in self.fields:
                self.dests.setdefault(dest, {})[module, self.fields[key]] = None
        found = {name: name for name in self._write_variables(variables)}
        by_flag: list[tuple[str, str]] = []
        inner: list[tuple[str, str]] = []
        ordered = tuple(self.options[id_] for id_ in sorted(self.options))
        key_of: dict[str, tuple[str, str]] = {}
        for key, id_ in self.fields.items():
            if key[0] in self.draft.classes and id_.rpartition(".")[0] == self.names[key[0]]:
                key_of[id_] = key
        for option in ordered:
            nested = self.draft.nested.get(key_of.get(option.id, ("", ""))[0], {})
            for name in option.flags:
                (inner if name in nested else by_flag).append((name, option.id))
        return Inventory(
            ordered,
            self.fields,
            _group(sorted(by_flag, key=lambda pair: (pair[0], key_of.get(pair[1]) in self.draft.sources, pair[1]))),
            found,
            {dest: tuple(ids) for dest, ids in self.dests.items()},
            self.parameters,
            frozenset(self.draft.classes),
            {option.id: option.path for option in ordered},
            _group(((option.path, option.line), option.id) for option in ordered),
            {option.id: (option.path, option.line) for option in ordered},
            _group(inner),
        )

    def _order_classes(self) -> list[str]:
        """Put a class after those that it derives from."""
        depth = {name: sum(1 for _ in self.draft.atlas.list_ancestry(cls)) for name, cls in self.draft.classes.items()}
        return sorted(depth, key=lambda name: (depth[name], name))

    def _name_classes(self) -> None:
        """Name each class by its short name; of several, the one nearest to the root keeps it."""
        count: dict[str, int] = {}
        for cls, _ in self.draft.direct:
            count[cls] = count.get(cls, 0) + 1
        taken: set[str] = set()
        for qualified in sorted(
            self.draft.classes, key=lambda name: (-min(count.get(name, 0), 1), name.count("."), name)
        ):
            short = self.draft.classes[qualified].unit.qualname
            self.names[qualified] = qualified if short in taken else short
            taken.add(short)

    def _write_field(self, qualified: str, each: Field) -> None:
        key = (qualified, each.name)
        given = tuple(self.draft.direct.get(key, {}))
        if not given and (not each.settable or self._is_container(each)):
            return
        inherited = self._find_inherited(qualified, each) if not given else None
        if inherited is not None:
            self.fields[key] = inherited
            return
        id_ = f"{self.names[qualified]}.{each.name}"
        origin, flag = self._find_origin(key) or each, self.draft.given.get(key)
        said = flag if flag is not None else None
        default = self._settle_default(each, 0)
        choices = list_choices(self.draft.atlas, each) or list_choices(self.draft.atlas, origin)
        nested = tuple(name for name in self.draft.nested.get(qualified, {}) if name not in given)
        self.options[id_] = Option(
            id=id_,
            kind="field",
            name=each.name,
            flags=(*given, *nested),
            owner=each.owner.unit.qualname,
            type=write_expression(each.annotation) if each.annotation is not None else None,
            default=default,
            choices=choices,
            help=each.help or origin.help or (said.say("help") if said is not None else None),
            path=each.owner.outline.facts.path,
            line=each.line,
        )
        self.fields[key] = id_
        if self.draft.parts.get(each.owner.qualified) == qualified:
            self.fields[each.owner.qualified, each.name] = id_

    def _find_inherited(self, qualified: str, each: Field) -> str | None:
        """Find the option that a field already is in a class that this one derives from."""
        for above in self.draft.atlas.list_ancestry(self.draft.classes[qualified]):
            found = self.fields.get((above.qualified, each.name))
            if found is not None and above.qualified != qualified:
                return found
        return None

    def _is_container(self, each: Field) -> bool:
        """Tell whether a field only holds another configuration, whose own fields have flags."""
        for member in list_types(each.annotation):
            cls = self.draft.atlas.resolve_class(member, each.owner.outline)
            if cls is not None and any(home == cls.qualified for home, _ in self.draft.direct):
                return True
        return False

    def _find_origin(self, key: tuple[str, str]) -> Field | None:
        source = self.draft.sources.get(key)
        return self.draft.tables.get(source[0], {}).get(source[1]) if source is not None else None

    def _settle_default(self, each: Field, depth: int) -> str | None:
        """Follow a default that is another class's field: `Config.size`, `get_field(Config, "size")`."""
        found = _REFERENCE.match(each.default) if each.default is not None else None
        if found is None or depth > 3:
            return each.default
        outline = each.owner.outline
        qualified = self.draft.atlas.resolve(found[1], outline)
        place = self.draft.atlas.find(qualified) if qualified is not None else None
        if place is None or place.unit.kind != "class" or not holds_fields(self.draft.atlas, place):
            return each.default
        other = self.draft.list_fields(place).get(found[2])
        return self._settle_default(other, depth + 1) if other is not None else each.default

    def _write_flag(self, flag: Flag) -> None:
        long = next((name for name in flag.names if name.startswith("--")), flag.names[0])
        known = self.options.get(long)
        choices = flag.given.get("choices")
        made = Option(
            id=long,
            kind="flag",
            name=flag.dest,
            flags=flag.names,
            owner=None,
            type=flag.say("type"),
            default=flag.say("default"),
            choices=tuple(re.findall(r"[\"']([^\"']+)[\"']", write_expression(choices))) if choices is not None else (),
            help=flag.say("help"),
            path=flag.place.outline.facts.path,
            line=flag.line,
        )
        if known is None:
            self.options[long] = made
        elif set(flag.names) - set(known.flags):
            merged = tuple(dict.fromkeys((*known.flags, *flag.names)))
            self.options[long] = Option(
                known.id,
                "flag",
                known.name,
                merged,
                None,
                known.type,
                known.default,
                known.choices,
                known.help,
                known.path,
                known.line,
            )
        self.dests.setdefault(flag.dest, {})[flag.place.outline.facts.module, long] = None
        if flag.place.unit.kind == "function":
            self.parameters.setdefault((flag.place.qualified, flag.dest), long)

    def _write_variables(self, variables: Iterable[Variable]) -> Iterator[str]:
        best: dict[str, Variable] = {}
        for each in sorted(variables, key=lambda each: (each.rank, each.outline.facts.path, each.line)):
            best.setdefault(each.name, each)
        for name in sorted(best):
            each = best[name]
            type_, default = each.type, each.default
            declared = each.outline.globals.get(name)
            if declared is not None and declared.annotation is not None:
                type_, default = type_ or declared.annotation, default or declared.value
            self.options[name] = Option(
                name, "env", name, (), None, type_, default, (), each.help, each.outline.facts.path, each.line
            )
            yield name
