"""Where in a log does a message begin and end, as far as its surroundings tell?"""

import re2

from catalog.explain.logs import Log, Report

_OPENERS = " \t\"'`*_~([{<>:|#-\u201c\u2018\u00ab\u2014\u2013"
_OPENING = frozenset("\"'`*_~\u201c\u2018([{")
_CLOSERS = " \t\"'`*_~)]}>.!;,\u201d\u2019\u00bb"
_TAIL = re2.compile(
    r"^[\s\"'`*_~)\]}.!,\x{201d}\x{2019}]*"
    r"(?:\[type=|\(parameter=|\((?:type|code|status|param|request[ _]id)\b"
    r"|\[(?:truncated|rest of line|\.\.\.)|\.\.\.|\x{2026}|[\"'\x{201d}\x{2019}`]|$)"
)
_BREAKS_OFF = re2.compile(r"^\s*(?:\.\.\.|\x{2026}|\[(?:truncated|rest|cut|\.\.\.|snip)|\(truncated|<truncated)")
_TYPED = " [type="
_QUOTED_KINDS = frozenset({"body", "repr"})


def begins_message(text: str, offset: int) -> bool:
    """Tell whether what stands before this offset on its line, if anything, leads into a message."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    before = line.rstrip("\"'`*_~\u201c\u2018([{ ")
    is_opened = line[-1:] in _OPENING  # right before it: behind a space a quote closes something else
    return not before.strip(_OPENERS) or before.endswith((":", ">", "\u2014", " -", " --", "=")) or is_opened


def ends_message(text: str, offset: int) -> bool:
    """Tell whether what stands behind this offset on its line, if anything, is no part of a message."""
    end = text.find("\n", offset)
    return bool(_TAIL.match(text[offset : min(offset + 200, len(text)) if end < 0 else min(end, offset + 200)]))


def has_own_line(text: str, start: int, end: int, fixed: tuple[bool, bool]) -> bool:
    """Tell whether nothing but marks stands around a message on its lines, at those of its ends that are fixed text."""
    if not any(fixed):
        return False
    before = text[text.rfind("\n", 0, start) + 1 : start]
    line_end = text.find("\n", end)
    behind = text[end : line_end if line_end >= 0 else len(text)]
    return not (fixed[0] and before.strip(_OPENERS)) and not (fixed[1] and behind.strip(_CLOSERS))


def find_cut(log: Log, report: Report) -> int:
    """Give where the message may have been cut off: where the text ends, or where it says so."""
    text = log.text
    end = len(text.rstrip(" \n\t`\"'*_"))
    if report.limit >= end > report.message_start:
        return end
    stop = _find_paragraph_end(text, report)
    following = text[stop : stop + 40]
    if _BREAKS_OFF.match(following) or text[:stop].endswith(("...", "\u2026", '\u2026"')):
        return len(text[:stop].rstrip(" .\u2026\"'"))
    marker = text.find("...", report.message_start, stop)
    if marker > 0 and _BREAKS_OFF.match(text[marker:stop]) and "\n" not in text[marker : marker + 4]:
        return marker
    return stop


def find_value_end(log: Log, report: Report, offset: int) -> int:
    """Give where a value ends that nothing fixed follows."""
    text = log.text
    stop = max(offset, report.message_end)
    if report.kind in ("class", "wrapped", "line"):
        stop = max(offset, min(stop, _find_paragraph_end(text, report, offset)))
    else:
        line_end = text.find("\n", offset)
        stop = stop if line_end < 0 else min(stop, line_end)
    if report.kind in ("class", "wrapped") and not text[offset:stop].strip():
        stop = report.limit  # the value is a traceback
    typed = text.find(_TYPED, offset, stop)
    if typed >= 0:
        stop = typed
    if report.kind in _QUOTED_KINDS:
        quote = text[report.message_start - 1 : report.message_start]
        closing = text.find(quote, offset, stop) if quote in "\"'" and quote else -1
        stop = closing if closing >= 0 else stop
    return offset + len(text[offset:stop].rstrip())


def _find_paragraph_end(text: str, report: Report, offset: int | None = None) -> int:
    """Give the end of the message's paragraph: an empty line, or where the report's message ends."""
    begin = report.message_start if offset is None else offset
    empty = text.find("\n\n", begin, report.message_end)
    while empty >= 0 and not text[begin:empty].strip():
        empty = text.find("\n\n", empty + 2, report.message_end)
    stop = report.message_end if empty < 0 else empty
    return max(begin, begin + len(text[begin:stop].rstrip()))
