"""Which frames of tracebacks does a text show, in whatever style?"""

from collections.abc import Iterator
from dataclasses import dataclass

import re2

_QUOTE, _QUOTED = r"[\"\x{201c}\x{201d}]", r"[^\"\x{201c}\x{201d}\n]"
_PATH = r"(?:[A-Za-z]:)?[^\n:\"'<>|()\s][^\n:\"'<>|()]*\.pyx?"
_FUNCTION = r"<[\w ]+>|[\w.]+"
_STYLES = (
    # CPython, with any quotes or none: File "/lib/vllm/config.py", line 12, in verify
    re2.compile(
        r"File [\"\x{201c}\x{201d}]?(?P<path>[^\"\x{201c}\x{201d}\n]+?)[\"\x{201c}\x{201d}]?,?"
        r"\s+line\s+(?P<line>\d{1,7})"
        r"(?:,? in (?P<function>" + _FUNCTION + r"))?"
    ),
    # CPython, its path broken by a terminal
    re2.compile(
        rf"File {_QUOTE}(?P<path>{_QUOTED}{{1,300}}\n{_QUOTED}{{1,300}}\.pyx?){_QUOTE},?"
        r"\s+line\s+(?P<line>\d{1,7})"
        r"(?:,? in (?P<function>" + _FUNCTION + r"))?"
    ),
    # IPython: File C:\lib\vllm\config.py:12, in Config.verify(self)
    re2.compile(r"(?m)^\s*File (?P<path>[^\n\"]+?):(?P<line>\d{1,7})(?:, in (?P<function>" + _FUNCTION + r"))?"),
    # Rich: /lib/vllm/config.py:12 in verify
    re2.compile(r"(?m)^\s*(?P<path>" + _PATH + r"):(?P<line>\d{1,7}) in\s+(?P<function>" + _FUNCTION + r")"),
    # Older IPython, Colab: /lib/vllm/config.py in verify(self)
    re2.compile(r"(?m)^\s*(?P<path>" + _PATH + r") in (?P<function>" + _FUNCTION + r")(?P<line>)\("),
    # pytest: vllm/config.py:12: ValueError
    re2.compile(
        r"(?m)^\s*(?P<path>" + _PATH + r"):(?P<line>\d{1,7}): (?:in (?P<function>\w+)|(?P<raised>[A-Z]\w*))\s*$"
    ),
    # Error trackers: vllm/config.py in verify at line 12
    re2.compile(r"(?m)^\s*(?P<path>" + _PATH + r") in (?P<function>" + _FUNCTION + r") at line (?P<line>\d{1,7})"),
    # Stack dumps: verify (vllm/config.py:12)
    re2.compile(r"(?m)^\s*(?:at )?(?P<function>[\w.<>]+) \((?P<path>" + _PATH + r"):(?P<line>\d{1,7})\)"),
    # Notebook cells, which no catalog has, but which open a listing
    re2.compile(
        r"(?m)^\s*(?P<path>(?:Cell |Input )?In ?\[\d+\]|<ipython-input-[\w-]+>)"
        r"(?:, line | in )(?P<line>\d*)(?P<function>)"
    ),
)
_ARROW = re2.compile(r"^\s*(?:-{1,8}>|\x{2771}|\x{276f}|>)\s*(\d{1,7})(?:\s*[\x{2502}|])?(.*)$")
_NUMBERED = re2.compile(r"^\s*\d{1,7}(?:\s|$)")
_CARETS = re2.compile(r"^[\s^~]*$")
_GUIDES = re2.compile(r"\x{2502}")
_LONGEST_SOURCE = 12


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a traceback, or a line of source without one."""

    path: str
    """As the text has it; empty for a line of source that stands alone."""
    line: int | None
    function: str | None
    source: str | None
    """The line of source shown, without indentation."""
    start: int
    end: int
    """Where the frame ends, its source included."""


@dataclass(frozen=True, slots=True)
class FrameHead:
    """The line that names a frame, before its source is read."""

    path: str
    line: int | None
    function: str | None
    start: int
    end: int
    raised: str | None = None
    """The exception that pytest names behind the place, below the message."""


def find_frame_heads(text: str) -> list[FrameHead]:
    """Find every frame's head, in order."""
    heads: list[FrameHead] = []
    if "line " not in text and ".py" not in text and "In" not in text:
        return heads
    for style in _STYLES:
        for found in style.finditer(text):
            if text[found.start() : found.start() + 1] not in ("F",) and not _begins_line(text, found.start()):
                continue
            line = found.group("line")
            heads.append(
                FrameHead(
                    "".join(found.group("path").split("\n")).strip(),
                    int(line) if line else None,
                    found.group("function") or None,
                    found.start() + len(found.group()) - len(found.group().lstrip()),
                    found.end(),
                    found.groupdict().get("raised"),
                )
            )
    return list(_drop_overlapping(sorted(heads, key=lambda head: (head.start, -head.end))))


def read_frame(text: str, head: FrameHead, limit: int) -> Frame:
    """Read the source that follows a head, at most up to `limit`."""
    line, source, end = head.line, None, head.end
    position = text.find("\n", head.end, limit)
    rest = text[head.end : position if position >= 0 else limit].strip(" \t:,)")
    if rest and not rest.startswith("("):
        source, end = rest, head.end + len(text[head.end : limit if position < 0 else position])  # all on one line
    lines_read = 0
    while position >= 0 and position < limit:
        begin = position + 1
        position = text.find("\n", begin, limit)
        shown = text[begin : position if position >= 0 else limit]
        arrow = _ARROW.match(shown)
        numbered = arrow or _NUMBERED.match(shown)
        if not shown.strip():
            # A listing may begin behind an empty line, and has some in it.
            if source is not None and not _NUMBERED.match(text[position + 1 : position + 40]):
                break
            if lines_read or not _begins_listing(text[position + 1 : position + 200] if position >= 0 else ""):
                break
            continue
        if arrow:
            line = int(arrow.group(1)) if line is None else line
            source = _GUIDES.sub(" ", arrow.group(2)).strip()
        elif not numbered and not _CARETS.match(shown):
            lines_read += 1
            source = shown.strip() if source is None else source
        end = begin + len(shown)
        if lines_read >= _LONGEST_SOURCE:
            break
    return Frame(head.path, line, head.function, source, head.start, min(end, limit))


def _begins_line(text: str, offset: int) -> bool:
    """Tell a line's beginning from where the engine resumed its search."""
    return offset == 0 or text[offset - 1] == "\n" or text[offset : offset + 1] == "\n"


def _begins_listing(text: str) -> bool:
    first = text.split("\n", 1)[0]
    return bool(_NUMBERED.match(first) or _ARROW.match(first))


def _drop_overlapping(heads: list[FrameHead]) -> Iterator[FrameHead]:
    end = -1
    for head in heads:
        if head.start >= end:
            yield head
            end = head.end
