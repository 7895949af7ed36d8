"""Which entries does each report of a log come from?"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import re2

from catalog.explain.align import Alignment, align, align_cut, find_start
from catalog.explain.evidence import ENOUGH, Evidence, Fit, weigh_class, weigh_frames, weigh_text
from catalog.explain.index import PIECE
from catalog.explain.logs import Log, Report
from catalog.explain.messages import begins_message, ends_message, find_cut, find_value_end, has_own_line, is_inside
from catalog.explain.places import name_file
from catalog.explain.shapes import Shape, list_texts, shape_parts
from catalog.explain.similar import SIMILAR_ENOUGH, find_similar
from catalog.explain.squeeze import squeeze
from catalog.explain.statements import is_telling
from catalog.explain.stored import IndexedCatalog
from catalog.records import Entry

_HIDING = frozenset({"wrapped", "body", "error", "repr", "loose", "quoted"})
"""Reports whose last frame need not be the one that raised."""
_QUIET = frozenset({"INFO", "DEBUG", "WARNING", "WARN", "NOTICE", "TRACE"})
_LOOSE_BITS, _LINE_BITS = 22.0, 12.0
"""Bits that a text without a head must have: anywhere, and when it has a line for itself."""
_LEFT_OUT = re2.compile(
    r"(?m)^\s*(?:\.{3}\s*$|\x{2026}\s*$|\[\.{3}|[\[<(](?:snip|truncated|omitted|skipp)|Traceback omitted)"
)
_TRIES_IN_REPORT = 12
_FRAMES_ABOVE = 5
_SPOKEN_OF = 1.5
_CLOSE = 1.0
"""Candidates nearer to each other than this are as good as each other."""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that a report may come from, and why."""

    catalog: IndexedCatalog
    number: int
    """The entry's place in its catalog."""
    entry: Entry
    text: int | None
    """Which of the entry's texts lay over the message."""
    alignment: Alignment | None
    points: float
    evidence: tuple[Evidence, ...]
    is_similar: bool = False
    """The wording is only like the entry's: a hint, and no more."""

    @property
    def is_enough(self) -> bool:
        """Tell a match from a mere candidate."""
        return self.points >= ENOUGH


@dataclass(slots=True)
class Matcher:
    """Matches the reports of one log against one catalog."""

    log: Log
    catalog: IndexedCatalog
    _positions: list[int] = field(default_factory=list)
    _texts: list[int] = field(default_factory=list)
    _shapes: dict[int, Shape] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = self.catalog.index.find_texts(self.log.squeezed.text)
        hits = sorted((position, text) for text, positions in found.items() for position in positions)
        self._positions = [position for position, _ in hits]
        self._texts = [text for _, text in hits]

    def match(self, report: Report) -> list[Match]:
        """Give the candidates for a report, best first."""
        aligned: dict[int, tuple[int, Alignment | None]] = {}
        for text, alignment in self._align_texts(report):
            owner = self.catalog.index.owners[text]
            known = aligned.get(owner)
            if known is None or self._rank(text, alignment) > self._rank(*known):
                aligned[owner] = (text, alignment)
        numbers = dict.fromkeys([*aligned, *self._list_by_frames(report)])
        matches = [self._weigh(report, number, aligned.get(number)) for number in numbers]
        return sorted(matches, key=lambda match: (-match.points, match.number))

    def match_similar(self, report: Report) -> list[Match]:
        """Give entries with wording like a report's, for when none has its wording."""
        message = self.log.text[report.message_start : report.message_end]
        found = []
        for text, likeness in find_similar(self.catalog, message):
            number = self.catalog.index.owners[text]
            entry = self.catalog.entries[number]
            evidence = [likeness, *self._weigh_surroundings(report, entry)]
            points = sum(piece.points for piece in evidence)
            if points >= SIMILAR_ENOUGH:
                found.append(Match(self.catalog, number, entry, None, None, round(points, 3), tuple(evidence), True))
        return sorted(found, key=lambda match: (-match.points, match.number))

    def find_loose(self) -> list[Report]:
        """Find messages that no head announces."""
        log = self.log
        starts = [report.start for report in log.reports]
        spans: list[tuple[int, int]] = []
        for position, text in zip(self._positions, self._texts, strict=True):
            offset = log.squeezed.offsets[position]
            if is_inside(log.reports, starts, offset) or log.is_code(offset):
                continue
            record = log.transcript.find_record(offset)
            bits = self.catalog.index.bits[text]
            if record.level in _QUIET or bits < _LINE_BITS:
                continue
            span = self._find_loose_span(position, text, record.start, log.transcript.find_next_break(offset))
            if span is None:
                continue
            shape = self._shape(text)
            ends = (not shape.opens_with_gap, not shape.closes_with_gap)
            if bits >= _LOOSE_BITS or has_own_line(log.text, *span, ends):
                spans.append(span)
        return [self._make_loose(start, end) for start, end in _merge(spans)]

    # Aligning

    def _align_texts(self, report: Report) -> Iterator[tuple[int, Alignment]]:
        if report.message_start >= report.limit:
            return
        squeezed = self.log.squeezed
        low, high = squeezed.find_place(report.start), squeezed.find_place(report.limit)
        first, last = bisect_left(self._positions, low), bisect_left(self._positions, high)
        hits: dict[int, list[int]] = {}
        for place in range(first, last):
            hits.setdefault(self._texts[place], []).append(self._positions[place])
        for text, positions in hits.items():
            alignment = self._align_text(report, text, positions)
            if alignment is not None:
                yield text, alignment

    def _align_text(self, report: Report, text: int, positions: Sequence[int]) -> Alignment | None:
        squeezed = self.log.squeezed
        shape = self._shape(text)
        low, begin = squeezed.find_place(report.start), squeezed.find_place(report.message_start)
        high, end = squeezed.find_place(report.limit), squeezed.find_place(report.message_end)
        for start in dict.fromkeys((begin, low)):
            alignment = align(shape, squeezed.text, start, high, self._can_end)
            if alignment is not None:
                return alignment
        for position in [position for position in positions if position < end][:_TRIES_IN_REPORT]:
            piece = squeezed.text[position : position + PIECE]
            found = find_start(shape, squeezed.text, piece, position, low)
            alignment = None if found is None else align(shape, squeezed.text, found, high, self._can_end)
            if alignment is not None:
                return alignment
        cut = find_cut(self.log, report)
        return None if cut is None else align_cut(shape, squeezed.text, begin, squeezed.find_place(cut))

    def _align_entry(self, report: Report, number: int, entry: Entry) -> tuple[int, Alignment] | None:
        """Lay an entry's texts over a report's message where no piece of them led to it."""
        if report.message_start >= report.message_end or report.kind == "statement":
            return None
        squeezed = self.log.squeezed
        begin, end = squeezed.find_place(report.message_start), squeezed.find_place(report.message_end)
        found: list[tuple[int, Alignment]] = []
        for which, parts in enumerate(list_texts(entry)):
            shape = shape_parts(parts)
            alignment = align(shape, squeezed.text, begin, end, self._can_end)
            if alignment is None:
                cut = find_cut(self.log, report)
                alignment = None if cut is None else align_cut(shape, squeezed.text, begin, squeezed.find_place(cut))
            if alignment is not None:
                found.append((which, alignment))
        return max(found, key=lambda pair: pair[1].matched, default=None)

    def _can_end(self, place: int) -> bool:
        offsets = self.log.squeezed.offsets
        return ends_message(self.log.text, offsets[place - 1] + 1)

    def _shape(self, text: int) -> Shape:
        if text not in self._shapes:
            index = self.catalog.index
            entry = self.catalog.entries[index.owners[text]]
            self._shapes[text] = shape_parts(list_texts(entry)[index.numbers[text]])
        return self._shapes[text]

    def _rank(self, text: int, alignment: Alignment | None) -> tuple[bool, int]:
        return (alignment is not None and not alignment.is_cut, alignment.matched if alignment else 0)

    # Candidates without text

    def _list_by_frames(self, report: Report) -> Iterator[int]:
        index = self.catalog.index
        if report.exception is not None and "." in report.exception:
            yield from index.find_by_class(report.exception.rsplit(".", 1)[-1])
        if not report.frames:
            return
        for frame in reversed(report.frames[-_FRAMES_ABOVE:]):
            if not frame.path:
                continue
            if frame.function is not None:
                yield from index.find_in_function(frame.path, frame.function)
            if frame.function is None or frame.function.startswith("<"):
                yield from (number for number in index.find_in_file(frame.path) if self._has_line(number, frame.line))
        last = report.frames[-1]
        if last.source and is_telling(squeeze(last.source)):
            yield from index.find_by_line(last.source)

    def _has_line(self, number: int, line: int | None) -> bool:
        site = self.catalog.entries[number].site
        return line is not None and site.line <= line <= site.end_line

    # Weighing

    def _weigh(self, report: Report, number: int, aligned: tuple[int, Alignment | None] | None) -> Match:
        entry = self.catalog.entries[number]
        index = self.catalog.index
        evidence: list[Evidence] = []
        which: int | None = None
        alignment: Alignment | None = None
        if aligned is not None:
            which, alignment = index.numbers[aligned[0]], aligned[1]
        else:
            found = self._align_entry(report, number, entry)
            if found is not None:
                which, alignment = found
        if alignment is not None and which is not None:
            evidence += self._weigh_alignment(report, number, which, alignment)
        elif report.kind != "statement" and self._says_more(report, entry):
            evidence.append(Evidence(-20, "the message isn't the entry's"))
        evidence += self._weigh_surroundings(report, entry)
        points = sum(piece.points for piece in evidence)
        return Match(self.catalog, number, entry, which, alignment, round(points, 3), tuple(evidence))

    def _weigh_surroundings(self, report: Report, entry: Entry) -> list[Evidence]:
        """Weigh what a report says besides its message: the class, the frames, names."""
        rarity = self.catalog.index.weigh_class(entry.exception.name)
        named = weigh_class(report.exception, entry, report.kind in ("wrapped", "repr"), rarity)
        last = report.frames[-1].path if report.frames else ""
        is_known = bool(last and self.catalog.index.find_in_file(last))
        is_hidden = report.kind in _HIDING or self._leaves_out(report)
        framed = weigh_frames(report.frames, entry, is_known, is_hidden)
        evidence = [piece for piece in (named, framed) if piece is not None]
        if framed is None and self._is_spoken_of(entry):
            evidence.append(Evidence(_SPOKEN_OF, f"the log speaks of {entry.site.module}"))
        return evidence

    def _leaves_out(self, report: Report) -> bool:
        """Tell whether the log says that it leaves frames out at the end of a traceback."""
        if not report.frames:
            return False
        return bool(_LEFT_OUT.search(self.log.text[report.frames[-1].start : report.start]))

    def _is_spoken_of(self, entry: Entry) -> bool:
        """Tell whether the log has the entry's module or file anywhere."""
        text = self.log.squeezed.text
        return squeeze(entry.site.module) in text or squeeze(name_file(entry.site)) in text

    def _weigh_alignment(self, report: Report, number: int, which: int, alignment: Alignment) -> list[Evidence]:
        shape = shape_parts(list_texts(self.catalog.entries[number])[which])
        if not shape.fragments:
            return []
        text, offsets = self.log.text, self.log.squeezed.offsets
        start = offsets[alignment.start]
        at_start = alignment.start == self.log.squeezed.find_place(report.message_start)
        begins = None if shape.opens_with_gap else at_start or begins_message(text, start)
        ends = None if shape.closes_with_gap else self._can_end(alignment.end)
        words = max((len(self._cut_value(report, shape, alignment, gap).split()) for gap in alignment.gaps), default=0)
        cut_in_value = alignment.is_cut and bool(alignment.gaps) and alignment.gaps[-1][1] == alignment.end
        share = alignment.matched / shape.length
        fit = Fit(share, alignment.matched, alignment.is_cut, cut_in_value, begins, ends, words)
        return weigh_text(self.catalog.index.weigh_text(number, which), fit)

    def _cut_value(self, report: Report, shape: Shape, alignment: Alignment, gap: tuple[int, int]) -> str:
        offsets = self.log.squeezed.offsets
        begin = offsets[gap[0]] if gap[0] < len(offsets) else len(self.log.text)
        if gap[0] == alignment.end and shape.closes_with_gap:
            return self.log.text[begin : find_value_end(self.log, report, begin)]
        return self.log.text[begin : offsets[gap[1]]]

    def _says_more(self, report: Report, entry: Entry) -> bool:
        """Tell whether the report has a message that speaks against the entry."""
        message = self.log.text[report.message_start : report.message_end].strip()
        return bool(message) and not (entry.message is None and message.startswith("assert "))

    # Messages without a head

    def _find_loose_span(self, position: int, text: int, low: int, high: int) -> tuple[int, int] | None:
        squeezed = self.log.squeezed
        shape = self._shape(text)
        piece = squeezed.text[position : position + PIECE]
        start = find_start(shape, squeezed.text, piece, position, squeezed.find_place(low))
        if start is None:
            return None
        limit = squeezed.find_place(high)
        alignment = align(shape, squeezed.text, start, limit, self._can_end)
        if alignment is None:
            end = squeezed.find_place(len(self.log.text.rstrip()))
            alignment = align_cut(shape, squeezed.text, start, end) if limit >= end else None
        if alignment is None or alignment.matched < min(shape.length, 16):
            return None
        return squeezed.offsets[alignment.start], squeezed.offsets[max(alignment.end - 1, 0)] + 1

    def _make_loose(self, start: int, end: int) -> Report:
        log = self.log
        line_end = log.text.find("\n", end)
        end = len(log.text) if line_end < 0 else line_end
        limit = log.transcript.find_next_break(start)
        order = log.transcript.find_record(start).line
        frames = next(
            (
                report.frames
                for report in log.reports
                if report.kind == "frames" and 0 <= start - report.message_end < 200
            ),
            (),
        )
        return Report("loose", None, start, start, min(end, limit), limit, frames, order)


def is_tied(matches: Sequence[Match]) -> bool:
    """Tell whether nothing decides between the first matches."""
    return len(matches) > 1 and matches[0].points - matches[1].points < _CLOSE


def _merge(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
