"""What became of an entry in the other versions of its target, as it is told?"""

from collections.abc import Iterator, Sequence

from catalog.compare.relocation import Landmarks
from catalog.compare.traits import Traits, read_traits
from catalog.diff import Altered, compare_pair
from catalog.explain.kin import follow, list_versions
from catalog.explain.places import name_file, name_function
from catalog.explain.stored import IndexedCatalog
from catalog.explain.versions import name_version

_NOWHERE = Landmarks(frozenset(), frozenset())
"""Whether what an entry stands in was renamed isn't told here."""


def tell_lives(home: IndexedCatalog, number: int, catalogs: Sequence[IndexedCatalog]) -> Iterator[str]:
    """Say how an entry came to be as it is, the oldest version first, and what became of it; nothing where nothing did.

    Each version is compared with the one next to it on the way from `home`.
    """
    versions = list_versions(home, catalogs)
    earlier = list(_tell_way(home, number, versions, -1))
    yield from reversed(earlier)
    yield from _tell_way(home, number, versions, 1)


def _tell_way(home: IndexedCatalog, number: int, versions: Sequence[IndexedCatalog], step: int) -> Iterator[str]:
    here, at = home, number
    for version in follow(home, number, versions, step):
        there, label = version.catalog, name_version(version.catalog.target)
        if label is None or label == name_version(home.target):
            return
        if version.number is None:
            if here.entries[at].site.path not in there.skipped:
                yield f"removed in {label}" if step > 0 else f"not yet in {label}"
            return
        old, new = _read_traits(here, at), _read_traits(there, version.number)
        change = compare_pair(old, new, _NOWHERE, _NOWHERE)
        if change is not None:
            yield from _tell_change(change, label, is_newer=step > 0)
        here, at = there, version.number


def _tell_change(change: Altered, label: str, is_newer: bool) -> Iterator[str]:
    """Say what is different in a version, in its own words."""
    new = change.new
    if "reworded" in change.kinds:
        skeleton = new.message.skeleton if new.message is not None else "without a message"
        yield f"{'reworded in' if is_newer else 'worded otherwise in'} {label}: {skeleton}"
    if "retyped" in change.kinds:
        yield f"{'raises' if is_newer else 'raised'} {new.exception.name} in {label}"
    if change.guard is not None:
        how = f" ({change.guard.change})" if is_newer and change.guard.change != "changed" else ""
        yield f"raised under another condition in {label}{how}: {new.guard.branch}"
    if "moved" in change.kinds or "renamed" in change.kinds:
        qualname = f" in {new.site.qualname}" if new.site.qualname != "<module>" else ""
        yield f"stands in {label} at {new.site.path}:{new.site.line}{qualname}"


def _read_traits(catalog: IndexedCatalog, number: int) -> Traits:
    """Read an entry with the others of its function: a guard is compared without their checks."""
    entry = catalog.entries[number]
    around = catalog.index.find_in_function(name_file(entry.site), name_function(entry.site.qualname))
    entries = [catalog.entries[each] for each in sorted({*around, number})]
    return next(traits for traits in read_traits(entries) if traits.entry is entry)
