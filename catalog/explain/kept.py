"""How are tables kept between runs, and never trusted when they are damaged or of something else?"""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from catalog.errors import CatalogError
from catalog.explain.tables import DamagedTablesError, pack, unpack
from catalog.files import write_bytes


def read_tables(place: Path | None, identity: str, needed: Iterable[str]) -> dict[str, memoryview] | None:
    """Read columns that were kept under this identity; None when there are none, or not all that are needed."""
    if place is None:
        return None
    try:
        columns = unpack(place.read_bytes(), identity)
    except (OSError, DamagedTablesError):
        return None
    return columns if columns.keys() >= set(needed) else None


def keep_tables(place: Path | None, columns: Mapping[str, memoryview], identity: str) -> None:
    """Keep columns where they can be kept: a full disk or a folder that refuses costs time, not the answer."""
    if place is not None:
        with contextlib.suppress(CatalogError):
            write_bytes(pack(columns, identity), place)
