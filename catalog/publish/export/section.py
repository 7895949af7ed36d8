"""How does one entry read as a section of a Markdown page?"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import dedent

from catalog.markdown import escape, fence, format_prose, link, span_code
from catalog.publish.export.places import Places, name_anchor
from catalog.records import Entry, Excerpt, Note, Option
from catalog.terminal import plural
from catalog.words import say_clause


@dataclass(frozen=True, slots=True)
class Reading:
    """What a section takes from the rest of the catalog."""

    places: Places
    titles: Mapping[str, str]
    """An entry's id → its title."""
    notes: Mapping[str, Note]
    """An entry's id → its note."""
    options: Mapping[str, Option]


def write_section(entry: Entry, reading: Reading, page: str) -> str:
    """Write a section with a heading that links lead to."""
    exception = f"{span_code(entry.exception.name)}{{#{name_anchor(entry.id)}}}"
    heading = f"### {exception} {escape(entry.title)}"
    note = reading.notes.get(entry.id)
    blocks = [heading, *_write_message(entry), *_write_meaning(entry, note), *_write_guard(entry)]
    blocks += [*_write_options(entry, reading), *_write_remedies(note), *_write_source(entry)]
    return "\n\n".join([*blocks, *_write_remarks(entry), *_write_related(entry, reading, page)])


def _write_message(entry: Entry) -> Iterator[str]:
    if entry.message is None:
        yield "It has no message."
        return
    yield fence(entry.message.template, "text")
    for alternative in entry.message.alternatives[1:]:
        when = f", when {span_code(alternative.condition)}" if alternative.condition is not None else ""
        yield f"or{when}:\n\n{fence(alternative.template, 'text')}"


def _write_meaning(entry: Entry, note: Note | None) -> Iterator[str]:
    if note is not None:
        yield format_prose(note.meaning)
        if note.fingerprint != entry.fingerprint:
            yield "(This was written before the message or its condition changed, and may no longer hold.)"


def _write_guard(entry: Entry) -> Iterator[str]:
    guard = entry.guard
    if guard.branch == "True":
        yield "It is raised whenever control comes here."
    else:
        yield f"It is raised when\n\n{fence(guard.branch, 'python')}"
    if len(guard.clauses) > 1:
        steps = [say_clause(clause) for clause in guard.clauses]
        lines = [f"{number}. {span_code(step.text)} ({escape(step.remark)})" for number, step in enumerate(steps, 1)]
        yield "Step by step:\n\n" + "\n".join(lines)
    if guard.bindings:
        bound = [f"- {span_code(each.name)} is {span_code(each.value)} (line {each.line})" for each in guard.bindings]
        yield "where\n\n" + "\n".join(bound)
    if not guard.exact:
        yield f"Other things count too: {escape('; '.join(guard.inexact_because) or 'not all could be read')}."


def _write_options(entry: Entry, reading: Reading) -> Iterator[str]:
    lines = []
    for use in entry.options:
        option = reading.options.get(use.id)
        names = option.flags if option is not None and option.flags else (use.id,)
        text = f"- {', '.join(map(span_code, names))}"
        text += f", here {span_code(use.as_)}" if use.as_ not in (use.id, *names) else ""
        if option is not None and option.default is not None:
            text += f", default {span_code(option.default)}"
        lines.append(text)
    if lines:
        yield "Options:\n\n" + "\n".join(dict.fromkeys(lines))


def _write_remedies(note: Note | None) -> Iterator[str]:
    if note is None:
        return
    yield from _write_list("What to do:", note.solutions)
    if note.example is not None:
        language = note.example.language if re.fullmatch(r"\w{1,20}", note.example.language, re.ASCII) else "text"
        yield f"This fails:\n\n{fence(note.example.before, language)}"
        yield f"This works:\n\n{fence(note.example.after, language)}"
    if note.check is not None:
        yield f"To check before:\n\n{fence(note.check.code, 'python')}"
    yield from _write_list("To prevent it:", note.prevention)
    if note.trigger:
        yield format_prose(note.trigger)
    yield from _write_list("When it happens:", note.situations)


def _write_list(lead: str, items: tuple[str, ...]) -> Iterator[str]:
    if items:
        yield f"{lead}\n\n" + "\n".join(f"- {format_prose(item)}" for item in items)


def _write_source(entry: Entry) -> Iterator[str]:
    site = entry.site
    place = link(span_code(f"{site.path}:{site.line}"), entry.permalink)
    yield f"At {place}:" if (statement := _read_statement(entry.excerpt, site.line, site.end_line)) else f"At {place}."
    if statement:
        yield fence(statement, "python")


def _read_statement(excerpt: Excerpt, first: int, last: int) -> str:
    lines = re.split(r"\r\n|\r|\n", excerpt.text)[max(0, first - excerpt.start_line) : last - excerpt.start_line + 1]
    return dedent("\n".join(lines).expandtabs(8)).strip("\n")


def _write_remarks(entry: Entry) -> Iterator[str]:
    yield from _write_list("Good to know:", entry.remarks)


def _write_related(entry: Entry, reading: Reading, page: str) -> Iterator[str]:
    near = [(reading.places.link_entry(other, page), reading.titles.get(other, "")) for other in entry.related]
    linked = [f"[{escape(title)}]({address})" for address, title in near if address is not None and title.strip()]
    if linked:
        yield f"Related {plural(len(linked), 'error').split(' ', 1)[1]}:\n\n" + "\n".join(
            f"- {each}" for each in linked
        )
    address = reading.places.link_family(entry.family, page)
    family = f"[{escape(entry.family)}]({address})" if address is not None else span_code(entry.family)
    yield f"Id {span_code(entry.id)}, a {escape(entry.kind)} of the family {family}."
