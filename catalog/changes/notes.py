"""How a diff reads as release notes in Markdown."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from catalog.changes.details import (
    Detail,
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
from catalog.changes.rewording import Span
from catalog.changes.summary import WORDS, count_changes, name_sides
from catalog.compare.guards import GuardDifference
from catalog.diff import Added, Altered, Change, Removed
from catalog.markdown import link, span_code
from catalog.records import Catalog, Entry
from catalog.terminal import plural

_HEADINGS = {
    "removed": "Removed",
    "added": "Added",
    "reguarded": "Raised under another condition",
    "retyped": "Raised as another exception",
    "reworded": "Reworded",
    "options": "About other options",
    "renamed": "In a renamed place",
    "moved": "Moved",
}
_LONGEST_TEXT = 400
_MOST_RUNS = 8


def build_notes(old: Catalog, new: Catalog, changes: Sequence[Change], most: int | None = None) -> str:
    """Write the notes; with `most`, no more changes under one heading than that."""
    lines = [f"# Errors of {span_code(name_sides(old, new))}", "", f"{count_changes(changes).capitalize()}."]
    for kind, group in groupby(sort_changes(changes), key=name_group):
        members = list(group)
        lines += ["", f"## {_HEADINGS[kind]} ({len(members):,})"]
        for path, in_file in groupby(members[:most], key=lambda change: get_entry(change).site.path):
            lines += ["", f"### {span_code(path)}", ""]
            lines += [line for change in in_file for line in _write_change(change)]
        if most is not None and len(members) > most:
            lines += ["", f"And {plural(len(members) - most, 'more', 'more')}."]
    return "\n".join(lines) + "\n"


def _write_change(change: Change) -> Iterator[str]:
    entry = get_entry(change)
    yield f"- {span_code(entry.exception.name)} in {_link_sides(change)}: {span_code(_shorten(_name_entry(entry)))}"
    if not isinstance(change, Altered) and entry.guard.branch != "True":
        yield f"  - when {span_code(_shorten(entry.guard.branch))}"
    for detail in list_details(change):
        yield from (f"  - {line}" for line in _write_detail(detail))


def _link_sides(change: Change) -> str:
    """Link both sides of what changed, or the one there is."""
    match change:
        case Added(entry) | Removed(entry):
            return link(span_code(entry.site.qualname), entry.permalink)
        case Altered(old, new):
            before = f" ({link('before', old.permalink)})" if old.permalink else ""
            return link(span_code(new.site.qualname), new.permalink) + before


def _name_entry(entry: Entry) -> str:
    return entry.message.template if entry.message is not None else entry.title


def _write_detail(detail: Detail) -> Iterator[str]:
    match detail:
        case GuardDifference(change, gained, lost):
            yield f"{change}: {WORDS[change]}"
            yield from (f"no longer {span_code(_shorten(clause))}" for clause in lost)
            yield from (f"now {span_code(_shorten(clause))}" for clause in gained)
        case Retyped(old):
            yield f"was {span_code(old)}"
        case Reworded(spans):
            yield from _write_words(spans)
        case Reoptioned(gained, lost):
            yield from (f"no longer about {span_code(option)}" for option in lost)
            yield from (f"now about {span_code(option)}" for option in gained)
        case Relocated(old_site, new_site):
            yield f"from {span_code(say_site(old_site, new_site))}"


def _write_words(spans: tuple[Span, ...]) -> Iterator[str]:
    """Give the old text, then the words that changed: struck out when they are gone, bold when they are new."""
    old = "".join(span.text for span in spans if span.side != "new")
    if not old:
        yield "had no message"
        return
    yield f"was {span_code(_shorten(old))}"
    changed = [span for span in spans if span.side != "both" and span.text.strip()]
    if 0 < len(changed) <= _MOST_RUNS:
        marks = {"old": "~~", "new": "**"}
        words = (f"{marks[span.side]}{span_code(_shorten(span.text))}{marks[span.side]}" for span in changed)
        yield f"words: {' '.join(words)}"


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"
