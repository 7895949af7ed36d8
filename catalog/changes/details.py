"""What is there to say about one change?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from catalog.changes.rewording import Span, compare_texts
from catalog.compare.guards import GuardDifference
from catalog.diff import Added, Altered, Change, Removed
from catalog.records import Entry, Site

_EVERY_ERROR = ("Exception", "BaseException")
ORDER = ("removed", "added", "reguarded", "retyped", "reworded", "options", "renamed", "moved")
"""Kinds, with what a reader has to act on first."""


@dataclass(frozen=True, slots=True)
class Relocated:
    """It stood elsewhere."""

    old: Site
    new: Site


@dataclass(frozen=True, slots=True)
class Retyped:
    """It was another exception, with other bases."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Reworded:
    """It said something else."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Reoptioned:
    """It speaks of other options."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]


Detail: TypeAlias = GuardDifference | Relocated | Retyped | Reworded | Reoptioned


def list_details(change: Change) -> Iterator[Detail]:
    """Give the details of a change, those that matter most first."""
    if not isinstance(change, Altered):
        return
    old, new = change.old, change.new
    if change.guard is not None:
        yield change.guard
    if "retyped" in change.kinds:
        yield Retyped(_name_exception(old), _name_exception(new))
    if "reworded" in change.kinds:
        yield Reworded(compare_texts(*_choose_texts(old, new)))
    if change.options_gained or change.options_lost:
        yield Reoptioned(change.options_gained, change.options_lost)
    if "moved" in change.kinds or "renamed" in change.kinds:
        yield Relocated(old.site, new.site)


def get_entry(change: Change) -> Entry:
    """Give the entry as it is now, or as it last was."""
    match change:
        case Added(new) | Altered(_, new):
            return new
        case Removed(old):
            return old


def name_group(change: Change) -> str:
    """Name the kind under which a change is listed, when it is listed once."""
    match change:
        case Added():
            return "added"
        case Removed():
            return "removed"
        case Altered(kinds=kinds):
            return next((kind for kind in ORDER if kind in kinds), "options")


def sort_changes(changes: Iterable[Change]) -> list[Change]:
    """Sort by what a reader has to act on first, then by place."""

    def place(change: Change) -> tuple[int, str, int, int]:
        site = get_entry(change).site
        return ORDER.index(name_group(change)), site.path, site.line, site.column

    return sorted(changes, key=place)


def say_site(old: Site, new: Site) -> str:
    """Say where an entry stood, without what hasn't changed."""
    if old.path == new.path:
        return old.qualname
    return f"{old.path}:{old.line} {old.qualname}" if old.qualname != new.qualname else f"{old.path}:{old.line}"


def _name_exception(entry: Entry) -> str:
    bases = [base for base in entry.exception.bases if base not in (entry.exception.name, *_EVERY_ERROR)]
    return f"{entry.exception.name} ({', '.join(bases)})" if bases else entry.exception.name


def _choose_texts(old: Entry, new: Entry) -> tuple[str, str]:
    """Choose what to compare: the templates, or all wordings where only another one of several changed."""
    before, after = _list_texts(old), _list_texts(new)
    if before[:1] != after[:1]:
        return before[0], after[0]
    return "\n".join(before[1:]), "\n".join(after[1:])


def _list_texts(entry: Entry) -> list[str]:
    if entry.message is None:
        return [""]
    return [entry.message.template, *(each.template for each in entry.message.alternatives)]
