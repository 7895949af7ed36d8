"""How do entries stand in a spreadsheet?

A cell that a spreadsheet would run as a formula begins with an apostrophe, which says that it is text. Line ends inside
a cell are line feeds, other control characters are written out.
"""

import csv
import io
from collections.abc import Callable, Iterable

from catalog.publish.naming import name_version
from catalog.records import Catalog, Entry, Option
from catalog.terminal import safe

_RUN = ("=", "+", "-", "@", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What makes a formula of a cell in one spreadsheet or another; the last are the wide forms of the first."""
_COLUMNS: dict[str, Callable[[Entry], object]] = {
    "id": lambda entry: entry.id,
    "kind": lambda entry: entry.kind,
    "exception": lambda entry: entry.exception.qualified or entry.exception.name,
    "title": lambda entry: entry.title,
    "template": lambda entry: entry.message.template if entry.message is not None else "",
    "branch": lambda entry: entry.guard.branch,
    "condition": lambda entry: entry.guard.condition,
    "exact": lambda entry: "yes" if entry.guard.exact else "no",
    "family": lambda entry: entry.family,
    "path": lambda entry: entry.site.path,
    "line": lambda entry: entry.site.line,
    "function": lambda entry: entry.site.qualname,
    "permalink": lambda entry: entry.permalink or "",
}


def dump_sheet(catalog: Catalog, entries: Iterable[Entry]) -> bytes:
    """Write a row an entry, below a row with the names of the columns."""
    options = {option.id: option for option in catalog.options}
    meanings = {note.entry: note.meaning for note in catalog.notes}
    target = catalog.target.name, name_version(catalog.target) or ""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["target", "version", *_COLUMNS, "options", "flags", "meaning"])
    for entry in entries:
        used = list(dict.fromkeys(use.id for use in entry.options))
        facts = [*target, *(give(entry) for give in _COLUMNS.values())]
        facts += [", ".join(used), ", ".join(_list_flags(used, options)), meanings.get(entry.id, "")]
        writer.writerow(map(write_cell, facts))
    return out.getvalue().encode()


def write_cell(value: object) -> str:
    """Write a value so that it is text to every spreadsheet, and one cell to every reader."""
    text = "\n".join(map(safe, str(value).replace("\r\n", "\n").replace("\r", "\n").split("\n")))
    return f"'{text}" if text.lstrip(" ").startswith(_RUN) else text


def _list_flags(used: list[str], options: dict[str, Option]) -> list[str]:
    return list(dict.fromkeys(flag for id_ in used if id_ in options for flag in options[id_].flags))
