"""What does a catalog say is there to be named: options, keys, flags, variables, symbols and files?"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.records import Catalog, Entry, Option, Target


@dataclass(frozen=True, slots=True)
class Facts:
    """The inventory of a catalog, as notes are derived from and checked against it."""

    options: Mapping[str, Option]
    """By id."""
    owners: frozenset[str]
    """The classes whose fields are options."""
    holders: Mapping[str, tuple[Option, ...]]
    """By the name of a class: the options whose value is an object of it, those with a flag first."""
    flags: Mapping[str, tuple[Option, ...]]
    """By flag, those whose name the flag spells first: of `--speculative-config` the option, then its keys."""
    names: Mapping[str, tuple[Option, ...]]
    """By name, as it stands: fields, variables, and flags that have no field."""
    fields: Mapping[str, tuple[Option, ...]]
    """By the short name of a class: its fields."""
    symbols: frozenset[str]
    """Modules, classes, functions and exceptions, also by the last parts of their names."""
    files: frozenset[str]
    """Paths of the files that have an entry or an option."""
    choices: frozenset[str]
    """All values that some option is chosen from, as text."""
    homes: tuple[str, ...]
    """What the URLs of the target begin with."""

    @classmethod
    def of(cls, catalog: Catalog) -> "Facts":
        """Gather a catalog's inventory once, for all of its notes."""
        return cls.gather(catalog.options, catalog.entries, catalog.target)

    @classmethod
    def gather(cls, options: Iterable[Option], entries: Iterable[Entry] = (), target: Target | None = None) -> "Facts":
        """Gather an inventory from its parts, for a catalog that isn't read whole."""
        options, entries = tuple(options), tuple(entries)
        classes = [
            (option.id.split(".")[-2], option) for option in options if option.kind == "field" and "." in option.id
        ]
        return cls(
            options={option.id: option for option in options},
            owners=frozenset(option.id.rpartition(".")[0] for option in options if option.kind == "field"),
            holders=_group((name, option) for option in options for name in re.findall(r"\w+", option.type or "")),
            flags=_group(((flag, option) for option in options for flag in option.flags), by_flag=True),
            names=_group((option.name, option) for option in options),
            fields=_group(classes),
            symbols=frozenset(_list_symbols(options, entries)),
            files=frozenset((*(option.path for option in options), *(entry.site.path for entry in entries))),
            choices=frozenset(choice for option in options for choice in option.choices),
            homes=tuple(_list_homes(entries, target)),
        )

    def classes(self, option: Option) -> tuple[str, ...]:
        """Name the classes, with known fields, of what an option takes."""
        return tuple(name for name in dict.fromkeys(re.findall(r"\w+", option.type or "")) if name in self.fields)


def _group(pairs: Iterable[tuple[str, Option]], by_flag: bool = False) -> dict[str, tuple[Option, ...]]:
    """Group options by name, each once, those that the name belongs to more closely first."""
    groups: dict[str, dict[str, Option]] = {}
    for name, option in pairs:
        groups.setdefault(name, {})[option.id] = option
    return {
        name: tuple(sorted(found.values(), key=lambda option: _rank(option, name if by_flag else None)))
        for name, found in sorted(groups.items())
    }


def _rank(option: Option, flag: str | None) -> tuple[bool, str]:
    later = (
        not option.flags
        if flag is None
        else flag.lstrip("-").replace("-", "_") != option.name.lstrip("-").replace("-", "_")
    )
    return later, option.id


def _list_symbols(options: Iterable[Option], entries: Iterable[Entry]) -> Iterator[str]:
    for name in {option.id.rpartition(".")[0] for option in options} | {option.owner or "" for option in options}:
        yield from _list_ends(name)
    for name in {entry.site.module for entry in entries}:
        yield from _list_ends(name)
        yield from (".".join(name.split(".")[: index + 1]) for index in range(name.count(".")))
    for entry in entries:
        yield from _list_ends(f"{entry.site.module}.{entry.site.qualname}")
        yield from entry.site.qualname.split(".")
        yield from _list_ends(entry.exception.qualified or entry.exception.name)
        yield from entry.exception.bases


def _list_ends(name: str) -> Iterator[str]:
    """Give a dotted name and its ends: `a.b.c`, `b.c`, `c`."""
    while name:
        yield name
        name = name.partition(".")[2]


def _list_homes(entries: tuple[Entry, ...], target: Target | None) -> Iterator[str]:
    """Give the target's own address, and what the permalinks of its sites begin with."""
    if target is not None and target.url is not None:
        yield target.url.removesuffix(".git").rstrip("/")
    permalinks = {entry.permalink.partition(entry.site.path)[0] for entry in entries if entry.permalink}
    yield from sorted(permalinks)
