"""The head of a note file: what is known about a note besides its text, as TOML between two lines of `+++`."""

import datetime
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from catalog.records import Basis, Check, Example, Fingerprint, Note, NoteStatus, Verification

MARK = "+++"
_Id = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINE = re.compile(r" ?\(at line (\d+), column \d+\)")


class MisreadError(Exception):
    """A note's text isn't laid out as a note; leaves this package as a `NoteError` that names the file."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


class Prints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the note was written for."""

    template: _Id
    guard: _Id


class Exactly(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Fields whose text Markdown would change: control characters, spaces at the ends, headings of its own."""

    meaning: str | None = None
    trigger: str | None = None
    solutions: tuple[str, ...] | None = None
    prevention: tuple[str, ...] | None = None
    situations: tuple[str, ...] | None = None
    example: Example | None = None
    check: Check | None = None


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The front matter, in the order in which it is written."""

    entry: _Id
    fingerprint: Prints
    author: str
    status: NoteStatus
    target: str | None = None
    version: str | None = None
    place: str | None = None
    date: str | None = None
    model: str | None = None
    prompt: str | None = None
    verified: tuple[Verification, ...] = ()
    exact: Exactly = Exactly()


def make_head(note: Note, exact: Mapping[str, object]) -> Head:
    """Gather what stands in the head of a note's file."""
    basis = note.basis
    return Head(
        entry=note.entry,
        fingerprint=Prints(note.fingerprint.template, note.fingerprint.guard),
        author=note.author,
        status=note.status,
        target=basis.target if basis else None,
        version=basis.version if basis else None,
        place=basis.place if basis else None,
        date=note.date,
        model=note.model,
        prompt=basis.prompt if basis else None,
        verified=note.verified,
        exact=msgspec.convert(exact, Exactly),
    )


def make_note(head: Head, fields: Mapping[str, Any]) -> Note:
    """Join a head and the fields read from the text below it."""
    basis = Basis(head.target, head.version, head.place, head.prompt) if head.target is not None else None
    return Note(
        entry=head.entry,
        fingerprint=Fingerprint(head.fingerprint.template, head.fingerprint.guard),
        author=head.author,
        model=head.model,
        date=head.date,
        status=head.status,
        verified=head.verified,
        basis=basis,
        **fields,
    )


def write_head(head: Head) -> str:
    """Write a head with its marks."""
    plain = msgspec.to_builtins(head)
    verified, exact = plain.pop("verified", ()), plain.pop("exact", {})
    lines = [f"{key} = {_write_value(value)}" for key, value in plain.items() if value is not None]
    for each in verified:
        lines += ["", "[[verified]]", *(f"{key} = {_write_value(value)}" for key, value in each.items())]
    if exact:
        lines += ["", "[exact]", *(f"{key} = {_write_value(value)}" for key, value in exact.items())]
    return "\n".join([MARK, *lines, MARK]) + "\n"


def read_head(lines: Sequence[str]) -> tuple[Head, int]:
    """Read the head of a file's lines; gives it with the number of lines it takes.

    Raises `MisreadError` with the line.
    """
    if not lines or lines[0].rstrip() != MARK:
        raise MisreadError(1, f"a note begins with its front matter: TOML between two lines of {MARK}")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == MARK), None)
    if end is None:
        raise MisreadError(1, f"the front matter isn't closed with a line of {MARK}")
    inner = lines[1:end]
    try:
        table = tomllib.loads("\n".join(inner) + "\n")
    except tomllib.TOMLDecodeError as error:
        raise MisreadError(*_read_place(error, end)) from error
    if isinstance(table.get("date"), datetime.date):
        table["date"] = table["date"].isoformat()
    try:
        return msgspec.convert(table, Head), end + 1
    except msgspec.ValidationError as error:
        raise MisreadError(*_read_complaint(str(error), inner)) from error


def _read_place(error: tomllib.TOMLDecodeError, end: int) -> tuple[int, str]:
    found = _LINE.search(str(error))
    reason = _LINE.sub("", str(error)).replace(" (at end of document)", "")
    return min(int(found[1]) + 1 if found else end, end + 1), f"the front matter is no TOML: {reason}"


def _read_complaint(complaint: str, lines: Sequence[str]) -> tuple[int, str]:
    """Turn what is wrong with a value into its line and a reason."""
    reason, _, place = complaint.replace("`", "").partition(" - at $.")
    key = re.split(r"[.\[]", place)[0]
    field = reason.rpartition(" ")[2]
    if reason.startswith("Object contains unknown field ") and not place:
        key, reason = field, f"there is no {field} in the front matter; there are {', '.join(Head.__struct_fields__)}"
    elif reason.startswith("Object missing required field "):
        reason = f"the front matter has no {'.'.join(filter(None, (place, field)))}"
    elif "matching regex" in reason:
        reason = f"{place} is no id of 16 hex digits"
    else:
        reason = f"{place}: {reason[:1].lower()}{reason[1:]}"
    begins = re.compile(rf"\[*{re.escape(key)}\b")
    where = next((number for number, line in enumerate(lines, 2) if key and begins.match(line)), 1)
    return where, reason


def _write_value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value if _DATE.fullmatch(value) and _is_date(value) else f'"{"".join(map(_escape, value))}"'
        case Mapping():
            return "{" + ", ".join(f"{key} = {_write_value(inner)}" for key, inner in value.items()) + "}"
        case Sequence():
            return "[" + ", ".join(map(_write_value, value)) + "]"
    raise TypeError(f"{type(value).__name__} has no place in a front matter")


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _escape(char: str) -> str:
    """Write out what TOML or a reader's eye would mistake: quotes, control characters, marks of direction."""
    if char in '"\\':
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
