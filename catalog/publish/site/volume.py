"""One catalog of a site: what its indexes need of every entry at hand, the rest read when a page is made."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from catalog.notes.facts import Facts
from catalog.notes.places import find_place
from catalog.notes.words.nouns import name_place
from catalog.publish.naming import name_version
from catalog.publish.site.harmless import fold, show
from catalog.records import Catalog, Entry, Note, Option, OptionKind
from catalog.store import Skimmed, dump_catalog, load_part, read_bytes, skim_catalog

_LONGEST_LINE = 110


class _Place(msgspec.Struct, frozen=True):
    path: str
    line: int
    qualname: str


class _Class(msgspec.Struct, frozen=True):
    name: str


class _Message(msgspec.Struct, frozen=True):
    template: str


class _Use(msgspec.Struct, frozen=True):
    id: str


class Row(msgspec.Struct, frozen=True):
    """What an index says of an entry."""

    id: str
    kind: str
    title: str
    exception: _Class
    site: _Place
    options: tuple[_Use, ...]
    family: str
    previous: tuple[str, ...] = ()
    message: _Message | None = None

    @property
    def headline(self) -> str:
        """The message as far as a line of a list holds it, which is more than a title does."""
        return write_headline(self.kind, self.message.template if self.message is not None else "", self.title)


def write_headline(kind: str, template: str, title: str) -> str:
    """Write a message, or a title where there is none, as one line of a list."""
    text = fold(template)
    if kind == "constraint":
        text = text.partition(" [type=")[0]  # what pydantic adds is the same for all of a kind
    if len(text) > _LONGEST_LINE:
        text = f"{text[:_LONGEST_LINE].rpartition(' ')[0] or text[:_LONGEST_LINE]} …"
    return text or show(title)


class _Owner(msgspec.Struct, frozen=True):
    entry: str


@dataclass(frozen=True)
class Volume:
    """A catalog that is open for reading."""

    name: str
    """Its file, for what is told of it."""
    skimmed: Skimmed

    @property
    def head(self) -> Catalog:
        """All but its entries and notes."""
        return self.skimmed.head

    @property
    def label(self) -> str:
        """The version, for people: `0.33.0`, `c794754062f1`."""
        return name_version(self.head.target) or "folder"

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """What indexes say of each entry, by place."""
        return tuple(load_part(each, Row, self.name) for each in self.skimmed.entries)

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Where each entry stands, by id."""
        return {row.id: position for position, row in enumerate(self.rows)}

    @cached_property
    def by_file(self) -> Mapping[str, tuple[int, ...]]:
        """Where the entries of each file stand."""
        found: dict[str, list[int]] = {}
        for position, row in enumerate(self.rows):
            found.setdefault(row.site.path, []).append(position)
        return {path: tuple(positions) for path, positions in found.items()}

    @cached_property
    def options(self) -> Mapping[str, Option]:
        """The options by id."""
        return {option.id: option for option in self.head.options}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """How a user writes each option, by its id: a flag, a variable, or a key with the flag it stands in."""
        facts = Facts.gather(self.head.options)
        return {id_: name_place(find_place(option, facts)) for id_, option in self.options.items()}

    @cached_property
    def _notes(self) -> Mapping[str, int]:
        found = enumerate(self.skimmed.notes)
        return {load_part(each, _Owner, self.name).entry: position for position, each in found}

    def read_entry(self, position: int) -> Entry:
        """Read an entry whole."""
        return load_part(self.skimmed.entries[position], Entry, self.name)

    def read_note(self, id_: str) -> Note | None:
        """Read the note of an entry, if it has one."""
        position = self._notes.get(id_)
        return None if position is None else load_part(self.skimmed.notes[position], Note, self.name)

    def read_entries(self) -> Iterator[Entry]:
        """Read all entries whole."""
        return (self.read_entry(position) for position in range(len(self.skimmed.entries)))


def open_volume(path: str | Path) -> Volume:
    """Open a catalog file; what is wrong with it is told with its name."""
    return Volume(str(path), skim_catalog(read_bytes(path), str(path)))


def wrap_catalog(catalog: Catalog) -> Volume:
    """Open a catalog that is at hand as records."""
    return Volume(catalog.target.name, skim_catalog(dump_catalog(catalog), catalog.target.name))


def name_kind(kind: OptionKind) -> str:
    """Name what kind of option it is."""
    return {"field": "field", "flag": "flag", "env": "environment variable"}[kind]
