"""How is a catalog asked without reading it whole?

The index of a catalog file is kept beside what else is kept between runs, with the place in the file of every entry,
option and note; only those a log is about are read. What is kept holds nothing of any log. It is made anew when the
file was changed, when another version made it, and when it isn't whole.
"""

import contextlib
import hashlib
import os
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar, overload

import msgspec

from catalog import store
from catalog.errors import CatalogError
from catalog.explain.index import COLUMNS, Index, build_index, index_columns, index_from_columns
from catalog.explain.kept import keep_tables, read_tables
from catalog.explain.shapes import Shape, list_texts, shape_parts
from catalog.explain.tables import make_key
from catalog.notes.facts import Facts
from catalog.records import SCHEMA_VERSION, Catalog, Entry, Note, Option, Skipped, Target

Record = TypeVar("Record", Entry, Option, Note)
_SECTIONS = ("entries", "options", "notes")
_COLUMNS = (*COLUMNS, "target", "skipped", *(f"{section}.{of}" for section in _SECTIONS for of in ("at", "size")))
_KEPT_RECORDS = 4_000


@dataclass(frozen=True, eq=False)
class IndexedCatalog:
    """A catalog and its index; entries, options and notes are read when asked for."""

    name: str
    """What to call it: the file's name, or the target's."""
    target: Target
    index: Index
    entries: Sequence[Entry]
    options: Sequence[Option]
    notes: Sequence[Note]
    skipped: frozenset[str] = frozenset()
    """The files that the scan couldn't read: nothing is known of their errors."""
    identity: str = ""
    """Which file this is, and in which state; empty when it is none."""
    place: Path | None = None
    """Where its index is kept between runs."""

    @cached_property
    def facts(self) -> Facts:
        """What is there to be set, and by which way; read from the file when first asked for."""
        return Facts.gather(self.options)

    @cached_property
    def _shapes(self) -> dict[int, Shape]:
        return {}

    def shape(self, text: int) -> Shape:
        """Give a template's fixed text by its number in the index."""
        if text not in self._shapes:
            entry = self.entries[self.index.owners[text]]
            self._shapes[text] = shape_parts(list_texts(entry)[self.index.numbers[text]])
        return self._shapes[text]

    def list_shapes(self, number: int) -> list[Shape]:
        """Give the fixed text of each of an entry's texts, by its place in the catalog."""
        owners = self.index.owners
        return [self.shape(text) for text in range(bisect_left(owners, number), bisect_right(owners, number))]

    def find_option(self, option_id: str) -> Option | None:
        """Give the option with this id."""
        found = (self.options[number] for number in self.index.options.find(make_key(option_id)))
        return next((option for option in found if option.id == option_id), None)

    def find_note(self, entry_id: str) -> Note | None:
        """Give the note joined to an entry."""
        found = (self.notes[number] for number in self.index.notes.find(make_key(entry_id)))
        return next((note for note in found if note.entry == entry_id), None)

    def find_entry(self, entry_id: str) -> Entry | None:
        """Give the entry that has this id, or had it."""
        found = (self.entries[number] for number in self.index.find_by_id(entry_id))
        return next((entry for entry in found if entry_id == entry.id or entry_id in entry.previous), None)


class _Places(msgspec.Struct):
    """A catalog's records as bytes, each by itself."""

    schema_version: int
    target: Target
    options: list[msgspec.Raw]
    entries: list[msgspec.Raw]
    skipped: list[Skipped] = []
    notes: list[msgspec.Raw] = []


class StoredRecords(Sequence[Record], Generic[Record]):
    """Records of one section of a catalog file, read one by one where they stand."""

    def __init__(self, file: int, name: str, type_: type[Record], starts: memoryview, sizes: memoryview) -> None:
        self._file = file
        self._name = name
        self._type: type[Record] = type_
        self._starts = starts
        self._sizes = sizes
        self._read: dict[int, Record] = {}

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, number: int) -> Record: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Record]: ...
    def __getitem__(self, number: int | slice) -> Record | Sequence[Record]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if number >= len(self):
            raise IndexError(number)
        if number not in self._read:
            if len(self._read) >= _KEPT_RECORDS:
                self._read.clear()
            data = os.pread(self._file, self._sizes[number], self._starts[number])
            self._read[number] = store.load_record(data, self._type, self._name)
        return self._read[number]


def index_catalog(catalog: Catalog, name: str) -> IndexedCatalog:
    """Index a catalog that is in memory."""
    index = build_index(catalog.entries, catalog.options, catalog.notes)
    skipped = frozenset(skipped.path for skipped in catalog.skipped)
    return IndexedCatalog(name, catalog.target, index, catalog.entries, catalog.options, catalog.notes, skipped)


@contextlib.contextmanager
def open_catalog(path: Path, cache: Path | None) -> Iterator[IndexedCatalog]:
    """Open a catalog file by its kept index, which is made first when there is none."""
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise CatalogError(f"{path}: can't be read ({error.strerror or error})") from error
    try:
        place = None if cache is None else cache / "explain" / f"{_digest(str(path.resolve()))}.index"
        identity = _identify(file)
        columns = read_tables(place, identity, _COLUMNS)
        if columns is None:
            columns = _make_columns(file, str(path))
            keep_tables(place, columns, identity)
        yield _assemble(file, str(path), columns, identity, place)
    finally:
        os.close(file)


def _assemble(
    file: int, name: str, columns: dict[str, memoryview], identity: str, place: Path | None
) -> IndexedCatalog:
    def records(section: str, type_: type[Record]) -> StoredRecords[Record]:
        return StoredRecords(file, name, type_, columns[f"{section}.at"], columns[f"{section}.size"])

    target = store.load_record(columns["target"].tobytes(), Target, name)
    return IndexedCatalog(
        name,
        target,
        index_from_columns(columns),
        records("entries", Entry),
        records("options", Option),
        records("notes", Note),
        frozenset(msgspec.json.decode(columns["skipped"], type=list[str])),
        identity,
        place,
    )


def _make_columns(file: int, name: str) -> dict[str, memoryview]:
    """Read a catalog file whole, once, and index it."""
    data = _read_all(file)
    try:
        places = msgspec.json.decode(data, type=_Places)
    except (msgspec.DecodeError, RecursionError):
        places = None
    if places is None or places.schema_version != SCHEMA_VERSION:
        store.load_catalog(data, name)  # says what is wrong
        raise CatalogError(f"{name}: not a catalog; write one with `errmine scan TARGET`")
    skipped = [skipped.path for skipped in places.skipped]
    heads = {"target": places.target, "skipped": skipped}
    columns = {key: memoryview(bytearray(msgspec.json.encode(value))) for key, value in heads.items()}
    for section in _SECTIONS:
        starts, sizes = array("Q"), array("I")
        position = 0
        for raw in getattr(places, section):
            piece = bytes(raw)
            position = data.find(piece, position)
            starts.append(position)
            sizes.append(len(piece))
            position += len(piece)
        columns |= {f"{section}.at": memoryview(starts), f"{section}.size": memoryview(sizes)}
    index = build_index(
        (store.load_record(bytes(raw), Entry, name) for raw in places.entries),
        (store.load_record(bytes(raw), Option, name) for raw in places.options),
        (store.load_record(bytes(raw), Note, name) for raw in places.notes),
    )
    return columns | index_columns(index)


def _read_all(file: int) -> bytes:
    with os.fdopen(os.dup(file), "rb") as stream:
        stream.seek(0)
        return stream.read()


def _identify(file: int) -> str:
    """Say which file this is, and in which state, without reading it."""
    found = os.fstat(file)
    return f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
