"""A catalog and the folder of notes that go with it, opened together, with what derives and checks notes for it."""

from dataclasses import dataclass
from pathlib import Path

from catalog.errors import NoteError
from catalog.notes import joining
from catalog.notes.codeonly import keep_code
from catalog.notes.facts import Facts
from catalog.notes.files import NoteFolder, find_folder, read_folder
from catalog.notes.joining import Judged
from catalog.notes.rules import derive_note
from catalog.notes.verify import verify_note
from catalog.records import Catalog, Entry, Note, Verification
from catalog.terminal import complain, plural


@dataclass(frozen=True, slots=True)
class Desk:
    """What is needed to work on the notes of one catalog."""

    catalog: Catalog
    facts: Facts
    folder: NoteFolder | None

    def derive(self, entry: Entry) -> Note:
        """Derive the note of an entry."""
        return derive_note(entry, self.facts)

    def verify(self, note: Note, entry: Entry) -> tuple[Verification, ...]:
        """Check a note against what was mined of an entry; a model's draft against the code alone."""
        is_unread = note.model is not None and note.status == "drafted"
        return verify_note(note, keep_code(entry) if is_unread else entry, self.facts)

    def judge(self) -> list[Judged]:
        """Judge every written note."""
        return list(joining.judge(self.folder.files if self.folder is not None else (), self.catalog, self.verify))


def open_desk(catalog: Catalog, notes: Path | None, is_made: bool = False) -> Desk:
    """Open the notes of a catalog: the folder given, else the one below `notes/`; with `is_made`, it may be missing.

    Names every bad file on stderr, then raises `NoteError`.
    """
    facts = Facts.of(catalog)
    if is_made and notes is not None and not notes.exists():
        return Desk(catalog, facts, NoteFolder(notes, ()))
    path = find_folder(notes, catalog.target.name)
    if path is None:
        return Desk(catalog, facts, None)
    folder = read_folder(path)
    for bad in folder.bad:
        complain(str(bad))
    if folder.bad:
        raise NoteError(f"{path}: {plural(len(folder.bad), 'bad note file')}; mend what is named above")
    return Desk(catalog, facts, folder)
