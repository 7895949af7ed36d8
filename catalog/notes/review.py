"""What a person does to one note: begin it, find it, and accept it for its entry as it is now."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from catalog.errors import QuestionError
from catalog.notes.files import write_note
from catalog.notes.joining import Judged
from catalog.notes.opening import Desk
from catalog.notes.states import name_place, pin_target
from catalog.records import Basis, Entry
from catalog.selection import find_entries


def begin_note(desk: Desk, question: str, folder: Path, author: str) -> Path:
    """Write a draft for an entry from what can be derived; raises `QuestionError` when there is a note already."""
    entry = _find_entry(desk, question)
    for file in desk.folder.files if desk.folder is not None else ():
        if file.note.entry in (entry.id, *entry.previous):
            raise QuestionError(f"{file.path}: there is a note for {entry.id} already")
    note = replace(desk.derive(entry), author=author, status="drafted", basis=_state_basis(desk, entry))
    if note.check is not None:
        note = replace(note, check=replace(note.check, code=note.check.code.strip("\n")))
    return write_note(note, folder, entry)


def find_notes(desk: Desk, questions: Iterable[str]) -> list[Judged]:
    """Find the note that each file's path or entry means, with its entry; raises `QuestionError` otherwise."""
    judged = desk.judge()
    found = [_find_note(desk, judged, question) for question in questions]
    return list({each.file.path: each for each in found}.values())


def _find_note(desk: Desk, judged: Sequence[Judged], question: str) -> Judged:
    path = Path(question)
    found = [each for each in judged if each.file.path == path or each.file.path.resolve() == path.resolve()]
    if not found:
        entry = _find_entry(desk, question)
        found = [each for each in judged if each.state.entry == entry]
        if not found:
            raise QuestionError(f"{entry.id}: no note for this entry; begin one with `errmine notes new {entry.id}`")
    if len(found) > 1:
        raise QuestionError(f"{question}: several notes, name one: {', '.join(str(each.file.path) for each in found)}")
    if found[0].state.entry is None:
        raise QuestionError(f"{found[0].file.path}: its entry is gone ({found[0].state.detail}); remove the file")
    return _judge_as_reviewed(desk, found[0], found[0].state.entry)


def _judge_as_reviewed(desk: Desk, judged: Judged, entry: Entry) -> Judged:
    """Judge a draft as what it becomes: a person who looked may name what only the source's prose does."""
    return replace(judged, verified=desk.verify(replace(judged.file.note, status="reviewed"), entry))


def accept_note(desk: Desk, judged: Judged, today: str) -> Path:
    """Write that a note was reviewed today, for its entry as it is now; the text stays to the letter."""
    entry = judged.state.entry
    assert entry is not None
    for file in desk.folder.files if desk.folder is not None else ():
        if file.path != judged.file.path and (file.note.entry, file.note.status) == (entry.id, "reviewed"):
            raise QuestionError(f"{file.path}: is the reviewed note for {entry.id}; remove it first")
    old = judged.file.note
    note = replace(
        old,
        entry=entry.id,
        fingerprint=entry.fingerprint,
        status="reviewed",
        date=today,
        verified=(),
        basis=replace(_state_basis(desk, entry), prompt=old.basis.prompt if old.basis is not None else None),
    )
    return write_note(note, judged.file.path.parent, entry, judged.file.path)


def _find_entry(desk: Desk, question: str) -> Entry:
    found = find_entries(desk.catalog.entries, question)
    if not found:
        raise QuestionError(f"{question}: no entry of {desk.catalog.target.name} fits")
    if len(found) > 1:
        ids = ", ".join(entry.id for entry in found[:5])
        raise QuestionError(
            f"{question}: fits {len(found)} entries; name one by its id: {ids}{' …' * (len(found) > 5)}"
        )
    return found[0]


def _state_basis(desk: Desk, entry: Entry) -> Basis:
    target = desk.catalog.target
    return Basis(target.name, pin_target(target), name_place(entry))
