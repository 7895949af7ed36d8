"""Which changes were asked for?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalog.diff import Added, Altered, Change, Removed, list_kinds, list_known_kinds
from catalog.errors import QuestionError
from catalog.records import Catalog, Entry, Option
from catalog.selection import is_under


@dataclass(frozen=True, slots=True)
class Filter:
    """What a change must be; what is empty asks for nothing."""

    kinds: frozenset[str] = frozenset()
    """Any of these: kinds, what became of a guard, `options`."""
    paths: tuple[str, ...] = ()
    """Files, folders or patterns, of which either side must match one."""
    options: frozenset[str] = frozenset()
    """Ids of options, of which either side must speak of one."""


def read_kinds(words: Iterable[str]) -> frozenset[str]:
    """Read kinds as a person gives them, several in one word if they like: `added,removed`."""
    kinds = frozenset(kind.strip() for word in words for kind in word.split(",") if kind.strip())
    known = list_known_kinds()
    for kind in sorted(kinds):
        if kind not in known:
            raise QuestionError(f"{kind}: no such kind of change; there are {', '.join(known)}")
    return kinds


def find_options(names: Iterable[str], catalogs: Iterable[Catalog]) -> frozenset[str]:
    """Find the options that these ids, names or flags mean in either catalog."""
    options = [option for catalog in catalogs for option in catalog.options]
    used = {use.id for catalog in catalogs for entry in catalog.entries for use in entry.options}
    found: set[str] = set()
    for name in names:
        wanted = _flatten(name)
        fitting = {option.id for option in options if wanted in _list_names(option)}
        fitting |= {each for each in used if wanted in (_flatten(each), _flatten(each.rpartition(".")[2]))}
        if not fitting:
            raise QuestionError(f"{name}: neither catalog has an option of this name")
        found |= fitting
    return frozenset(found)


def select_changes(changes: Iterable[Change], wanted: Filter) -> Iterator[Change]:
    """Give the changes that were asked for."""
    for change in changes:
        sides = _list_sides(change)
        if wanted.kinds and wanted.kinds.isdisjoint(list_kinds(change)):
            continue
        if wanted.paths and not any(is_under(side.site.path, wanted.paths) for side in sides):
            continue
        if wanted.options and wanted.options.isdisjoint(use.id for side in sides for use in side.options):
            continue
        yield change


def _list_sides(change: Change) -> tuple[Entry, ...]:
    match change:
        case Added(new):
            return (new,)
        case Removed(old):
            return (old,)
        case Altered(old, new):
            return (old, new)


def _list_names(option: Option) -> set[str]:
    return {_flatten(name) for name in (option.id, option.name, *option.flags)}


def _flatten(name: str) -> str:
    return name.strip().lstrip("-").replace("-", "_")
