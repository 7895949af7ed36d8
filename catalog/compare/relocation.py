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
_ORDER: tuple[Relocation, ...] = ("moved", "renamed")


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
        is_renamed = same_folder and old.path not in after.paths and new.path not in before.paths
        found.add("renamed" if is_renamed else "moved")
    old_owner, _, old_name = old.qualname.rpartition(".")
    new_owner, _, new_name = new.qualname.rpartition(".")
    paths = {old.path, new.path}
    if old_owner != new_owner:
        is_renamed = bool(old_owner and new_owner) and _is_renamed(paths, {old_owner}, {new_owner}, before, after)
        found.add("renamed" if is_renamed else "moved")
    if old_name != new_name:
        gone = {old.qualname, f"{new_owner}.{old_name}".lstrip(".")}
        fresh = {new.qualname, f"{old_owner}.{new_name}".lstrip(".")}
        found.add("renamed" if _is_renamed(paths, gone, fresh, before, after) else "moved")
    return tuple(kind for kind in _ORDER if kind in found)


def _is_renamed(paths: set[str], gone: set[str], fresh: set[str], before: Landmarks, after: Landmarks) -> bool:
    """Tell whether these names are gone from both files, and those are new in both."""
    return not any((path, name) in after.names for path in paths for name in gone) and not any(
        (path, name) in before.names for path in paths for name in fresh
    )
