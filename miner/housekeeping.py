"""What lies in the cache folder, and how it is cleared."""

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from catalog.errors import SourceError
from miner.cache import ResultCache

KINDS = {
    "results": "what scans gave",
    "releases": "source archives",
    "git": "repositories",
    "explain": "indexes of catalogs",
}
"""What is kept, and what that is."""
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Holding:
    """What is kept of one kind."""

    kind: str
    what: str
    count: int
    bytes: int


def list_holdings(cache: Path) -> tuple[Holding, ...]:
    """List what the cache holds."""
    results = ResultCache(cache).measure()
    found = [Holding("results", KINDS["results"], results.results, results.bytes)]
    for kind in tuple(KINDS)[1:]:
        places = _list_places(cache, kind)
        found.append(Holding(kind, KINDS[kind], len(places), sum(map(_measure, places))))
    return tuple(found)


def clear(cache: Path, kinds: Sequence[str], days: int = 0) -> int:
    """Remove what is kept of these kinds and wasn't used for so many days; give how many bytes that were.

    What another errmine has at hand stays. Results aren't told apart by days: the store bounds itself.
    """
    freed = 0
    for kind in kinds:
        if kind == "results":
            freed += ResultCache(cache).clear() if days == 0 else 0
            continue
        for place in _list_places(cache, kind):
            freed += _remove(place, days)
    return freed


def _list_places(cache: Path, kind: str) -> list[Path]:
    folder = cache / kind
    try:
        return sorted(path for path in folder.iterdir() if not path.is_symlink())
    except OSError:
        return []


def _measure(place: Path) -> int:
    total = 0
    for root, _, names in os.walk(place):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(root) / name).lstat().st_size
    return total or (place.stat().st_size if place.is_file() else 0)


def _remove(place: Path, days: int) -> int:
    try:
        used = max(path.stat().st_mtime for path in (place, place / "lock") if path.exists())
        if time.time() - used < days * _DAY:
            return 0
        size = _measure(place)
        with _hold(place) as free:
            if not free:
                return 0
            if place.is_dir():
                shutil.rmtree(place)
            else:
                place.unlink()
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise SourceError(f"{place}: can't be removed ({error.strerror or error}); try again later") from error
    return size


@contextlib.contextmanager
def _hold(place: Path) -> Iterator[bool]:
    """Hold a place alone, unless another process has it."""
    path = place / "lock"
    if not path.is_file():
        yield True
        return
    number = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(number)


def write_size(count: int) -> str:
    """Write a number of bytes for people: `20.2 MB`."""
    size, unit = float(count), "B"
    for larger in ("kB", "MB", "GB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
