"""Files → mined files, on several processes: the work spread by size, a crash blamed on the one file that caused it.

The parser is native code that recurses as deep as its input nests, so each worker reads on a thread with a large stack,
and a worker that dies all the same takes only one file with it.
"""

import gc
import multiprocessing
import os
import signal
import sys
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from catalog.records import Skipped
from miner.decoding import UndecodableError, decode_source
from miner.entries import SourceText
from miner.facts import ModuleFacts
from miner.kept import Keeper
from miner.lexing import LexError
from miner.library import Library
from miner.mine import Mined, find_facts, mine_text
from miner.names import World
from miner.questions import Questions
from miner.recall import Recall
from miner.visitor import UnreadableError

_STACK = 512 * 1024 * 1024
_RECURSION = 50_000
_CHUNK = 400_000
"""Bytes of source in one task: large enough to be worth sending, small enough to even out."""


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file of the target as bytes."""

    path: str
    module: str
    data: bytes
    vendored: bool = False


@dataclass(frozen=True, slots=True)
class MinedFile:
    """What a file gave, and what of it may be kept."""

    path: str
    mined: Mined
    kept: bytes | None
    answers: bytes | None = None
    """What was found of functions meanwhile."""


Result = ModuleFacts | MinedFile | Skipped
Task = Callable[[RawFile], Result]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Ground:
    """What every task of a scan stands on."""

    target: str = ""
    world: World = field(default_factory=World)
    sources: Mapping[str, bytes] = field(default_factory=dict)
    """By module, for what must be read of other files."""
    kept: Mapping[str, bytes] | None = None
    """By path, what an earlier scan has kept of a file; `None` where nothing is to be kept."""
    answers: bytes | None = None
    """What it has kept of functions."""


_ground = Ground()
_library = Library(_ground.world, {})
_questions = Questions(_library)
_recall = Recall(None, _questions)


def _start_worker(ground: Ground) -> None:
    global _ground, _library, _questions, _recall
    _ground, _library = ground, Library(ground.world, ground.sources)
    _questions = Questions(_library)
    _recall = Recall(ground.answers, _questions)
    _library.bodies.recall = _recall if ground.kept is not None else None
    gc.set_threshold(200_000, 50, 100)  # syntax trees hold no cycles: looking for them early costs a fifth of the time


def find_facts_of(file: RawFile) -> Result:
    """Read one file's facts, or say why it can't be read."""
    try:
        return find_facts(_decode(file))
    except (UndecodableError, LexError) as error:
        return Skipped(file.path, str(error))


def mine_file(file: RawFile) -> Result:
    """Mine one file, or say why it can't be read."""
    try:
        return _mine(file)
    except (UndecodableError, LexError, UnreadableError) as error:
        return Skipped(file.path, str(error))
    except RecursionError:
        return Skipped(file.path, "an expression nests too deep")


def _mine(file: RawFile) -> MinedFile:
    source = _decode(file)
    if _ground.kept is None or file.module not in _ground.world.modules:
        return MinedFile(file.path, mine_text(source, _ground.world, _ground.target, _library), None)
    before = _ground.kept.get(file.path)
    keeper = Keeper(zlib.decompress(before) if before is not None else None, _questions)
    mined = mine_text(source, _ground.world, _ground.target, _library, keeper)
    kept = keeper.dump()
    packed = zlib.compress(kept, 1) if kept is not None else None
    return MinedFile(file.path, mined, packed if packed != before else None, _recall.take_new())


def _decode(file: RawFile) -> SourceText:
    return SourceText(file.path, file.module, decode_source(file.data), file.vendored)


def _run_chunk(task: Task, files: Sequence[RawFile]) -> list[Result]:
    return run_deep(lambda: [task(file) for file in files])


def run_deep(work: Callable[[], _T]) -> _T:
    """Run work on a thread with a stack deep enough for any source that the compiler takes."""
    results: list[_T] = []
    errors: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 (raised again on the caller's thread)
            errors.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def open_pool(count: int, start: Callable[[_T], None], shared: _T) -> Iterator[ProcessPoolExecutor]:
    """Open worker processes that begin with `start(shared)`; on an interrupt or error nobody waits for their work."""
    pool = ProcessPoolExecutor(count, _choose_context(), _begin, (start, shared))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _begin(start: Callable[[_T], None], shared: _T) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt ends the workers at once, without a word
    start(shared)


def run_files(task: Task, files: Iterable[RawFile], ground: Ground, workers: int | None) -> Iterator[Result]:
    """Run a task over files on worker processes; results come as they are ready, in no order."""
    chunks = _pack(files)
    count = min(workers or os.cpu_count() or 1, max(1, len(chunks)))
    crashed: list[RawFile] = []
    with open_pool(count, _start_worker, ground) as pool:
        waiting: dict[Future[list[Result]], Sequence[RawFile]] = {
            pool.submit(_run_chunk, task, chunk): chunk for chunk in chunks
        }
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = waiting.pop(future)
                try:
                    yield from future.result()
                except BrokenProcessPool:
                    crashed.extend(chunk)
    for file in crashed:
        yield _run_alone(task, file, ground)


def _run_alone(task: Task, file: RawFile, ground: Ground) -> Result:
    with open_pool(1, _start_worker, ground) as pool:
        try:
            return pool.submit(_run_chunk, task, [file]).result()[0]
        except BrokenProcessPool:
            return Skipped(file.path, "the parser crashed on it")


def _pack(files: Iterable[RawFile]) -> list[list[RawFile]]:
    """Pack files into tasks of about one size, the largest files first."""
    chunks: list[list[RawFile]] = []
    size = _CHUNK
    for file in sorted(files, key=lambda file: (-len(file.data), file.path)):
        if size + len(file.data) > _CHUNK or not chunks:
            chunks.append([])
            size = 0
        chunks[-1].append(file)
        size += len(file.data)
    return chunks


def _choose_context() -> multiprocessing.context.BaseContext:
    """Fork where that is safe and cheap: workers then share what is loaded, the world included."""
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
