"""What became of each target of a list: written as it happens, so that a run that was cut short goes on."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from catalog import files, store

NAME = "targets.json"
"""It lies beside the catalogs; no command takes it for one."""


@dataclass(frozen=True, slots=True)
class Line:
    """What became of a target."""

    spec: str
    state: Literal["done", "failed"]
    file: str | None
    """The catalog's name in the folder."""
    reason: str | None
    """Why it failed."""
    warnings: tuple[str, ...] = ()
    tool: str = ""
    """What did it."""


def read_journal(folder: Path) -> dict[str, Line]:
    """Read what became of each target in an earlier run; nothing when there was none."""
    path = folder / NAME
    if not path.exists():
        return {}
    lines = store.load_record(store.read_bytes(path), tuple[Line, ...], str(path))
    return {line.spec: line for line in lines}


def write_journal(folder: Path, lines: Iterable[Line]) -> None:
    """Write what became of each target, in the order of the list."""
    files.write_bytes(store.dump_answer(tuple(lines)), folder / NAME)
