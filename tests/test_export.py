"""Entries chosen, and written as lines, a sheet and Raises sections; the command around them."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from exporting import NASTY, make_hostile, make_shop
from factories import make_catalog
from hypothesis import given
from hypothesis import strategies as st

from catalog import folders, store
from catalog.choosing import Choice, choose_entries
from catalog.errors import CatalogError, QuestionError
from catalog.publish.export.lines import dump_lines
from catalog.publish.export.raises import build_raises_answer, shorten_signature, write_raises
from catalog.publish.export.sheet import dump_sheet, write_cell
from catalog.publish.naming import name_file
from catalog.records import Entry

ROOT = Path(__file__).parent.parent
FORMATS = ("jsonl", "csv", "md", "sarif", "raises")


def run_export(*arguments: object, folder: Path = ROOT, json: bool = False) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from miner.cli import main; main()", "export", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (Choice(), "123"),
        (Choice(kinds=("assert",)), "2"),
        (Choice(kinds=("assert", "raise")), "123"),
        (Choice(paths=("shop/pay",)), "3"),
        (Choice(paths=("shop/pa",)), ""),
        (Choice(paths=("*/cart.py",)), "12"),
        (Choice(options=("--size",)), "1"),
        (Choice(options=("SHOP_DEBUG",)), ""),
        (Choice(exceptions=("ValueError",)), "13"),
        (Choice(exceptions=("shop.errors.PaymentError",)), "3"),
        (Choice(exceptions=("Payment",)), ""),
        (Choice(families=("wrong-state",)), "2"),
        (Choice(words=("SIZE", "positive")), "1"),
        (Choice(words=("size", "account")), ""),
        (Choice(kinds=("raise",), families=("not-found",), paths=("shop/cart.py",)), ""),
    ],
)
def test_a_choice_gives_what_fits_all_that_was_asked(choice: Choice, expected: str) -> None:
    assert "".join(entry.id[0] for entry in choose_entries(make_shop(), choice)) == expected


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (Choice(kinds=("raises",)), "raises: no such kind of entry; there are raise, assert"),
        (Choice(options=("--nothing",)), "--nothing: this catalog of shop has no option"),
        (Choice(families=("typo",)), "typo: no entry is of this family; there are not-found, out-of-range"),
    ],
)
def test_a_name_that_nothing_has_is_refused(choice: Choice, said: str) -> None:
    with pytest.raises(QuestionError, match="^" + said):
        choose_entries(make_shop(), choice)


def test_a_line_of_json_is_the_entry_with_its_target_and_note() -> None:
    catalog = make_shop()
    lines = dump_lines(catalog, catalog.entries).splitlines()
    assert [store.load_record(line, Entry, "line") for line in lines] == list(catalog.entries)
    first = json.loads(lines[0])
    assert first["target"] == {"name": "shop", "release": None, "ref": "main", "commit": "c0ffee" + "0" * 34}
    assert first["note"]["meaning"] == catalog.notes[0].meaning
    assert json.loads(lines[1])["note"] is None


def test_hostile_texts_stay_one_line_of_json_each() -> None:
    catalog = make_hostile()
    lines = dump_lines(catalog, catalog.entries).split(b"\n")
    assert lines.pop() == b""
    assert len(lines) == len(NASTY)
    for line in lines:
        assert json.loads(line)["title"] in [text.encode("utf-8", "backslashreplace").decode() for text in NASTY]


def test_a_sheet_has_a_row_an_entry() -> None:
    catalog = make_shop()
    rows = list(csv.DictReader(io.StringIO(dump_sheet(catalog, catalog.entries).decode(), newline="")))
    assert [row["id"][0] for row in rows] == ["1", "2", "3"]
    assert rows[0]["template"] == "size must be positive, got {size}"
    assert (rows[0]["options"], rows[0]["flags"], rows[0]["meaning"]) == (
        "CartConfig.size",
        "'--size",
        catalog.notes[0].meaning,
    )
    assert (rows[1]["template"], rows[1]["exact"], rows[2]["exact"]) == ("", "yes", "no")
    assert {row["version"] for row in rows} == {"main"}


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" =1", "' =1"),
        ("\t=1", "\\t=1"),
        ("\uff1d1", "'\uff1d1"),
        ("size = 1", "size = 1"),
        ("'x", "'x"),
        ("a\r\n=b\rc", "a\n=b\nc"),
        ("a\x00\x1b[1m", "a\\x00\\x1b[1m"),
        (7, "7"),
    ],
)
def test_no_cell_is_a_formula(value: object, cell: str) -> None:
    assert write_cell(value) == cell


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_whatever_a_cell_holds_it_is_read_as_the_text_it_was_written_as(values: list[str]) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerow(map(write_cell, values))
    (row,) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert row == list(map(write_cell, values))
    assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in row)


def test_hostile_texts_stay_in_their_cells() -> None:
    catalog = make_hostile()
    rows = list(csv.reader(io.StringIO(dump_sheet(catalog, catalog.entries).decode(), newline="")))
    assert len(rows) == 1 + len(NASTY)
    assert {len(row) for row in rows} == {len(rows[0])}


def test_raises_are_told_by_function() -> None:
    assert write_raises(make_shop().entries) == (
        "# shop/cart.py\n"
        "\n"
        "Cart.resize(self, size: int) -> None\n"
        "    Raises:\n"
        '        ValueError: If `size <= 0`: "size must be positive, got {size}"\n'
        "\n"
        "Cart.close(self, size: int) -> None\n"
        "    Raises:\n"
        "        AssertionError: If `self.is_closed`.\n"
        "\n"
        "# shop/pay/__init__.py\n"
        "\n"
        "pay(self, size: int) -> None\n"
        "    Raises:\n"
        '        PaymentError: If, roughly, `bank is not None`: "no {self.bank!r} account"\n'
        "\n"
    )


def test_raises_leave_out_what_no_function_raises() -> None:
    from factories import make_entry

    module_level = make_entry(site__signature=None, site__qualname="<module>")
    declared = make_entry(kind="constraint", site__line=20)
    own = make_entry(site__line=30)
    catalog = make_catalog([module_level, declared, own])
    (function,) = build_raises_answer(catalog, catalog.entries).functions
    assert [raised.id for raised in function.raises] == [own.id]


def test_functions_of_one_name_are_told_together_though_others_stand_between() -> None:
    from factories import make_entry

    entries = [make_entry(site__line=line, site__qualname=name) for line, name in ((1, "a"), (2, "a.b"), (3, "a"))]
    functions = build_raises_answer(make_catalog(entries), entries).functions
    assert [(each.qualname, [raised.line for raised in each.raises]) for each in functions] == [
        ("a", [1, 3]),
        ("a.b", [2]),
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_catalog_gives_the_same_bytes_on_stdout(form: str, tmp_path: Path) -> None:
    store.write_catalog(make_hostile(), tmp_path / "c.json")
    first, second = (run_export(tmp_path / "c.json", "--to", form) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout != b""
    assert first.stderr == b""


def test_a_file_in_a_folder_is_named_after_its_target(tmp_path: Path) -> None:
    store.write_catalog(make_shop(), tmp_path / "c.json")
    (tmp_path / "out").mkdir()
    for form in ("jsonl", "csv", "sarif", "raises"):
        assert run_export(tmp_path / "c.json", "--to", form, "-o", tmp_path / "out").returncode == 0
    done = run_export(tmp_path / "c.json", "--to", "raises", "--json", "-o", f"{tmp_path}/new/")
    assert done.stderr.decode() == f"3 entries written to {tmp_path}/new/shop-c0ffee000000.json\n"
    names = {"shop-c0ffee000000" + suffix for suffix in (".jsonl", ".csv", ".sarif", ".txt")}
    assert {file.name for file in (tmp_path / "out").iterdir()} == names


def test_a_hostile_target_names_a_file_in_the_folder_and_no_other() -> None:
    name = name_file(make_hostile().target)
    assert name
    assert "/" not in name
    assert not name.startswith(".")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "jsonl", "--json"), "--json is for --to raises; jsonl is what it is"),
        (("--to", "jsonl", "--family", "typo"), "typo: no entry is of this family"),
        (("--to", "md", "-o", "c.json"), "c.json: is a file; give a folder"),
        (("--to", "md", "-o", "."), ".: has other files in it"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    store.write_catalog(make_shop(), tmp_path / "c.json")
    done = run_export("c.json", *arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"errmine: {said}")
    assert done.stderr.count(b"\n") == 1


def test_when_nothing_fits_the_exit_code_is_1_and_what_is_written_is_whole(tmp_path: Path) -> None:
    store.write_catalog(make_shop(), tmp_path / "c.json")
    done = run_export("c.json", "--to", "sarif", "--option", "SHOP_DEBUG", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"errmine: no entry fits\n")
    assert json.loads(done.stdout)["runs"][0]["results"] == []


def test_a_folder_takes_the_place_of_one_of_its_kind_and_of_no_other(tmp_path: Path) -> None:
    place = tmp_path / "out"
    assert folders.write_folder([("a/b.md", b"1"), ("c.md", b"2")], place, "kind") == 2
    assert folders.write_folder([("d.md", b"3")], place, "kind") == 1
    assert sorted(file.name for file in place.iterdir()) == [".errmine", "d.md"]
    with pytest.raises(CatalogError, match="has other files in it"):
        folders.write_folder([("e.md", b"4")], place, "other kind")
    assert (place / "d.md").read_bytes() == b"3"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x"])
def test_a_folder_that_fails_halfway_leaves_the_one_before(path: str, tmp_path: Path) -> None:
    place = tmp_path / "out"
    folders.write_folder([("a.md", b"1")], place, "kind")
    with pytest.raises(CatalogError, match="leads out of the folder"):
        folders.write_folder([("b.md", b"2"), (path, b"3")], place, "kind")
    assert (place / "a.md").read_bytes() == b"1"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("signature", "short"),
    [
        ("(self, size: int = 3) -> None", "(self, size: int = 3) -> None"),
        (
            f"(self, /, size: Annotated[int, Doc('{'long ' * 60}')] = 3, *, on: bool = True, **rest: Any) -> None",
            "(self, /, size, *, on, **rest)",
        ),
        (
            f"({', '.join(f'a{number}' for number in range(100))})",
            f"({', '.join(f'a{number}' for number in range(34))}, …)",
        ),
        ("(" + "broken " * 40, "(" + ("broken " * 40)[:159] + "…"),
    ],
)
def test_a_signature_too_long_to_read_is_shortened(signature: str, short: str) -> None:
    assert shorten_signature(signature) == short
