"""Where does a log come from: a file, a pipe, or one that still grows?"""

import contextlib
import os
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from catalog.errors import QuestionError
from catalog.explain.passages import Read

_QUIET = 1.0
"""Seconds after which a growing log counts as quiet: what stands there is told of."""
_PAUSE = 0.2


@contextlib.contextmanager
def open_log(name: str | None, follow: bool) -> Iterator[Read]:
    """Open a log for reading; `-` or nothing is standard input. One that is followed never ends."""
    if name in (None, "-"):
        if sys.stdin.isatty() and name is None:
            raise QuestionError("nothing to explain: name a file, or pipe a log in (`… 2>&1 | errmine explain`)")
        file = sys.stdin.fileno()
        yield _wait_on_pipe(file) if follow else lambda size: os.read(file, size)
        return
    path = Path(str(name))
    try:
        stream = path.open("rb", buffering=0)
    except OSError as error:
        raise QuestionError(f"{path}: can't be read ({error.strerror or error})") from error
    with stream:
        if path.is_dir():
            raise QuestionError(f"{path}: is a folder; name a log file")
        yield _watch_file(path, stream.fileno()) if follow else lambda size: stream.read(size) or b""


def _wait_on_pipe(file: int) -> Read:
    """Read a pipe; say so when nothing has come for a while."""

    def read(size: int) -> bytes | None:
        ready, _, _ = select.select([file], [], [], _QUIET)
        return os.read(file, size) if ready else None

    return read


def _watch_file(path: Path, file: int) -> Read:
    """Read a file to its end and on as it grows; one that was emptied is read from its beginning."""

    def read(size: int) -> bytes | None:
        until = time.monotonic() + _QUIET
        while True:
            data = os.read(file, size)
            if data:
                return data
            if os.fstat(file).st_size < os.lseek(file, 0, os.SEEK_CUR):
                os.lseek(file, 0, os.SEEK_SET)
            elif time.monotonic() > until:
                return None
            time.sleep(_PAUSE)

    return read
