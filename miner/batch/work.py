"""One job → its catalog, in a process of its own: what happens to it happens to no other."""

import os
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from miner.batch.listing import Job
from miner.tool import ROOT, describe_tool

_START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from miner.cli import main; main()"
_MAX_REASON = 400


@dataclass(frozen=True, slots=True)
class Order:
    """A job with what its process needs to know."""

    job: Job
    place: str
    """The target as its process is to understand it: a folder as an absolute path."""
    table: str | None
    """The text of the user's own table of targets."""
    cache: str | None
    workers: int
    seconds: int
    """How long it may take."""
    tool: str
    """What must do it: `describe_tool()` of the process that ordered it."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """A job that was done."""

    packed: bytes
    """The catalog's bytes, compressed: they may travel."""
    warnings: tuple[str, ...]

    def unpack(self) -> bytes:
        """Give the catalog's bytes."""
        return zlib.decompress(self.packed)


@dataclass(frozen=True, slots=True)
class Failed:
    """A job that couldn't be done."""

    reason: str


class LostError(RuntimeError):
    """A process was killed from outside: the same job may well succeed at the next try."""


def do(order: Order) -> Scanned | Failed:
    """Do a job. Raises `LostError` when its process was killed."""
    if describe_tool() != order.tool:
        return Failed(f"this worker has {describe_tool()}, but {order.tool} asks; install the same on both")
    with tempfile.TemporaryDirectory(prefix="errmine-job-") as folder:
        if order.table is not None:
            Path(folder, "errmine.toml").write_text(order.table, encoding="utf-8")
        try:
            done = subprocess.run(
                _list_words(order),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=order.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Failed(f"it took longer than {order.seconds:,} seconds")
    said = tuple(done.stderr.decode("utf-8", "replace").splitlines())
    if done.returncode < 0:
        raise LostError(f"its process was ended by signal {-done.returncode}")
    if done.returncode != 0:
        last = said[-1].removeprefix("errmine: ") if said else f"exit code {done.returncode}"
        return Failed(last[:_MAX_REASON])
    return Scanned(zlib.compress(done.stdout, 1), tuple(line.removeprefix("errmine: ") for line in said))


def _list_words(order: Order) -> list[str]:
    words = [sys.executable, "-P", "-c", _START, str(ROOT), "scan", order.place, *order.job.list_options()]
    words += ["--quiet", "--workers", str(order.workers), "--output", "-"]
    return [*words, "--cache", order.cache] if order.cache is not None else words


def count_cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
