"""What a model has answered so far, kept line by line beside the notes, so that no answer is paid for twice.

A line is on the disk before its answer is used. After a kill at any moment, a line cut short is as if it had never
been, and every other answers the same request again without asking.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType

import filelock
import msgspec

from catalog.errors import NoteError
from catalog.notes.model import Reply

FOLDER = ".errmine"
"""Below the folder of notes; its own `.gitignore` keeps it out of the history."""


class _Kept(msgspec.Struct, frozen=True):
    request: str
    reply: Reply


class Journal:
    """The answers kept in one file, by request; made for one process and many threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        data = path.read_bytes() if path.exists() else b""
        self._replies = dict(_read_lines(data))
        self.calls = 0
        """Answers added in this run."""
        self.tokens = 0
        self._stream = path.open("ab")
        if data and not data.endswith(b"\n"):
            self._stream.write(b"\n")

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def find(self, request: str) -> Reply | None:
        """Give what was answered to a request, in this run or an earlier one."""
        return self._replies.get(request)

    def add(self, request: str, reply: Reply) -> None:
        """Keep an answer; when this returns, it is on the disk."""
        line = msgspec.json.encode(_Kept(request, reply)) + b"\n"
        with self._lock:
            self._replies[request] = reply
            self.calls += 1
            self.tokens += reply.tokens
            self._stream.write(line)
            self._stream.flush()
            os.fsync(self._stream.fileno())


@contextmanager
def open_journal(notes: Path) -> Iterator[Journal]:
    """Open the journal of a folder of notes, for one process at a time."""
    folder = notes / FOLDER
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
            stack.enter_context(filelock.FileLock(folder / "lock", timeout=0))
            journal = stack.enter_context(Journal(folder / "answers.jsonl"))
        except filelock.Timeout as error:
            raise NoteError(f"{notes}: another errmine is asking for these notes; wait for it") from error
        except OSError as error:
            raise NoteError(f"{folder}: can't be written ({error.strerror or error}); give another --notes") from error
        yield journal


def read_journal(notes: Path) -> Mapping[str, Reply]:
    """Read what was answered so far, by request, without making anything."""
    path = notes / FOLDER / "answers.jsonl"
    return dict(_read_lines(path.read_bytes())) if path.is_file() else {}


def _read_lines(data: bytes) -> Iterator[tuple[str, Reply]]:
    for line in data.split(b"\n"):
        try:
            kept = msgspec.json.decode(line, type=_Kept)
        except msgspec.DecodeError:
            continue  # cut short by a kill, or nothing at all
        yield kept.request, kept.reply
