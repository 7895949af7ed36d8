"""What does a catalog say is there to be named: options by id, and the options that take an object of a class?"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from catalog.records import Catalog, Option


@dataclass(frozen=True, slots=True)
class Facts:
    """The inventory of a catalog, as notes are derived from and checked against it."""

    options: Mapping[str, Option]
    """By id."""
    owners: frozenset[str]
    """The classes whose fields are options."""
    holders: Mapping[str, tuple[Option, ...]]
    """By the name of a class: the options whose value is an object of it, those with a flag first."""

    @classmethod
    def of(cls, catalog: Catalog) -> "Facts":
        """Gather a catalog's inventory once, for all of its notes."""
        return cls.gather(catalog.options)

    @classmethod
    def gather(cls, options: Iterable[Option]) -> "Facts":
        """Gather an inventory from the options alone, for a catalog that isn't read whole."""
        options = tuple(options)
        holders: dict[str, list[Option]] = {}
        for option in options:
            for name in dict.fromkeys(re.findall(r"\w+", option.type or "")):
                holders.setdefault(name, []).append(option)
        return cls(
            options={option.id: option for option in options},
            owners=frozenset(option.id.rpartition(".")[0] for option in options if option.kind == "field"),
            holders={name: tuple(sorted(found, key=_rank)) for name, found in sorted(holders.items())},
        )


def _rank(option: Option) -> tuple[bool, str]:
    return not option.flags, option.id
