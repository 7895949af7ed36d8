"""`errmine notes`: what a team sees of its notes in review and in continuous integration."""

import json
from pathlib import Path
from typing import Any

import pytest
from factories import change, make_catalog, make_entry
from notemaking import make_note
from test_annotate import run

from catalog.notes.files import NoteFile, read_file, write_note
from catalog.records import Basis, Fingerprint, Note
from catalog.store import write_catalog

ID = "00000000000000aa"
ENTRY = make_entry(id=ID)
MEANING = "The cart's size must be at least 1."


def put(tmp_path: Path, *notes: Note, **entry_changes: Any) -> list[Path]:
    """Put a catalog of one entry and notes where the command looks for them."""
    write_catalog(make_catalog([change(ENTRY, entry_changes)]), tmp_path / "catalogs" / "shop.json")
    return [write_note(note, tmp_path / "notes" / "shop", ENTRY) for note in notes]


def read(path: Path) -> Note:
    found = read_file(path)
    assert isinstance(found, NoteFile)
    return found.note


STATES = [
    ({}, 0, "1 note: 1 fresh", "fresh  00000000000000aa  notes/shop/{name}"),
    ({"site__line": 99}, 0, "1 note: 1 moved", "moved  00000000000000aa  notes/shop/{name}  was shop/cart.py:12"),
    ({"fingerprint__template": "1" * 16}, 1, "1 note: 1 reworded", "reworded  00000000000000aa  notes/shop/{name}"),
    (
        {"fingerprint__guard": "1" * 16},
        1,
        "1 note: 1 guard changed",
        "guard changed  00000000000000aa  notes/shop/{name}",
    ),
    (
        {"id": "b" * 16},
        1,
        "1 note: 1 orphaned",
        "orphaned  00000000000000aa  notes/shop/{name}  no entry of this catalog has the id 00000000000000aa",
    ),
]


@pytest.mark.parametrize(("changes", "code", "summary", "row"), STATES)
def test_status_tells_the_state_and_answers_ci(
    changes: dict[str, Any], code: int, summary: str, row: str, tmp_path: Path
) -> None:
    (path,) = put(tmp_path, make_note(), **changes)
    done = run("notes", "status", "--all", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert done.stdout.splitlines() == [row.format(name=path.name), summary]
    brief = run("notes", "status", cwd=tmp_path)
    assert brief.returncode == code
    assert brief.stdout == (done.stdout if code else f"{summary}\n")
    (told,) = json.loads(run("notes", "status", "--json", cwd=tmp_path).stdout)
    assert summary == f"1 note: 1 {told['state']}"


def test_a_bad_file_is_exit_code_2_in_every_command(tmp_path: Path) -> None:
    put(tmp_path, make_note())
    (tmp_path / "notes" / "shop" / "bad.md").write_text("+++\nentry = 3\n+++\n", encoding="utf-8")
    for command in (["status"], ["verify"], ["accept", ID], ["new", ID]):
        done = run("notes", *command, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith("errmine: notes/shop/bad.md:2: entry: expected str, got int\n"), command


def test_without_a_folder_it_says_how_to_begin(tmp_path: Path) -> None:
    put(tmp_path)
    done = run("notes", "status", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "begin a note with `errmine notes new ENTRY`" in done.stderr


@pytest.mark.parametrize("command", ["status", "verify"])
def test_that_nothing_was_looked_at_is_no_success(command: str, tmp_path: Path) -> None:
    put(tmp_path, make_note(basis=Basis("mill", "2.0", None)))
    done = run("notes", command, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "errmine: no note in notes/shop is about shop\n"


def test_verify_lists_what_fails_and_answers_ci(tmp_path: Path) -> None:
    good, bad = make_note(meaning=MEANING), make_note(meaning="Pass `--no-such`.", status="drafted")
    _, path = put(tmp_path, good, bad)
    done = run("notes", "verify", cwd=tmp_path)
    assert done.returncode == 1
    *rows, summary = done.stdout.splitlines()
    assert summary == "2 notes: 1 passed, 1 failed"
    assert all(row.startswith(f"notes/shop/{path.name}: names: ") and "--no-such" in row for row in rows)
    path.unlink()
    assert run("notes", "verify", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("named", [ID, ID[:6], "shop/cart.py:12", "FILE"])
def test_accept_records_that_a_person_looked(named: str, tmp_path: Path) -> None:
    stale = make_note(
        meaning=MEANING, status="drafted", model="small", fingerprint=Fingerprint("1" * 16, "2" * 16), date="2020-01-01"
    )
    (path,) = put(tmp_path, stale)
    text = path.read_text(encoding="utf-8")
    done = run("notes", "accept", str(path) if named == "FILE" else named, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    accepted = read(path)
    assert (accepted.status, accepted.fingerprint, accepted.model) == ("reviewed", ENTRY.fingerprint, "small")
    assert accepted.basis == Basis("shop", "c0ffee" + "0" * 34, "shop/cart.py:12")
    assert accepted.date != "2020-01-01"
    body = text.split("+++\n")[2]
    assert path.read_text(encoding="utf-8").endswith(body), "the text stays to the letter"
    assert run("notes", "status", cwd=tmp_path).returncode == 0


def test_accept_writes_nothing_when_a_check_fails(tmp_path: Path) -> None:
    (path,) = put(tmp_path, make_note(meaning="Pass `--no-such`.", status="drafted"))
    before = path.read_bytes()
    done = run("notes", "accept", ID, cwd=tmp_path)
    assert done.returncode == 1
    assert "names: " in done.stdout
    assert "not accepted" in done.stderr
    assert path.read_bytes() == before


def test_several_are_accepted_at_once_but_for_those_that_fail(tmp_path: Path) -> None:
    bad, good = put(tmp_path, make_note(meaning="Pass `--no-such`.", status="drafted"), make_note(meaning=MEANING))
    before = bad.read_bytes()
    done = run("notes", "accept", str(bad), str(good), str(good), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count(": reviewed") == 1
    assert bad.read_bytes() == before
    assert read(good).fingerprint == ENTRY.fingerprint


@pytest.mark.parametrize(
    ("question", "reason"), [("nothing like it", "no entry of shop fits"), ("b" * 16, "no entry of shop fits")]
)
def test_accept_of_what_is_not_there_is_exit_code_2(question: str, reason: str, tmp_path: Path) -> None:
    put(tmp_path, make_note())
    done = run("notes", "accept", question, cwd=tmp_path)
    assert done.returncode == 2
    assert reason in done.stderr


def test_accept_of_one_of_several_wants_the_file(tmp_path: Path) -> None:
    reviewed, draft = put(tmp_path, make_note(meaning=MEANING), make_note(meaning=MEANING, status="drafted"))
    done = run("notes", "accept", ID, cwd=tmp_path)
    assert done.returncode == 2
    assert "several notes, name one" in done.stderr
    done = run("notes", "accept", str(draft), cwd=tmp_path)
    assert done.returncode == 2
    assert f"{reviewed.name}: is the reviewed note" in done.stderr


def test_accept_of_an_orphan_says_that_its_entry_is_gone(tmp_path: Path) -> None:
    (path,) = put(tmp_path, make_note(), id="b" * 16)
    done = run("notes", "accept", str(path), cwd=tmp_path)
    assert done.returncode == 2
    assert "its entry is gone" in done.stderr


def test_new_begins_a_draft_from_what_can_be_derived(tmp_path: Path) -> None:
    put(tmp_path)
    done = run("notes", "new", "cart.py:12", "--author", "Ada", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    path = tmp_path / done.stdout.strip()
    assert path == tmp_path / "notes" / "shop" / "size-must-be-positive-got-00000000.md"
    note = read(path)
    assert (note.author, note.status, note.fingerprint) == ("Ada", "drafted", ENTRY.fingerprint)
    assert note.basis == Basis("shop", "c0ffee" + "0" * 34, "shop/cart.py:12")
    assert note.meaning
    again = run("notes", "new", ID, cwd=tmp_path)
    assert again.returncode == 2
    assert "there is a note" in again.stderr


def test_notes_commands_start_without_what_they_do_not_need(tmp_path: Path) -> None:
    import os
    import subprocess
    import sys

    program = (
        "import sys\nfrom miner.cli import app\nfrom typer.main import get_command\n"
        "try: get_command(app)(['notes', '--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'openai', 'libcst', 'git', 'rich.markdown'} & set(sys.modules)))"
    )
    root = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
