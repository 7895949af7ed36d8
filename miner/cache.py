"""What a scan gave, kept with what it read: the same source again costs reading it, not mining it.

A result is a verifying trace (as in build systems, Mokhov, Mitchell and Peyton Jones 2018): beside the catalog stands
the digest of each file that the scan has read. It is taken only where every one of them is still what it was. What
each file gave by itself is kept beside, for the next release, with traces of its own (see `miner.kept`).
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from catalog.records import Skipped
from miner.sources import SourceFile, Tree

NAME = "results.sqlite3"
LIMIT = 1 << 30
"""Bytes that are kept: beyond, what was used longest ago goes."""
_PER_KEY = 4
"""Results kept for one question: a folder that changes back and forth finds its former ones."""
_VERSION = 2
_PATIENCE = 10
"""Seconds to wait while another scan writes."""
_TABLES = """
create table if not exists results (
    key text not null, digest text not null, trace blob not null, data blob not null, check_ blob not null,
    used integer not null, primary key (key, digest)) without rowid;
create table if not exists files (
    key text not null, path text not null, data blob not null, check_ blob not null,
    used integer not null, primary key (key, path)) without rowid;
"""
_T = TypeVar("_T")


class RecordingTree(Tree):
    """A tree that remembers what was read of it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.origin = tree.origin
        self.notes = tree.notes
        self.seen: dict[str, str] = {}
        """By path: the digest of its bytes, or why it can't be read."""

    def list_paths(self) -> tuple[str, ...]:
        """List every regular file, sorted."""
        return self._tree.list_paths()

    def list_unreadable(self) -> tuple[Skipped, ...]:
        """List what stands in the tree and is no regular file."""
        return self._tree.list_unreadable()

    def read(self, paths: Sequence[str]) -> Iterator[SourceFile | Skipped]:
        """Read these files in this order."""
        for found in self._tree.read(paths):
            self.seen[found.path] = _describe(found)
            yield found


def _describe(found: SourceFile | Skipped) -> str:
    if isinstance(found, Skipped):
        return f"skipped: {found.reason}"
    return hashlib.sha256(found.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """What the store holds."""

    results: int
    bytes: int


class ResultCache:
    """The results of earlier scans, in one file that any number of scans may share.

    What can't be read, a store that is damaged or locked, counts as nothing kept: a scan never fails for it.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self._path = folder / NAME
        self._limit = limit

    def find(self, key: str, tree: Tree) -> bytes | None:
        """Find the catalog that a scan of this question gave for the very files that the tree has."""
        rows = self._ask(lambda store: store.execute(_FIND, (key,)).fetchall()) or []
        read: dict[str, str] = {}
        listing = _describe_listing(tree) if rows else ""
        for digest, packed in rows:
            trace = _unpack(packed)
            if trace is None or not _holds(trace, listing, tree, read):
                continue
            found = self._ask(lambda store, digest=digest: self._take(store, key, digest))  # type: ignore[misc]
            if found is not None:
                return found
        return None

    def _take(self, store: sqlite3.Connection, key: str, digest: str) -> bytes | None:
        row = store.execute("select data, check_ from results where key = ? and digest = ?", (key, digest)).fetchone()
        if row is None:
            return None
        if _digest(row[0]) != row[1]:
            store.execute("delete from results where key = ? and digest = ?", (key, digest))
            return None
        store.execute(f"update results set used = {_NEXT} where key = ? and digest = ?", (key, digest))
        return zlib.decompress(row[0])

    def keep(self, key: str, tree: RecordingTree, data: bytes) -> None:
        """Keep what a scan gave, with what it has read."""
        fields = [_describe_listing(tree), *(field for pair in sorted(tree.seen.items()) for field in pair)]
        trace = "\0".join(fields).encode("utf-8", "surrogatepass")
        packed = zlib.compress(data, 1)
        row = (key, _digest(trace).hex(), zlib.compress(trace, 1), packed, _digest(packed))
        self._ask(lambda store: self._put(store, row))

    def _put(self, store: sqlite3.Connection, row: tuple[str, str, bytes, bytes, bytes]) -> None:
        store.execute(f"insert or replace into results values (?, ?, ?, ?, ?, {_NEXT})", row)
        store.execute(_TRIM, (row[0], row[0], _PER_KEY))
        self._bound(store)

    def _bound(self, store: sqlite3.Connection) -> None:
        store.execute(_BOUND_FILES, (self._limit // 2,))
        store.execute(_BOUND, (self._limit,))

    def find_files(self, key: str) -> dict[str, bytes]:
        """Find what the files of a target gave in earlier scans, by path; what is damaged is left out."""
        rows = self._ask(lambda store: store.execute(_FIND_FILES, (key,)).fetchall()) or []
        return {path: data for path, data, check in rows if _digest(data) == check}

    def keep_files(self, key: str, files: Mapping[str, bytes]) -> None:
        """Keep what files gave, in place of what they gave before."""
        self._ask(lambda store: self._put_files(store, key, files))

    def _put_files(self, store: sqlite3.Connection, key: str, files: Mapping[str, bytes]) -> None:
        used = store.execute("select coalesce(max(used), 0) + 1 from files").fetchone()[0]
        rows = ((key, path, data, _digest(data), used) for path, data in files.items())
        store.executemany("insert or replace into files values (?, ?, ?, ?, ?)", rows)
        self._bound(store)

    def measure(self) -> Usage:
        """Measure what is kept."""
        count = self._ask(lambda store: store.execute("select count(*) from results").fetchone()[0]) or 0
        return Usage(count, sum(file.stat().st_size for file in self._list_files()))

    def clear(self) -> int:
        """Remove all that is kept, and give how many bytes that were."""
        size = self.measure().bytes
        self._ask(lambda store: store.executescript("delete from results; delete from files"))
        self._remove()
        return size

    def _list_files(self) -> list[Path]:
        return [path for end in ("", "-wal", "-shm") if (path := Path(f"{self._path}{end}")).is_file()]

    def _remove(self) -> None:
        for file in self._list_files():
            with suppress(OSError):
                file.unlink()

    def _ask(self, question: Callable[[sqlite3.Connection], _T]) -> _T | None:
        """Put a question to the store; a damaged one is begun anew, a busy one is left alone."""
        for _ in range(2):
            try:
                return self._try(question)
            except sqlite3.OperationalError:
                return None
            except (sqlite3.DatabaseError, zlib.error):
                self._remove()
            except OSError:
                return None
        return None

    def _try(self, question: Callable[[sqlite3.Connection], _T]) -> _T:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as store:
            if store.execute("pragma user_version").fetchone()[0] not in (0, _VERSION):
                raise sqlite3.DatabaseError("another version's")
            store.execute("pragma auto_vacuum = full")
            store.execute("pragma journal_mode = wal")
            store.executescript(_TABLES)
            store.execute(f"pragma user_version = {_VERSION}")
            with store:
                return question(store)


_NEXT = "(select coalesce(max(used), 0) + 1 from results)"
_FIND = "select digest, trace from results where key = ? order by used desc"
_TRIM = """
delete from results where key = ? and digest not in
    (select digest from results where key = ? order by used desc limit ?)
"""
_BOUND = """
delete from results where used <= coalesce((
    select max(used) from
        (select used, sum(length(data) + length(trace)) over (order by used desc) as total from results)
    where total > ? - (select coalesce(sum(length(data)), 0) from files)), 0)
"""
_FIND_FILES = "select path, data, check_ from files where key = ?"
_BOUND_FILES = """
delete from files where key in (
    select key from (
        select key, sum(size) over (order by used desc, key) as total from
            (select key, max(used) as used, sum(length(data)) as size from files group by key))
    where total > ?)
"""


def _unpack(packed: bytes) -> Mapping[str, str] | None:
    try:
        listing, *fields = zlib.decompress(packed).decode("utf-8", "surrogatepass").split("\0")
    except (zlib.error, UnicodeDecodeError):
        return None
    return {"": listing} | dict(zip(fields[::2], fields[1::2], strict=True))


def _holds(trace: Mapping[str, str], listing: str, tree: Tree, read: dict[str, str]) -> bool:
    """Tell whether all that a scan has read is still what it was; what was looked at already is in `read`."""
    if trace[""] != listing:
        return False
    paths = sorted(path for path in trace if path)
    for path in paths:
        if path in read and read[path] != trace[path]:
            return False
    for found in tree.read([path for path in paths if path not in read]):
        read[found.path] = _describe(found)
        if read[found.path] != trace.get(found.path):
            return False
    return True


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _describe_listing(tree: Tree) -> str:
    listing = hashlib.sha256()
    for path in tree.list_paths():
        listing.update(path.encode("utf-8", "surrogatepass") + b"\0")
    for each in tree.list_unreadable():
        listing.update(f"{each.path}\0{each.reason}\0".encode("utf-8", "surrogatepass"))
    return listing.hexdigest()
