import dataclasses
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories import make_catalog, make_entry, make_message
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.errors import CatalogError
from catalog.records import Alternative, Catalog, Entry, Hole, OptionUse, Part, Site, Text
from catalog.store import (
    dump_answer,
    dump_catalog,
    dump_exactly,
    load_catalog,
    load_record,
    read_catalog,
    write_catalog,
)

FULL = make_catalog(
    [
        make_entry(id="a" * 16, options=(OptionUse("Cart.size", "size", ("guard", "message"), ("size → Cart.size",)),)),
        make_entry(id="b" * 16, message="{name!r:>{width}} of {count=} {{}}", site__line=40),
        make_entry(id="c" * 16, message=None, kind="assert", site__line=50),
    ]
)

st.register_type_strategy(Part, st.builds(Text) | st.builds(Hole))
st.register_type_strategy(int, st.integers(-(2**53), 2**53))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
catalogs = st.builds(
    Catalog, schema_version=st.just(1), entries=st.lists(st.from_type(type(FULL.entries[0])), max_size=2).map(tuple)
)


@given(catalogs)
@settings(max_examples=60, deadline=None)
def test_every_catalog_comes_back_equal_and_gives_the_same_bytes_again(catalog: Catalog) -> None:
    data = dump_catalog(catalog)
    loaded = load_catalog(data, "catalog.json")
    assert loaded == catalog
    assert dump_catalog(loaded) == data


def test_keys_stand_in_the_order_of_the_contract() -> None:
    written = json.loads(dump_catalog(FULL))
    assert list(written) == [field.name for field in dataclasses.fields(Catalog)]
    assert list(written["entries"][0]["site"]) == [field.name for field in dataclasses.fields(Site)]
    assert written["entries"][0]["options"] == [
        {"id": "Cart.size", "as": "size", "in": ["guard", "message"], "via": ["size → Cart.size"]}
    ]


def test_parts_are_told_apart_by_their_keys() -> None:
    parts = json.loads(dump_catalog(FULL))["entries"][1]["message"]["parts"]
    assert parts[0] == {"expr": "name", "conversion": "r", "format": ">{width}", "self_documenting": False}
    assert parts[1] == {"text": " of "}


def test_counts_keep_their_order() -> None:
    catalog = make_catalog(stats__by_exception={"ValueError": 9, "KeyError": 9, "AttributeError": 1})
    assert list(load_catalog(dump_catalog(catalog), "x").stats.by_exception) == [
        "ValueError",
        "KeyError",
        "AttributeError",
    ]


def test_each_entry_has_a_line_of_its_own_and_the_file_ends_in_one_newline() -> None:
    data = dump_catalog(FULL)
    assert [line[:8] for line in data.splitlines()].count(b'{"id":"a') == 1
    assert data.endswith(b"\n}\n")


def test_a_lone_surrogate_is_written_out_and_then_stays() -> None:
    entry = make_entry(message=make_message("bad \ud800 in {x}"), title="\udcff é")
    data = dump_catalog(make_catalog([entry], stats__by_exception={"\udc80": 1}))
    loaded = load_catalog(data, "x")
    assert loaded.entries[0].title == "\\udcff é"
    assert loaded.entries[0].message is not None
    assert loaded.entries[0].message.parts[0] == Text("bad \\ud800 in ")
    assert dict(loaded.stats.by_exception) == {"\\udc80": 1}
    assert dump_catalog(loaded) == data


def edit(change: Callable[[Any], object]) -> bytes:
    document = json.loads(dump_catalog(FULL))
    change(document)
    return json.dumps(document).encode()


def put(*path: str | int, value: object) -> bytes:
    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return edit(change)


@pytest.mark.parametrize(
    ("data", "place", "reason"),
    [
        (put("entries", 2, "site", "line", value="x"), "entries[2].site.line", "expected int, got str"),
        (
            put("entries", 1, "message", "parts", 2, "expr", value=3),
            "entries[1].message.parts[2].expr",
            "expected str, got int",
        ),
        (put("entries", 1, "message", "parts", 0, value=3), "entries[1].message.parts[0]", "expected object, got int"),
        (
            put("entries", 1, "message", "parts", 0, value={}),
            "entries[1].message.parts[0]",
            "the field expr is missing",
        ),
        (put("entries", 0, "options", 0, "as", value=[]), "entries[0].options[0].as", "expected str, got array"),
        (put("entries", 0, "options", 0, "in", 1, value="x"), "entries[0].options[0].in[1]", "invalid enum value 'x'"),
        (put("entries", 0, "kind", value="throw"), "entries[0].kind", "invalid enum value 'throw'"),
        (put("entries", 0, "guard", value=None), "entries[0].guard", "expected object, got null"),
        (put("stats", "by_kind", "raise", value="many"), "stats.by_kind[...]", "expected int, got str"),
        (put("target", value=[]), "target", "expected object, got array"),
        (edit(lambda it: it["target"].pop("scope")), "target", "the field scope is missing"),
        (edit(lambda it: it.pop("stats")), "", "the field stats is missing"),
    ],
)
def test_a_wrong_value_is_named_by_its_place(data: bytes, place: str, reason: str) -> None:
    with pytest.raises(CatalogError) as caught:
        load_catalog(data, "c.json")
    assert str(caught.value) == ": ".join(filter(None, ["c.json", place, reason]))


@pytest.mark.parametrize(
    ("data", "fragment"),
    [
        (put("schema_version", value=2), "schema_version 2 is newer than this errmine reads (1); upgrade errmine"),
        (put("schema_version", value=0), "schema_version 0 is unknown"),
        (put("schema_version", value="1"), "schema_version '1' is unknown"),
        (b'{"schema_version": 7, "everything": "else"}', "schema_version 7 is newer"),
        (b'{"name": "something else"}', "not a catalog (it has no schema_version)"),
        (b"", "the file is empty"),
        (dump_catalog(FULL)[:-3], "cut off after"),
        (dump_catalog(FULL)[:700], "cut off after 700 bytes; scan the target again"),
        (b"<html>", "not JSON"),
        (b'{"schema_version": \xff}', "not JSON"),
        (b"[1]", "not a catalog"),
        (b"[" * 200_000, "expected object, got array"),
        (b'{"schema_version":1,"notes":' + b"[" * 200_000, "notes"),
        (b'{"x":' * 200_000, "not JSON (nested too deeply)"),
    ],
)
def test_what_is_no_catalog_is_refused_in_one_line(data: bytes, fragment: str) -> None:
    with pytest.raises(CatalogError) as caught:
        load_catalog(data, "c.json")
    assert str(caught.value).startswith("c.json: ")
    assert fragment in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_field_that_a_later_release_added_is_no_error() -> None:
    assert load_catalog(put("entries", 0, "colour", value="red"), "c.json") == FULL


def test_another_record_is_read_from_json_with_the_same_care() -> None:
    data = b'{"template": "t", "skeleton": "s", "parts": [{"text": "t"}, {"text": 1}], "condition": null}'
    with pytest.raises(CatalogError, match=r"^n\.json: parts\[1\]\.text: expected str, got int$"):
        load_record(data, Alternative, "n.json")


def test_an_answer_is_indented_json() -> None:
    assert dump_answer({"at": Text("\ud800"), "use": FULL.entries[0].options[0]}).decode() == (
        '{\n  "at": {\n    "text": "\\\\ud800"\n  },\n  "use": {\n    "id": "Cart.size",\n    "as": "size",\n'
        '    "in": [\n      "guard",\n      "message"\n    ],\n    "via": [\n      "size → Cart.size"\n    ]\n  }\n}\n'
    )


def test_a_missing_file_a_folder_and_a_closed_file_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="no such file"):
        read_catalog(tmp_path / "none.json")
    with pytest.raises(CatalogError, match="is a folder"):
        read_catalog(tmp_path)
    with pytest.raises(CatalogError, match="can't be read"):
        read_catalog("nul\0byte" if sys.platform == "win32" else tmp_path / ("x" * 300))


def test_a_catalog_is_written_into_a_new_folder_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "catalogs" / "shop" / "1.0.json"
    write_catalog(FULL, path)
    assert read_catalog(path) == FULL
    assert [file.name for file in path.parent.iterdir()] == ["1.0.json"]


def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    (tmp_path / "plain").touch()
    write_catalog(FULL, path)
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    path.chmod(0o640)
    write_catalog(FULL, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_bytes(b"old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_catalog(FULL, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert read_catalog(tmp_path / "real.json") == FULL


def test_what_is_no_regular_file_is_written_in_place(tmp_path: Path) -> None:
    write_catalog(FULL, "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        write_catalog(FULL, pipe)
        assert reader.communicate()[0] == dump_catalog(FULL)


@pytest.mark.parametrize("place", ["folder", "file/below.json", "x" * 300 + "/c.json"])
def test_a_place_that_cant_be_written_is_an_error_that_names_it(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(CatalogError, match="can't be written"):
        write_catalog(FULL, tmp_path / place)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder"]


WRITE = """
import sys
sys.path[:0] = sys.argv[2:]
from factories import make_catalog, make_entry
from catalog.errors import CatalogError
from catalog.store import write_catalog
catalog = make_catalog([make_entry(id=f"{n:016x}", site__line=n, excerpt__text="x" * 2000) for n in range(2000)])
print("ready", flush=True)
while True:
    try:
        write_catalog(catalog, sys.argv[1])
    except CatalogError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted")
"""
PATHS = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]


def test_a_full_disk_leaves_the_old_file_and_nothing_besides(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(b"old")
    limited = ["sh", "-c", 'ulimit -f 100; exec "$0" "$@"', sys.executable, "-c"]
    code = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + WRITE
    done = subprocess.run([*limited, code, str(path), *PATHS], capture_output=True, text=True, check=False)
    assert "can't be written (File too large)" in done.stderr
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["c.json"]


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.07])
def test_an_interrupted_write_leaves_a_whole_file(tmp_path: Path, delay: float) -> None:
    path = tmp_path / "c.json"
    write_catalog(FULL, path)
    with subprocess.Popen([sys.executable, "-c", WRITE, str(path), *PATHS], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(delay)
        writer.send_signal(signal.SIGINT)
    assert writer.returncode != 0
    assert len(read_catalog(path).entries) in (3, 2000)
    assert [file.name for file in tmp_path.iterdir()] == ["c.json"]


def test_standard_output_gets_the_same_bytes(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_catalog(FULL, "-")
    assert capfdbinary.readouterr().out == dump_catalog(FULL)


def test_what_would_not_come_back_as_it_is_is_not_dumped_exactly() -> None:
    assert dump_exactly(make_entry(title="\ud800")) is None
    entry = make_entry(title="é")
    assert load_record(dump_exactly(entry) or b"", Entry, "it") == entry
