"""How one entry reads as a page in the terminal."""

import re
from collections.abc import Callable, Iterator

from rich.text import Text

from catalog import records
from catalog.records import Catalog, Entry, Guard, Note, Option, OptionUse
from catalog.terminal import plural, safe, safe_lines
from catalog.words import name_kind, say_clause

HEADING = "bold"
HOLE = "cyan"
QUIET = "dim"
RAISING = "bold red"
CODE = "green"
_LONG = 80


def build_page(entry: Entry, catalog: Catalog) -> Text:
    """Lay an entry out as a page; every text of the target is made harmless on the way."""
    target = catalog.target
    page = Text()
    page.append(f"{safe(target.repo or target.name)} · {name_kind(entry)} · {safe(entry.exception.name)}\n\n", QUIET)
    page.append(safe(entry.title), HEADING)
    note = next((note for note in catalog.notes if note.entry == entry.id), None)
    for heading, build in _list_sections(entry, catalog, note):
        body = build()
        if body.plain:
            page.append(f"\n\n{heading}\n\n", HEADING).append_text(body)
    page.append("\n\n" + _build_footer(entry, catalog), QUIET)
    return page


def _list_sections(entry: Entry, catalog: Catalog, note: Note | None) -> Iterator[tuple[str, Callable[[], Text]]]:
    yield "Error message", lambda: _build_message(entry)
    yield "Other wordings", lambda: _build_alternatives(entry)
    if note is not None:
        yield "What it means", lambda: _build_meaning(entry, note)
    yield "When it is raised", lambda: _build_guard(entry.guard)
    yield "Exception", lambda: _build_exception(entry)
    yield "Good to know", lambda: _build_list(entry.remarks)
    yield "Options", lambda: _build_options(entry, catalog)
    yield "Source", lambda: _build_source(entry)
    if note is not None:
        yield "Solutions", lambda: _build_list(note.solutions, numbered=True)
        yield "Example fix", lambda: _build_example(note)
        yield "Check before the call", lambda: _build_code(note.check.code if note.check else "")
        yield "Prevention", lambda: _build_list(note.prevention)
        yield "When it happens", lambda: _build_occasions(note)
    yield "Related errors", lambda: _build_related(entry, catalog)


def _build_message(entry: Entry) -> Text:
    if entry.message is None:
        test = next((clause.test for clause in entry.guard.clauses if clause.kind == "own"), None)
        return Text("no message" + (f"; the test that fails is: {safe(test)}" if test is not None else ""))
    text = _build_parts(entry.message.parts) if entry.message.parts else Text(safe_lines(entry.message.template))
    if entry.message.reason is not None:
        text.append(f"\n(not all of it can be read from the source: {safe(entry.message.reason)})", QUIET)
    return text


def _build_alternatives(entry: Entry) -> Text:
    text = Text()
    alternatives = entry.message.alternatives if entry.message is not None else ()
    for number, alternative in enumerate(alternatives[1:]):
        text.append("\n" if number else "").append("• ").append_text(_build_parts(alternative.parts))
        if alternative.condition is not None:
            text.append(f"\n  when {safe(alternative.condition)}", QUIET)
    return text


def _build_parts(parts: tuple[records.Part, ...]) -> Text:
    """Write a message with its holes told apart, by colour and by braces."""
    text = Text()
    for part in parts:
        match part:
            case records.Text(fixed):
                text.append(safe_lines(fixed.replace("{", "{{").replace("}", "}}")))
            case records.Hole(expr, conversion, format_spec, self_documenting):
                shown = expr + ("=" if self_documenting else "") + (f"!{conversion}" if conversion else "")
                text.append(safe(f"{{{shown}{':' + format_spec if format_spec else ''}}}"), HOLE)
    return text


def _build_guard(guard: Guard) -> Text:
    text = Text()
    if guard.branch == "True":
        text.append("always, once control comes this way" if guard.clauses else "always, when the code is reached")
    else:
        text.append(safe(guard.branch), CODE)
    text.append_text(_build_steps(guard))
    if guard.condition not in (guard.branch, "True"):
        text.append("\n\nWhole condition: ", QUIET).append(safe(guard.condition), CODE)
    for number, binding in enumerate(guard.bindings):
        text.append("\n\n" if number == 0 else "\n").append("where ", QUIET)
        text.append(f"{safe(binding.name)} = {safe(binding.value)}", CODE).append(f"  (line {binding.line})", QUIET)
    text.append("\n\n" + _say_strength(guard), QUIET)
    return text


def _build_steps(guard: Guard) -> Text:
    """List the clauses; the remark of a long one goes below it."""
    said = [say_clause(clause) for clause in guard.clauses]
    steps = [
        (safe(f"{_join_word(number, step.text)}{step.text}"), safe(step.remark)) for number, step in enumerate(said)
    ]
    width = max((len(step) for step, _ in steps if len(step) <= _LONG), default=0)
    text = Text()
    for number, (step, remark) in enumerate(steps, 1):
        text.append("\n\n" if number == 1 else "\n").append(f"{number:>3}. ", QUIET).append(step.ljust(width), CODE)
        text.append(f"{'  ' if len(step) <= _LONG else chr(10) + ' ' * 7}({remark})", QUIET)
    return text


def _join_word(number: int, step: str) -> str:
    """Lead over from the step before; a colon keeps `and` from binding closer than an `or`."""
    if number == 0:
        return ""
    return "and: " if " or " in step and not step.startswith("not: ") else "and "


def _say_strength(guard: Guard) -> str:
    exact = "exact: these steps, and nothing else, lead here"
    if not guard.exact:
        exact = f"not exact: {safe('; '.join(guard.inexact_because)) or 'other ways may lead here or away'}"
    closed = "it can be checked before the call" if guard.closed else "it speaks of what is computed on the way"
    return f"{exact}\n{'closed' if guard.closed else 'not closed'}: {closed}"


def _build_exception(entry: Entry) -> Text:
    """Say what class it is, unless that is a builtin whose name says it all."""
    exception = entry.exception
    bases = [base for base in exception.bases if base != exception.name]
    if exception.qualified == f"builtins.{exception.name}":
        return Text()
    text = Text(safe(exception.qualified or exception.name))
    if exception.qualified is None:
        text.append(" (which class that is can't be told from the source)", QUIET)
    elif bases:
        text.append(f", a kind of {safe(', '.join(bases))}")
    if entry.helper is not None:
        text.append(f"\nraised by the helper {safe(entry.helper)}")
    return text


def _build_options(entry: Entry, catalog: Catalog) -> Text:
    known = {option.id: option for option in catalog.options}
    text = Text()
    for number, use in enumerate(entry.options):
        text.append("\n" if number else "").append_text(_build_option(use, known.get(use.id)))
    return text


def _build_option(use: OptionUse, option: Option | None) -> Text:
    text = Text("• ").append(safe(", ".join(option.flags) if option and option.flags else use.id), HEADING)
    if use.as_ not in (use.id, option.name if option else None):
        text.append(f", here `{safe(use.as_)}`")
    if option is not None:
        facts = [f"{option.kind} {option.id}" if option.flags else option.kind]
        facts += [f"type {option.type}"] if option.type else []
        facts += [f"default {option.default}"] if option.default is not None else []
        facts += [f"one of {', '.join(option.choices)}"] if option.choices else []
        text.append(f"\n  {safe('; '.join(facts))}; {safe(option.path)}:{option.line}", QUIET)
        if option.help:
            text.append(f"\n  {safe(' '.join(option.help.split()))}")
    if use.via:
        text.append(f"\n  via {safe(' → '.join(use.via))}", QUIET)
    return text


def _build_source(entry: Entry) -> Text:
    site = entry.site
    text = Text(f"Thrown at {safe(site.path)}:{site.line}")
    if site.qualname != "<module>":
        text.append(f" in {safe(site.qualname)}")
    if site.vendored:
        text.append(" (a copy of another project's file)")
    lines = re.split(r"\r\n|\r|\n", entry.excerpt.text.removesuffix("\n"))
    width = len(str(entry.excerpt.start_line + len(lines)))
    text.append("\n")
    for number, line in enumerate(lines, entry.excerpt.start_line):
        raising = site.line <= number <= site.end_line
        text.append(f"\n{'>' if raising else ' '} {number:>{width}} ", RAISING if raising else QUIET)
        text.append(f"│ {safe(line.expandtabs(8))}".rstrip(), "bold" if raising else "")
    if entry.permalink:
        text.append(f"\n\n{safe(entry.permalink)}", QUIET)
    return text


def _build_related(entry: Entry, catalog: Catalog) -> Text:
    titles = {other.id: other.title for other in catalog.entries if other.id in entry.related} if entry.related else {}
    return _build_list(tuple(f"{titles[id_]}  ({id_})" for id_ in entry.related if id_ in titles))


def _build_footer(entry: Entry, catalog: Catalog) -> str:
    target = catalog.target
    pinned = f"=={target.release}" if target.release else f"@{target.commit[:10]}" if target.commit else ""
    changed = " with local changes" if target.dirty else ""
    dated = f" ({target.committed[:10]})" if target.committed else ""
    kin = f" · {entry.family}" if entry.family else ""
    return safe(f"{target.name}{pinned}{changed}{dated} · entry {entry.id}{kin}")


def _build_meaning(entry: Entry, note: Note) -> Text:
    text = Text(safe_lines(note.meaning.strip()))
    by = f"{note.status} by {note.author}"
    by += (f" ({note.model})" if note.model else "") + (f", {note.date}" if note.date else "")
    text.append(f"\n\n{safe(by)}", QUIET)
    if note.fingerprint != entry.fingerprint:
        text.append("; stale: written before the message or its condition changed, so it may no longer hold", RAISING)
    failed = sum(not check.passed for check in note.verified)
    if failed:
        text.append(f"; {plural(failed, 'check')} of it failed", RAISING)
    return text


def _build_example(note: Note) -> Text:
    if note.example is None:
        return Text()
    return _build_code(f"# before\n{note.example.before.rstrip()}\n# after\n{note.example.after.rstrip()}")


def _build_code(code: str) -> Text:
    return Text(safe_lines(code.strip("\n")), CODE)


def _build_occasions(note: Note) -> Text:
    text = Text(f"Trigger: {safe_lines(note.trigger.strip())}" if note.trigger else "")
    for situation in note.situations:
        text.append("\n" if text.plain else "").append(f"• {safe_lines(situation)}")
    return text


def _build_list(items: tuple[str, ...], numbered: bool = False) -> Text:
    marks = (f"{number}." for number in range(1, len(items) + 1)) if numbered else ("•" for _ in items)
    return Text("\n".join(f"{mark} {safe_lines(item)}" for mark, item in zip(marks, items, strict=True)))
