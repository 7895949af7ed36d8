"""How an option and the errors that it is part of read in the terminal."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from catalog.options import OptionAnswer, OptionError
from catalog.records import Option
from catalog.terminal import plural, safe

PAGES = 6
"""More options than this are a table."""
_HEADING = "bold"
_QUIET = "dim"


def build_option_page(answer: OptionAnswer) -> Text:
    """Lay an option out: what it is, how it is set, and its errors."""
    option = answer.option
    page = Text(safe(option.id), _HEADING)
    for label, value in _list_facts(option):
        page.append(f"\n  {label} ", _QUIET).append(safe(value))
    if option.help:
        page.append(f"\n\n  {safe(' '.join(option.help.split()))}")
    count = plural(len(answer.errors), "error")
    page.append(f"\n\nPart of {count}" if answer.errors else "\n\nPart of no error in this catalog", _QUIET)
    for error in answer.errors:
        page.append_text(_build_error(error))
    return page


def _list_facts(option: Option) -> Iterator[tuple[str, str]]:
    yield "kind", {"field": "field", "flag": "flag", "env": "environment variable"}[option.kind]
    if option.flags:
        yield "set with", ", ".join(option.flags)
    if option.type:
        yield "type", option.type
    if option.default is not None:
        yield "default", option.default
    if option.choices:
        yield "takes", ", ".join(option.choices)
    yield "declared in", f"{option.path}:{option.line}" + (f", class {option.owner}" if option.owner else "")


def _build_error(error: OptionError) -> Text:
    entry = error.entry
    text = Text("\n• ").append(safe(entry.title), _HEADING)
    sides = dict.fromkeys(side for use in error.uses for side in use.in_)
    names = dict.fromkeys(use.as_ for use in error.uses)
    text.append(f"\n  {safe(entry.exception.name)} at {safe(entry.site.path)}:{entry.site.line}  {entry.id}", _QUIET)
    text.append(f"\n  in the {' and the '.join(sides)}, as {safe(', '.join(names))}", _QUIET)
    return text


def list_rows(answers: Iterable[OptionAnswer]) -> Iterator[tuple[str, ...]]:
    """Give the rows of a table of options: id, flags, how many errors."""
    for answer in answers:
        errors = plural(len(answer.errors), "error") if answer.errors else ""
        yield answer.option.id, " ".join(answer.option.flags[:3]), errors
