"""How a diff reads as annotations of a GitHub workflow: one command a change, on the line it is about."""

from collections.abc import Iterable, Iterator

from catalog.changes.details import (
    Relocated,
    Reoptioned,
    Retyped,
    Reworded,
    get_entry,
    list_details,
    name_group,
    say_site,
    sort_changes,
)
from catalog.changes.summary import WORDS
from catalog.compare.guards import GuardDifference
from catalog.diff import Change, Removed, list_kinds
from catalog.terminal import safe

_LONGEST_TEXT = 300


def write_annotations(changes: Iterable[Change], failing: frozenset[str]) -> Iterator[str]:
    """Write the commands; changes of a failing kind are errors, all others notices.

    What was removed stands on no line any more and is told of its file.
    """
    for change in sort_changes(changes):
        entry = get_entry(change)
        level = "error" if failing.intersection(list_kinds(change)) else "notice"
        place = {"file": entry.site.path, "title": f"{entry.exception.name} {name_group(change)}"}
        if not isinstance(change, Removed):
            place |= {"line": str(entry.site.line), "endLine": str(entry.site.end_line)}
        properties = ",".join(f"{name}={_escape_property(safe(value))}" for name, value in place.items())
        yield f"::{level} {properties}::{_escape(_say_change(change))}"


def _say_change(change: Change) -> str:
    entry = get_entry(change)
    text = entry.message.template if entry.message is not None else entry.title or entry.guard.branch
    lines = [f"{entry.site.qualname}: {_shorten(text)}"]
    for detail in list_details(change):
        match detail:
            case GuardDifference(became, gained, lost):
                lines.append(f"{became}: {WORDS[became]}")
                lines += [f"- {_shorten(clause)}" for clause in lost] + [f"+ {_shorten(clause)}" for clause in gained]
            case Retyped(old):
                lines.append(f"was {old}")
            case Reworded(spans):
                lines.append(f"was: {_shorten(''.join(span.text for span in spans if span.side != 'new'))}")
            case Reoptioned(gained, lost):
                lines += [f"- option {option}" for option in lost] + [f"+ option {option}" for option in gained]
            case Relocated(before, after):
                lines.append(f"from {say_site(before, after)}")
    return "\n".join(safe(line) for line in lines)


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"


def _escape(text: str) -> str:
    """Write what would end a command as GitHub reads it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
