"""Which note an entry gets, and `errmine annotate` from a catalog file to an annotated one."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from factories import commit_files, make_catalog, make_entry
from notemaking import make_note

from catalog.notes.files import NoteFile, write_note
from catalog.notes.joining import Judged, join_notes, judge
from catalog.records import Basis, Entry, Example, Fingerprint, Note, Verification
from catalog.store import read_catalog, write_catalog

ROOT = Path(__file__).parent.parent
ID = "00000000000000aa"
ENTRY = make_entry(id=ID)
OTHER = make_entry(id="00000000000000bb", site__line=40)
CATALOG = make_catalog([ENTRY, OTHER])


def run(*arguments: str, cwd: Path, key: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(cwd / "cache")}
    environment.pop("OPENAI_API_KEY", None)
    if key is not None:
        environment["OPENAI_API_KEY"] = key
    command = [sys.executable, "-c", "from miner.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def derive(entry: Entry) -> Note:
    return make_note(entry=entry.id, author="errmine", status="derived", meaning=f"derived {entry.id}", basis=None)


def verify(note: Note, entry: Entry) -> tuple[Verification, ...]:
    """Let a note pass that doesn't say it lies."""
    return (Verification("names", "lie" not in note.meaning, f"checked against {entry.id}"),)


def judge_notes(*notes: Note) -> list[Judged]:
    files = [NoteFile(Path(f"{number}.md"), note) for number, note in enumerate(notes)]
    return list(judge(files, CATALOG, verify))


STALE = Fingerprint("1" * 16, "0" * 16)
JOINS: list[tuple[str, Sequence[Note], str]] = [
    ("a fresh one that passes wins", [make_note(meaning="mine")], "mine"),
    ("one that fails is kept back, the derived one stands in", [make_note(meaning="a lie")], f"derived {ID}"),
    ("a stale one that passes is shown", [make_note(meaning="old", fingerprint=STALE)], "old"),
    ("a stale one that fails is not", [make_note(meaning="old lie", fingerprint=STALE)], f"derived {ID}"),
    ("of a reviewed one and a draft the reviewed", [make_note(meaning="d", status="drafted"), make_note()], "The cart"),
    (
        "of a fresh draft and a stale reviewed one the draft",
        [make_note(meaning="old", fingerprint=STALE), make_note(meaning="draft", status="drafted")],
        "draft",
    ),
    (
        "of a fresh lie and a stale one that passes the stale",
        [make_note(meaning="old", fingerprint=STALE), make_note(meaning="lie", status="drafted")],
        "old",
    ),
    ("one of another target is none", [make_note(basis=Basis("other", None, None))], f"derived {ID}"),
    ("one of no entry is none", [make_note(entry="f" * 16)], f"derived {ID}"),
]


@pytest.mark.parametrize(("notes", "meaning"), [row[1:] for row in JOINS], ids=[row[0] for row in JOINS])
def test_an_entry_gets_the_best_note_there_is(notes: Sequence[Note], meaning: str) -> None:
    joined = join_notes(CATALOG, judge_notes(*notes), verify, derive)
    first, second = joined.catalog.notes
    assert first.meaning.startswith(meaning)
    assert first.entry == ID
    assert second.meaning == f"derived {OTHER.id}", "the other entry is served too"
    assert all(each.passed for note in joined.catalog.notes for each in note.verified)
    assert all(note.verified for note in joined.catalog.notes), "every note says what was checked"


def test_a_note_for_an_id_that_an_entry_had_is_joined_to_the_one_it_has() -> None:
    heir = make_entry(id="00000000000000cc", previous=(ID,))
    catalog = make_catalog([heir])
    judged = list(judge([NoteFile(Path("a.md"), make_note())], catalog, verify))
    (note,) = join_notes(catalog, judged, verify, None).catalog.notes
    assert (note.entry, note.meaning) == (heir.id, make_note().meaning)


def test_without_deriving_only_written_notes_are_joined() -> None:
    assert [note.entry for note in join_notes(CATALOG, judge_notes(make_note()), verify, None).catalog.notes] == [ID]


def test_a_derived_note_that_fails_is_kept_back_and_told() -> None:
    joined = join_notes(CATALOG, [], verify, lambda entry: make_note(entry=entry.id, meaning="a lie"))
    assert joined.catalog.notes == ()
    assert [note.entry for note in joined.withheld] == [ID, OTHER.id]


def test_a_derived_example_that_does_not_hold_goes_and_the_words_stay() -> None:
    def show(entry: Entry) -> Note:
        return replace(derive(entry), example=Example("a", "b", "sh"))

    def refuse_examples(note: Note, entry: Entry) -> tuple[Verification, ...]:
        return (Verification("example", note.example is None, ""),)

    joined = join_notes(CATALOG, [], refuse_examples, show)
    assert [note.example for note in joined.catalog.notes] == [None, None]
    assert joined.withheld == ()


def test_joining_again_gives_the_same(tmp_path: Path) -> None:
    once = join_notes(CATALOG, judge_notes(make_note()), verify, derive).catalog
    assert join_notes(once, judge_notes(make_note()), verify, derive).catalog == once


SOURCE = """
def resize(size: int, limit: int = 8) -> None:
    if size > limit:
        raise ValueError(f"size {size} is more than {limit}")
    if size < 1:
        raise ValueError("size must be at least 1")
"""


def make_shop(tmp_path: Path) -> str:
    """Mine a small target into a catalog file."""
    commit_files({"shop/__init__.py": "", "shop/cart.py": SOURCE}, tmp_path / "shop")
    done = run("scan", "shop", "--scope", "all", "-o", "shop.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return "shop.json"


def test_annotate_writes_back_to_the_file_and_twice_is_once(tmp_path: Path) -> None:
    make_shop(tmp_path)
    done = run("annotate", "shop.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "2 notes for 2 entries: 0 written, 2 derived" in done.stderr
    data = (tmp_path / "shop.json").read_bytes()
    assert {note.status for note in read_catalog(tmp_path / "shop.json").notes} == {"derived"}
    assert run("annotate", "shop.json", cwd=tmp_path).returncode == 0
    assert (tmp_path / "shop.json").read_bytes() == data


def test_annotate_takes_a_target_and_an_output(tmp_path: Path) -> None:
    make_shop(tmp_path)
    before = (tmp_path / "shop.json").read_bytes()
    assert run("annotate", "shop.json", "--no-derive", "-o", "out.json", cwd=tmp_path).returncode == 0
    assert read_catalog(tmp_path / "out.json").notes == ()
    assert (tmp_path / "shop.json").read_bytes() == before
    done = run("annotate", "shop.json", "-o", "-", cwd=tmp_path)
    assert done.stdout.startswith('{\n"schema_version":1')


def test_written_notes_of_the_folder_are_joined(tmp_path: Path) -> None:
    make_shop(tmp_path)
    entry = read_catalog(tmp_path / "shop.json").entries[0]
    note = make_note(entry=entry.id, fingerprint=entry.fingerprint, meaning="Too many.", trigger="", solutions=())
    write_note(note, tmp_path / "notes" / "shop", entry)
    done = run("annotate", "shop.json", cwd=tmp_path)
    assert "1 written, 1 derived" in done.stderr, "notes/TARGET is the default"
    shown = run("show", entry.id, "--catalog", "shop.json", cwd=tmp_path)
    assert "Too many." in shown.stdout
    assert "reviewed by Ada, 2026-12-01" in shown.stdout


def test_a_stale_note_is_shown_as_stale(tmp_path: Path) -> None:
    make_shop(tmp_path)
    entry = read_catalog(tmp_path / "shop.json").entries[0]
    note = make_note(entry=entry.id, fingerprint=STALE, meaning="Too many.", trigger="", solutions=())
    path = write_note(note, tmp_path / "mine", entry)
    done = run("annotate", "shop.json", "--notes", "mine", cwd=tmp_path)
    assert "1 stale:" in done.stderr
    assert f"mine/{path.name}: guard changed (and its message was reworded)" in done.stderr
    assert "it may no longer hold" in run("show", entry.id, "--catalog", "shop.json", cwd=tmp_path).stdout


def test_bad_files_are_all_named_and_nothing_is_written(tmp_path: Path) -> None:
    make_shop(tmp_path)
    (tmp_path / "notes").mkdir()
    for name in ("a.md", "b.md"):
        (tmp_path / "notes" / name).write_text("hello\n", encoding="utf-8")
    before = (tmp_path / "shop.json").read_bytes()
    done = run("annotate", "shop.json", cwd=tmp_path)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert [line.split(": ")[1] for line in lines[:2]] == ["notes/a.md:1", "notes/b.md:1"]
    assert lines[2:] == ["errmine: notes: 2 bad note files; mend what is named above"]
    assert (tmp_path / "shop.json").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["missing.json"], "no such file"),
        (["shop.json", "--notes", "missing"], "no such folder of notes"),
        (["shop.json", "--limit", "3"], "goes with --model"),
        (["shop.json", "--model", "small"], "no OPENAI_API_KEY in the environment"),
        (["shop.json", "--model", "small", "--family", "nonsense", "--dry-run"], "no entry is of this family"),
        (["shop.json", "--model", "small", "--entry", "nonsense", "--dry-run"], "no entry fits"),
        (["shop.json", "--model", "small", "--option", "--nonsense", "--dry-run"], "has no option of this name"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_exit_code_2(arguments: list[str], reason: str, tmp_path: Path) -> None:
    write_catalog(CATALOG, tmp_path / "shop.json")
    done = run("annotate", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_of_a_folder_the_newest_catalog_is_annotated_where_it_is(tmp_path: Path) -> None:
    write_catalog(CATALOG, tmp_path / "kept" / "shop" / "1.0.json")
    done = run("annotate", "kept", cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == "written to kept/shop/1.0.json"
    assert len(read_catalog(tmp_path / "kept" / "shop" / "1.0.json").notes) == 2
