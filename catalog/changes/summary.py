"""What a diff is about, in one line."""

from collections.abc import Sequence

from catalog.diff import Change, count_kinds
from catalog.records import Catalog
from catalog.terminal import plural

WORDS = {
    "tightened": "raised in fewer cases",
    "loosened": "raised in more cases",
    "equivalent": "the same cases in other words",
    "changed": "whether in more cases or in fewer can't be told",
}
"""What became of a guard, from the point of view of whoever meets the error."""

_COUNTED = ("added", "removed", "moved", "renamed", "reworded", "reguarded", "retyped", "options")


def name_sides(old: Catalog, new: Catalog) -> str:
    """Name what was compared: `vllm 0.32.0 → 0.33.0`."""
    return f"{new.target.name} {name_version(old)} → {name_version(new)}"


def name_version(catalog: Catalog) -> str:
    """Name a catalog's version as people do: the release, the ref, or the commit."""
    target = catalog.target
    version = target.release or target.ref or (target.commit or "")[:12] or "folder"
    return f"{version} (changed files)" if target.dirty else version


def count_changes(changes: Sequence[Change]) -> str:
    """Count the changes: `84 changes: 52 added, 4 removed, 5 reguarded (5 tightened)`."""
    counts = count_kinds(changes)
    guards = ", ".join(f"{counts[change]:,} {change}" for change in WORDS if counts[change])
    words = {"options": "with other options", "reguarded": f"reguarded ({guards})"}
    parts = [f"{counts[kind]:,} {words.get(kind, kind)}" for kind in _COUNTED if counts[kind]]
    if not parts:
        return "no changes"
    return f"{plural(len(changes), 'change')}: {', '.join(parts)}"
