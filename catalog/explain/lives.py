"""What became of an entry in the other versions of its target?"""

import re
from collections.abc import Iterator, Sequence

from catalog.explain.places import name_file, name_function
from catalog.explain.stored import IndexedCatalog
from catalog.explain.versions import name_version
from catalog.records import Entry

_ALIKE = 70.0
_NUMBER = re.compile(r"\d+")


def tell_lives(entry: Entry, home: IndexedCatalog, catalogs: Sequence[IndexedCatalog]) -> Iterator[str]:
    """Say for each other version, oldest first, how the entry differs there; nothing where it doesn't."""
    others = [each for each in catalogs if each is not home and each.target.name == home.target.name]
    for other in sorted(others, key=order_version):
        version = name_version(other.target)
        if version is None or version == name_version(home.target):
            continue
        is_newer = order_version(other) > order_version(home)
        same = other.find_entry(entry.id)
        if same is None:
            like = _find_alike(entry, other)
            if like is not None and like.message is not None:
                yield f"{'reworded in' if is_newer else 'worded otherwise in'} {version}: {like.message.skeleton}"
            else:
                yield f"{'removed in' if is_newer else 'not yet in'} {version}"
        elif _skeleton(same) != _skeleton(entry):
            yield f"{'reworded in' if is_newer else 'worded otherwise in'} {version}: {_skeleton(same)}"
        elif same.fingerprint.guard != entry.fingerprint.guard:
            yield f"raised under another condition in {version}: {same.guard.branch}"


def order_version(catalog: IndexedCatalog) -> tuple[list[int], str]:
    """Give what puts the versions of one target in order."""
    version = name_version(catalog.target) or ""
    return [
        int(number) for number in _NUMBER.findall(version)
    ] if "." in version else [], catalog.target.committed or ""


def _find_alike(entry: Entry, other: IndexedCatalog) -> Entry | None:
    """Find the entry of the same function that is worded most like this one."""
    from rapidfuzz import fuzz

    if entry.message is None:
        return None
    function = name_function(entry.site.qualname)
    best, likeness = None, _ALIKE
    for number in other.index.find_in_function(name_file(entry.site), function):
        candidate = other.entries[number]
        if candidate.message is None or candidate.exception.name != entry.exception.name:
            continue
        found = fuzz.ratio(_skeleton(entry), _skeleton(candidate))
        if found >= likeness:
            best, likeness = candidate, found
    return best


def _skeleton(entry: Entry) -> str:
    return entry.message.skeleton if entry.message is not None else ""
