"""Which errors does a text report, each with its exception, its message and its frames?"""

from bisect import bisect_right
from dataclasses import dataclass, field, replace

import re2

from catalog.explain.frames import Frame, FrameHead, find_frame_heads, read_frame
from catalog.explain.heads import Head, IsClass, find_heads
from catalog.explain.spans import Spans, join_spans, lies_in
from catalog.explain.squeeze import Squeezed, squeeze_with_offsets
from catalog.explain.transcript import Transcript, transcribe

_BARRIER = re2.compile(
    r"Traceback \(most recent call last\)|During handling of the above exception|"
    r"The above exception was the direct cause|(?m)^[\s|]*\+[-+]{3}|(?:\w+\.)*\w+TaskError\(\w+\): ray::[^\n]*"
)
_STATEMENT = re2.compile(r"(?m)^\s*(?:raise\s+(?P<name>[A-Za-z_][\w.]*)\s*(?:\(|$)|assert\s*[\w(\"'\[{-])[^\n]*$")
_VALIDATION = re2.compile(r"^\s*\d+ validation errors?\b")
_LONGEST_MESSAGE = 12_000
_LONGEST_STATEMENT = 1_500
_NEAR = 400
_DEEP = 8
"""Reports that may lie in one another."""
_DEEPEST = 60
"""Of indentation, before a head that begins a line."""


@dataclass(frozen=True, slots=True)
class Report:
    """An error as a text reports it."""

    kind: str
    """The head's kind, or `frames` (cut before the message), `statement` (only source), `loose` (no head at all)."""
    exception: str | None
    start: int
    message_start: int
    """Equal to `message_end` when there is no message."""
    message_end: int
    limit: int
    """How far the message may reach if it quotes a traceback of its own."""
    frames: tuple[Frame, ...]
    order: int
    """The line of the log on which it begins."""
    inside: int | None = None
    """Where the report begins that quotes this one."""


@dataclass(frozen=True, slots=True)
class Log:
    """A log, read."""

    transcript: Transcript
    squeezed: Squeezed
    reports: tuple[Report, ...]
    """In the order of the text."""
    spoken: Spans
    """Where the reports' heads and messages stand."""
    code: Spans
    """Where the text shows source that belongs to a frame."""

    @property
    def text(self) -> str:
        """The clean text."""
        return self.transcript.text

    def is_inside(self, offset: int) -> bool:
        """Tell whether an offset lies in a report's head or message."""
        return lies_in(self.spoken, offset)

    def is_code(self, offset: int) -> bool:
        """Tell whether this offset lies in a frame's source."""
        return lies_in(self.code, offset)


@dataclass(frozen=True, slots=True)
class _Barrier:
    start: int


@dataclass(frozen=True, slots=True)
class _Statement:
    start: int
    end: int
    name: str | None


_Item = Head | FrameHead | _Barrier | _Statement


def read_log(raw: str, is_class: IsClass = lambda _: False) -> Log:
    """Read a log or any part of one; an exception of an unusual name is known by `is_class`."""
    transcript = transcribe(raw)
    reader = _Reader(transcript, is_class)
    reader.read()
    said = (report for report in reader.reports if report.kind != "frames")
    spoken = join_spans((report.start, max(report.message_end, report.message_start)) for report in said)
    code = join_spans((frame.start, frame.end) for frame in reader.frames_seen)
    return Log(transcript, squeeze_with_offsets(transcript.text), tuple(reader.reports), spoken, code)


@dataclass(slots=True)
class _Reader:
    """Walks over what stands out in a text and closes a report at every message."""

    transcript: Transcript
    is_class: IsClass
    reports: list[Report] = field(default_factory=list)
    frames_seen: list[Frame] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    """Those since the last message."""
    validated: tuple[Frame, ...] | None = None
    """The frames of a validation error whose own errors are being listed."""
    statement: _Statement | None = None
    ends: list[int] = field(default_factory=list)
    """Where something begins that can't stand in the middle of a message."""
    named: list[int] = field(default_factory=list)
    """Where exceptions are named: on a later line that is another record's."""

    def read(self) -> None:
        items = self._list_items()
        self.ends = [item.start for item in items if _ends_message(self.transcript.text, item)]
        self.named = [item.start for item in items if isinstance(item, Head) and item.kind in ("class", "wrapped")]
        for position, item in enumerate(items):
            following = items[position + 1].start if position + 1 < len(items) else len(self.transcript.text)
            match item:
                case _Barrier():
                    self._flush()
                case FrameHead():
                    self._add_frame(item, following)
                case _Statement():
                    self._add_statement(item)
                case Head():
                    self._close(item, following)
        self._flush()

    def _list_items(self) -> list[_Item]:
        text = self.transcript.text
        shown: list[FrameHead | _Barrier | _Statement] = [
            *find_frame_heads(text),
            *(_Barrier(found.start()) for found in _BARRIER.finditer(text)),
            *(
                _Statement(found.end() - len(found.group().lstrip()), found.end(), found.group("name"))
                for found in _STATEMENT.finditer(text)
                if found.start() == 0 or text[found.start() - 1 : found.start() + 1].count("\n")
            ),
        ]
        taken = sorted(
            (item.start, text.find("\n", item.start) if isinstance(item, _Barrier) else item.end) for item in shown
        )
        heads = []
        for head in find_heads(text, self.is_class):
            position = bisect_right(taken, (head.start, len(text))) - 1
            if position < 0 or not taken[position][0] <= head.start < taken[position][1]:
                heads.append(head)
        return sorted([*shown, *heads], key=lambda item: item.start)

    def _add_frame(self, head: FrameHead, following: int) -> None:
        limit = min(following, self.transcript.find_next_break(head.start))
        frame = read_frame(self.transcript.text, head, limit)
        self.statement = None
        last = self.reports[-1] if self.reports else None
        if head.raised and last is not None and (last.exception or "").endswith(head.raised):
            source = last.frames[-1].source if last.frames else None
            self.reports[-1] = replace(last, frames=(*last.frames, replace(frame, source=source)))
            return
        if (
            self.frames
            and frame.start > self.transcript.find_next_break(self.frames[-1].start)
            and (
                self.transcript.find_record(frame.start).level
                != self.transcript.find_record(self.frames[-1].start).level
            )
        ):
            self._flush()
        self.frames_seen.append(frame)
        self.frames.append(frame)

    def _add_statement(self, statement: _Statement) -> None:
        text = self.transcript.text
        if self.frames and statement.start <= self.frames[-1].end:
            return
        if self.frames and text[self.frames[-1].end : statement.start].strip() == "":
            last = self.frames[-1]
            source = text[statement.start : statement.end].strip()
            self.frames[-1] = replace(last, source=last.source or source, end=statement.end)
            self.frames_seen[-1] = self.frames[-1]
            return
        self._flush()
        self.statement = statement

    def _close(self, head: Head, following: int) -> None:
        """Make a report of a head, with the frames that led to it."""
        text = self.transcript.text
        if head.kind == "line" and not (self.frames and head.start - self.frames[-1].end < _NEAR):
            return
        if self.frames and head.start < self.frames[-1].end and head.kind != "class":
            return
        if head.kind == "wrapped" and head.name is None and not self._is_listing_errors(head):
            return
        limit = min(self.transcript.find_next_break(head.start), head.message_start + _LONGEST_MESSAGE, len(text))
        if head.kind == "body":
            limit = min(limit, following)  # the next member of the object
        line_end = text.find("\n", head.message_start)
        end = min(
            limit,
            _find_after(self.ends, head.start, limit),
            _find_after(self.named, line_end, limit) if line_end >= 0 else limit,
        )
        end = max(head.message_start, end)
        frames = tuple(self.frames)
        if self.statement is not None and head.start - self.statement.end < _NEAR:
            frames = (_show_statement(text, self.statement),)
            self.frames_seen += frames
        if head.kind == "wrapped" and self.validated is not None:
            frames = self.validated
        if head.kind == "class" and _VALIDATION.match(text[head.message_start : head.message_start + 40]):
            self.validated = frames
        elif head.kind != "wrapped":
            self.validated = None
        self.reports.append(
            Report(
                head.kind,
                head.name,
                head.start,
                min(head.message_start, limit),
                end,
                max(limit, end),
                frames,
                self.transcript.find_record(head.start).line,
                self._find_quoting(head),
            )
        )
        self.frames = []
        self.statement = None

    def _is_listing_errors(self, head: Head) -> bool:
        """Tell whether one of a validation error's errors may begin here, rather than go on."""
        if self.validated is None:
            return False
        last = self.reports[-1]
        return last.kind == "class" or " [type=" in self.transcript.text[last.message_start : head.start]

    def _find_quoting(self, head: Head) -> int | None:
        """Give where the report begins in whose message this head stands, if it does."""
        for report in reversed(self.reports[-_DEEP:]):
            if report.message_start <= head.start < report.message_end:
                return report.start
        return None

    def _flush(self) -> None:
        """Report the frames or the statement that no message followed."""
        text = self.transcript.text
        if self.frames:
            first, last = self.frames[0], self.frames[-1]
            frames = tuple(self.frames)
            self._report_bare("frames", None, first.start, last.end, frames)
        elif self.statement is not None:
            statement = self.statement
            self._report_bare(
                "statement", statement.name, statement.start, statement.end, (_show_statement(text, statement),)
            )
        self.frames = []
        self.statement = None

    def _report_bare(self, kind: str, exception: str | None, start: int, end: int, frames: tuple[Frame, ...]) -> None:
        order = self.transcript.find_record(start).line
        message_start = start if kind == "statement" else end
        self.reports.append(Report(kind, exception, start, message_start, end, end, frames, order))


def _show_statement(text: str, statement: _Statement) -> Frame:
    return Frame("", None, None, text[statement.start : statement.end].strip(), statement.start, statement.end)


def _find_after(places: list[int], offset: int, otherwise: int) -> int:
    position = bisect_right(places, offset)
    return places[position] if position < len(places) else otherwise


def _ends_message(text: str, item: _Item) -> bool:
    """Tell what can't stand in the middle of a message from what a message may quote."""
    if isinstance(item, Head):
        before = text[max(0, item.start - _DEEPEST) : item.start].rstrip(" *_~`>#\"'")
        begins_line = before.endswith("\n") or (not before and item.start < _DEEPEST)
        return begins_line and item.kind in ("class", "wrapped", "error")
    return not isinstance(item, _Statement)
