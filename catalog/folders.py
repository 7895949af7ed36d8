"""How a folder of files reaches its place: whole or not at all."""

import secrets
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from catalog.errors import CatalogError

_MARK = ".errmine"
"""A file in each folder written here: what has it may be replaced by the next one."""


def write_folder(files: Iterable[tuple[str, bytes]], folder: Path, kind: str) -> int:
    """Write a folder of this kind, in place of one that was written so before, and give how many files it has."""
    return replace_folder(folder, kind, lambda beside: _fill(beside, files))


def replace_folder(folder: Path, kind: str, fill: Callable[[Path], int]) -> int:
    """Fill a new folder beside and put it in place at the end; give how many files it has.

    A folder with anything else in it than an earlier one of this kind is refused, untouched.
    """
    check_folder(folder, kind)
    target = folder.resolve()
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        beside.mkdir(parents=True)
        count = fill(beside)
        (beside / _MARK).write_text(f"{kind}\n", encoding="utf-8")
        _swap(beside, target)
    except OSError as error:
        raise CatalogError(f"{folder}: can't be written ({error.strerror or error}); give another place") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return count


def check_folder(folder: Path, kind: str) -> None:
    """Refuse at once, before long work, a place that holds something else."""
    if folder.exists() and not folder.is_dir():
        raise CatalogError(f"{folder}: is a file; give a folder")
    if folder.is_dir() and any(folder.iterdir()) and _read_mark(folder) != kind:
        raise CatalogError(f"{folder}: has other files in it; give an empty folder, or one that is not there yet")


def _fill(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    count = 0
    for path, data in files:
        steps = PurePosixPath(path)
        if steps.is_absolute() or ".." in steps.parts:
            raise CatalogError(f"{path}: leads out of the folder")
        file = folder / steps
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        count += 1
    return count


def _swap(beside: Path, target: Path) -> None:
    """Put a folder in the place of another, which comes back when that fails."""
    if not target.exists():
        beside.rename(target)
        return
    former = target.with_name(f"{beside.name}.old")
    target.rename(former)
    try:
        beside.rename(target)
    except OSError:
        former.rename(target)
        raise
    shutil.rmtree(former, ignore_errors=True)


def _read_mark(folder: Path) -> str | None:
    try:
        return (folder / _MARK).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
