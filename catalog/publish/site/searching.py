"""Entries → the index that the home page searches: scripts that work from any folder, a web server or none.

A page that is read from disk may load scripts but fetch nothing, and a pasted traceback is mostly words that no entry
has; so the index is an inverted one, cut into small scripts by word, of which a search loads those that it needs. The
words of an entry are weighed by how rare they are (inverse document frequency, Spärck Jones 1972).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from zlib import crc32

from catalog.publish.site.harmless import show
from catalog.publish.site.volume import write_headline
from catalog.records import Entry, Option
from catalog.store import dump_line

_START = 3
"""Words that begin with the same letters are in one script, so that the start of a word finds it."""
_SHARD = 4_000
"""Bytes of such a script, about; of what is most frequent there is more."""
_MOST_SHARDS = 512
DOCUMENTS = 64
"""Entries in one script of what results show."""
_WORD = re.compile(r"[a-z0-9_]+(?:[-.][a-z0-9_]+)*")
_LONGEST = 48
_COMMON = 0.08
"""A word that more of a large site's entries have tells nothing."""
_LARGE = 4_000
_SAID_EVERYWHERE = frozenset("self none is not and or in the to be of".split())
"""Words that code and English have anyway: they would only make scripts long."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SCALE = 20
_SILENCE = 1.6
"""How much longer an entry without a message counts as than its few words are, which would else come first."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the index keeps of an entry."""

    id: str
    title: str
    exception: str
    place: str
    words: tuple[str, ...]
    is_silent: bool
    """It has no message, so that nobody has its words from what was printed."""


def read_words(text: str) -> Iterator[str]:
    """Read the words of a text as the page's script does: `--max-len` is `max_len`, `max` and `len`."""
    for found in _WORD.finditer(text.lower()):
        whole = found[0].replace("-", "_").replace(".", "_").strip("_")
        parts = [part for part in whole.split("_") if part]
        for word in (whole, *parts) if len(parts) > 1 else (whole,):
            if 1 < len(word) <= _LONGEST and not word.isdigit() and word not in _SAID_EVERYWHERE:
                yield word


def make_document(entry: Entry, options: Mapping[str, Option]) -> Document:
    """Take from an entry what it is searched by and what a result shows."""
    site = entry.site
    texts = [entry.exception.name, site.qualname.replace("<module>", ""), site.path.rpartition("/")[2]]
    if entry.message is not None:
        texts += [entry.message.skeleton, *(each.skeleton for each in entry.message.alternatives[1:])]
    else:
        texts += [entry.guard.branch]
    for use in entry.options:
        option = options.get(use.id)
        texts += [use.as_, *(option.flags if option else ()), option.name if option else use.id]
    words = dict.fromkeys(word for text in texts for word in read_words(text))
    template = entry.message.template if entry.message is not None else ""
    line = write_headline(entry.kind, template, entry.title)
    place = f"{show(site.path)}:{site.line}"
    return Document(entry.id, line, show(entry.exception.name), place, tuple(words), not template)


def build_index(documents: Sequence[Document]) -> Iterator[tuple[str, bytes]]:
    """Build the index's files, each with its address."""
    postings: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(documents):
        for word in document.words:
            postings[word].append(number)
    most = len(documents) if len(documents) < _LARGE else int(len(documents) * _COMMON)
    kept = {word: numbers for word, numbers in postings.items() if len(numbers) <= most}
    weights: Counter[int] = Counter()
    for numbers in kept.values():
        weight = weigh(len(numbers), len(documents)) ** 2
        for number in numbers:
            weights[number] += weight  # type: ignore[assignment]
    lengths = (sqrt(weights[n]) * (_SILENCE if each.is_silent else 1) for n, each in enumerate(documents))
    norms = "".join(_write_pair(round(length * _SCALE)) for length in lengths)
    lines = {word: f"{word} {_write_gaps(kept[word])}" for word in sorted(kept)}
    count = max(1, min(_MOST_SHARDS, sum(map(len, lines.values())) // _SHARD))
    about = {"count": len(documents), "shards": count, "size": DOCUMENTS, "norms": norms}
    yield "search/index.js", _call("start", about)
    shards: list[list[str]] = [[] for _ in range(count)]
    for word, line in lines.items():
        shards[crc32(word[:_START].encode()) % count].append(line)
    for number, shard in enumerate(shards):
        yield f"search/words-{number}.js", _call("words", number, "\n" + "\n".join(shard) + "\n")
    for start in range(0, len(documents), DOCUMENTS):
        rows = [[each.id, each.title, each.exception, each.place] for each in documents[start : start + DOCUMENTS]]
        yield f"search/entries-{start // DOCUMENTS}.js", _call("entries", start // DOCUMENTS, rows)


def weigh(found: int, count: int) -> float:
    """Weigh a word by how few entries have it."""
    return log(1 + count / found)


def _write_gaps(numbers: Iterable[int]) -> str:
    gaps, last = [], 0
    for number in numbers:
        gaps.append(_write_number(number - last))
        last = number
    return " ".join(gaps)


def _write_number(number: int) -> str:
    digits = _DIGITS[number % 36]
    while number >= 36:
        number //= 36
        digits = _DIGITS[number % 36] + digits
    return digits


def _write_pair(number: int) -> str:
    return _write_number(max(1, min(number, 36 * 36 - 1))).rjust(2, "0")


def _call(name: str, *values: object) -> bytes:
    """Write a script that hands values over; `<` is written out, so that it can't end a script early anywhere."""
    text = b",".join(dump_line(value).rstrip() for value in values)
    return b"errmine.%b(%b);\n" % (name.encode(), text.replace(b"<", b"\\u003c"))
