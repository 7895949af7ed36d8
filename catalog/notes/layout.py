"""How a note reads as Markdown: one section a field, each written so that it is read back as it was."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from catalog.errors import NoteError
from catalog.markdown import span_code
from catalog.notes import blocks
from catalog.notes.blocks import Line
from catalog.notes.frontmatter import Exactly, MisreadError, make_head, make_note, read_head, write_head
from catalog.records import Check, Example, Note

_HEADINGS = {
    "meaning": "What it means",
    "trigger": "When it is raised",
    "solutions": "Solutions",
    "example": "Example",
    "check": "Check before the call",
    "prevention": "Prevention",
    "situations": "Situations",
}
_FIELDS = {heading: field for field, heading in _HEADINGS.items()}
_EMPTY: Mapping[str, Any] = {
    "trigger": "",
    "solutions": (),
    "example": None,
    "check": None,
    "prevention": (),
    "situations": (),
}
_HEADING = re.compile(r"(#{1,2})[ \t]+(.*?)[ \t]*#*[ \t]*")


def format_note(note: Note, title: str = "", body: str | None = None) -> str:
    """Write a note as the text of its file, under a title for people.

    `body` is what stood below the head before: it stays to the letter when it still says the same. Raises `NoteError`
    when the note can't be written without loss.
    """
    exact: dict[str, object] = {}
    sections = [f"# {span_code(title)}\n"] if title else []
    for field, heading in _HEADINGS.items():
        value = getattr(note, field)
        section = _write_section(field, value)
        if section is None:
            exact[field] = value
        elif section:
            sections.append(f"## {heading}\n\n{section}\n")
    head = write_head(make_head(note, exact))
    for below in (body, "\n" + "\n".join(sections)):
        if below is not None and _is_same(head + below, note):
            return head + below
    raise NoteError(f"the note for {note.entry} can't be written as text: it holds what UTF-8 or TOML can't")


def parse_note(text: str) -> Note:
    """Read a note from the text of its file; raises `MisreadError` with the line that is wrong."""
    head, lines = _split_head(text)
    found = _read_sections(lines)
    for field in Exactly.__struct_fields__:
        value = getattr(head.exact, field)
        if value is None:
            continue
        if field in found:
            raise MisreadError(1, f"{field} stands both in the front matter and under {_HEADINGS[field]!r}")
        found[field] = value
    if "meaning" not in found:
        raise MisreadError(1, f"the section {_HEADINGS['meaning']!r} is missing")
    return make_note(head, {**_EMPTY, **found})


def split_body(text: str) -> str:
    """Give what stands below the head of a note's text."""
    lines = text.removeprefix("\ufeff").split("\n")
    return "\n".join(lines[read_head(lines)[1] :])


def _split_head(text: str) -> tuple[Any, list[Line]]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    head, taken = read_head(lines)
    return head, [Line(number, line) for number, line in enumerate(lines[taken:], taken + 1)]


def _is_same(text: str, note: Note) -> bool:
    try:
        text.encode("utf-8")
        return parse_note(text) == note
    except (MisreadError, UnicodeEncodeError):
        return False


def _read_sections(lines: Sequence[Line]) -> dict[str, Any]:
    """Read each section into its field."""
    found: dict[str, Any] = {}
    for heading, inside in _split_sections(lines):
        field = _FIELDS.get(heading.text)
        if field is None:
            known = ", ".join(_HEADINGS.values())
            raise MisreadError(heading.number, f"there is no section {heading.text!r}; there are {known}")
        if field in found:
            raise MisreadError(heading.number, f"a second section {heading.text!r}")
        found[field] = _READERS[field](inside, heading.number)
    return found


def _split_sections(lines: Sequence[Line]) -> list[tuple[Line, list[Line]]]:
    sections: list[tuple[Line, list[Line]]] = []
    outside = blocks.mark_outside(lines)
    for line, is_outside in zip(lines, outside, strict=True):
        heading = _HEADING.fullmatch(line.text) if is_outside else None
        if heading is not None and len(heading[1]) == 2:
            sections.append((Line(line.number, heading[2]), []))
        elif sections:
            sections[-1][1].append(line)
        elif line.text.strip() and heading is None:
            raise MisreadError(line.number, "text before the first section; begin one with `## What it means`")
    return sections


def _write_section(field: str, value: Any) -> str | None:
    """Write a field as Markdown: empty when there is nothing to say, `None` when Markdown would change it."""
    if value == _EMPTY.get(field, object()):
        return ""
    for write in _WRITERS[field]:
        text = write(value)
        lines = [Line(number, line) for number, line in enumerate(text.replace("\r\n", "\n").split("\n"))]
        try:
            sections = _read_sections([Line(0, f"## {_HEADINGS[field]}"), Line(0, ""), *lines, Line(0, "")])
        except MisreadError:
            continue
        if sections == {field: value} and _is_plain(text):
            return text
    return None


def _is_plain(text: str) -> bool:
    """Tell whether a reviewer sees all there is: no control characters, no marks of direction, no odd line ends."""
    return all(char.isprintable() or char in "\n\t" for char in text)


def _read_prose(lines: Sequence[Line], heading: int) -> str:
    text = blocks.read_prose([line.text for line in lines])
    if not text:
        raise MisreadError(heading, "an empty section; say something, or leave it out")
    return text


def _read_list(lines: Sequence[Line], heading: int) -> tuple[str, ...]:
    return blocks.read_list(lines, heading)


def _read_example(lines: Sequence[Line], heading: int) -> Example:
    found = blocks.read_fences(lines)
    labels = [blocks.read_prose([line.text for line in before]).rstrip(":").lower() for before, _ in found]
    if len(found) != 2 or labels != ["before", "after"]:
        raise MisreadError(heading, "an example is `Before:` with a fenced block, then `After:` with another")
    (_, before), (_, after) = found
    if before.language != after.language:
        raise MisreadError(after.number, f"the language is {before.language!r} before and {after.language!r} after")
    return Example(before.code, after.code, before.language)


def _read_check(lines: Sequence[Line], heading: int) -> Check:
    found = blocks.read_fences(lines)
    said = [blocks.read_prose([line.text for line in before]) for before, _ in found]
    strategy = re.fullmatch(r"Strategy: *(.+?)\.?", said[0], re.DOTALL) if len(found) == 1 else None
    if strategy is None or found[0][1].language != "python":
        raise MisreadError(heading, "a check is `Strategy: validation` and one fenced block of python")
    return Check(strategy[1], found[0][1].code)


def _write_example(example: Example) -> str:
    before = blocks.write_fence(example.before, example.language)
    return f"Before:\n\n{before}\n\nAfter:\n\n{blocks.write_fence(example.after, example.language)}"


def _write_check(check: Check) -> str:
    return f"Strategy: {check.strategy}\n\n{blocks.write_fence(check.code, 'python')}"


_READERS: Mapping[str, Callable[[Sequence[Line], int], Any]] = {
    "meaning": _read_prose,
    "trigger": _read_prose,
    "solutions": _read_list,
    "example": _read_example,
    "check": _read_check,
    "prevention": _read_list,
    "situations": _read_list,
}
_PROSE = (blocks.write_prose, str)
_BULLETS = (blocks.write_bullets, blocks.write_long_bullets)
_WRITERS: Mapping[str, Sequence[Callable[[Any], str]]] = {
    "meaning": _PROSE,
    "trigger": _PROSE,
    "solutions": (blocks.write_numbered, blocks.write_long_numbered),
    "example": (_write_example,),
    "check": (_write_check,),
    "prevention": _BULLETS,
    "situations": _BULLETS,
}
