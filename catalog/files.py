"""How bytes reach a file: whole or not at all."""

import os
import secrets
import stat
import sys
from pathlib import Path

from catalog.errors import CatalogError


def write_bytes(data: bytes, path: str | Path) -> None:
    """Write a file atomically, its folder made when missing; `-` is standard output.

    When anything fails, or the process is interrupted, a file that was there before is still there as it was.
    What is no regular file (a pipe, `/dev/stdout`) is written in place.
    """
    if str(path) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(_tame(data) if sys.stdout.isatty() else data)
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    try:
        _write_file(data, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CatalogError(f"{target}: can't be written ({reason}); give another place with -o") from error


def _tame(data: bytes) -> bytes:
    """Write out what could steer a terminal as JSON would, so that JSON stays the same value."""
    text = data.decode("utf-8", "backslashreplace")
    if text.replace("\n", "").isprintable():
        return data
    return "".join(char if char.isprintable() or char in "\n\t" else _escape(char) for char in text).encode()


def _escape(char: str) -> str:
    units = char.encode("utf-16-be").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def check_place(path: str | Path) -> None:
    """Refuse at once, before long work, a place where `write_bytes` is sure to fail."""
    target = Path(path)
    if str(path) == "-":
        return
    if target.is_dir():
        raise CatalogError(f"{target}: is a folder; give a file with -o")
    standing = next(folder for folder in (target, *target.absolute().parents) if folder.exists())
    if not os.access(standing, os.W_OK) or (standing != target and not standing.is_dir()):
        raise CatalogError(f"{target}: can't be written ({standing} refuses); give another place with -o")


def _write_file(data: bytes, target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        with target.open("wb") as stream:
            stream.write(data)
        return
    target = target.resolve()  # a link stays a link: what it points to is replaced
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _find_mode(target)), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _find_mode(target: Path) -> int:
    """Keep the permissions of the file that is replaced; a new one gets what the user's umask leaves."""
    return stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666
