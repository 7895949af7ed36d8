"""What a source archive or wheel holds, read in memory: nothing is unpacked, and no archive is trusted."""

import bz2
import gzip
import io
import posixpath
import re
import stat
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from catalog.errors import SourceError
from catalog.records import Skipped
from miner.sources import MAX_FILE_BYTES, Origin, SourceFile, Tree

_MAX_MEMBERS = 500_000
_MAX_KEPT = 1 << 30
_MAX_RATIO = 120
"""Source text is packed to a fifth or so; an archive that grows more than this all in all is a bomb."""
_FREE = 64 << 20
"""Bytes that any archive may hold, however well packed."""
_MAX_HEADER = 1 << 20
_LONG_HEADERS = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError)
_DATA_FOLDER = re.compile(r"[^/]+\.data/(?:purelib|platlib)/")


@dataclass(frozen=True, slots=True)
class Member:
    """One thing in an archive, before it is known where it belongs."""

    name: str
    """As the archive has it."""
    reason: str | None
    """Why it can't be read; `None` for a file."""


class ArchiveTree(Tree):
    """The files of an archive, from below its top folder."""

    def __init__(
        self,
        origin: Origin,
        names: Mapping[str, str],
        unreadable: Iterable[Skipped],
        load: Callable[[Sequence[str]], Iterator[bytes | str]],
        *,
        close: Callable[[], None] = lambda: None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.origin = origin
        self.notes = notes
        self._names = names
        self._unreadable = tuple(sorted(unreadable, key=lambda each: (each.path, each.reason)))
        self._load = load
        self._close = close

    def list_paths(self) -> tuple[str, ...]:
        """List every regular file, sorted."""
        return tuple(sorted(self._names))

    def list_unreadable(self) -> tuple[Skipped, ...]:
        """List links, and names that lead out of the archive."""
        return self._unreadable

    def read(self, paths: Sequence[str]) -> Iterator[SourceFile | Skipped]:
        """Read these files from the archive."""
        known = [path for path in paths if path in self._names]
        contents = self._load([self._names[path] for path in known])
        for path in paths:
            content = next(contents) if path in self._names else "no such file"
            yield Skipped(path, content) if isinstance(content, str) else SourceFile(path, content)

    def close(self) -> None:
        """Close the archive."""
        self._close()


def open_archive(file: Path, origin: Origin, *, notes: tuple[str, ...] = ()) -> ArchiveTree:
    """Open a wheel or a source archive by the kind that its name says."""
    try:
        if file.name.endswith((".whl", ".zip")):
            return _open_zip(file, origin, notes)
        if file.name.endswith((".tar.gz", ".tgz", ".tar.bz2", ".tar")):
            return _open_tar(file, origin, notes)
    except _DAMAGED as error:
        raise SourceError(f"{file.name} can't be read as an archive: {error}") from error
    raise SourceError(f"{file.name} is no archive of a known kind (.whl, .zip, .tar.gz, .tar.bz2)")


def _open_zip(file: Path, origin: Origin, notes: tuple[str, ...]) -> ArchiveTree:
    archive = zipfile.ZipFile(file)
    try:
        infos = [info for info in archive.infolist() if not info.is_dir()]
        _check_size(file, sum(info.file_size for info in infos), len(infos))
        _check_overlap(file, sum(info.compress_size for info in infos))
        names, unreadable = _place(
            [Member(info.filename, _explain_zip(info)) for info in infos], is_wheel=file.suffix == ".whl"
        )
    except BaseException:
        archive.close()
        raise

    def load(wanted: Sequence[str]) -> Iterator[bytes | str]:
        for name in wanted:
            yield _read_zip(archive, name)

    return ArchiveTree(origin, names, unreadable, load, close=archive.close, notes=notes)


def _read_zip(archive: zipfile.ZipFile, name: str) -> bytes | str:
    info = archive.getinfo(name)
    if info.file_size > MAX_FILE_BYTES:
        return f"larger than {MAX_FILE_BYTES >> 20} MiB"
    try:
        return archive.read(info)
    except _DAMAGED as error:
        return f"damaged in the archive: {error}"


def _explain_zip(info: zipfile.ZipInfo) -> str | None:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
        return "a symbolic link in the archive" if stat.S_ISLNK(mode) else "no file in the archive"
    return "encrypted in the archive" if info.flag_bits & 1 else None


def _open_tar(file: Path, origin: Origin, notes: tuple[str, ...]) -> ArchiveTree:
    """Go through the archive once, keeping the Python files: a packed tar can't be read out of order."""
    kept: dict[str, bytes | str] = {}
    members: list[Member] = []
    total = 0
    for info, stream in _walk_tar(file):
        reason = _explain_tar(info)
        members.append(Member(info.name, reason))
        if reason is None and info.name.endswith(".py"):
            kept[info.name] = _read_tar(info, stream)
            total += info.size
        if total > _MAX_KEPT:
            raise SourceError(f"{file.name} holds more than {_MAX_KEPT >> 30} GiB of Python source")
    names, unreadable = _place(members, is_wheel=False)

    def load(wanted: Sequence[str]) -> Iterator[bytes | str]:
        others = set(wanted).difference(kept)
        found = (
            {info.name: _read_tar(info, stream) for info, stream in _walk_tar(file) if info.name in others}
            if others
            else {}
        )
        for name in wanted:
            yield kept[name] if name in kept else found[name]

    return ArchiveTree(origin, names, unreadable, load, notes=notes)


def _walk_tar(file: Path) -> Iterator[tuple[tarfile.TarInfo, tarfile.TarFile]]:
    with file.open("rb") as packed:
        plain: Any = packed
        if file.name.endswith((".gz", ".tgz")):
            plain = gzip.GzipFile(fileobj=packed)
        elif file.name.endswith(".bz2"):
            plain = bz2.BZ2File(packed)
        measured = _Measured(plain, lambda total: _check_size(file, total, 0))
        with tarfile.open(fileobj=measured, mode="r|", tarinfo=_BoundedInfo, encoding="utf-8") as archive:
            for count, info in enumerate(archive):
                _check_size(file, 0, count)
                archive.members = []  # type: ignore[attr-defined]
                if not info.isdir():
                    yield info, archive


def _read_tar(info: tarfile.TarInfo, archive: tarfile.TarFile) -> bytes | str:
    if info.size > MAX_FILE_BYTES:
        return f"larger than {MAX_FILE_BYTES >> 20} MiB"
    stream = archive.extractfile(info)
    return "no file in the archive" if stream is None else stream.read()


def _explain_tar(info: tarfile.TarInfo) -> str | None:
    if info.issym():
        return "a symbolic link in the archive"
    if info.islnk():
        return "a hard link in the archive"
    return None if info.isreg() and info.sparse is None else "no file in the archive"


def _check_size(file: Path, total: int, count: int) -> None:
    """Refuse a bomb."""
    if count > _MAX_MEMBERS:
        raise SourceError(f"{file.name} is a bomb: it has more than {_MAX_MEMBERS:,} members")
    if total > _FREE + _MAX_RATIO * file.stat().st_size:
        raise SourceError(f"{file.name} is a bomb: unpacked it has more than {_MAX_RATIO} times its size")


def _check_overlap(file: Path, packed: int) -> None:
    if packed > file.stat().st_size:
        raise SourceError(f"{file.name} is a bomb: its members overlap")


def _place(members: Sequence[Member], *, is_wheel: bool) -> tuple[dict[str, str], list[Skipped]]:
    """Say under which path each file of an archive stands, and which can't have one."""
    sound = [member.name.removeprefix("./") for member in members if _explain_name(member.name) is None]
    tops = {top for top, slash, _ in (name.partition("/") for name in sound) if slash}
    top = "" if is_wheel or len(tops) != 1 else f"{tops.pop()}/"
    paths = [member.name.removeprefix("./").removeprefix(top) for member in members]
    if is_wheel:
        paths = [_DATA_FOLDER.sub("", path, count=1) for path in paths]
    counts = Counter(paths)
    names: dict[str, str] = {}
    unreadable: dict[str, Skipped] = {}
    for path, member in zip(paths, members, strict=True):
        reason = _explain_name(member.name) or member.reason
        if reason is None and counts[path] > 1:
            reason = "twice in the archive"
        if reason is None:
            names[path] = member.name
        else:
            unreadable[path] = Skipped(path, reason)
    return names, list(unreadable.values())


def _explain_name(name: str) -> str | None:
    """Say why a member's name is no path within the archive; `None` if it is one."""
    parts = name.removeprefix("./").split("/")
    leads_out = name.startswith("/") or "\\" in name or "\0" in name or re.match(r"[A-Za-z]:", name) is not None
    if leads_out or any(part in ("", ".", "..") for part in parts) or posixpath.normpath(name) == ".":
        return "its name leads out of the archive"
    return None


class _BoundedInfo(tarfile.TarInfo):
    """A header that may not be made of more bytes than one needs."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_BoundedInfo":
        info = super().frombuf(buf, encoding, errors)
        if info.type in _LONG_HEADERS and info.size > _MAX_HEADER:
            raise SourceError("the archive is a bomb: it has a header without end")
        return info


class _Measured(io.RawIOBase):
    """A stream that says after each read how much has come out of it."""

    def __init__(self, source: IO[bytes], check: Callable[[int], None]) -> None:
        self._source = source
        self._check_total = check
        self._total = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._total += len(data)
        self._check_total(self._total)
        return data
