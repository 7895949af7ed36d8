"""Flags and classes → which classes hold options, and which flag fills which field."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import libcst as cst

from miner.options import assembled, commands, flags
from miner.options.atlas import Atlas, Place
from miner.options.fields import Field, holds_fields, is_based, is_marked, list_fields, list_types, read_fields
from miner.options.flags import Flag, Generated
from miner.options.outline import Outline, parse
from miner.options.wording import read_text
from miner.wording import write_expression

_CONFIGURATION = re.compile(r"(?:Config|Configuration|Args|Arguments|Params|Parameters|Options|Settings)\Z")
_FIELDS = re.compile(r"dataclass|BaseModel|BaseSettings|Struct|attrs?\b|@config|@define")


@dataclass
class Draft:
    """What is known of a target's options while they are gathered."""

    atlas: Atlas
    tables: dict[str, dict[str, Field]] = field(default_factory=dict)
    """Qualified class → its fields."""
    classes: dict[str, Place] = field(default_factory=dict)
    direct: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)
    sources: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """A field that a flag fills → the field that the flag is made from."""
    nested: dict[str, dict[str, None]] = field(default_factory=dict)
    inverses: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, str] = field(default_factory=dict)
    """A class that only others build on → the one that users meet."""
    loose: list[Flag] = field(default_factory=list)
    filled: list[tuple[str, str, tuple[str, str]]] = field(default_factory=list)
    """(dest, module, field)."""
    given: dict[tuple[str, str], Flag] = field(default_factory=dict)

    def list_fields(self, place: Place) -> dict[str, Field]:
        """List the fields of a class, those of an assembled class included."""
        if place.qualified not in self.tables:
            self.tables[place.qualified] = list_fields(self.atlas, place)
        return self.tables[place.qualified]


def gather(atlas: Atlas, outlines: Iterable[Outline], configuration: Iterable[str]) -> Draft:
    """Gather the options of all modules; those named as configuration also count by their classes' names."""
    draft = Draft(atlas, inverses=find_inverses(atlas))
    outlines = list(outlines)
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
    return draft


def _find_filled(draft: Draft, flag: Flag) -> Place | None:
    """Find the class whose field a flag fills by its name: the one that declares the flag, or one derived from it."""
    owner = flag.owner
    if owner is None:
        return None
    for home in draft.atlas.list_ancestry(owner):
        if flag.dest in draft.list_fields(home):
            return owner
    return None


def _add_flag(draft: Draft, flag: Flag) -> None:
    source = flag.source
    if flag.negations == "always":
        flag = _add_negation(draft, flag, None)
    filled = source is not None and source[1] in draft.list_fields(source[0])
    if source is not None and filled:
        flag = _add_negation(draft, flag, draft.list_fields(source[0])[source[1]])
        draft.classes[source[0].qualified] = source[0]
        draft.direct.setdefault((source[0].qualified, source[1]), {}).update(dict.fromkeys(flag.names))
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


def _add_generated(draft: Draft, made: Generated) -> None:
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
        for each in draft.list_fields(place).values():
            names = _name_flags(draft, each, made)
            if names:
                key = (place.qualified, each.name)
                draft.classes[place.qualified] = place
                draft.direct.setdefault(key, {}).update(dict.fromkeys(names))
                draft.filled.append((each.name, made.place.outline.facts.module, key))


def _is_above(draft: Draft, place: Place, other: Place) -> bool:
    return place.qualified != other.qualified and draft.atlas.is_below(other, place)


def _name_flags(draft: Draft, each: Field, made: Generated) -> list[str]:
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
        if "action" in given and "BooleanOptionalAction" in write_expression(given["action"]):
            names += [other for name in names if name.startswith("--") for other in _negate(draft, name)]
        return names
    if not each.settable:
        return []
    if made.how == "underscores":
        return list(dict.fromkeys((f"--{each.name}", f"--{each.name.replace('_', '-')}")))
    dashed = f"--{each.name.replace('_', '-')}"
    return [dashed, *(_negate(draft, dashed) if made.negations and _is_yes_or_no(each) else ())]


def _add_negation(draft: Draft, flag: Flag, made_from: Field | None) -> Flag:
    if flag.negations == "never" or (flag.negations == "field" and not _is_yes_or_no(made_from)):
        return flag
    names = [name for each in flag.names if each.startswith("--") for name in _negate(draft, each)]
    return replace(flag, names=tuple(dict.fromkeys((*flag.names, *names))))


def _negate(draft: Draft, name: str) -> list[str]:
    """Name the flags that switch a flag off: `--no-x`, and what an action of the target's own pairs it with."""
    pairs = [f"{other}{name.removeprefix(one)}" for one, other in draft.inverses.items() if name.startswith(one)]
    return [f"--no-{name[2:]}", *pairs] if not name.startswith("--no-") else pairs


def _is_yes_or_no(each: Field | None) -> bool:
    """Tell whether a field is a yes or no: one that may be a text too takes a value."""
    types = {write_expression(member) for member in list_types(each.annotation)} if each is not None else set()
    return "bool" in types and types != {"bool", "str"}


def find_inverses(atlas: Atlas) -> dict[str, str]:
    """Find the prefixes that an action of the target's own pairs: `--enable-` with `--disable-`."""
    found: dict[str, str] = {}
    for module, facts in sorted(atlas.world.modules.items()):
        for name, class_ in facts.classes.items():
            outline = atlas.open(module) if any("BooleanOptionalAction" in base for base in class_.bases) else None
            for each in outline.read_assignments(outline.units[name]) if outline is not None else ():
                table = parse(each.value) if each.value is not None else None
                for element in table.elements if isinstance(table, cst.Dict) else ():
                    one, other = read_text(getattr(element, "key", None)), read_text(element.value)
                    if one and other and one.startswith("--") and other.startswith("--"):
                        found[one] = other
    return found


def _add_named(draft: Draft, configuration: set[str]) -> None:
    """Add the classes of configuration modules that are named as configuration.

    Where a project marks such classes with a decorator of its own, a plain dataclass is not one of them.
    """
    named = [place for module in sorted(configuration) for place in _list_named(draft, module)]
    has_mark = any(is_marked(draft.atlas, place) for place in named)
    for place in named:
        if place.qualified in (*draft.parts, *draft.leaves) or not holds_fields(draft.atlas, place):
            continue
        if not has_mark or is_marked(draft.atlas, place) or is_based(draft.atlas, place):
            draft.classes.setdefault(place.qualified, place)


def _list_named(draft: Draft, module: str) -> Iterator[Place]:
    facts = draft.atlas.world.modules.get(module)
    outline = draft.atlas.open(module) if facts is not None else None
    if facts is None or outline is None or _FIELDS.search(outline.text) is None:
        return
    for name in facts.classes:
        unit = outline.units.get(name)
        if unit is not None and not name.startswith("_") and _CONFIGURATION.search(name):
            yield Place(outline, unit)


def _add_nested(draft: Draft) -> None:
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
        each = draft.list_fields(place).get(name)
        is_direct = (place.qualified, name) in draft.direct
        for member in list_types(each.annotation if each is not None else None):
            cls = draft.atlas.resolve_class(member, each.owner.outline) if each is not None else None
            if cls is None or not holds_fields(draft.atlas, cls) or (cls.qualified in flagged and not is_direct):
                continue
            draft.classes.setdefault(cls.qualified, cls)
            long = dict.fromkeys(flag for flag in given if flag.startswith("--") and not flag.startswith("--no-"))
            draft.nested.setdefault(cls.qualified, {}).update(long)
            queue += [(cls, inner.name, tuple(long)) for inner in draft.list_fields(cls).values() if inner.settable]
