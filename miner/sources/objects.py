"""What a commit holds: its files, read from object folders without the repository's own settings."""

import datetime
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from catalog.errors import SourceError
from catalog.records import Skipped
from miner.sources import MAX_FILE_BYTES, Origin, SourceFile, Tree
from miner.sources.command import GitError, Runner

_MAX_LISTING = 1 << 28
"""Bytes of a tree's listing: beyond, the tree is one made to never end."""
_LFS = b"version https://git-lfs.github.com/spec/"
_OTHERS = {
    "120000": "a symbolic link: only files are read, not what links lead to",
    "160000": "a submodule: its files are another repository's",
}


@dataclass(frozen=True, slots=True)
class Listing:
    """What stands in a commit's tree."""

    blobs: Mapping[str, str]
    """Path to object id, in the tree's order."""
    unreadable: tuple[Skipped, ...]


class ObjectStore:
    """Object folders seen through an empty repository of our own.

    Git reads the objects, and nothing else of the repository they belong to: no settings, hooks, filters, grafts
    or replacements, and it never fetches what is missing.
    """

    def __init__(self, *folders: Path) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="errmine-")
        home = make_empty_repository(Path(self._home.name))
        alternates = os.pathsep.join(quote_folder(folder) for folder in folders)
        self._runner = Runner(home, variables={"GIT_ALTERNATE_OBJECT_DIRECTORIES": alternates})

    def close(self) -> None:
        """Remove the empty repository."""
        self._home.cleanup()

    def find_commits(self, prefix: str) -> tuple[str, ...]:
        """Find the commits whose sha begins so, sorted."""
        found = self._runner.run("rev-parse", f"--disambiguate={prefix}").decode().split()
        return tuple(sorted(oid for oid, kind in self._check(found) if kind == "commit"))

    def peel(self, oid: str) -> str | None:
        """Give the commit that an object is or, being a tag, leads to; `None` if there's none here."""
        try:
            return self._runner.run("rev-parse", "--verify", "--quiet", f"{oid}^{{commit}}").decode().strip()
        except GitError:
            return None

    def find_missing(self, oids: Sequence[str]) -> list[str]:
        """List those of these objects that aren't here."""
        return [oid for oid, kind in self._check(list(dict.fromkeys(oids))) if kind == "missing"]

    def read_time(self, commit: str) -> str | None:
        """Give the time of a commit in UTC, `2026-08-14T09:12:03Z`; `None` if the commit has none that is one."""
        header = self._runner.run("cat-file", "commit", commit).partition(b"\n\n")[0]
        line = next((line for line in header.split(b"\n") if line.startswith(b"committer ")), b"")
        try:
            seconds = int(line.rsplit(b" ", 2)[-2])
            return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        except (IndexError, ValueError, OverflowError, OSError):
            return None

    def list_tree(self, commit: str) -> Listing:
        """List what stands in a commit's tree; raise `GitError` if a part of the tree isn't here."""
        with self._runner.talk("ls-tree", "-r", "-z", "--full-tree", commit) as process:
            output = _out(process.stdout).read(_MAX_LISTING + 1)
            if len(output) > _MAX_LISTING:
                raise SourceError(f"the tree of {commit} has no end; it is no real project")
            if process.wait() != 0:
                raise GitError(f"the tree of {commit} isn't whole here")
        blobs: dict[str, str] = {}
        unreadable = []
        for record in output.split(b"\0")[:-1]:
            facts, _, raw = record.partition(b"\t")
            mode, _, oid = facts.decode("ascii").split(" ")
            path = show_path(raw)
            if mode in _OTHERS:
                unreadable.append(Skipped(path, _OTHERS[mode]))
            elif path in blobs:
                unreadable.append(Skipped(path, "two files have this path"))
            else:
                blobs[path] = oid
        return Listing(blobs, tuple(sorted(unreadable, key=lambda each: (each.path, each.reason))))

    def read(self, wanted: Sequence[tuple[str, str]]) -> Iterator[SourceFile | Skipped]:
        """Read files, given as path and object id, in this order."""
        with self._runner.talk("cat-file", "--batch") as process:
            requests, answers = _out(process.stdin), _out(process.stdout)
            for path, oid in wanted:
                requests.write(f"{oid}\n".encode())
                requests.flush()
                yield _read_answer(path, oid, answers)

    def _check(self, oids: list[str]) -> Iterator[tuple[str, str]]:
        if oids:
            answers = self._runner.run("cat-file", "--batch-check=%(objectname) %(objecttype)", lines=oids).decode()
            for answer in answers.splitlines():
                oid, _, kind = answer.partition(" ")
                yield oid, kind


class GitTree(Tree):
    """The files of one commit."""

    def __init__(
        self,
        origin: Origin,
        store: ObjectStore,
        listing: Listing,
        *,
        fetch: Callable[[list[str]], None] | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.origin = origin
        self.notes = notes
        self._store = store
        self._listing = listing
        self._fetch = fetch

    def list_paths(self) -> tuple[str, ...]:
        """List every regular file, sorted."""
        return tuple(sorted(self._listing.blobs))

    def list_unreadable(self) -> tuple[Skipped, ...]:
        """List the links and submodules."""
        return self._listing.unreadable

    def read(self, paths: Sequence[str]) -> Iterator[SourceFile | Skipped]:
        """Read these files, fetching in one request those that aren't here yet."""
        blobs = self._listing.blobs
        if self._fetch is not None:
            missing = self._store.find_missing([blobs[path] for path in paths if path in blobs])
            if missing:
                self._fetch(missing)
        absent = "0" * 40
        yield from self._store.read([(path, blobs.get(path, absent)) for path in paths])

    def close(self) -> None:
        """Remove what was made to read the objects."""
        self._store.close()


def choose_commit(found: tuple[str, ...], prefix: str, where: str) -> str:
    """Give the one commit that a short sha means; raise `SourceError` for none or several."""
    if not found:
        raise SourceError(f"{where} has no commit {prefix}; check the sha, or give a tag or branch with --ref")
    if len(found) > 1:
        some = ", ".join(sha[: max(12, len(prefix) + 4)] for sha in found[:5])
        raise SourceError(f"{where}: {prefix} is ambiguous: {some}{' …' if len(found) > 5 else ''}; give more digits")
    return found[0]


def make_empty_repository(home: Path) -> Path:
    """Lay out an empty bare repository, without the templates and settings that `git init` would bring."""
    (home / "objects").mkdir(parents=True, exist_ok=True)
    (home / "refs").mkdir(exist_ok=True)
    (home / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
    (home / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n", encoding="ascii")
    return home


def show_path(raw: bytes) -> str:
    """Give a path as text; bytes that aren't UTF-8 are escaped."""
    return raw.decode("utf-8", "backslashreplace")


def quote_folder(folder: Path) -> str:
    """Quote an object folder for the environment variable that lists them."""
    text = str(folder).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def _read_answer(path: str, oid: str, answers: IO[bytes]) -> SourceFile | Skipped:
    header = answers.readline().split()
    if len(header) == 2:
        return Skipped(
            path, "its content isn't in the repository (a partial clone)" if int(oid, 16) else "no such file"
        )
    if len(header) != 3:
        raise SourceError(f"git can't read object {oid} ({path}): the repository is damaged; try `git fsck` there")
    size = int(header[2])
    if size > MAX_FILE_BYTES:
        _drain(answers, size + 1)
        return Skipped(path, f"larger than {MAX_FILE_BYTES >> 20} MiB")
    data = answers.read(size + 1)[:-1]
    if len(data) != size:
        raise SourceError(f"git stopped in the middle of object {oid} ({path}): the repository is damaged")
    if size < 1024 and data.startswith(_LFS):
        return Skipped(path, "a Git LFS pointer: the content is not in the repository")
    return SourceFile(path, data)


def _drain(stream: IO[bytes], size: int) -> None:
    while size > 0 and (chunk := stream.read(min(size, 1 << 20))):
        size -= len(chunk)


def _out(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise SourceError("git was started without pipes")
    return pipe
