"""What is wrong with a name that leads nowhere, and which did the writer mean?"""

from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process

from catalog.notes.facts import Facts
from catalog.notes.places import find_place
from catalog.notes.snippets.parts import Setting
from catalog.records import Entry, Option

_ALIKE = 75


def describe_stranger(name: str, setting: Setting, holders: Sequence[Option], entry: Entry, facts: Facts) -> str:
    """Say in one line why a name that a snippet sets can't be set, and what to write instead."""
    what = _say_place(name, setting, holders)
    meant = find_meant(name, entry, facts)
    if meant is not None:
        return f"{what}: it is what the source calls {say_option(meant, facts, name)}, so set that"
    inner = [option for option in facts.names.get(name, ()) if option.kind == "field"]
    if inner:
        return f"{what}: it is set as {say_option(inner[0], facts, name)}"
    near = suggest(name, _list_alternatives(setting, holders, facts))
    return f"{what}; did you mean `{near}`?" if near else what


def find_meant(name: str, entry: Entry, facts: Facts) -> Option | None:
    """Find the option that a function's parameter leads to, if the option itself has another name."""
    if any(binding.name == name for binding in entry.guard.bindings):
        return None
    options = [facts.options.get(use.id) for use in entry.options if use.as_ == name]
    option = options[0] if len(options) == 1 else None
    return option if option is not None and name not in (option.name, *option.flags) else None


def say_option(option: Option, facts: Facts, source_name: str = "") -> str:
    """Say how a user calls an option: "`max_model_len` inside `--speculative-config`"."""
    place = find_place(option, facts, source_name)
    if place.keys and place.flag:
        return f"`{place.name}` inside `{place.flag}`"
    return f"`{place.name}`"


def suggest(name: str, known: Iterable[str]) -> str | None:
    """Give the known name that is most like this one, if any is like it."""
    found = process.extractOne(name, sorted(known), scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return str(found[0]) if found else None


def _say_place(name: str, setting: Setting, holders: Sequence[Option]) -> str:
    if holders:
        holder = setting.name if not setting.keys and setting.kind == "flag" else holders[0].name
        return f"`{name}` is no key of `{holder}`"
    match setting.kind:
        case "flag":
            return f"`{name}` is no flag"
        case "variable":
            return f"`{name}` is no environment variable that is read"
    return f"`{name}` is no option" + (f" of `{setting.owner}`" if setting.owner else "")


def _list_alternatives(setting: Setting, holders: Sequence[Option], facts: Facts) -> Iterable[str]:
    if holders:
        return {field.name for holder in holders for name in facts.classes(holder) for field in facts.fields[name]}
    if setting.kind == "flag":
        return facts.flags
    if setting.owner in facts.fields:
        return {option.name for option in facts.fields[setting.owner or ""]}
    return facts.names
