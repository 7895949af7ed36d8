"""How a diff reads on a terminal: by file, then by kind."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.text import Text

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
from catalog.changes.summary import WORDS, count_changes, name_sides
from catalog.compare.guards import GuardDifference
from catalog.diff import Altered, Change
from catalog.records import Catalog, Entry
from catalog.terminal import plural, safe

_STYLES = {"added": "green", "removed": "red"}
_GAINED, _LOST, _QUIET, _HEADING = "green", "red", "dim", "bold"
_LONGEST_CLAUSE = 240
_DETAIL = "        "


def build_page(old: Catalog, new: Catalog, changes: Sequence[Change], most: int | None = None) -> Text:
    """Lay a diff out; with `most`, no more changes of a kind in a file than that."""
    lines = [Text(safe(name_sides(old, new)), _HEADING), Text(count_changes(changes))]
    ordered = sorted(sort_changes(changes), key=lambda change: get_entry(change).site.path)
    for path, in_file in groupby(ordered, key=lambda change: get_entry(change).site.path):
        lines += [Text(), Text(safe(path), _HEADING)]
        for kind, group in groupby(in_file, key=name_group):
            lines += _list_group(kind, list(group), most)
    return Text("\n").join(lines)


def _list_group(kind: str, changes: list[Change], most: int | None) -> Iterator[Text]:
    yield Text(f"  {kind}", _STYLES.get(kind, "yellow"))
    for change in changes[:most]:
        yield _write_entry(change)
        for detail in list_details(change):
            yield from (Text(_DETAIL).append_text(line) for line in write_detail(detail))
    if most is not None and len(changes) > most:
        yield Text(f"    and {plural(len(changes) - most, 'more', 'more')}", _QUIET)


def _write_entry(change: Change) -> Text:
    entry = get_entry(change)
    line = Text(f"    {entry.site.line:>5}  ").append(safe(entry.site.qualname), _QUIET)
    line.append(f"  {safe(entry.exception.name)}: ", _HEADING).append(safe(name_entry(entry)))
    also = [kind for kind in change.kinds if kind != name_group(change)] if isinstance(change, Altered) else []
    return line.append(f"  (also {', '.join(also)})", _QUIET) if also else line


def name_entry(entry: Entry) -> str:
    """Name an entry for people; without a message by what is checked."""
    return entry.title or entry.guard.branch


def write_detail(detail: Detail) -> Iterator[Text]:
    """Write a detail in lines."""
    match detail:
        case GuardDifference(change, gained, lost):
            yield Text(f"{change}: {WORDS[change]}")
            yield from (Text(f"- {_shorten(clause)}", _LOST) for clause in lost)
            yield from (Text(f"+ {_shorten(clause)}", _GAINED) for clause in gained)
        case Retyped(old, new):
            yield Text("was ").append(safe(old), _LOST).append(", is ").append(safe(new), _GAINED)
        case Reworded():
            yield _write_words(detail)
        case Reoptioned(gained, lost):
            yield from (Text(f"- option {safe(option)}", _LOST) for option in lost)
            yield from (Text(f"+ option {safe(option)}", _GAINED) for option in gained)
        case Relocated(old_site, new_site):
            yield Text("from ").append(safe(say_site(old_site, new_site)), _LOST)


def _write_words(reworded: Reworded) -> Text:
    """Mark lost and gained words with signs as well as by colour, for those who see no colour."""
    line = Text()
    for span in reworded.spans:
        match span.side:
            case "both":
                line.append(safe(span.text))
            case "old":
                line.append(f"[-{safe(span.text)}-]", _LOST)
            case "new":
                line.append(f"{{+{safe(span.text)}+}}", _GAINED)
    return line


def _shorten(clause: str) -> str:
    text = safe(clause)
    return text if len(text) <= _LONGEST_CLAUSE else f"{text[: _LONGEST_CLAUSE - 1]}…"
