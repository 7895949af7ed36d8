"""Which entries of a catalog may a text be about?

The index answers from tables: short pieces of fixed text to templates, files and functions to entries, lines of
source to entries. What it gives are candidates; whether they fit is for `match` to tell.
"""

import builtins
import math
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

from catalog.explain.commonness import weigh_word
from catalog.explain.places import list_endings, name_file, name_function, squeeze_path
from catalog.explain.shapes import Shape, list_texts, read_fixed, shape_parts
from catalog.explain.squeeze import squeeze, squeeze_name
from catalog.explain.statements import is_telling, list_lines
from catalog.explain.tables import Table, make_key, make_table
from catalog.explain.words import list_words
from catalog.records import Entry, Note, Option

PIECE = 6
"""Letters of the pieces of fixed text by which templates are found."""
_PIECES_OF_TEMPLATE = 4
_RARE = 300
"""A word that more templates share doesn't lead to any of them."""
_MOST_AT_A_LINE = 60
_FEW = 24
_TABLES = ("pieces", "words", "functions", "files", "lines", "classes", "ids", "options", "notes")
_PLAIN = ("owners", "numbers", "bits")
COLUMNS = (*_PLAIN, *(f"{name}.{part}" for name in _TABLES for part in ("keys", "starts", "numbers")))
"""The names under which an index is packed."""


@dataclass(frozen=True, slots=True)
class Index:
    """Tables over the entries of one catalog; an entry is meant by its place among them."""

    pieces: Table
    """A piece of fixed text → texts."""
    words: Table
    """A word → the texts that have it, when they are few."""
    functions: Table
    """A file's name and a function's → entries."""
    files: Table
    """A file's name → entries."""
    lines: Table
    """A line of source → entries."""
    classes: Table
    """The name of an exception that isn't Python's own → the entries that raise it."""
    ids: Table
    """An id → entries."""
    options: Table
    """An id → options."""
    notes: Table
    """An entry's id → notes."""
    owners: memoryview
    """Text → its entry."""
    numbers: memoryview
    """Text → which of its entry's texts it is."""
    bits: memoryview
    """Text → how much its fixed text tells it from others."""
    known: frozenset[int]
    """The keys of `pieces`, to be asked of every letter of a log."""

    def find_texts(self, squeezed: str) -> dict[int, list[int]]:
        """Give each text of which a telling piece stands in a squeezed text, and where."""
        data = squeezed.encode("ascii", "replace")
        found: dict[int, list[int]] = {}
        for position in range(len(data) - PIECE + 1):
            key = crc32(data[position : position + PIECE])
            if key in self.known:
                for text in self.pieces.find(key):
                    found.setdefault(text, []).append(position)
        return found

    def find_similar(self, message: str, most: int) -> list[int]:
        """Give the texts that share the rarest words with a message, those with most in common first."""
        shared: dict[int, float] = defaultdict(float)
        for word in set(list_words(message)):
            texts = self.words.find(make_key(word))
            for text in texts:
                shared[text] += 1 / len(texts) ** 0.5
        return sorted(shared, key=lambda text: (-shared[text], text))[:most]

    def weigh_text(self, number: int, which: int) -> float:
        """Give how much the fixed text of one of an entry's texts tells it from others, in bits."""
        return float(self.bits[bisect_left(self.owners, number) + which])

    def find_in_function(self, path: str, function: str) -> Sequence[int]:
        """Give the entries in a function of a file, by a path that ends like the file's."""
        name = squeeze_name(name_function(function))
        return next(filter(None, (self.functions.find(make_key(f"{end} {name}")) for end in list_endings(path))), ())

    def find_in_file(self, path: str) -> Sequence[int]:
        """Give the entries in a file, by a path that ends like the file's."""
        return next(filter(None, (self.files.find(make_key(end)) for end in list_endings(path))), ())

    def find_by_line(self, source: str) -> Sequence[int]:
        """Give the entries whose statement has this line of source."""
        squeezed = squeeze(source)
        return self.lines.find(make_key(squeezed)) if is_telling(squeezed) else ()

    def find_by_class(self, name: str) -> Sequence[int]:
        """Give the entries that raise an exception of this name, when they are few."""
        raising = self.classes.find(make_key(squeeze_name(name)))
        return raising if len(raising) <= _FEW else ()

    def has_class(self, name: str) -> bool:
        """Tell whether any entry raises an exception of this name, dotted or not, that isn't Python's own."""
        last = name.rsplit(".", 1)[-1]
        return last.lstrip("_")[:1].isupper() and bool(self.classes.find(make_key(squeeze_name(last))))

    def weigh_class(self, name: str) -> float:
        """Give how much an exception's name tells its entries from others, in bits."""
        raising = len(self.classes.find(make_key(squeeze_name(name))))
        return math.log2((len(self.owners) + 1) / raising) if raising else 0.0

    def find_by_id(self, entry_id: str) -> Sequence[int]:
        """Give the entries with this id, or that had it."""
        return self.ids.find(make_key(entry_id))


def build_index(entries: Iterable[Entry], options: Iterable[Option] = (), notes: Iterable[Note] = ()) -> Index:
    """Build the tables; linear in the catalog's size."""
    builder = _Builder()
    for number, entry in enumerate(entries):
        builder.add(number, entry)
    return builder.finish(_number(option.id for option in options), _number(note.entry for note in notes))


def index_columns(index: Index) -> dict[str, memoryview]:
    """Give an index as named columns, to be packed."""
    columns = {name: getattr(index, name) for name in _PLAIN}
    for name in _TABLES:
        table = getattr(index, name)
        columns |= {f"{name}.keys": table.keys, f"{name}.starts": table.starts, f"{name}.numbers": table.numbers}
    return columns


def index_from_columns(columns: dict[str, memoryview]) -> Index:
    """Make an index of its columns again, which must all be there."""
    tables = {
        name: Table(columns[f"{name}.keys"], columns[f"{name}.starts"], columns[f"{name}.numbers"]) for name in _TABLES
    }
    return Index(
        **tables,
        owners=columns["owners"],
        numbers=columns["numbers"],
        bits=columns["bits"],
        known=frozenset(columns["pieces.keys"]),
    )


class _Builder:
    """Collects what the tables need, in one pass, and weighs it at the end."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.owners = array("I")
        self.numbers = array("H")
        self.worded: list[set[str]] = []
        self.functions: dict[int, list[int]] = defaultdict(list)
        self.files: dict[int, list[int]] = defaultdict(list)
        self.lines: dict[int, list[int]] = defaultdict(list)
        self.classes: dict[int, list[int]] = defaultdict(list)
        self.ids: dict[int, list[int]] = defaultdict(list)

    def add(self, number: int, entry: Entry) -> None:
        file = squeeze_path(name_file(entry.site))
        self.files[make_key(file)].append(number)
        self.functions[make_key(f"{file} {squeeze(name_function(entry.site.qualname))}")].append(number)
        for line in dict.fromkeys(filter(is_telling, list_lines(entry))):
            self.lines[make_key(line)].append(number)
        if not hasattr(builtins, entry.exception.name):
            self.classes[make_key(squeeze(entry.exception.name))].append(number)
        for entry_id in (entry.id, *entry.previous):
            self.ids[make_key(entry_id)].append(number)
        for text, parts in enumerate(list_texts(entry)):
            self.shapes.append(shape_parts(parts))
            self.owners.append(number)
            self.numbers.append(text)
            self.worded.append(set(list_words(read_fixed(parts))))

    def finish(self, options: Table, notes: Table) -> Index:
        having: dict[str, list[int]] = defaultdict(list)
        for text, words in enumerate(self.worded):
            for word in words:
                having[word].append(text)
        count = len(self.worded)
        bits = array(
            "f",
            (sum(weigh_word(word, len(having[word]), count) for word in words) for words in self.worded),
        )
        rare = {make_key(word): texts for word, texts in having.items() if len(texts) <= _RARE and len(word) > 2}
        pieces = make_table(self._choose_pieces())
        return Index(
            pieces=pieces,
            words=make_table(rare),
            functions=make_table(self.functions),
            files=make_table(self.files),
            lines=make_table({key: entries for key, entries in self.lines.items() if len(entries) <= _MOST_AT_A_LINE}),
            classes=make_table(self.classes),
            ids=make_table(self.ids),
            options=options,
            notes=notes,
            owners=memoryview(self.owners),
            numbers=memoryview(self.numbers),
            bits=memoryview(bits),
            known=frozenset(pieces.keys),
        )

    def _choose_pieces(self) -> dict[int, list[int]]:
        """Choose for each text a few pieces that few other texts have, the first one near the beginning."""
        cut = [[_cut(fragment) for fragment in shape.fragments] for shape in self.shapes]
        spread = Counter(key for fragments in cut for key in {key for keys in fragments for key in keys})
        chosen: dict[int, list[int]] = defaultdict(list)
        for text, fragments in enumerate(cut):
            keys = [key for keys in fragments for key in keys]
            if not keys:
                continue
            first = next(keys for keys in fragments if keys)
            # A message cut short keeps its beginning, one with a damaged beginning keeps its end.
            parts = (first, keys[: len(keys) // 2], keys[len(keys) // 2 :], keys)
            picks = (min(part, key=spread.__getitem__) for part in parts[:_PIECES_OF_TEMPLATE] if part)
            for key in dict.fromkeys(picks):
                chosen[key].append(text)
        return chosen


def _number(ids: Iterable[str]) -> Table:
    numbered: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(ids):
        numbered[make_key(each)].append(number)
    return make_table(numbered)


def _cut(fragment: str) -> list[int]:
    data = fragment.encode("ascii", "replace")
    return [crc32(data[start : start + PIECE]) for start in range(len(data) - PIECE + 1)]
