"""Was an entry moved, or was what it stands in renamed?

A file, class or function is renamed when its old name is gone and its new one wasn't there before; otherwise the
entry itself went from one to the other. Only what holds entries is known by name here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from catalog.records import Entry, Site

Relocation = Literal["moved", "renamed"]


@dataclass(frozen=True, slots=True)
class Landmarks:
    """The files, classes and functions of one catalog."""

    paths: frozenset[str]
    names: frozenset[tuple[str, str]]
    """Path and qualname of each function, and of each class and function around one."""


def read_landmarks(entries: Iterable[Entry]) -> Landmarks:
    """Read the names under which the entries of a catalog stand."""
    places = {(entry.site.path, entry.site.qualname) for entry in entries}
    names = set(places)
    for path, qualname in places:
        while qualname := qualname.rpartition(".")[0]:
            names.add((path, qualname))
    return Landmarks(frozenset(path for path, _ in places), frozenset(names))


def find_relocations(old: Site, new: Site, before: Landmarks, after: Landmarks) -> tuple[Relocation, ...]:
    """Tell what happened to the place of a paired entry; nothing when it is where it was."""
    found: set[Relocation] = set()
    if old.path != new.path:
        same_folder = PurePosixPath(old.path).parent == PurePosixPath(new.path).parent
        renamed = same_folder and old.path not in after.paths and new.path not in before.paths
        found.add("renamed" if renamed else "moved")
    old_owner, _, old_name = old.qualname.rpartition(".")
    new_owner, _, new_name = new.qualname.rpartition(".")
    if old_owner != new_owner:
        found.add(_tell_names(old, old_owner, new, new_owner, before, after))
    if old_name != new_name:
        old_names = f"{new_owner}.{old_name}".lstrip("."), f"{old_owner}.{new_name}".lstrip(".")
        renamed = (new.path, old_names[0]) not in after.names and (old.path, old_names[1]) not in before.names
        found.add("renamed" if renamed else "moved")
    return tuple(kind for kind in ("moved", "renamed") if kind in found)


def _tell_names(
    old: Site, old_owner: str, new: Site, new_owner: str, before: Landmarks, after: Landmarks
) -> Relocation:
    if not old_owner or not new_owner:
        return "moved"
    gone = (new.path, old_owner) not in after.names and (old.path, old_owner) not in after.names
    fresh = (old.path, new_owner) not in before.names and (new.path, new_owner) not in before.names
    return "renamed" if gone and fresh else "moved"
