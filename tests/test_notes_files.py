"""Note files: read and written without loss, safe in their place, and clear about what is wrong."""

import subprocess
from pathlib import Path

import pytest
from factories import make_entry
from hypothesis import given, settings
from hypothesis import strategies as st
from notemaking import make_note

from catalog.errors import NoteError
from catalog.notes.files import BadFile, NoteFile, find_folder, make_slug, read_file, read_folder, write_note
from catalog.notes.layout import format_note, parse_note
from catalog.records import Basis, Check, Example, Fingerprint, Note, Verification

ids = st.text("0123456789abcdef", min_size=16, max_size=16)
PIECES = (
    "``` ~~~~ ## Solutions|## What it means|# word|- a|1. b|+++|'''|\"\"\"|\\|\\n|> q|    code|`x`|é漢|\u2028|\u0085"
    "|\n|\n\n|\r\n|\r|\t| |  |word|word word|\x00|\x1b[31m|\u202e|{x=}|Before:|Strategy: |```|```sh|~~~"
)
hostile = st.lists(st.sampled_from(PIECES.split("|")), max_size=8).map("".join)
texts = st.one_of(st.text(), hostile, hostile)
several = st.lists(texts, max_size=4).map(tuple)
dates = st.none() | st.dates().map(str) | texts
notes = st.builds(
    Note,
    entry=ids,
    fingerprint=st.builds(Fingerprint, ids, ids),
    author=texts,
    model=st.none() | texts,
    date=dates,
    status=st.sampled_from(["derived", "drafted", "reviewed"]),
    meaning=texts,
    solutions=several,
    example=st.none() | st.builds(Example, texts, texts, texts),
    check=st.none() | st.builds(Check, texts, texts),
    prevention=several,
    trigger=texts,
    situations=several,
    verified=st.lists(st.builds(Verification, texts, st.booleans(), texts), max_size=2).map(tuple),
    basis=st.none() | st.builds(Basis, texts, st.none() | texts, st.none() | texts, st.none() | texts),
)


@given(notes, texts)
@settings(max_examples=300)
def test_what_is_written_is_read_back_as_it_was(note: Note, title: str) -> None:
    text = format_note(note, title)
    assert parse_note(text) == note
    assert parse_note(text.replace("\n", "\r\n")) == note, "a checkout with other line ends is the same note"
    assert parse_note("\ufeff" + text) == note


@given(notes)
@settings(max_examples=100)
def test_what_a_reviewer_reads_hides_nothing(note: Note) -> None:
    shown = format_note(note, note.meaning)
    assert all(char.isprintable() or char in "\n\t" for char in shown)


def test_a_note_reads_as_plain_markdown() -> None:
    note = make_note(
        meaning="`size` must be positive. " + "A long paragraph is broken where a reviewer's screen ends. " * 2 + "So.",
        solutions=("Set `--size` to 1 or more.", "Leave it out."),
        example=Example("shop --size 0", "shop --size 1", "sh"),
        check=Check("validation", 'def is_fine(size: int) -> bool:\n    """Say so."""\n    return size > 0'),
    )
    assert format_note(note, "size must be positive, got {}") == (
        "+++\n"
        'entry = "00000000000000aa"\n'
        'fingerprint = {template = "0000000000000000", guard = "0000000000000000"}\n'
        'author = "Ada"\n'
        'status = "reviewed"\n'
        'target = "shop"\n'
        'version = "1.0"\n'
        'place = "shop/cart.py:12"\n'
        "date = 2026-12-01\n"
        "+++\n"
        "\n"
        "# `size must be positive, got {}`\n"
        "\n"
        "## What it means\n"
        "\n"
        "`size` must be positive. A long paragraph is broken where a reviewer's screen ends. A long paragraph\n"
        "is broken where a reviewer's screen ends. So.\n"
        "\n"
        "## When it is raised\n"
        "\n"
        "`size` is 0 or less.\n"
        "\n"
        "## Solutions\n"
        "\n"
        "1. Set `--size` to 1 or more.\n"
        "2. Leave it out.\n"
        "\n"
        "## Example\n"
        "\n"
        "Before:\n\n```sh\nshop --size 0\n```\n\nAfter:\n\n```sh\nshop --size 1\n```\n"
        "\n"
        "## Check before the call\n"
        "\n"
        "Strategy: validation\n\n"
        '```python\ndef is_fine(size: int) -> bool:\n    """Say so."""\n    return size > 0\n```\n'
    )


HEAD = (
    '+++\nentry = "00000000000000aa"\n'
    'fingerprint = {template = "0000000000000000", guard = "0000000000000000"}\n'
    'author = "Ada"\nstatus = "reviewed"\n+++\n'
)


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ("## What it means\n\none\ntwo\n\nthree\n", "one two\n\nthree"),
        ("# A title\n\n## What it means ##\n\n\n\none  \ntwo\n", "one  \ntwo"),
        ("## What it means\nlook:\n- a\n- b\n", "look:\n- a\n- b"),
        ("## What it means\n\n```sh\n## Solutions\n\n# before\n```\n", "```sh\n## Solutions\n\n# before\n```"),
        ("## What it means\n\n    indented\n    code\n", "    indented\n    code"),
    ],
)
def test_prose_is_read_as_markdown_means_it(below: str, expected: str) -> None:
    assert parse_note(HEAD + below).meaning == expected


def test_items_of_a_list_may_go_on_and_hold_code() -> None:
    below = (
        "## What it means\n\nx\n\n## Solutions\n\n1. one\nlazily on\n2. two\n   on\n\n"
        "   ```sh\n   ## no heading\n   ```\n\n10) ten\n"
    )
    assert parse_note(HEAD + below).solutions == ("one lazily on", "two on\n\n```sh\n## no heading\n```", "ten")


BAD = [
    ("", 1, "a note begins with its front matter"),
    ("# no head\n", 1, "a note begins with its front matter"),
    ("+++\nentry = 1\n", 1, "the front matter isn't closed"),
    (HEAD.replace('author = "Ada"', "author = Ada") + "## What it means\n\nx\n", 4, "the front matter is no TOML"),
    (HEAD.replace("00aa", "00zz") + "## What it means\n\nx\n", 2, "entry is no id of 16 hex digits"),
    (HEAD.replace("author", "auhtor") + "## What it means\n\nx\n", 4, "there is no auhtor in the front matter"),
    (HEAD.replace('author = "Ada"\n', "") + "## What it means\n\nx\n", 1, "the front matter has no author"),
    (HEAD.replace(", guard = ", ", gaurd = ") + "## What it means\n\nx\n", 3, "fingerprint"),
    (HEAD.replace("reviewed", "done") + "## What it means\n\nx\n", 5, "status: invalid enum value 'done'"),
    (HEAD, 1, "the section 'What it means' is missing"),
    (HEAD + "\nhello\n", 8, "text before the first section"),
    (HEAD + "## What it means\n\n\n## Solutions\n\n- x\n", 7, "an empty section"),
    (HEAD + "## What it means\n\nx\n\n## Fixes\n\n- x\n", 11, "there is no section 'Fixes'"),
    (HEAD + "## What it means\n\nx\n\n## What it means\n\ny\n", 11, "a second section 'What it means'"),
    (HEAD + "## What it means\n\nx\n\n## Solutions\n\nset it\n", 13, "a list is wanted here"),
    (HEAD + "## What it means\n\nx\n\n## Example\n\n```sh\na\n```\n", 11, "an example is `Before:`"),
    (HEAD + "## What it means\n\nx\n\n```sh\nnever closed\n", 11, "a fenced block that is never closed"),
    (HEAD + "## What it means\n\nx\n\n## Check before the call\n\n```python\npass\n```\n", 11, "a check is `Strategy:"),
    (HEAD + "## What it means\n\nx\n\n## Check before the call\n\ncall me\n", 13, "a fenced block is wanted here"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BAD)
def test_a_bad_file_is_named_with_its_line_and_what_is_wrong(text: str, line: int, reason: str, tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_text(text, encoding="utf-8")
    found = read_file(tmp_path / "bad.md")
    assert isinstance(found, BadFile)
    assert (found.line, reason in found.reason) == (line, True), found
    assert "\n" not in str(found)


def test_a_file_that_is_not_utf8_is_bad_where_that_begins(tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_bytes(HEAD.encode() + b"## What it means\n\n\xff\n")
    found = read_file(tmp_path / "bad.md")
    assert isinstance(found, BadFile)
    assert (found.line, found.reason) == (9, "not UTF-8")


def test_all_bad_files_of_a_folder_are_told_and_the_others_read(tmp_path: Path) -> None:
    write_note(make_note(), tmp_path / "deep" / "er")
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / "README.md").write_text("how to write a note", encoding="utf-8")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "c.md").write_text("x", encoding="utf-8")
    folder = read_folder(tmp_path)
    assert [file.note for file in folder.files] == [make_note()]
    assert [bad.path.name for bad in folder.bad] == ["a.md", "b.md"]


def test_two_finished_notes_of_one_entry_are_a_mistake_a_draft_beside_one_is_none(tmp_path: Path) -> None:
    first = write_note(make_note(), tmp_path)
    write_note(make_note(status="drafted"), tmp_path)
    assert read_folder(tmp_path).bad == ()
    second = write_note(make_note(meaning="Another."), tmp_path)
    (bad,) = read_folder(tmp_path).bad
    assert {bad.path, Path(bad.reason.rpartition(" ")[2])} == {first, second}


@pytest.mark.parametrize("title", ["../../etc/passwd", "/etc/passwd", "..\\..\\x", "\x00", "é漢", "", "CON", "a" * 500])
@pytest.mark.parametrize("entry", ["../../../x", "00000000000000aa"])
def test_no_text_of_a_note_or_entry_leads_out_of_the_folder(title: str, entry: str, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    note = make_note(entry="00000000000000aa")
    path = write_note(note, folder, make_entry(id=entry, title=title))
    assert path.parent == folder
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == [path]
    assert "/" not in make_slug(title + entry)


def test_writing_again_keeps_what_a_person_wrote_to_the_letter(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    body = "\n# My title\n\n## What it means\n\nbroken where\nI like it\n\n## Solutions\n\n*  a\n*  b\n"
    path.write_bytes((HEAD + body).replace("\n", "\r\n").encode())
    found = read_file(path)
    assert isinstance(found, NoteFile)
    changed = make_note(
        entry=found.note.entry,
        author="Bob",
        meaning=found.note.meaning,
        solutions=found.note.solutions,
        trigger="",
    )
    write_note(changed, tmp_path, path=path)
    text = path.read_bytes().decode()
    assert text.endswith(body.replace("\n", "\r\n"))
    assert parse_note(text) == changed
    assert "\n" not in text.replace("\r\n", "")


def test_a_note_that_utf8_cannot_hold_is_refused_and_nothing_written(tmp_path: Path) -> None:
    with pytest.raises(NoteError, match="can't be written as text"):
        write_note(make_note(meaning="\ud800"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_target_is_found_below_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_folder(None, "shop") is None
    (tmp_path / "notes").mkdir()
    assert find_folder(None, "shop") == Path("notes")
    (tmp_path / "notes" / "shop").mkdir()
    assert find_folder(None, "shop") == Path("notes/shop")
    assert find_folder(None, "../../shop") == Path("notes/shop")
    with pytest.raises(NoteError, match="no such folder"):
        find_folder(tmp_path / "missing", "shop")


def test_a_kill_while_writing_leaves_the_old_note_or_the_new_one(tmp_path: Path) -> None:
    """Write one note over and over in a process that is killed; what stands there is always whole."""
    program = (
        "from pathlib import Path\nfrom notemaking import make_note\nfrom catalog.notes.files import write_note\n"
        "path = Path('note.md')\nnumber = 0\nwhile True:\n    number += 1\n"
        "    write_note(make_note(meaning='x' * (number % 50000 + 1)), Path('.'), path=path)\n"
        "    if number == 20: print('going', flush=True)\n"
    )
    import os
    import sys

    root = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}"}
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    assert isinstance(read_file(tmp_path / "note.md"), NoteFile)
