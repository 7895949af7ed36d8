"""What does a log say, speaker by speaker, as one clean text?

Several processes may write at once, line by line in turn. Here each one's lines stand together, in the order in which
the speakers first came up.
"""

from bisect import bisect_right
from dataclasses import dataclass

from catalog.explain.boxes import unbox
from catalog.explain.escapes import expand_escapes, unwrap_records
from catalog.explain.lines import Line, clean_text, undress
from catalog.explain.wraps import join_prefixed, join_wrapped


@dataclass(frozen=True, slots=True)
class Record:
    """Where a log record begins in the clean text."""

    start: int
    level: str
    """`ERROR`; empty when the log doesn't say."""
    line: int
    """The 0-based line of the log on which it stood, so that order survives the sorting by speaker."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A log's text without its dress, and where its records begin."""

    text: str
    records: tuple[Record, ...]
    """In the order of `text`; the first one begins at 0."""
    starts: tuple[int, ...]
    """Where they begin."""

    def find_record(self, offset: int) -> Record:
        """Give the record in which this offset lies."""
        return self.records[max(0, bisect_right(self.starts, offset) - 1)]

    def find_next_break(self, offset: int) -> int:
        """Give where the record after this offset begins, or the text's length."""
        position = bisect_right(self.starts, offset)
        return self.records[position].start if position < len(self.records) else len(self.text)


def transcribe(raw: str) -> Transcript:
    """Undress a log and put each speaker's lines together."""
    lines = unbox([undress(line) for line in _list_lines(clean_text(raw))])
    pieces: list[str] = []
    records: list[Record] = []
    length = 0
    for speaker in _sort_by_speaker(lines):
        previous: Line | None = None
        for number, line in speaker:
            if previous is None or _begins_record(line, previous):
                records.append(Record(length, line.level, number))
            pieces.append(line.text)
            length += len(line.text) + 1
            previous = line
    return Transcript("\n".join(pieces), tuple(records), tuple(record.start for record in records))


def _list_lines(text: str) -> list[str]:
    """List the lines that were written, whether a terminal broke them before or after they were escaped."""
    records = unwrap_records("\n".join(join_wrapped(text.split("\n"))))
    joined = "\n".join(join_prefixed(records.split("\n")))
    expanded = expand_escapes(joined)
    return join_wrapped(expanded.split("\n")) if expanded != joined else joined.split("\n")


def _sort_by_speaker(lines: list[Line]) -> list[list[tuple[int, Line]]]:
    """Group the lines by who spoke; a line that doesn't say belongs to whoever spoke last."""
    speakers: dict[str, list[tuple[int, Line]]] = {}
    current = ""
    for number, line in enumerate(lines):
        current = line.tag or current
        speakers.setdefault(current, []).append((number, line))
    return list(speakers.values())


def _begins_record(line: Line, previous: Line) -> bool:
    """Tell a new record from the next line of the same one: by its prefix, unless that stands on every line."""
    return bool(line.shape) and line.shape != previous.shape
