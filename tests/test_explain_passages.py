"""A log of any length is read in bounded memory, and no log makes it fail or hang."""

import os
import random
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from explaining import explain, index_shop
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.explain.gathering import Gathering
from catalog.explain.passages import read_passages
from catalog.explain.sources import open_log

ERROR = "TillError: nobody put coins into the till drawer"
CALM = "2026-01-02 03:04:05 INFO [shop.py:12] sold 3 parcels, 17 on the shelf, nothing to see here\n"
TEMPLATE = "nobody put coins into the till drawer"
MEGABYTE = 1 << 20


def read_from(data: bytes, step: int = MEGABYTE) -> Callable[[int], bytes]:
    """Give a log's bytes in pieces, as a pipe does."""
    pieces = iter([data[start : start + step] for start in range(0, len(data), step)])
    return lambda size: next(pieces, b"")


def gather(data: bytes, step: int = MEGABYTE) -> dict[str | None, int]:
    """Count the errors of a log by the template they were found to come from."""
    gathering = Gathering([index_shop()])
    for passage in read_passages(read_from(data, step)):
        for _ in gathering.add(passage):
            pass
    return {finding.matches[0].template: finding.times for finding in gathering.finish().findings if finding.matches}


@pytest.mark.parametrize("step", [17_001, 65_536, MEGABYTE])
def test_errors_far_apart_in_a_long_log_are_all_found(step: int) -> None:
    data = (CALM * 4_000 + ERROR + "\n").encode() * 8

    assert gather(data, step) == {TEMPLATE: 8}


def test_a_traceback_in_a_long_log_comes_whole() -> None:
    frames = "".join(f'  File "/srv/shop/x{number}.py", line {number}, in f\n    call()\n' for number in range(300))
    log = CALM * 12_000 + "Traceback (most recent call last):\n" + frames + ERROR + "\n" + CALM * 12_000
    [passage] = [each for each in read_passages(read_from(log.encode())) if "Traceback" in each]

    assert ERROR in passage
    assert passage.count("File ") == 300


def test_a_long_log_needs_no_more_memory_than_a_short_one() -> None:
    def measure(times: int) -> int:
        chunk = (CALM * 2_000 + ERROR + "\n").encode()
        pieces = iter([chunk] * times)
        gathering = Gathering([index_shop()])
        tracemalloc.start()
        for passage in read_passages(lambda size: next(pieces, b"")):
            for _ in gathering.add(passage):
                pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    assert measure(160) < measure(20) * 1.5


def test_a_short_log_is_read_whole_even_where_nothing_looks_like_an_error() -> None:
    assert list(read_passages(read_from(b"nothing\nbut prose"))) == ["nothing\nbut prose"]


def test_wide_letters_of_windows_are_read() -> None:
    log = "calm\n" * 50 + ERROR

    assert gather(log.encode("utf-16")) == {TEMPLATE: 1}
    assert gather(b"\xff\xfe\xfd junk\n" + ERROR.encode()) == {TEMPLATE: 1}


HOSTILE = {
    "a line without end": lambda: b"x" * 3_000_000 + b" " + ERROR.encode() + b" " + b"y" * 3_000_000,
    "zeros": lambda: b"\0" * 2_000_000 + ERROR.encode() + b"\0" * 99,
    "broken letters": lambda: b"\xc3\x28 \xf0\x9f " * 9_000 + b"\n" + ERROR.encode() + b"\n\xed\xa0\x80",
    "controls": lambda: bytes(range(32)) * 3_000 + b"\n" + ERROR.encode() + b"\x1b[31",
    "nested quotes": lambda: b"ValueError('" * 9_000 + b"\n" + ERROR.encode(),
    "brackets": lambda: b"ValueError: " + b"(" * 90_000 + b"\n" + ERROR.encode(),
    "backslashes": lambda: b"\\" * 90_000 + b"n\n" + ERROR.encode(),
    "entities": lambda: b"&amp;" * 20_000 + b"\n" + ERROR.encode(),
    "tags": lambda: b"<" * 90_000 + b"\n" + ERROR.encode(),
    "colours": lambda: b"\x1b[31m" * 20_000 + b"\n" + ERROR.encode(),
    "prefixes": lambda: b"[rank0]: " * 9_000 + b"\n" + ERROR.encode(),
    "files": lambda: b'File "' * 15_000 + b"\n" + ERROR.encode(),
    "bodies": lambda: b'{"message": "' * 5_000 + b"\n" + ERROR.encode(),
    "boxes": lambda: ("\u2502 " + "x" * 70 + " \u2502\n").encode() * 900 + ERROR.encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_log_neither_fails_nor_hangs_nor_hides_an_error(name: str) -> None:
    started = time.monotonic()

    assert gather(HOSTILE[name]()).get(TEMPLATE) == 1
    assert time.monotonic() - started < 30  # on any machine; it takes a second or two


def test_a_chain_as_deep_as_one_likes() -> None:
    link = (
        'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in f\n    raise ValueError(3)\n'
        "ValueError: 3\n\nDuring handling of the above exception, another exception occurred:\n\n"
    )

    assert gather((ERROR + "\n\n" + link * 2_000).encode()) == {TEMPLATE: 1}


def test_time_grows_no_faster_than_the_log() -> None:
    def measure(times: int) -> float:
        data = b'request failed: ValueError: too many parcels (\'a\', "b") [type=x, y] File "z", line 3\n' * times
        started = time.process_time()
        gather(data)
        return time.process_time() - started

    measure(50)
    assert measure(4_000) < max(measure(500), 0.02) * 8 * 4


@settings(max_examples=60)
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=40),
            st.sampled_from(
                [
                    b"Traceback (most recent call last):\n", b'  File "/srv/shop/till.py", line 3, in count\n', b"\n",
                    b"ValueError: ",
                    b"1 validation error for X\n  Value error, ", b" [type=value_error, x]", b"\x1b[31m",
                    b'{"message": "', b"During handling of the above exception", b"    raise ValueError(", b"&quot;",
                    b"(W pid=3) ", b"\\n", b"\xe2\x94\x82 ", ERROR.encode(), b"--> 12 ", b"E       ", b"  + | ",
                ]
            ),
        ),
        max_size=40,
    )
)  # fmt: skip
def test_no_mixture_of_pieces_fails(pieces: list[bytes]) -> None:
    gather(b"".join(pieces))


def test_half_a_letter_is_no_obstacle() -> None:
    [finding] = explain(f"\ud800 {ERROR} \udfff").findings

    assert finding.matches


def test_junk_gives_no_answer() -> None:
    junk = random.Random(7).randbytes(600_000)

    assert gather(junk) == {}


def test_a_growing_file_is_told_of_as_it_grows(tmp_path: Path) -> None:
    log = tmp_path / "shop.log"
    log.write_text(CALM)

    def grow() -> Iterator[str]:
        with open_log(str(log), follow=True) as read:
            yield from read_passages(read, is_growing=True)

    passages = grow()
    with log.open("a") as stream:
        stream.write(f"{ERROR}\n")
    assert ERROR in next(passages)
    with log.open("w") as stream:
        stream.write(f"{ERROR} again\n")
    assert "again" in next(passages)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_stays_open_is_told_of_when_it_is_quiet(tmp_path: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-uc", f"import time; print({ERROR!r}); time.sleep(60)"], stdout=subprocess.PIPE
    )
    try:
        assert writer.stdout is not None
        reader = subprocess.run(
            [
                sys.executable,
                "-c",
                "from catalog.explain.sources import open_log\n"
                "from catalog.explain.passages import read_passages\n"
                "with open_log('-', follow=True) as read:\n"
                "    print(next(read_passages(read, is_growing=True)))",
            ],
            stdin=writer.stdout,
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
    finally:
        writer.kill()
        writer.wait()

    assert ERROR in reader.stdout
