import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from factories import make_catalog, make_entry, write_files

from catalog import __version__
from catalog.records import Tombstone
from catalog.store import dump_catalog, write_catalog

ROOT = Path(__file__).parent.parent
START = [sys.executable, "-c", "from miner.cli import main; main()"]
ENTRIES = [
    make_entry(id="aaaa000000000001", site__line=12),
    make_entry(id="aaaa000000000002", site__line=40, title="no room for {}"),
    make_entry(id="bbbb000000000003", site__line=40, site__column=30, title="no room \x1b[31m"),
]
QUESTIONS = [
    ["explain", "catalogs/shop/1.0.json"],
    ["diff", "catalogs/shop/1.0.json", "catalogs/shop/1.0.json"],
    ["history", "aaaa000000000001"],
    ["options"],
    ["families"],
    ["annotate", "catalogs/shop/1.0.json"],
    ["notes", "status", "catalogs/shop/1.0.json", "--notes", "catalogs"],
    ["export", "catalogs/shop/1.0.json", "--to", "jsonl"],
    ["cache"],
]
"""Commands that mine nothing."""
CATALOG = make_catalog(ENTRIES, tombstones=(Tombstone("dddd000000000004", "gone", None, "0.9"),))


def run(
    *arguments: str, folder: Path, stdin: bytes | None = None, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run errmine as a person would, in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(folder / "cache"), **(variables or {})}
    done = subprocess.run(
        [*START, *arguments], cwd=folder, env=environment, input=stdin, capture_output=True, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_catalog(CATALOG, tmp_path / "catalogs" / "shop" / "1.0.json")
    return tmp_path


def test_help_and_version_are_for_stdout(tmp_path: Path) -> None:
    assert run("--version", folder=tmp_path).stdout == f"errmine {__version__}\n"
    done = run("--help", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for command in ("scan", "show", "schema", "targets"):
        assert f"\n  {command} " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "needless"),
    [
        (["--help"], {"libcst", "git", "unearth", "rich", "orjson", "msgspec"}),
        (["--version"], {"libcst", "git", "unearth", "rich", "orjson", "msgspec"}),
        (["show", "aaaa000000000001"], {"libcst", "git", "unearth", "rich.progress", "pygments", "rapidfuzz", "re2"}),
        (["targets"], {"libcst", "git", "unearth"}),
        *((words, {"libcst", "git", "unearth", "jinja2", "fastapi", "openai", "distributed"}) for words in QUESTIONS),
    ],
)
def test_a_command_imports_only_what_it_needs(folder: Path, arguments: list[str], needless: set[str]) -> None:
    imports = run(*arguments, folder=folder, variables={"PYTHONPROFILEIMPORTTIME": "1"}).stderr
    loaded = {line.rsplit("|", 1)[-1].strip() for line in imports.splitlines() if line.startswith("import time:")}
    assert "miner.cli" in loaded
    assert not needless & loaded


def test_an_entry_is_shown_from_the_newest_catalog(folder: Path) -> None:
    done = run("show", "shop/cart.py:12", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("acme/shop · error · ValueError\n\nsize must be positive, got {}\n")
    assert "\x1b" not in done.stdout
    assert run("show", "aaaa000000000001", folder=folder).stdout == done.stdout


def test_an_entry_is_written_as_json(folder: Path) -> None:
    done = run("show", "aaaa000000000001", "--json", folder=folder)
    assert json.loads(done.stdout) == json.loads(dump_catalog(CATALOG))["entries"][0]


def test_several_entries_of_one_line_are_all_shown(folder: Path) -> None:
    done = run("show", "cart.py:40", folder=folder)
    assert done.returncode == 0
    assert done.stdout.count("acme/shop · error · ") == 2


def test_several_entries_are_listed_for_a_choice(folder: Path) -> None:
    done = run("show", "aaaa", folder=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "aaaa000000000001  shop/cart.py:12  size must be positive, got {}",
        "aaaa000000000002  shop/cart.py:40  no room for {}",
    ]
    assert done.stderr == "errmine: 'aaaa' fits 2 entries; name one by its id\n"
    assert run("show", "aaaa", "--json", folder=folder).stdout == ""


def test_no_entry_is_an_answer_of_its_own(folder: Path) -> None:
    done = run("show", "shop/cart.py:39", folder=folder)
    assert (done.returncode, done.stdout) == (1, "")
    lines = done.stderr.splitlines()
    assert lines[0] == "errmine: nothing in catalogs/shop/1.0.json fits 'shop/cart.py:39'"
    assert lines[1] == "  near: shop/cart.py:40  aaaa000000000002  no room for {}"
    assert lines[2] == r"  near: shop/cart.py:40  bbbb000000000003  no room \x1b[31m"
    gone = run("show", "dddd000000000004", folder=folder)
    assert gone.returncode == 1
    assert "dddd000000000004 is gone since 0.9: gone" in gone.stderr


def test_an_entry_in_two_catalogs_is_shown_from_the_first(folder: Path) -> None:
    write_catalog(make_catalog([make_entry(id="aaaa000000000001")], target__release="2.0"), folder / "two.json")
    first, second = "catalogs/shop/1.0.json", "two.json"
    both = run("show", "aaaa000000000001", "--catalog", second, "--catalog", first, folder=folder)
    assert (both.returncode, both.stdout.splitlines()[-1][:9]) == (0, "shop==2.0")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "x", "--catalog", "none.json"], "errmine: none.json: no such file"),
        (["show", "x", "--catalog", "bad.json"], "errmine: bad.json: cut off after 24 bytes; scan the target again"),
        (["show", "x", "--catalog", "new.json"], "errmine: new.json: schema_version 9 is newer"),
        (["show", "x", "--catalog", "wrong.json"], "errmine: wrong.json: tool: expected object, got str"),
        (["scan", "shop", "-o", "folder"], "errmine: folder: is a folder; give a file with -o"),
        (["scan", "shop", "-o", "bad.json/below.json"], "errmine: bad.json/below.json: can't be written"),
        (["scan", "no-such-target"], "errmine: unknown target"),
        (["scan", "shop", "--workers", "0"], "Usage: errmine scan"),
        (["scan"], "Usage: errmine scan"),
        (["nonsense"], "Usage: errmine"),
    ],
)
def test_what_cant_be_done_is_one_line_and_exit_code_2(tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.json").write_text('{"schema_version":1,"too')
    (tmp_path / "new.json").write_text('{"schema_version":9}')
    (tmp_path / "wrong.json").write_text('{"schema_version":1,"tool":"\\u001b"}')
    done = run(*arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(words)
    assert "Traceback" not in done.stderr
    assert "Usage" in words or done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.json", "folder", "new.json", "wrong.json"]


def test_a_file_name_reaches_the_terminal_harmless(tmp_path: Path) -> None:
    done = run("show", "x", "--catalog", "\x1b[31m\n.json", folder=tmp_path)
    assert done.stderr.startswith("errmine: \\x1b[31m\\n.json: no such file")


def test_a_full_stdout_is_an_error_and_a_closed_one_is_not(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with Path("/dev/full").open("w") as full:
        command = [*START, "schema"]
        done = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "errmine: output: No space left on device\n")
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as closed:
        assert closed.stdout is not None
        assert closed.stderr is not None
        closed.stdout.close()
        assert closed.stderr.read() == b""
    with subprocess.Popen([*START, "show", "cart.py:12"], cwd=folder, env=environment, stdout=subprocess.PIPE) as page:
        assert page.stdout is not None
        page.stdout.close()
    assert page.returncode in (0, 1)


def test_an_interrupt_is_one_line_and_exit_code_130(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPROFILEIMPORTTIME": "1"}
    command = [*START, "show", "x", "--catalog", "-"]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        while "catalog.page" not in process.stderr.readline():
            assert process.poll() is None
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        last = process.stderr.read().splitlines()[-1]
    assert (process.returncode, last) == (130, "errmine: interrupted")


def test_characters_that_the_terminal_lacks_are_written_out(folder: Path) -> None:
    done = run("show", "cart.py:12", folder=folder, variables={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stdout.startswith(r"acme/shop \xb7 error \xb7 ValueError")


def run_on_terminal(*arguments: str, folder: Path) -> str:
    ours, theirs = pty.openpty()
    variables = {
        "PYTHONPATH": str(ROOT),
        "ERRMINE_CACHE": str(folder / "cache"),
        "TERM": "xterm-256color",
        "NO_COLOR": "",
    }
    environment = {**os.environ, **variables}
    with subprocess.Popen([*START, *arguments], cwd=folder, env=environment, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how a terminal says that nobody writes to it any more
            while chunk := os.read(ours, 4096):
                shown += chunk
        os.close(ours)
    assert process.returncode == 0
    return shown.decode()


def test_colour_comes_with_a_terminal(folder: Path) -> None:
    assert "\x1b[36m{size}\x1b[0m" in run_on_terminal("show", "cart.py:12", folder=folder)


def test_json_on_a_terminal_is_the_same_value_and_harmless(tmp_path: Path) -> None:
    entry = make_entry(id="a" * 16, title="a\x9b31m \u202e \U000e0041 \x7f é \x1b")
    write_catalog(make_catalog([entry]), tmp_path / "c.json")
    shown = run_on_terminal("show", "a" * 16, "--json", "--catalog", "c.json", folder=tmp_path)
    assert json.loads(shown)["title"] == entry.title
    assert shown.replace("\r\n", "").isprintable()


def test_an_error_that_nobody_foresaw_is_one_line_and_exit_code_two(tmp_path: Path) -> None:
    failing = "from miner import cli; cli.app.command('fail')(lambda: {}['a\\x1b\\nb']); cli.main()"
    told = "errmine: a mistake in errmine itself, KeyError: 'a\\x1b\\nb'; set ERRMINE_TRACEBACK=1 to see where"

    def fail(**variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
        command = [sys.executable, "-c", failing, "fail"]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    done = fail()
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(told)
    traced = fail(ERRMINE_TRACEBACK="1")
    assert traced.returncode == 2
    lines = traced.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1].startswith(told)


def test_the_schema_is_printed(tmp_path: Path) -> None:
    written = run("schema", folder=tmp_path).stdout
    assert written.encode() == (ROOT / "catalog" / "schema" / "catalog-1.json").read_bytes()


def test_targets_are_a_table_and_json_and_take_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "errmine.toml").write_text('[targets.shop]\nurl = "https://git.example/acme/shop"\n')
    table = run("targets", folder=tmp_path).stdout.splitlines()
    assert re.match(r"NAME +RELEASE +SOURCE +CONFIGURATION", table[0])
    assert any(line.startswith("vllm ") for line in table)
    assert any(line.startswith("shop ") and "https://git.example/acme/shop" in line for line in table)
    names = [each["name"] for each in json.loads(run("targets", "--json", folder=tmp_path).stdout)]
    assert names == sorted(names)
    assert {"vllm", "sglang", "shop"} <= set(names)


SHOP = {
    "shop/__init__.py": "",
    "shop/cart.py": "def resize(size):\n    if size <= 0:\n        raise ValueError(f'bad {size}')\n",
    "shop/broken.py": "def f(:\n    raise\n",
    "tests/test_cart.py": "assert 1\n",
}


def test_a_folder_is_scanned_into_a_catalog_with_a_summary(tmp_path: Path) -> None:
    write_files(SHOP, tmp_path / "shop")
    done = run("scan", "./shop", "--scope", "all", "--workers", "1", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "shop (a folder), scope all: 2 files scanned" in done.stderr
    assert "found: 1 entry (1 raise)" in done.stderr
    assert "skipped: 1 file\n    shop/broken.py: " in done.stderr
    assert done.stderr.endswith("written to catalogs/shop/folder.json\n")
    shown = run("show", "shop/cart.py:3", folder=tmp_path)
    assert "bad {size}" in shown.stdout


def test_progress_is_for_terminals_and_leaves_no_trace_after_it(tmp_path: Path) -> None:
    write_files(SHOP, tmp_path / "shop")
    shown = run_on_terminal("scan", "./shop", "--scope", "all", folder=tmp_path)
    assert "mining" in shown
    assert shown.rsplit("\x1b[2K", 1)[1].startswith("shop (a folder), scope all: 2 files scanned")


def test_strict_and_quiet_scans(tmp_path: Path) -> None:
    write_files(SHOP, tmp_path / "shop")
    done = run("scan", "./shop", "--scope", "all", "--strict", "--quiet", "-o", "-", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["stats"]["entries"] == 1
    assert not (tmp_path / "catalogs").exists()


def test_a_scan_that_fails_leaves_the_old_catalog(tmp_path: Path) -> None:
    write_files({"readme.txt": "nothing here"}, tmp_path / "shop")
    (tmp_path / "old.json").write_text("old")
    done = run("scan", "./shop", "--scope", "all", "-o", "old.json", folder=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "old.json").read_text() == "old"
