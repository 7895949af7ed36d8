"""Where catalogs lie: which files a command means, and where a new one goes."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from catalog.errors import CatalogError
from catalog.records import Catalog, Target
from catalog.store import read_catalog

FOLDER = Path("catalogs")
"""Where catalogs go and are looked for, from the folder in which errmine runs."""
Scan = Callable[[str], Catalog]
"""How to get the catalog of a target; given by the command line, since this room can't mine."""


@dataclass(frozen=True, slots=True)
class Found:
    """A catalog that a command means: its name for people, and how to get it."""

    name: str
    load: Callable[[], Catalog]


def find_catalogs(given: Sequence[str], scan: Scan | None = None, folder: Path = FOLDER) -> tuple[Found, ...]:
    """Find the catalogs that these files, folders of catalogs and targets mean; without any, the newest below `folder`.

    A folder gives all catalogs in it, the newest first.
    """
    if given:
        return tuple(found for each in given for found in _find(each, scan))
    newest = next(iter(_list_folder(folder)), None)
    if newest is None:
        raise CatalogError(f"no catalog below {folder}/: write one with `errmine scan TARGET`, or name one (--catalog)")
    return (_shelve(newest),)


def open_catalog(given: str, scan: Scan | None = None) -> Catalog:
    """Open the one catalog that a file, a folder of catalogs (its newest) or a target means; `-` is standard input."""
    return next(_find(given, scan)).load()


def choose_place(target: Target, folder: Path = FOLDER) -> Path:
    """Choose where the catalog of a target goes: `catalogs/vllm/0.28.0.json`, `catalogs/vllm/c794754062f1.json`.

    A target's own words choose a name in `folder`, never a place outside it.
    """
    version = target.release or (target.commit or "folder")[:12]
    if target.dirty:
        version += "-dirty"
    return folder / _make_name(target.name) / f"{_make_name(version)}.json"


def _make_name(text: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", text, flags=re.ASCII).strip(".-")[:100] or "unnamed"


def _find(given: str, scan: Scan | None) -> Iterator[Found]:
    path = Path(given)
    if given == "-" or path.is_file():
        yield _shelve(path)
        return
    catalogs = _list_folder(path) if path.is_dir() else []
    if catalogs:
        yield from map(_shelve, catalogs)
    elif scan is not None and path.suffix != ".json":
        yield Found(given, lambda: scan(given))
    elif path.is_dir():
        raise CatalogError(f"{given}: no catalog in this folder; write one with `errmine scan TARGET`")
    else:
        raise CatalogError(f"{given}: no such file; write one with `errmine scan TARGET`")


def _shelve(path: Path) -> Found:
    return Found(str(path), lambda: read_catalog(path))


def _list_folder(folder: Path) -> list[Path]:
    """List the catalogs in a folder and the folders in it, the newest first: other JSON may lie beside them."""
    files = [file for pattern in ("*.json", "*/*.json") for file in folder.glob(pattern) if _is_catalog(file)]
    return sorted(files, key=lambda file: (-file.stat().st_mtime, str(file)))


def _is_catalog(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return b'"schema_version"' in stream.read(200)
    except OSError:
        return False
