"""The modules of a target → its options: fields of configuration classes, flags, environment variables."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from catalog.records import Option
from miner.options import assembled, commands, environment, flags
from miner.options.atlas import Atlas, Place
from miner.options.environment import Variable, find_variables
from miner.options.fields import (
    Field,
    holds_fields,
    is_based,
    is_marked,
    list_choices,
    list_fields,
    list_types,
    read_fields,
)
from miner.options.flags import Flag, Generated
from miner.options.wording import read_text
from miner.wording import write_expression

_CONFIGURATION = re.compile(r"(?:Config|Configuration|Args|Arguments|Params|Parameters|Options|Settings)\Z")
_REFERENCE = re.compile(r"(?:\w+\(\s*)?([A-Z]\w*)(?:\.|,\s*[\"'])(\w+)(?:[\"']\s*\))?\Z")
_Key = TypeVar("_Key")
_FIELDS = re.compile(r"dataclass|BaseModel|BaseSettings|Struct|attrs?\b|@config|@define")


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


@dataclass
class _Draft:
    atlas: Atlas
    tables: dict[str, dict[str, Field]] = field(default_factory=dict)
    """Qualified class → its fields."""
    classes: dict[str, Place] = field(default_factory=dict)
    direct: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)
    sources: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """A field that a flag fills → the field that the flag is made from."""
    nested: dict[str, dict[str, None]] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, str] = field(default_factory=dict)
    """A class that only others build on → the one that users meet."""
    loose: list[Flag] = field(default_factory=list)
    filled: list[tuple[str, str, tuple[str, str]]] = field(default_factory=list)
    """(dest, module, field)."""
    given: dict[tuple[str, str], Flag] = field(default_factory=dict)


def take_inventory(atlas: Atlas, configuration: Iterable[str]) -> Inventory:
    """Take the inventory of all modules; those named as configuration also count by their classes' names."""
    draft = _Draft(atlas)
    outlines = [outline for module in sorted(atlas.texts) if (outline := atlas.open(module)) is not None]
    for outline in outlines:
        for place, parts in assembled.find_assembled(atlas, outline):
            table = {each.name: each for part in parts for each in read_fields(part)}
            draft.tables[place.qualified] = {**table, **{each.name: each for each in read_fields(place)}}
            draft.classes[place.qualified] = place
            draft.parts.update((part.qualified, place.qualified) for part in parts)
    found: list[Flag | Generated] = []
    for outline in outlines:
        if flags.MENTION.search(outline.text) is None:
            continue
        for unit in outline.units.values():
            place = Place(outline, unit)
            found += flags.find_flags(atlas, place)
            if unit.kind == "function":
                found += commands.find_command_flags(place)
    for each in found:
        if isinstance(each, Generated):
            _add_generated(draft, each)
    for each in found:
        if isinstance(each, Flag):
            _add_flag(draft, each)
    _add_named(draft, set(configuration))
    _add_nested(draft)
    variables = [each for outline in outlines for each in find_variables(outline)]
    return _Writer(draft).write(variables)


def _table(draft: _Draft, place: Place) -> dict[str, Field]:
    if place.qualified not in draft.tables:
        draft.tables[place.qualified] = list_fields(draft.atlas, place)
    return draft.tables[place.qualified]


def _find_filled(draft: _Draft, flag: Flag) -> Place | None:
    """Find the class whose field a flag fills by its name: the one that declares the flag, or one derived from it."""
    owner = flag.owner
    if owner is None:
        return None
    for home in draft.atlas.list_ancestry(owner):
        if flag.dest in _table(draft, home):
            return owner
    return None


def _add_flag(draft: _Draft, flag: Flag) -> None:
    filled = False
    if flag.source is not None and flag.source[1] in _table(draft, flag.source[0]):
        flag = _add_negation(flag, _table(draft, flag.source[0])[flag.source[1]])
        draft.classes[flag.source[0].qualified] = flag.source[0]
        draft.direct.setdefault((flag.source[0].qualified, flag.source[1]), {}).update(dict.fromkeys(flag.names))
        filled = True
    owner = _find_filled(draft, flag)
    if owner is not None:
        key = (owner.qualified, flag.dest)
        draft.classes[owner.qualified] = owner
        draft.direct.setdefault(key, {}).update(dict.fromkeys(flag.names))
        draft.given.setdefault(key, flag)
        if flag.source is not None:
            draft.sources.setdefault(key, (flag.source[0].qualified, flag.source[1]))
        draft.filled.append((flag.dest, flag.place.outline.facts.module, key))
    elif filled and flag.source is not None:
        key = (flag.source[0].qualified, flag.source[1])
        draft.filled.append((flag.dest, flag.place.outline.facts.module, key))
    else:
        draft.loose.append(flag)


def _add_generated(draft: _Draft, made: Generated) -> None:
    places = [made.cls]
    if made.with_subclasses:
        places = [
            Place(outline, unit)
            for module, facts in sorted(draft.atlas.world.modules.items())
            for name in facts.classes
            if made.cls.unit.name in "".join(facts.classes[name].bases) or name == made.cls.unit.qualname
            if (outline := draft.atlas.open(module)) is not None and (unit := outline.units.get(name)) is not None
            if draft.atlas.is_below(Place(outline, unit), made.cls)
        ]
    inner = [place for place in places if not any(_is_above(draft, place, other) for other in places)]
    for place in inner:
        draft.leaves.update(
            (above.qualified, place.qualified)
            for above in places
            if above not in inner and draft.atlas.is_below(place, above)
        )
        for each in _table(draft, place).values():
            names = _name_flags(each, made)
            if names:
                key = (place.qualified, each.name)
                draft.classes[place.qualified] = place
                draft.direct.setdefault(key, {}).update(dict.fromkeys(names))
                draft.filled.append((each.name, made.place.outline.facts.module, key))


def _is_above(draft: _Draft, place: Place, other: Place) -> bool:
    return place.qualified != other.qualified and draft.atlas.is_below(other, place)


def _name_flags(each: Field, made: Generated) -> list[str]:
    given = each.metadata.given
    if made.how == "metadata":
        hidden = given.get("no_cli")
        if not each.metadata.generated or (hidden is not None and write_expression(hidden) == "True"):
            return []
        named = read_text(given.get("cli_name"))
        names = [named or f"--{each.name.replace('_', '-')}"]
        aliases = given.get("aliases")
        if aliases is not None:
            names += re.findall(r"[\"'](--?[\w-]+)[\"']", write_expression(aliases))
        return names
    if not each.settable:
        return []
    if made.how == "underscores":
        return list(dict.fromkeys((f"--{each.name}", f"--{each.name.replace('_', '-')}")))
    return negate(each, f"--{each.name.replace('_', '-')}") if made.negations else [f"--{each.name.replace('_', '-')}"]


def _add_negation(flag: Flag, made_from: Field) -> Flag:
    if not flag.negations:
        return flag
    names = [name for each in flag.names if each.startswith("--") for name in negate(made_from, each)]
    return replace(flag, names=tuple(dict.fromkeys((*flag.names, *names))))


def negate(each: Field, name: str) -> list[str]:
    """Add the flag that switches a field off, where the field is a plain yes or no."""
    types = {write_expression(member) for member in list_types(each.annotation)}
    return [name, f"--no-{name[2:]}"] if "bool" in types and types != {"bool", "str"} else [name]


def _add_named(draft: _Draft, configuration: set[str]) -> None:
    """Add the classes of configuration modules that are named as configuration.

    Where a project marks such classes with a decorator of its own, a plain dataclass is not one of them.
    """
    named = [place for module in sorted(configuration) for place in _list_named(draft, module)]
    has_mark = any(is_marked(draft.atlas, place) for place in named)
    for place in named:
        if place.qualified in draft.parts or not holds_fields(draft.atlas, place):
            continue
        if not has_mark or is_marked(draft.atlas, place) or is_based(draft.atlas, place):
            draft.classes.setdefault(place.qualified, place)


def _list_named(draft: _Draft, module: str) -> Iterator[Place]:
    facts = draft.atlas.world.modules.get(module)
    outline = draft.atlas.open(module) if facts is not None else None
    if facts is None or outline is None or _FIELDS.search(outline.text) is None:
        return
    for name in facts.classes:
        unit = outline.units.get(name)
        if unit is not None and not name.startswith("_") and _CONFIGURATION.search(name):
            yield Place(outline, unit)


def _add_nested(draft: _Draft) -> None:
    """Give the fields of a class that is itself the value of a flag that flag."""
    queue = [
        (draft.classes[cls], name, tuple(given)) for (cls, name), given in draft.direct.items() if cls in draft.classes
    ]
    flagged = {cls for cls, _ in draft.direct}
    seen: set[tuple[str, str]] = set()
    while queue:
        place, name, given = queue.pop(0)
        if (place.qualified, name) in seen:
            continue
        seen.add((place.qualified, name))
        each = _table(draft, place).get(name)
        is_direct = (place.qualified, name) in draft.direct
        for member in list_types(each.annotation if each is not None else None):
            cls = draft.atlas.resolve_class(member, each.owner.outline) if each is not None else None
            if cls is None or not holds_fields(draft.atlas, cls) or (cls.qualified in flagged and not is_direct):
                continue
            draft.classes.setdefault(cls.qualified, cls)
            long = dict.fromkeys(flag for flag in given if flag.startswith("--") and not flag.startswith("--no-"))
            draft.nested.setdefault(cls.qualified, {}).update(long)
            queue += [(cls, inner.name, tuple(long)) for inner in _table(draft, cls).values() if inner.settable]


def _group(pairs: Iterable[tuple[_Key, str]]) -> dict[_Key, tuple[str, ...]]:
    grouped: dict[_Key, list[str]] = {}
    for key, id_ in pairs:
        grouped.setdefault(key, []).append(id_)
    return {key: tuple(ids) for key, ids in grouped.items()}


@dataclass
class _Writer:
    draft: _Draft
    names: dict[str, str] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    fields: dict[tuple[str, str], str] = field(default_factory=dict)
    dests: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    parameters: dict[tuple[str, str], str] = field(default_factory=dict)

    def write(self, variables: Iterable[Variable]) -> Inventory:
        self._name_classes()
        for qualified in sorted(self.draft.classes):
            for each in _table(self.draft, self.draft.classes[qualified]).values():
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
        class_of = {id_: cls for (cls, _), id_ in self.fields.items() if cls in self.draft.classes}
        for option in ordered:
            nested = self.draft.nested.get(class_of.get(option.id, ""), {})
            for flag in option.flags:
                (inner if flag in nested else by_flag).append((flag, option.id))
        return Inventory(
            ordered,
            self.fields,
            _group(by_flag),
            found,
            {dest: tuple(ids) for dest, ids in self.dests.items()},
            self.parameters,
            frozenset(self.draft.classes),
            {option.id: option.path for option in ordered},
            _group(((option.path, option.line), option.id) for option in ordered),
            {option.id: (option.path, option.line) for option in ordered},
            _group(inner),
        )

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
        other = _table(self.draft, place).get(found[2])
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


__all__ = ["Inventory", "environment", "take_inventory"]
