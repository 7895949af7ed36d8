"""Which values stood in the holes of a message?"""

from collections.abc import Sequence
from dataclasses import dataclass

import re2

from catalog.explain.align import Alignment
from catalog.explain.logs import Log, Report
from catalog.explain.messages import find_value_end
from catalog.explain.squeeze import squeeze
from catalog.records import Hole, Part, Text

_MOST_HOLES = 60
"""Of a longer template the engine would need more memory than it may have."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a hole was filled with."""

    expr: str
    text: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a message says that its template doesn't."""

    values: tuple[Value, ...]
    is_exact: bool
    """The message is the template, letter by letter, with values in its holes."""
    message: str | None
    """The message, without what the log has around it; None when none was read."""


def recover_values(log: Log, report: Report, parts: Sequence[Part], alignment: Alignment) -> Recovered:
    """Read the values out of a message over which a template was laid."""
    start, end = _find_span(log, report, parts, alignment)
    holes = [part for part in parts if isinstance(part, Hole)]
    message = log.text[start:end]
    if not alignment.is_cut and len(holes) <= _MOST_HOLES:
        for is_exact in (True, False):
            found = re2.compile(_write_pattern(parts, is_exact), _OPTIONS).fullmatch(message)
            if found:
                texts = found.groups()
                values = [Value(hole.expr, text) for hole, text in zip(holes, texts, strict=True)]
                return Recovered(tuple(values), is_exact, message)
    return Recovered(tuple(_read_gaps(log, report, parts, alignment)), is_exact=False, message=message)


def is_exact(log: Log, report: Report, parts: Sequence[Part], alignment: Alignment) -> bool:
    """Tell whether a message is a template letter by letter, with values in its holes."""
    if alignment.is_cut or len(parts) > _MOST_HOLES:
        return False
    start, end = _find_span(log, report, parts, alignment)
    return bool(re2.compile(_write_pattern(parts, is_exact=True), _OPTIONS).fullmatch(log.text[start:end]))


def _make_options() -> re2.Options:
    options = re2.Options()
    options.dot_nl = True
    options.log_errors = False
    return options


_OPTIONS = _make_options()


def _write_pattern(parts: Sequence[Part], is_exact: bool) -> str:
    """Write a template as a pattern with a group for each hole; inexact, white space and marks around it may differ."""
    written = []
    for part in parts:
        match part:
            case Text(text):
                written.append(re2.escape(text) if is_exact else _loosen(text))
            case Hole(expr=expr, self_documenting=documenting):
                fixed = f"{expr}=" if documenting else ""
                written.append((re2.escape(fixed) if is_exact else _loosen(fixed)) + "(.*?)")
    return "".join(written)


def _loosen(text: str) -> str:
    if not text:
        return ""
    inner = r"\s*".join(re2.escape(word) for word in text.split())
    before = r"\s*" if text[:1].isspace() else ""
    after = r"\s*" if text[-1:].isspace() else ""
    return before + inner + after if inner else r"\s*"


def _find_span(log: Log, report: Report, parts: Sequence[Part], alignment: Alignment) -> tuple[int, int]:
    """Give where the message stands in the text, with what squeezing took from its two ends."""
    text, offsets = log.text, log.squeezed.offsets
    start = offsets[alignment.start]
    first, last = parts[0], parts[-1]
    if isinstance(first, Text):
        lead = _take_lead(first.text)
        start -= len(lead) if text[:start].endswith(lead) else 0
    elif alignment.start == log.squeezed.find_place(report.message_start):
        start = report.message_start
    if isinstance(last, Hole) and not alignment.is_cut:
        begin = offsets[alignment.end - 1] + 1 if alignment.end else start
        return start, max(begin, find_value_end(log, report, begin))
    end = offsets[alignment.end - 1] + 1 if alignment.end else start
    if isinstance(last, Text):
        tail = _take_lead(last.text[::-1])[::-1]
        end += len(tail) if text.startswith(tail, end) else 0
    return start, end


def _take_lead(text: str) -> str:
    """Give what stands before a text's first letter that squeezing keeps."""
    for length in range(len(text)):
        if squeeze(text[length]):
            return text[:length]
    return text


def _read_gaps(log: Log, report: Report, parts: Sequence[Part], alignment: Alignment) -> list[Value]:
    """Read values out of the gaps between the fixed texts, as far as a gap has one hole."""
    text, offsets = log.text, log.squeezed.offsets
    values = []
    for (low, high), (holes, before, after) in zip(alignment.gaps, list_gaps(parts), strict=False):
        if len(holes) != 1:
            continue
        begin = offsets[low - 1] + 1 if low else 0
        is_last = low == alignment.end and not alignment.is_cut
        end = find_value_end(log, report, begin) if is_last else offsets[high] if high < len(offsets) else len(text)
        value = text[begin:end]
        value = value.removeprefix(before) if before and value.startswith(before) else value.lstrip(before + " \n")
        value = value.removesuffix(after) if after and value.endswith(after) else value.rstrip(after + " \n")
        values.append(Value(holes[0].expr, value))
    return values


def list_gaps(parts: Sequence[Part]) -> list[tuple[list[Hole], str, str]]:
    """List a template's gaps: the holes in each, and the fixed signs at its edges that squeezing takes away."""
    gaps: list[tuple[list[Hole], str, str]] = []
    holes: list[Hole] = []
    before, fixed = "", ""
    for part in parts:
        piece = part.text if isinstance(part, Text) else ""
        if isinstance(part, Hole) and part.self_documenting:
            piece = f"{part.expr}="
        fixed += piece
        if squeeze(piece) and holes:
            gaps.append((holes, before, _take_lead(fixed)))
            holes = []
        if isinstance(part, Hole):
            before = before if holes else _take_lead(fixed[::-1])[::-1]
            holes.append(part)
            fixed = ""
    if holes:
        gaps.append((holes, before, fixed))
    return gaps
