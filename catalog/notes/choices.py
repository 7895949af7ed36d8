"""Which options does a snippet set, to which values, and which of its names are nobody's?"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from catalog.notes.facts import Facts
from catalog.notes.reading import read_value
from catalog.notes.settings import Setting, Settings
from catalog.notes.strangers import describe_stranger, find_meant
from catalog.records import Entry, Option


@dataclass(slots=True)
class Choices:
    """What a snippet comes down to."""

    values: dict[str, object] = field(default_factory=dict)
    """By an option's id."""
    arguments: dict[str, object] = field(default_factory=dict)
    """By the name of a parameter of the entry's own function."""
    strangers: list[str] = field(default_factory=list)
    """Names that lead nowhere, each with why and what to try."""


def find_choices(settings: Settings, entry: Entry, facts: Facts) -> Choices:
    """Find the options behind a snippet's names, as they apply to an entry."""
    choices = Choices()
    for setting in settings.settings:
        _Placing(setting, entry, facts, choices).place()
    choices.strangers = list(dict.fromkeys(choices.strangers))
    return choices


@dataclass(frozen=True, slots=True)
class _Placing:
    """One setting on its way to its options."""

    setting: Setting
    entry: Entry
    facts: Facts
    choices: Choices

    def place(self) -> None:
        """Note what the setting sets, or that nothing goes by its name."""
        setting = self.setting
        options = self._find_options()
        if self._is_argument() and (not options or setting.owner == self.entry.site.qualname.rpartition(".")[2]):
            self.choices.arguments[setting.name] = setting.value
        elif options:
            self._choose(options, setting.value, setting.keys)
        elif held := self._find_held():
            self._choose(held, setting.value, setting.keys[1:])
        else:
            self._complain(setting.name)

    def _find_options(self) -> tuple[Option, ...]:
        setting, facts = self.setting, self.facts
        if setting.kind == "flag":
            return self._find_flagged(facts.flags.get(setting.name, ()))
        named = facts.names.get(setting.name, ())
        if setting.kind == "variable":
            return tuple(option for option in named if option.kind == "env")
        if setting.owner in facts.fields:
            return tuple(option for option in facts.fields[setting.owner or ""] if option.name == setting.name)
        return tuple(option for option in named if option.kind == "field" and (is_own(option) or not option.flags))

    def _find_flagged(self, found: tuple[Option, ...]) -> tuple[Option, ...]:
        """Leave out the options that are keys inside the flag's value."""
        own = tuple(filter(is_own, found))
        inside = {id_ for option in own for name in self.facts.classes(option) for id_ in _list_ids(name, self.facts)}
        if isinstance(self.setting.value, dict) or self.setting.keys:
            return own or found
        return tuple(option for option in found if option.id not in inside)

    def _find_held(self) -> tuple[Option, ...]:
        """Find what is set on an object of the user's own: `oven_config["heat"] = 3`."""
        named = self.facts.names.get(self.setting.keys[0], ()) if self.setting.keys else ()
        return tuple(option for option in named if option.kind == "field" and self.setting.kind == "keyword")

    def _is_argument(self) -> bool:
        """Tell whether the setting is an argument of the function that raises, or of its class."""
        site, setting = self.entry.site, self.setting
        if setting.kind != "keyword" or setting.owner not in (None, *site.qualname.split("."), *site.module.split(".")):
            return False
        return setting.name in list_parameters(self.entry) or f"self.{setting.name}" in self.entry.guard.condition

    def _choose(self, options: Sequence[Option], value: object, keys: Sequence[str]) -> None:
        """Set options to a value, and what it is made of to the keys inside."""
        if not keys:
            for option in options:
                is_kept = option.kind == "env"  # how a variable is read depends on where
                self.choices.values[option.id] = value if is_kept else read_value(value, option, self.setting.name)
            if isinstance(value, dict):
                for key, inner in value.items():
                    self._choose_inner(options, str(key), inner, ())
            return
        self._choose_inner(options, keys[0], value, keys[1:])

    def _choose_inner(self, holders: Sequence[Option], key: str, value: object, keys: Sequence[str]) -> None:
        inner = tuple(dict.fromkeys(_list_keys(holders, key, self.setting, self.facts)))
        if inner:
            self._choose(inner, value, keys)
        elif takes_classes(holders, self.facts) or find_meant(key, self.entry, self.facts) is not None:
            self._complain(key, holders)

    def _complain(self, name: str, holders: Sequence[Option] = ()) -> None:
        self.choices.strangers.append(describe_stranger(name, self.setting, holders, self.entry, self.facts))


def is_own(option: Option) -> bool:
    """Tell whether a flag of an option is spelled as its name is."""
    return any(flag.lstrip("-").replace("-", "_") == option.name.lstrip("-").replace("-", "_") for flag in option.flags)


def _list_keys(holders: Sequence[Option], key: str, setting: Setting, facts: Facts) -> Iterator[Option]:
    """Give the options that a key means inside the value of others."""
    for holder in holders:
        for class_name in facts.classes(holder):
            yield from (option for option in facts.fields[class_name] if option.name == key)
    if setting.kind == "flag" and not takes_classes(holders, facts):
        yield from (option for option in facts.flags.get(setting.name, ()) if option.name == key)


def takes_classes(holders: Sequence[Option], facts: Facts) -> bool:
    """Tell whether what an option takes is known key by key."""
    return any(facts.classes(holder) for holder in holders)


def list_parameters(entry: Entry) -> tuple[str, ...]:
    """Give the names of the parameters of the function that raises."""
    if entry.site.signature is None:
        return ()
    try:
        tree = ast.parse(f"def f{entry.site.signature}: ...")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    (function,) = tree.body
    return tuple(
        part.arg for part in ast.walk(function) if isinstance(part, ast.arg) and part.arg not in ("self", "cls")
    )


def _list_ids(class_name: str, facts: Facts) -> Iterator[str]:
    return (option.id for option in facts.fields.get(class_name, ()))
