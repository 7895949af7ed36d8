"""Work on several processes: nothing is lost, and a crash costs one file."""

import os
import sys
import threading

import pytest

from catalog.records import Skipped
from miner.facts import ModuleFacts
from miner.pool import Ground, RawFile, Result, find_facts_of, mine_file, run_deep, run_files


def make_files(count: int, size: int = 10) -> list[RawFile]:
    return [RawFile(f"m{n}.py", f"m{n}", b"raise E\n" + b"# " + b"x" * size) for n in range(count)]


def crash_on_request(file: RawFile) -> Result:
    if b"crash" in file.data:
        os.abort()
    return mine_file(file)


def list_paths(results: list[Result]) -> list[str]:
    return sorted(result.path for result in results)


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_every_file_comes_back_once(workers: int | None) -> None:
    files = make_files(23, size=100_000)
    assert list_paths(list(run_files(mine_file, files, Ground(), workers))) == sorted(file.path for file in files)


def test_no_file_is_no_work() -> None:
    assert list(run_files(mine_file, [], Ground(), 2)) == []


def test_facts_come_back_as_facts() -> None:
    (facts,) = run_files(find_facts_of, [RawFile("a.py", "a", b"import b\n")], Ground(), 1)
    assert isinstance(facts, ModuleFacts)
    assert facts.imports == {"b": "b"}


def test_a_worker_that_dies_takes_one_file_with_it() -> None:
    files = [*make_files(12, size=90_000), RawFile("bad.py", "bad", b"# crash\nraise E\n")]
    results = list(run_files(crash_on_request, files, Ground(), 2))
    assert list_paths(results) == sorted(file.path for file in files)
    assert [result for result in results if isinstance(result, Skipped)] == [
        Skipped("bad.py", "the parser crashed on it")
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"raise E('\xe9')", "not valid UTF-8"),
        (b"raise E(", "never closed"),
        (b"def f(:\n    raise E", "line 1"),
        (b"raise E\0", "null bytes"),
    ],
)
def test_what_cannot_be_read_is_skipped_with_a_reason(data: bytes, reason: str) -> None:
    result = mine_file(RawFile("a.py", "a", data))
    assert isinstance(result, Skipped)
    assert result.path == "a.py"
    assert reason in result.reason


def test_deep_work_has_a_deep_stack_and_leaves_the_limits_alone() -> None:
    def dive(depth: int) -> int:
        return 0 if depth == 0 else 1 + dive(depth - 1)

    limit, size = sys.getrecursionlimit(), threading.stack_size()
    assert run_deep(lambda: dive(20_000)) == 20_000
    assert (sys.getrecursionlimit(), threading.stack_size()) == (limit, size)


def test_an_error_in_deep_work_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        run_deep(lambda: 1 // 0)
