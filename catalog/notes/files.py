"""A folder of note files: which notes it holds, and how one is put there."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from catalog.errors import NoteError
from catalog.files import write_bytes
from catalog.notes.frontmatter import MisreadError
from catalog.notes.layout import format_note, parse_note, split_body
from catalog.records import Entry, Note

FOLDER = Path("notes")
"""Where notes are looked for, from the folder in which errmine runs: `notes/vllm`, else `notes`."""


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A note and the file it stands in."""

    path: Path
    note: Note


@dataclass(frozen=True, slots=True)
class BadFile:
    """A file that can't be read as a note."""

    path: Path
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class NoteFolder:
    """What a folder of notes holds, by path."""

    path: Path
    files: tuple[NoteFile, ...]
    bad: tuple[BadFile, ...] = ()


def find_folder(given: Path | None, target: str) -> Path | None:
    """Find the folder of notes that is meant: the one given, else the target's below `notes/`, else none.

    Raises `NoteError` when the one given is no folder.
    """
    if given is None:
        own = FOLDER / make_slug(target)
        return next((folder for folder in (own, FOLDER) if folder.is_dir()), None)
    if not given.is_dir():
        raise NoteError(f"{given}: no such folder of notes; make one with `errmine notes new ENTRY --notes {given}`")
    return given


def read_folder(folder: Path) -> NoteFolder:
    """Read every note below a folder; its README and what begins with a dot are no notes.

    A bad file is told, not raised, so that one pass names them all.
    """
    good: list[NoteFile] = []
    bad: list[BadFile] = []
    for path in sorted(folder.rglob("*.md")):
        inside = path.relative_to(folder).parts
        if path.name.lower() == "readme.md" or any(part.startswith(".") for part in inside) or not path.is_file():
            continue
        found = read_file(path)
        if isinstance(found, BadFile):
            bad.append(found)
        else:
            good.append(found)
    return NoteFolder(folder, tuple(good), (*bad, *_find_rivals(good)))


def read_file(path: Path) -> NoteFile | BadFile:
    """Read one note file."""
    try:
        return NoteFile(path, parse_note(path.read_bytes().decode("utf-8")))
    except OSError as error:
        return BadFile(path, 1, f"can't be read ({error.strerror or error})")
    except UnicodeDecodeError as error:
        return BadFile(path, error.object.count(b"\n", 0, error.start) + 1, "not UTF-8")
    except MisreadError as error:
        return BadFile(path, error.line, error.reason)


def write_note(note: Note, folder: Path, entry: Entry | None = None, path: Path | None = None) -> Path:
    """Write a note atomically: to the file it stands in, else to a new one below the folder, named for the entry.

    Of a file that is there what still says the same is kept to the letter.
    """
    if path is None:
        path = _choose_place(note, folder, entry)
    title = entry.title if entry is not None else ""
    before = _read_text(path)
    if before is None:
        text = format_note(note, title)
    else:
        text = format_note(note, title, split_body(before))
        if "\r\n" in before:
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    write_bytes(text.encode("utf-8"), path)
    return path


def make_slug(text: str, length: int = 60) -> str:
    """Make a name for a file of any text: ASCII letters, digits and hyphens, never a way out of the folder."""
    words = re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", ""), flags=re.ASCII).strip("-")
    return words if len(words) <= length else words[:length].rpartition("-")[0] or words[:length]


def _choose_place(note: Note, folder: Path, entry: Entry | None) -> Path:
    words = make_slug(entry.title if entry is not None else "", 48)
    name = "-".join(filter(None, (words, make_slug(note.entry)[:8]))) or "note"
    number, path = 1, folder / f"{name}.md"
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}.md"
    return path


def _read_text(path: Path) -> str | None:
    """Give the text of a file that reads as a note; anything else is written anew."""
    try:
        text = path.read_bytes().decode("utf-8")
        parse_note(text)
    except (FileNotFoundError, UnicodeDecodeError, MisreadError):
        return None
    except OSError as error:
        raise NoteError(f"{path}: can't be read ({error.strerror or error})") from error
    return text


def _find_rivals(files: Iterable[NoteFile]) -> list[BadFile]:
    """Find the files that say they are the same note: of one entry, equally finished, both a person's or a model's."""
    first: dict[tuple[str, str, bool], Path] = {}
    rivals = []
    for file in files:
        note = file.note
        key = (note.entry, note.status, note.model is None)
        if key in first:
            rivals.append(BadFile(file.path, 1, f"a second {note.status} note for {note.entry}, beside {first[key]}"))
        first.setdefault(key, file.path)
    return rivals
