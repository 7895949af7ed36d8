"""What an earlier scan has left is taken where nothing that it read has changed, and nowhere else."""

import fcntl
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import factories
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.records import Catalog
from catalog.store import dump_catalog
from miner import housekeeping
from miner.cache import NAME, RecordingTree, ResultCache
from miner.scan import Progress, ScanOptions, scan
from miner.sources.folder import open_folder

ROOT = Path(__file__).parents[1]
FILES = {
    "shop/__init__.py": "",
    "shop/texts.py": "FULL = 'the cart is full'\n",
    "shop/errors.py": "class CartError(ValueError):\n    pass\n",
    "shop/helpers.py": (
        "import sys\nfrom shop.errors import CartError\n\n\ndef refuse(text):\n    raise CartError(text)\n\n\n"
        "def stop(text):\n    sys.exit(text)\n\n\ndef settle(config):\n    return config\n"
    ),
    "shop/config.py": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass CartConfig:\n"
        "    size: int = 1\n    kind: str = 'plain'\n"
    ),
    "shop/cart.py": (
        "from shop.config import CartConfig\nfrom shop.errors import CartError\n"
        "from shop.helpers import refuse, settle, stop\nfrom shop.texts import FULL\n\n\n"
        "def add(config: CartConfig, count):\n"
        "    if count > config.size:\n        raise CartError(FULL)\n"
        "    settle(config)\n"
        "    if config.kind == 'odd':\n        refuse(f'{config.kind} is odd')\n"
        "    if config.size < 0:\n        stop('size')\n"
        "    if not count:\n        raise CartError('none')\n"
    ),
}
EDITS = [
    ("shop/texts.py", "full", "overflowing", "a constant"),
    ("shop/errors.py", "ValueError", "KeyError", "a base class"),
    ("shop/helpers.py", "raise CartError(text)", "raise CartError('no: ' + text)", "a helper that raises"),
    ("shop/helpers.py", "sys.exit(text)", "print(text)", "a function that never returned"),
    ("shop/helpers.py", "    return config", "    config.kind = 'odd'\n    return config", "what a function changes"),
    ("shop/config.py", "size: int", "length: int", "a field"),
    ("shop/config.py", "'plain'", "'odd'", "a default"),
    ("shop/cart.py", "count > config.size", "count >= config.size", "the file itself"),
    ("shop/cart.py", "    settle(config)\n", "\n    settle(config)\n", "only lines"),
]


def make(folder: Path, files: dict[str, str]) -> Path:
    factories.write_files(files, folder / "shop")
    return folder / "shop"


def rescan(target: Path, cache: Path, *, fresh: bool = False) -> tuple[Catalog, bool]:
    """Scan, and tell whether anything was mined."""
    stages: set[str] = set()

    def hear(progress: Progress) -> None:
        stages.add(progress.stage)

    options = ScanOptions(scope=("all",), cache=cache, workers=1, fresh=fresh)
    return scan(str(target), options, hear), "mining" in stages


def test_the_same_source_is_mined_once(tmp_path: Path) -> None:
    target = make(tmp_path, FILES)
    first, mined = rescan(target, tmp_path / "cache")
    second, again = rescan(target, tmp_path / "cache")
    assert (mined, again) == (True, False)
    assert dump_catalog(first) == dump_catalog(second)
    third, anew = rescan(target, tmp_path / "cache", fresh=True)
    assert (dump_catalog(third), anew) == (dump_catalog(first), True)


@pytest.mark.parametrize(("path", "old", "new", "what"), EDITS, ids=[what for *_, what in EDITS])
def test_a_change_of_anything_that_bears_on_it_is_seen(
    tmp_path: Path, path: str, old: str, new: str, what: str
) -> None:
    target = make(tmp_path, FILES)
    before, _ = rescan(target, tmp_path / "cache")
    assert old in FILES[path]
    make(tmp_path, {path: FILES[path].replace(old, new)})
    after, mined = rescan(target, tmp_path / "cache")
    assert mined
    assert dump_catalog(after) != dump_catalog(before), what
    assert dump_catalog(after) == dump_catalog(rescan(target, tmp_path / "other")[0])
    make(tmp_path, FILES)
    back, mined = rescan(target, tmp_path / "cache")
    assert (dump_catalog(back), mined) == (dump_catalog(before), False)


def test_a_new_file_and_one_that_is_gone_are_seen(tmp_path: Path) -> None:
    target = make(tmp_path, FILES)
    rescan(target, tmp_path / "cache")
    make(tmp_path, {"shop/more.py": "raise ValueError('more')\n"})
    more, mined = rescan(target, tmp_path / "cache")
    assert mined
    assert any(entry.site.path.endswith("more.py") for entry in more.entries)
    (target / "shop" / "more.py").unlink()
    (target / "shop" / "texts.py").unlink()
    assert rescan(target, tmp_path / "cache")[1]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=st.lists(st.tuples(st.sampled_from(sorted(FILES)), st.sampled_from(EDITS)), min_size=1, max_size=4))
def test_whatever_is_edited_a_kept_result_is_what_a_cold_scan_gives(
    tmp_path: Path, edits: list[tuple[str, tuple[str, str, str, str]]]
) -> None:
    target, cache = make(tmp_path, FILES), tmp_path / "cache"
    files = dict(FILES)
    for path, (_, old, new, _) in edits:
        files[path] = files[path].replace(old, new)
        make(tmp_path, files)
        warm, _ = rescan(target, cache)
        assert dump_catalog(warm) == dump_catalog(rescan(target, cache, fresh=True)[0])


def spoil_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 2, len(data) // 2 + 2000):
        data[at % len(data)] ^= 0x5A
    path.write_bytes(data)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"no database"),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(b""),
        spoil_middle,
    ],
    ids=["other bytes", "cut", "empty", "flipped bits"],
)
def test_a_damaged_store_is_noticed_and_made_anew(tmp_path: Path, spoil: object) -> None:
    target, cache = make(tmp_path, FILES), tmp_path / "cache"
    right = dump_catalog(rescan(target, cache)[0])
    spoil(cache / NAME)  # type: ignore[operator]
    assert dump_catalog(rescan(target, cache)[0]) == right
    assert dump_catalog(rescan(target, cache)[0]) == right
    assert rescan(target, cache)[1] is False


def test_a_damaged_result_is_mined_again(tmp_path: Path) -> None:
    target, cache = make(tmp_path, FILES), tmp_path / "cache"
    right = dump_catalog(rescan(target, cache)[0])
    with sqlite3.connect(cache / NAME) as store:
        store.execute("update results set data = substr(data, 1, 100)")
    store.close()
    again, mined = rescan(target, cache)
    assert (dump_catalog(again), mined) == (right, True)
    assert rescan(target, cache)[1] is False


def test_a_store_that_cant_be_used_stops_no_scan(tmp_path: Path) -> None:
    target, cache = make(tmp_path, FILES), tmp_path / "cache"
    (cache / NAME).mkdir(parents=True)
    assert rescan(target, cache)[1]
    assert rescan(target, cache)[1]


def test_scans_at_once_share_the_store(tmp_path: Path) -> None:
    target = make(tmp_path, FILES)
    command = [sys.executable, "-c", "from miner.cli import main; main()", "scan", str(target), "--scope", "all", "-q"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(tmp_path / "cache")}
    started = [subprocess.Popen([*command, "-o", f"{n}.json"], cwd=tmp_path, env=environment) for n in range(4)]
    assert [process.wait() for process in started] == [0, 0, 0, 0]
    assert len({(tmp_path / f"{n}.json").read_bytes() for n in range(4)}) == 1
    assert rescan(target, tmp_path / "cache")[1] is False
    assert ResultCache(tmp_path / "cache").measure().results == 1


def test_the_store_is_bounded_and_drops_what_was_used_longest_ago(tmp_path: Path) -> None:
    tree = RecordingTree(open_folder(make(tmp_path, FILES)))
    list(tree.read(tree.list_paths()))
    store = ResultCache(tmp_path / "cache", limit=60_000)
    for key in "abcd":
        store.keep(key, tree, os.urandom(20_000))
        assert store.find("a", tree) is not None
    assert [key for key in "abcd" if store.find(key, tree) is not None] == ["a", "d"]
    store.keep("e", tree, os.urandom(100_000))
    assert store.find("e", tree) is None


def test_what_files_gave_is_bounded_and_drops_the_target_used_longest_ago(tmp_path: Path) -> None:
    store = ResultCache(tmp_path / "cache", limit=100_000)
    for key in "abc":
        store.keep_files(key, {"one.py": os.urandom(10_000), "two.py": os.urandom(10_000)})
    assert [sorted(store.find_files(key)) for key in "abc"] == [[], ["one.py", "two.py"], ["one.py", "two.py"]]
    store.keep_files("b", {"one.py": b"new"})
    store.keep_files("d", {"one.py": os.urandom(20_000)})
    assert [len(store.find_files(key)) for key in "abcd"] == [0, 2, 0, 1]
    assert store.find_files("b")["one.py"] == b"new"


def test_what_a_file_gave_is_mined_again_where_it_is_damaged(tmp_path: Path) -> None:
    target, cache = make(tmp_path, FILES), tmp_path / "cache"
    rescan(target, cache)
    make(tmp_path, {"shop/texts.py": "FULL = 'no more'\n"})
    right = dump_catalog(rescan(target, tmp_path / "other")[0])
    with sqlite3.connect(cache / NAME) as store:
        store.execute("update files set data = substr(data, 1, 20) where path like '%cart.py'")
        store.execute("update files set data = x'00' where path like '%helpers.py'")
    store.close()
    assert dump_catalog(rescan(target, cache)[0]) == right


def test_holdings_are_measured_and_cleared(tmp_path: Path) -> None:
    target, cache = make(tmp_path, FILES), tmp_path / "cache"
    rescan(target, cache)
    for name in ("old", "new", "held"):
        factories.write_files({"archive.tar.gz": "x" * 1000, "lock": ""}, cache / "releases" / name)
    past = time.time() - 40 * 86_400
    for path in (cache / "releases" / "old", cache / "releases" / "old" / "lock"):
        os.utime(path, (past, past))
    held = {each.kind: each for each in housekeeping.list_holdings(cache)}
    assert (held["results"].count, held["releases"].count, held["releases"].bytes) == (1, 3, 3000)
    assert housekeeping.clear(cache, ["releases"], days=30) == 1000
    with (cache / "releases" / "held" / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert housekeeping.clear(cache, tuple(housekeeping.KINDS)) > 1000
    assert [path.name for path in (cache / "releases").iterdir()] == ["held"]
    assert rescan(target, cache)[1]


def test_the_command_shows_and_clears(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from miner.cli import main; main()", "cache", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(tmp_path / "cache")}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    rescan(make(tmp_path, FILES), tmp_path / "cache")
    shown = run()
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("KEPT      COUNT  SIZE")
    assert "results   1 " in shown.stdout
    assert '"kind": "results"' in run("--json").stdout
    assert run("--clear", "all").stderr.endswith(" freed\n")
    assert "results   0 " in run().stdout
    assert run("--clear", "nonsense").returncode == run("--older-than", "3").returncode == 2
