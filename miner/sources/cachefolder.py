"""Where fetched things are kept, and how two scans share a place there."""

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from catalog.errors import SourceError


def name_place(cache: Path, kind: str, name: str, key: str) -> Path:
    """Name the folder below the cache for one source: readable, and apart from any other of that name."""
    return cache / kind / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


@contextlib.contextmanager
def lock(place: Path) -> Iterator[int]:
    """Hold a place alone, waiting for whoever has it; gives a descriptor that a child may inherit to hold it on."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        number = os.open(place / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise SourceError(
            f"the cache folder {place} can't be written: {error.strerror}; set ERRMINE_CACHE to another folder"
        ) from error
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        with contextlib.suppress(OSError):
            os.utime(place / "lock")  # when it was used last
        yield number
    finally:
        os.close(number)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    number, name = tempfile.mkstemp(prefix=".part-", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
