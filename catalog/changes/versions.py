"""Which versions does a history walk?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from catalog import shelf
from catalog.changes.sides import CONFIG_SCOPE, Miner
from catalog.changes.summary import name_version
from catalog.errors import QuestionError
from catalog.history import Version
from catalog.records import Catalog


@dataclass(frozen=True, slots=True)
class Walk:
    """What was asked to be walked: a target's versions, or catalogs."""

    target: str | None = None
    catalogs: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    scope: tuple[str, ...] = ()


def list_versions(walk: Walk, miner: Miner | None) -> tuple[Version, ...]:
    """List the versions that were asked for, the oldest first; each is loaded or scanned only when looked at."""
    if walk.target is not None and walk.catalogs:
        raise QuestionError("give a target or --catalog, not both")
    if walk.target is None:
        versions = _list_catalogs(walk.catalogs)
    elif miner is None:
        raise QuestionError(f"{walk.target}: targets can't be scanned here; give catalogs with --catalog")
    else:
        versions = _list_target(walk.target, walk.scope or CONFIG_SCOPE, miner)
    return _cut(versions, walk)


def _list_target(target: str, scope: Sequence[str], miner: Miner) -> tuple[Version, ...]:
    found = miner.list_versions(target)
    if not found:
        raise QuestionError(f"{target}: has no tag or release to walk; give catalogs with --catalog")

    def scan(at: int) -> Version:
        version = found[at]
        return Version(version.label, lambda: miner(version.target, ref=version.ref, scope=scope))

    return tuple(map(scan, range(len(found))))


def _list_catalogs(given: Sequence[str]) -> tuple[Version, ...]:
    """Load the catalogs and put them in the order of their commits, or else of their versions."""
    if not given:
        raise QuestionError("give a target whose tags or releases to walk, or catalogs with --catalog")
    catalogs = [found.load() for found in shelf.find_catalogs(given)]
    dated = all(catalog.target.committed for catalog in catalogs)

    def order(catalog: Catalog) -> tuple[str, object]:
        return (catalog.target.committed or "") if dated else "", _read_version(name_version(catalog))

    catalogs.sort(key=order)
    return tuple(map(_hold, catalogs))


def _hold(catalog: Catalog) -> Version:
    return Version(name_version(catalog), lambda: catalog)


def _cut(versions: tuple[Version, ...], walk: Walk) -> tuple[Version, ...]:
    """Leave the versions between two labels, both included."""
    labels = [version.label for version in versions]
    ends = []
    for label in (walk.since, walk.until):
        if label is not None and label not in labels:
            raise QuestionError(f"{label}: no such version; there are {labels[0]} to {labels[-1]}")
        ends.append(None if label is None else labels.index(label))
    first, last = ends[0] or 0, len(versions) - 1 if ends[1] is None else ends[1]
    if first > last:
        raise QuestionError(f"{walk.since} is newer than {walk.until}; turn --since and --until around")
    return versions[first : last + 1]


def _read_version(label: str) -> tuple[tuple[int, int | str], ...]:
    """Read a label so that 0.10 comes after 0.9."""
    return tuple((1, int(part)) if part.isdigit() else (0, part) for part in re.findall(r"\d+|[^\d.]+", label))
