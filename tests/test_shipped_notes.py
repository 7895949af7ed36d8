"""The notes that come with the repository: readable, whole, and true of the release they were written for."""

import re
from pathlib import Path

import pytest
from test_annotate import ROOT, run

from catalog.notes.files import NoteFile, read_folder

FOLDER = ROOT / "notes" / "vllm"
FILES = read_folder(FOLDER).files


def test_every_file_reads_as_a_note() -> None:
    assert read_folder(FOLDER).bad == ()
    assert len(FILES) >= 30


@pytest.mark.parametrize("file", FILES, ids=[file.path.stem for file in FILES])
def test_a_note_has_all_that_a_reader_looks_for(file: NoteFile) -> None:
    note = file.note
    assert (note.status, note.verified) == ("reviewed", ())
    assert note.basis is not None
    assert (note.basis.target, note.basis.version) == ("vllm", "0.33.0")
    assert note.meaning
    assert note.trigger
    assert note.solutions
    assert note.situations
    assert note.example is not None
    assert note.example.before != note.example.after
    assert note.check is not None
    assert re.match(r'def \w+\((?s:.*?)\) -> bool:\n    """[A-Z].*\."""\n', note.check.code)


@pytest.mark.network
def test_the_notes_hold_for_the_release_they_were_written_for(tmp_path: Path) -> None:
    scanned = run("scan", "vllm==0.33.0", "-o", "vllm.json", cwd=tmp_path)
    assert scanned.returncode == 0, scanned.stderr
    status = run("notes", "status", "vllm.json", "--notes", str(FOLDER), cwd=tmp_path)
    assert (status.returncode, status.stdout) == (0, f"{len(FILES)} notes: {len(FILES)} fresh\n")
    verified = run("notes", "verify", "vllm.json", "--notes", str(FOLDER), cwd=tmp_path)
    assert (verified.returncode, verified.stdout) == (0, f"{len(FILES)} notes: {len(FILES)} passed, 0 failed\n")
