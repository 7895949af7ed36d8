"""Which entries a person means by an id, a place or a few words."""

import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from catalog.records import Entry

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+)")
_ID = re.compile(r"[0-9a-f]{4,16}")


def find_entries(entries: Iterable[Entry], question: str) -> tuple[Entry, ...]:
    """Find the entries that an id, the start of one, an earlier id, PATH:LINE, a path, a qualname or words mean.

    The readings are tried in this order, and the first that fits any entry is the answer.
    """
    entries = tuple(entries)
    for fits in _list_readings(question.strip()):
        found = tuple(filter(fits, entries))
        if found:
            return found
    return ()


def find_neighbours(entries: Iterable[Entry], question: str) -> tuple[Entry, ...]:
    """Find, for a PATH:LINE where nothing is raised, the three entries of that file that stand nearest."""
    place = _PLACE.fullmatch(question.strip())
    if place is None:
        return ()
    line = int(place["line"])
    same_file = [entry for entry in entries if is_same_path(entry.site.path, place["path"])]
    nearest = sorted(same_file, key=lambda entry: (abs(entry.site.line - line), entry.site.line, entry.site.column))
    return tuple(nearest[:3])


def is_same_path(path: str, given: str) -> bool:
    """Tell whether a path as a person or a traceback has it is this one: either may have folders before it."""
    ours, theirs = path.split("/"), [step for step in given.replace("\\", "/").split("/") if step not in ("", ".")]
    length = min(len(ours), len(theirs))
    return length > 0 and ours[-length:] == theirs[-length:]


def is_under(path: str, patterns: Iterable[str]) -> bool:
    """Tell whether a path is one of these files, lies in one of these folders or matches one of these patterns."""
    for pattern in patterns:
        folder = pattern.removeprefix("./").rstrip("/")
        if path == folder or path.startswith(f"{folder}/") or fnmatchcase(path, folder):
            return True
    return False


def _list_readings(question: str) -> Iterable[Callable[[Entry], bool]]:
    if not question:
        return
    if _ID.fullmatch(question):
        yield lambda entry: entry.id == question
        yield lambda entry: question in entry.previous
        yield lambda entry: entry.id.startswith(question)
        yield lambda entry: any(earlier.startswith(question) for earlier in entry.previous)
    place = _PLACE.fullmatch(question)
    if place is not None:
        path, line = place["path"], int(place["line"])
        yield lambda entry: entry.site.line <= line <= entry.site.end_line and is_same_path(entry.site.path, path)
        return
    if question.endswith(".py"):
        yield lambda entry: is_same_path(entry.site.path, question)
    yield lambda entry: entry.site.qualname == question
    yield lambda entry: entry.site.qualname.endswith("." + question)
    words = question.casefold()
    yield lambda entry: words in entry.title.casefold() or words in _read_text(entry)


def _read_text(entry: Entry) -> str:
    return entry.message.template.casefold() if entry.message is not None else ""
