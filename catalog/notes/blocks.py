"""The few blocks of Markdown that a note is made of: paragraphs, lists and fenced code, read and written."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from catalog.notes.frontmatter import MisreadError

_WIDTH = 100
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_ITEM = re.compile(r"(?:\d{1,9}[.)]|[-*+])(?: +|$)")
_OWN_LINE = re.compile(r"\s*(?:[-*+](?: |$)|\d+[.)](?: |$)|>|\||#|`{3}|~{3})|    |\t")
"""How a line begins that isn't the rest of the paragraph above it."""


_Role = Literal["text", "open", "code", "close"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file, with its number."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block of code."""

    code: str
    language: str
    number: int
    """The line of its opening fence."""


def mark_outside(lines: Sequence[Line]) -> list[bool]:
    """Tell for each line whether it stands outside fenced code; raises `MisreadError` for a fence never closed."""
    return [role == "text" for role in _find_roles(lines)]


def read_prose(lines: Sequence[str]) -> str:
    """Read paragraphs: a line break inside one is a space, blocks of their own stay as they are."""
    joined: list[str] = []
    marks = mark_outside([Line(0, line) for line in lines])
    may_go_on = False
    for line, is_outside in zip(lines, marks, strict=True):
        text = line.rstrip() if not line.strip() else line
        if may_go_on and is_outside and text and not _OWN_LINE.match(text):
            joined[-1] += " " + text
        else:
            joined.append(text)
        may_go_on = is_outside and bool(text) and not text.endswith(("  ", "\\"))
    return "\n".join(joined).strip("\n")


def read_list(lines: Sequence[Line], heading: int) -> tuple[str, ...]:
    """Read a list into its items; raises `MisreadError` where something else stands."""
    items: list[tuple[int, list[str]]] = []
    for line, is_outside in zip(lines, mark_outside([_dedent(line, 3) for line in lines]), strict=True):
        item = _ITEM.match(line.text) if is_outside else None
        if item is not None:
            items.append((len(item[0]), [line.text[len(item[0]) :]]))
        elif items:
            items[-1][1].append(_dedent(line, items[-1][0]).text)
        elif line.text.strip():
            raise MisreadError(line.number, "a list is wanted here: lines that begin with `- ` or `1. `")
    if not items:
        raise MisreadError(heading, "an empty section; say something, or leave it out")
    return tuple(read_prose(inside) for _, inside in items)


def read_fences(lines: Sequence[Line]) -> list[tuple[list[Line], Fence]]:
    """Read fenced blocks, each with the lines before it; raises `MisreadError` for text after the last."""
    found: list[tuple[list[Line], Fence]] = []
    before: list[Line] = []
    code: list[str] = []
    opening = Line(0, "")
    for line, role in zip(lines, _find_roles(lines), strict=True):
        match role:
            case "text":
                before.append(line)
            case "open":
                opening, code = line, []
            case "code":
                code.append(line.text)
            case "close":
                language = opening.text.strip().lstrip("`~").strip()
                found.append((before, Fence("\n".join(code), language, opening.number)))
                before = []
    stray = next((line for line in before if line.text.strip()), None)
    if stray is not None:
        raise MisreadError(stray.number, "a fenced block is wanted here")
    return found


def write_prose(text: str) -> str:
    """Write paragraphs, broken at a width that is easy to review."""
    return "\n\n".join(_fill(paragraph, _WIDTH) for paragraph in text.split("\n\n"))


def write_bullets(items: Sequence[str]) -> str:
    """Write a list of bullets, broken."""
    return _write_items(items, ("- " for _ in items), broken=True)


def write_long_bullets(items: Sequence[str]) -> str:
    """Write a list of bullets, each on as many lines as it has."""
    return _write_items(items, ("- " for _ in items), broken=False)


def write_numbered(items: Sequence[str]) -> str:
    """Write a numbered list, broken."""
    return _write_items(items, (f"{number}. " for number in range(1, len(items) + 1)), broken=True)


def write_long_numbered(items: Sequence[str]) -> str:
    """Write a numbered list, each item on as many lines as it has."""
    return _write_items(items, (f"{number}. " for number in range(1, len(items) + 1)), broken=False)


def write_fence(code: str, language: str) -> str:
    """Fence code in more backticks than it has in a row."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}" if code else f"{fence}{language}\n{fence}"


def _write_items(items: Sequence[str], marks: Iterator[str], broken: bool) -> str:
    written = []
    for mark, item in zip(marks, items, strict=True):
        text = write_prose(item) if broken else item
        written.append(mark + text.replace("\n", "\n" + " " * len(mark)))
    return "\n".join(re.sub(r"(?m)^ +$", "", each) for each in written)


def _fill(paragraph: str, width: int) -> str:
    if "\n" in paragraph:
        return paragraph
    return textwrap.fill(
        paragraph, width, break_long_words=False, break_on_hyphens=False, expand_tabs=False, replace_whitespace=False
    )


def _dedent(line: Line, width: int) -> Line:
    indent = len(line.text) - len(line.text.lstrip(" "))
    return Line(line.number, line.text[min(indent, width) :])


def _find_roles(lines: Sequence[Line]) -> Iterator[_Role]:
    """Tell what each line is to fenced code; raises `MisreadError` for a fence never closed."""
    opened: tuple[str, int] | None = None
    for line in lines:
        fence = _FENCE.fullmatch(line.text)
        run, rest = (fence[1], fence[2].strip()) if fence is not None else ("", "")
        if opened is None:
            if run and (run[0] == "~" or "`" not in rest):
                opened = run, line.number
                yield "open"
            else:
                yield "text"
        elif run and run[0] == opened[0][0] and len(run) >= len(opened[0]) and not rest:
            opened = None
            yield "close"
        else:
            yield "code"
    if opened is not None:
        raise MisreadError(opened[1], "a fenced block that is never closed")
