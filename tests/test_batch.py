"""Many targets: what a list says, who does it, and what is left of a run that was cut short."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from factories import write_files
from hypothesis import given
from hypothesis import strategies as st

from catalog.errors import TargetError
from catalog.store import dump_catalog, read_catalog
from miner.batch import run as batch
from miner.batch.journal import Line, read_journal
from miner.batch.listing import Job, read_list
from miner.batch.run import BatchOptions, Task, run_batch
from miner.batch.work import Failed, Order, do
from miner.scan import ScanOptions, scan
from miner.tool import describe_tool

ROOT = Path(__file__).parents[1]


def write_list(folder: Path, text: str) -> Path:
    path = folder / "list.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_list_has_a_target_a_line_with_the_options_of_scan(tmp_path: Path) -> None:
    text = "# ours\n\nvllm==0.33.0  # pinned\nclick --ref 8.1.7 --scope all --scope 'x/*'\n"
    text += "./a\\ b --exclude y\nvllm==0.33.0\n"
    assert read_list(write_list(tmp_path, text), Job("", exclude=("z",))) == (
        Job("vllm==0.33.0", exclude=("z",)),
        Job("click", ref="8.1.7", scope=("all", "x/*"), exclude=("z",)),
        Job("./a b", exclude=("y",)),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vllm\nclick --colour red\n", r"list.txt:2: unrecognized arguments: --colour red; write TARGET"),
        ("click --ref a --commit b", "list.txt:1: --commit and --ref exclude each other"),
        ("click 'open", "list.txt:1: No closing quotation"),
        ("--scope all", "list.txt:1: the following arguments are required: target"),
        ("# nothing\n", "list.txt: names no target"),
        ("click --scope", "list.txt:1: argument --scope: expected one argument"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(TargetError) as caught:
        read_list(write_list(tmp_path, text), Job(""))
    assert words in str(caught.value)


def test_a_list_that_isnt_there_or_isnt_text_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="can't be read"):
        read_list(tmp_path / "none", Job(""))
    (tmp_path / "junk").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TargetError, match="isn't text"):
        read_list(tmp_path / "junk", Job(""))


WORDS = st.text("ab./=-:@ é\n", min_size=1, max_size=6)
JOBS = st.builds(Job, WORDS, st.none() | WORDS, st.none(), st.lists(WORDS, min_size=1, max_size=2).map(tuple))


@given(JOBS, JOBS)
def test_jobs_have_one_file_name_only_when_they_are_one(one: Job, other: Job) -> None:
    assert (one.name == other.name) == (one == other)
    assert not {"/", "\n", "\\"} & set(one.name)
    assert not one.name.startswith(".")


def test_a_release_and_a_name_keep_a_readable_file_name_and_no_secret_shows() -> None:
    assert Job("vllm==0.33.0").name == "vllm-0.33.0"
    assert Job("click", ref="8.1.7", scope=("all",)).name.startswith("click-8.1.7-all-")
    assert "token" not in Job("https://user:token@host.example/x/y").spec


def shop(size: int, unused: int = 0) -> str:
    body = "".join(
        f"def f{i}(x):\n    if x > {i}:\n        raise ValueError(f'{{x}} is over {i}')\n" for i in range(size)
    )
    return f"{body}# {unused}\n"


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    for index in range(3):
        write_files({f"shop{index}/config.py": shop(3 + index)}, tmp_path / f"shop{index}")
    return tmp_path


def scan_all(path: Path, target: Path) -> tuple[Line, ...]:
    return run_batch(read_list(path, Job("", scope=("all",))), BatchOptions(target, jobs=2), lambda *_: None)


def test_each_target_becomes_the_catalog_that_a_scan_of_it_gives(folders: Path) -> None:
    path = write_list(folders, "".join(f"{folders}/shop{index}\n" for index in range(3)))
    lines = scan_all(path, folders / "out")
    assert [line.state for line in lines] == ["done"] * 3
    for index, line in enumerate(lines):
        assert line.file is not None
        alone = scan(str(folders / f"shop{index}"), ScanOptions(scope=("all",)))
        assert (folders / "out" / line.file).read_bytes() == dump_catalog(alone)


def test_what_fails_is_kept_with_its_reason_and_the_rest_is_done(folders: Path) -> None:
    path = write_list(folders, f"{folders}/none\n{folders}/shop1\nno-such-name\n")
    heard: list[tuple[str, int, int]] = []
    jobs = read_list(path, Job("", scope=("all",)))
    lines = run_batch(jobs, BatchOptions(folders / "out"), lambda line, *count: heard.append((line.state, *count)))
    assert [line.state for line in lines] == ["failed", "done", "failed"]
    assert "no such folder" in (lines[0].reason or "")
    assert "no-such-name" in (lines[2].reason or "")
    assert sorted(heard) == [("done", 3, 3), ("failed", 1, 3), ("failed", 2, 3)]
    assert tuple(read_journal(folders / "out").values()) == lines


def test_a_second_run_does_only_what_the_first_left(folders: Path) -> None:
    path = write_list(folders, f"{folders}/shop0\n{folders}/none\n")
    first = scan_all(path, folders / "out")
    (folders / "none").mkdir()
    write_files({"none/config.py": shop(1)}, folders / "none")
    assert first[0].file is not None
    kept = folders / "out" / first[0].file
    kept.write_bytes(b"as it was left")
    second = scan_all(path, folders / "out")
    assert [line.state for line in second] == ["done", "done"]
    assert kept.read_bytes() == b"as it was left"
    options = BatchOptions(folders / "out", again=True)
    run_batch(read_list(path, Job("", scope=("all",))), options, lambda *_: None)
    assert read_catalog(kept).target.name == "shop0"


def test_a_process_that_is_killed_is_begun_again_and_given_up_at_last(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = folders / "tried"
    kill = f"import os, signal; open({str(tried)!r}, 'a').write('x'); os.kill(os.getpid(), signal.SIGKILL)"
    monkeypatch.setattr("miner.batch.work._START", kill)
    lines = scan_all(write_list(folders, f"{folders}/shop0\n"), folders / "out")
    assert (lines[0].state, tried.read_text()) == ("failed", "xxx")
    assert lines[0].reason == "its process was ended by signal 9, 3 times; is there enough memory for it?"


def make_order(place: str = "x", tool: str | None = None, seconds: int = 60) -> Order:
    return Order(Job(place), place, None, None, 1, seconds, tool or describe_tool())


def test_a_worker_with_other_code_refuses_and_a_hanging_job_ends(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = do(make_order(tool="errmine 9"))
    assert isinstance(other, Failed)
    assert "install the same on both" in other.reason
    monkeypatch.setattr("miner.batch.work._START", "import time; time.sleep(60)")
    assert do(make_order(seconds=1)) == Failed("it took longer than 1 seconds")


def test_few_jobs_at_once_ask_one_host_and_no_more_run_than_there_are_hands_for() -> None:
    tasks = [Task(make_order(str(index)), host) for index, host in enumerate(["a", "a", "a", None, "b", None])]
    assert [task.order.place for task in batch._choose(tasks, [], 9)] == ["0", "1", "3", "4", "5"]
    assert [task.order.place for task in batch._choose(tasks, tasks[:1], 3)] == ["0", "3"]
    assert batch._choose(tasks, tasks[:2], 2) == []


def errmine(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    start = [sys.executable, "-c", "from miner.cli import main; main()"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(folder / "cache")}
    return subprocess.run(
        [*start, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_command_says_what_became_of_each_and_exits_with_2_when_one_failed(folders: Path) -> None:
    write_list(folders, "./shop0\n./none\n")
    (folders / "errmine.toml").write_text('[targets.ours]\nurl = "https://host.example/ours"\n', encoding="utf-8")
    done = errmine("scan", "--from", "list.txt", "-o", "out", "--jobs", "1", folder=folders)
    assert (done.returncode, done.stdout) == (2, "")
    assert "[1/2] ./none: failed: " in done.stderr
    assert "[2/2] ./shop0: written to shop0-" in done.stderr
    assert "1 of 2 targets in out\n  failed: ./none: " in done.stderr
    shown = errmine("show", "shop0/config.py:3", "--catalog", "out", folder=folders)
    assert "ValueError" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["shop0", "--from", "list.txt"], "TARGET doesn't go with --from"),
        (["--from", "list.txt", "--ref", "x"], "--ref doesn't go with --from"),
        (["shop0", "--jobs", "2"], "--jobs doesn't go with a single target"),
        (["--from", "list.txt", "--scheduler", "tcp://127.0.0.1:1"], "tcp://127.0.0.1:1: no scheduler answers"),
        (["--from", "list.txt", "--scheduler", "nonsense://x"], "'nonsense://x' is no scheduler's address"),
    ],
)
def test_what_doesnt_go_together_is_one_line(folders: Path, arguments: list[str], words: str) -> None:
    write_list(folders, "./shop0\n")
    done = errmine("scan", *arguments, folder=folders)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert words in done.stderr


@contextmanager
def open_cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Run a real scheduler and, after it, real worker processes on the loopback address."""
    place = folder / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(place), "--no-nanny"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(folder / "cache")}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment, "cwd": folder}
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(place)]
    started = [subprocess.Popen([*dask, *options], **quiet)]  # type: ignore[call-overload]
    try:
        for _ in range(workers):
            one = [*worker, "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard"]
            started.append(subprocess.Popen(one, **quiet))  # type: ignore[call-overload]
        wait_until(place.exists)
        address = json.loads(place.read_text())["address"]
        yield address, started
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def wait_until(happened: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_cluster_gives_the_same_catalogs_and_nothing_is_lost_when_a_worker_is_killed(tmp_path: Path) -> None:
    for index in range(8):
        write_files({f"shop{index}/config.py": shop(150, index)}, tmp_path / f"shop{index}")
    path = write_list(tmp_path, "".join(f"{tmp_path}/shop{index}\n" for index in range(8)))
    jobs = read_list(path, Job("", scope=("all",)))
    here = run_batch(jobs, BatchOptions(tmp_path / "here"), lambda *_: None)
    with open_cluster(tmp_path, 2) as (address, processes):
        wait_for_workers(address, 2)
        killed: list[int] = []

        def kill_one(_: Line, done: int, __: int) -> None:
            if done == 2:
                processes[1].send_signal(signal.SIGKILL)
                killed.append(processes[1].wait())

        options = BatchOptions(tmp_path / "there", scheduler=address)
        there = run_batch(jobs, options, kill_one)
    assert killed == [-9]
    assert there == here
    for line in here:
        assert line.file is not None
        assert (tmp_path / "there" / line.file).read_bytes() == (tmp_path / "here" / line.file).read_bytes()


def wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(count, timeout=60)


def test_a_scheduler_without_workers_is_one_line(tmp_path: Path) -> None:
    write_files({"shop/config.py": shop(1)}, tmp_path / "shop")
    path = write_list(tmp_path, f"{tmp_path}/shop\n")
    with open_cluster(tmp_path, 0) as (address, _), pytest.raises(TargetError, match="the scheduler has no worker"):
        run_batch(read_list(path, Job("")), BatchOptions(tmp_path / "out", scheduler=address), lambda *_: None)


def test_a_lost_scheduler_is_told_and_what_was_done_is_kept(tmp_path: Path) -> None:
    for index in range(4):
        write_files({f"shop{index}/config.py": shop(100, index)}, tmp_path / f"shop{index}")
    path = write_list(tmp_path, "".join(f"{tmp_path}/shop{index}\n" for index in range(4)))
    with open_cluster(tmp_path, 1) as (address, processes):
        wait_for_workers(address, 1)

        def kill(_: Line, done: int, __: int) -> None:
            if done == 1:
                processes[0].send_signal(signal.SIGKILL)

        options = BatchOptions(tmp_path / "out", scheduler=address)
        with pytest.raises(TargetError, match="the scheduler is lost"):
            run_batch(read_list(path, Job("", scope=("all",))), options, kill)
    assert [line.state for line in read_journal(tmp_path / "out").values()] == ["done"]
