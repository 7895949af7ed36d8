"""Which messages stand in a log without anything that announces them?"""

from collections.abc import Iterator

from catalog.explain.logs import Log, Report
from catalog.explain.messages import has_own_line
from catalog.explain.overlay import Hit, Overlay

_QUIET = frozenset({"INFO", "DEBUG", "WARNING", "WARN", "NOTICE", "TRACE"})
"""What is logged like this was logged, not raised."""
_ANYWHERE, _ON_OWN_LINE = 22.0, 12.0
"""Bits that a text must have to be seen anywhere, and when it has a line for itself."""
_FEWEST_LETTERS = 16
_NEAR = 200


def find_loose(overlay: Overlay) -> Iterator[Report]:
    """Find messages that no head announces: retyped, quoted in prose, printed by a program that hides the class."""
    spans = sorted(filter(None, (_find_span(overlay, hit) for hit in overlay.hits)))
    end = 0
    start = 0
    for low, high in spans:
        if low >= end:
            if end:
                yield _report(overlay.log, start, end)
            start = low
        end = max(end, high)
    if end:
        yield _report(overlay.log, start, end)


def _find_span(overlay: Overlay, hit: Hit) -> tuple[int, int] | None:
    """Give where the message stands in the text, if the template around a piece lies there whole."""
    log, squeezed = overlay.log, overlay.log.squeezed
    offset = squeezed.offsets[hit.position]
    bits = overlay.catalog.index.bits[hit.text]
    if bits < _ON_OWN_LINE or log.is_inside(offset) or log.is_code(offset):
        return None
    record = log.transcript.find_record(offset)
    if record.level in _QUIET:
        return None
    shape = overlay.shape(hit.text)
    low, high = squeezed.find_place(record.start), squeezed.find_place(log.transcript.find_next_break(offset))
    end = squeezed.find_place(len(log.text.rstrip()))
    alignment = overlay.lay_around(hit, low, high, cut=end if high >= end else None)
    if alignment is None or alignment.matched < min(shape.length, _FEWEST_LETTERS):
        return None
    start, end = squeezed.offsets[alignment.start], squeezed.offsets[max(alignment.end - 1, 0)] + 1
    if len(log.text[start:end].split()) == 1:
        return None  # a name that is made of the same words
    fixed = not shape.opens_with_gap, not shape.closes_with_gap
    return (start, end) if bits >= _ANYWHERE or has_own_line(log.text, start, end, fixed) else None


def _report(log: Log, start: int, end: int) -> Report:
    """Make a report of a message that begins here, with the frames of a traceback that was cut off right before."""
    limit = log.transcript.find_next_break(start)
    line_end = log.text.find("\n", end)
    stop = min(limit, line_end if line_end >= 0 else len(log.text))
    bare = (report for report in log.reports if report.kind == "frames" and 0 <= start - report.message_end < _NEAR)
    frames = next((report.frames for report in bare), ())
    return Report("loose", None, start, start, stop, limit, frames, log.transcript.find_record(start).line)
