"""An entry → what its page shows, ready for the template: texts made harmless, code marked up, links found."""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from markupsafe import Markup, escape

from catalog.families import FAMILIES
from catalog.publish.site import addresses
from catalog.publish.site.harmless import fold, is_web_address, show
from catalog.publish.site.highlight import mark_code
from catalog.publish.site.library import Leaf, Library
from catalog.publish.site.prose import prose
from catalog.publish.site.volume import Volume, name_kind
from catalog.records import Alternative, Clause, Entry, Hole, Note, OptionUse, Part, Target, Text
from catalog.words import name_kind as name_entry_kind
from catalog.words import say_clause

Marked = Callable[[str], Mapping[int, Markup]]
"""From a path to its lines, marked up."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a message."""

    text: str
    is_hole: bool


_CLAUSE = 600


def view_entry(entry: Entry, note: Note | None, leaf: Leaf, library: Library, marked: Marked) -> dict[str, object]:
    """Gather what an entry's page shows."""
    volume = library.find_volume(leaf)
    target = volume.head.target
    first, last = entry.excerpt.start_line, entry.excerpt.start_line + entry.excerpt.text.count("\n")
    return {
        "title": show(entry.title),
        "kind": name_entry_kind(entry),
        "entry": entry,
        "project": show(target.name),
        "version": show(volume.label),
        "provenance": tuple(_list_provenance(target, volume.label, note)),
        "gone": next((step.label for step in leaf.life if step.what == "removed"), None),
        "message": view_message(entry),
        "alternatives": [
            {"parts": view_parts(each.parts), "condition": show(each.condition or "")} for each in _others(entry)
        ],
        "reason": show(entry.message.reason or "") if entry.message else "",
        "note": view_note(entry, note),
        "steps": [_view_step(clause, entry, range(first, last + 1)) for clause in entry.guard.clauses],
        "branch": shorten(entry.guard.branch),
        "condition": shorten(entry.guard.condition),
        "bindings": [
            {"name": show(each.name), "value": shorten(each.value, _CLAUSE), "line": each.line}
            for each in entry.guard.bindings
        ],
        "reasons": [show(each) for each in entry.guard.inexact_because],
        "lines": view_lines(entry, marked),
        "options": [_view_option(use, volume) for use in entry.options],
        "related": [_view_related(id_, library) for id_ in entry.related if id_ in library.leaves],
        "family": {
            "name": show(entry.family),
            "text": FAMILIES.get(entry.family, ""),
            "page": addresses.family_page(entry.family),
        },
        "life": leaf.life,
        "permalink": entry.permalink if is_web_address(entry.permalink) else None,
        "report": build_report_link(entry, target),
        "data": addresses.entry_data(entry.id),
        "file": addresses.part_page(target.name, "files", entry.site.path),
        "exception": addresses.part_page(target.name, "exceptions", entry.exception.name),
        "home": addresses.target_page(target.name),
        "bases": [show(base) for base in entry.exception.bases if not _is_builtin(entry)],
        "remarks": [show(remark) for remark in entry.remarks],
    }


def _list_provenance(target: Target, version: str, note: Note | None) -> Iterator[tuple[str, str]]:
    yield "Project", show(target.repo or target.name)
    yield "Version", show(version)
    if target.commit:
        yield "Commit", show(target.commit) + (" with local changes" if target.dirty else "")
    if target.committed:
        yield "Dated", show(target.committed[:10])
    if note is not None:
        made = {"derived": "derived from the source", "drafted": "drafted", "reviewed": "reviewed by a person"}
        by = ", ".join(filter(None, (note.author, note.model, note.date)))
        yield "Explanation", f"{made[note.status]} ({show(by)})"


def _is_builtin(entry: Entry) -> bool:
    return (entry.exception.qualified or "").startswith("builtins.")


def _others(entry: Entry) -> Sequence[Alternative]:
    return entry.message.alternatives[1:] if entry.message is not None else ()


def view_message(entry: Entry) -> list[Piece]:
    """Give a message's pieces; nothing where the raise has none."""
    if entry.message is None:
        return []
    return view_parts(entry.message.parts) or [Piece(show(entry.message.template), False)]


def view_parts(parts: Sequence[Part]) -> list[Piece]:
    """Give a message's pieces with its holes told apart."""
    pieces: list[Piece] = []
    for part in parts:
        match part:
            case Text(text):
                pieces.append(Piece(show(text), False))
            case Hole(expr, conversion, format_, self_documenting):
                shown = expr + ("=" if self_documenting else "") + (f"!{conversion}" if conversion else "")
                pieces.append(Piece(show(f"{{{shown}{':' + format_ if format_ else ''}}}"), True))
    return pieces


def view_note(entry: Entry, note: Note | None) -> dict[str, object] | None:
    """Gather what a page shows of a note."""
    if note is None:
        return None
    return {
        "meaning": prose(note.meaning),
        "solutions": [prose(each) for each in note.solutions],
        "diff": list(view_diff(note)) if note.example else [],
        "check": mark_code(note.check.code.strip("\n")) if note.check else (),
        "strategy": show(note.check.strategy) if note.check else "",
        "prevention": [prose(each) for each in note.prevention],
        "trigger": prose(note.trigger),
        "situations": [prose(each) for each in note.situations],
        "status": note.status,
        "author": show(note.author),
        "model": show(note.model or ""),
        "date": show(note.date or ""),
        "stale": note.fingerprint != entry.fingerprint,
        "verified": [(show(each.check), each.passed, show(each.detail)) for each in note.verified],
    }


def view_diff(note: Note) -> Iterator[tuple[str, Markup]]:
    """Show an example as a diff: lines that go, come and stay."""
    assert note.example is not None
    before, after = (side.strip("\n").split("\n") for side in (note.example.before, note.example.after))
    marked = [mark_code("\n".join(side), note.example.language) for side in (before, after)]
    for kind, i, end, j, stop in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from ((" ", line) for line in marked[0][i:end])
            continue
        yield from (("-", line) for line in marked[0][i:end])
        yield from (("+", line) for line in marked[1][j:stop])


def _view_step(clause: Clause, entry: Entry, shown: range) -> dict[str, object]:
    said = say_clause(clause)
    return {
        "text": shorten(said.text, _CLAUSE),
        "remark": show(said.remark.partition(", ")[2]),
        "line": clause.line,
        "anchor": f"#L{clause.line}" if clause.line in shown else None,
    }


def shorten(text: str, most: int = 4_000) -> str:
    """Cut what is too long for a page; the entry's data has it whole."""
    shown = show(text)
    return shown if len(shown) <= most else f"{shown[:most].rstrip()} … (whole in the data)"


def view_lines(entry: Entry, marked: Marked) -> Markup:
    """Write the excerpt: the raising lines, and those of clauses that lead to it, told apart."""
    site, clauses = range(entry.site.line, entry.site.end_line + 1), {clause.line for clause in entry.guard.clauses}
    html = marked(entry.site.path)
    written = []
    for number, text in enumerate(split_lines(entry.excerpt.text), entry.excerpt.start_line):
        role = ' class="raise"' if number in site else ' class="clause"' if number in clauses else ""
        line = html[number] if number in html else escape(show(text))
        written.append(f'<span id="L{number}"{role}><b>{number}</b>{line}\n</span>')
    return Markup("".join(written))


def split_lines(text: str) -> list[str]:
    """Split an excerpt as its file is split."""
    return re.split(r"\r\n|\r|\n", text.removesuffix("\n"))


def _view_option(use: OptionUse, volume: Volume) -> dict[str, object]:
    option = volume.options.get(use.id)
    return {
        "id": show(use.id),
        "name": prose(volume.names.get(use.id, f"`{use.id}`")),
        "as": show(use.as_) if use.as_ not in (use.id, option.name if option else None) else "",
        "via": [show(step) for step in use.via],
        "page": addresses.part_page(volume.head.target.name, "options", use.id) if option else None,
        "kind": name_kind(option.kind) if option else "",
        "type": show(option.type or "") if option else "",
        "default": show(option.default or "") if option else "",
        "choices": [show(choice) for choice in option.choices] if option else [],
        "help": prose(fold(option.help or "")) if option else "",
    }


def _view_related(id_: str, library: Library) -> dict[str, object]:
    row = library.find_row(id_)
    return {
        "page": addresses.entry_page(id_),
        "title": row.headline,
        "exception": show(row.exception.name),
        "site": row.site,
    }


def build_report_link(entry: Entry, target: Target) -> str | None:
    """Build the link that opens a filled-in issue at the target's tracker, where its forge is known."""
    url = (target.url or "").removesuffix("/").removesuffix(".git")
    if not is_web_address(f"{url}/") or not re.match(r"https://(?:www\.)?(?:github|gitlab)\.com/[^/]+/[^/]+", url):
        return None
    version = target.release or (target.commit or "")[:12]
    title = f"{entry.exception.name}: {entry.title}"
    body = f"Error reference entry {entry.id}\n{entry.site.path}:{entry.site.line} at {version}\n\n"
    is_gitlab = "gitlab.com" in url
    names = ("issue[title]", "issue[description]") if is_gitlab else ("title", "body")
    form = urlencode(dict(zip(names, (fold(title), body), strict=True)), quote_via=quote)
    return f"{url}{'/-' if is_gitlab else ''}/issues/new?{form}"
