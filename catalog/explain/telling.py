"""How does what was found in a log read in the terminal?"""

from collections.abc import Iterator, Sequence

from rich.text import Text

from catalog.explain.answer import AnsweredFinding, AnsweredMatch, AnsweredOption
from catalog.records import Note
from catalog.terminal import plural, safe, safe_lines

_HEADING = "bold"
_QUIET = "dim"
_CODE = "green"
_WARNING = "yellow"
_LONGEST_LINE = 400
_MOST_LINES = 12
_MOST_SOLUTIONS = 3
_MARGIN = 13


def tell_finding(finding: AnsweredFinding) -> Text:
    """Lay one error of a log out; every text of the log and of the target is made harmless on the way."""
    text = Text()
    name = f"{safe(finding.exception)}: " if finding.exception else ""
    text.append(f"{name}{_shorten(finding.message or '')}".rstrip(": ") or _name_frame(finding), _HEADING)
    if finding.times > 1:
        text.append(f"  (reported {finding.times:,} times)", _QUIET)
    if not finding.matches:
        return text.append("\n\n  not in this catalog", _QUIET)
    if finding.tied:
        tied = [match for match in finding.matches if match.score == finding.matches[0].score]
        text.append(f"\n\n  nothing in the log decides between {plural(len(tied), 'place')}", _WARNING)
    for number, match in enumerate(finding.matches):
        if number and not finding.tied:
            break  # the runners-up are for programs
        text.append("\n\n").append_text(_tell_match(match))
    return text


def tell_remarks(remarks: Sequence[str]) -> list[str]:
    """Give what must be known besides, one line each."""
    return [f"note: {safe(remark)}" for remark in remarks]


def _tell_match(match: AnsweredMatch) -> Text:
    text = Text("  ")
    sure = "similar wording only, no match" if match.sure == "similar" else match.sure
    text.append(sure, _WARNING if match.sure in ("similar", "possible") else _HEADING)
    text.append(f" · {safe(match.site.path)}:{match.site.line}")
    if match.site.qualname != "<module>":
        text.append(f" in {safe(match.site.qualname)}")
    text.append(f"  ({safe(match.catalog)}, {match.id})", _QUIET)
    for label, lines, style in _list_rows(match):
        for number, line in enumerate(lines):
            text.append(f"\n  {label if number == 0 else '':<{_MARGIN}}", _QUIET).append(line, style)
    return text


def _list_rows(match: AnsweredMatch) -> Iterator[tuple[str, list[str], str]]:
    """Give the rows that have something to say: a label, its lines, how they look."""
    if match.because is not None:
        yield "because", [safe(match.because)], f"bold {_CODE}"
    if match.branch != "True":
        line = f"  (line {match.clause.line})" if match.clause is not None else ""
        yield "raised when", [safe(match.branch) + line], _CODE
        if match.filled is not None and match.filled != match.because:
            yield "that is", [safe(match.filled)], _CODE
    yield "values", [f"{safe(value.expr)} = {_shorten(value.text)}" for value in match.values], ""
    yield "options", [_tell_option(option) for option in match.options], ""
    if match.helper is not None:
        yield "raised by", [safe(match.helper)], ""
    if match.note is not None:
        yield "meaning", [*_list_meaning(match.note, match.is_note_stale)], ""
        yield "solutions", _list_solutions(match.note.solutions), ""
    yield "know", [safe(remark) for remark in match.remarks], _WARNING
    yield "versions", [safe(life) for life in match.lives], _WARNING
    yield "why", [safe("; ".join(match.reasons))], _QUIET
    if match.permalink:
        yield "source", [safe(match.permalink)], _QUIET


def _list_meaning(note: Note, is_stale: bool) -> Iterator[str]:
    """Give the first paragraph of what the error means, and what speaks against relying on it."""
    yield from safe_lines(note.meaning.strip().split("\n\n", 1)[0]).split("\n")
    if note.status == "drafted":
        yield "(a draft that nobody has reviewed)"
    if is_stale:
        yield "(written before the message or its condition changed)"


def _list_solutions(solutions: Sequence[str]) -> list[str]:
    """Give the first solutions, each on a line; the entry's page has them all."""
    told = [f"{number}. {safe(each.strip())}" for number, each in enumerate(solutions[:_MOST_SOLUTIONS], 1)]
    left = len(solutions) - len(told)
    return [*told, f"({plural(left, 'more solution')}: errmine show)"] if left else told


def _tell_option(option: AnsweredOption) -> str:
    named = ", ".join(option.flags) or option.id
    if option.keys:
        named = f"{'.'.join(option.keys)} inside {option.flags[0]}"
    is_spoken_of = option.name in (named, option.id, *option.keys[-1:])
    here = "" if is_spoken_of else f" (here {option.name})"
    return safe(f"{named}{here}{f' = {option.value}' if option.value is not None else ''}")


def _name_frame(finding: AnsweredFinding) -> str:
    """Name an error of which only the frames are left."""
    if not finding.frames:
        return "an error without a message"
    last = finding.frames[-1]
    line = f":{last.line}" if last.line is not None else ""
    return f"a traceback that ends in {safe(last.path)}{line}"


def _shorten(text: str) -> str:
    """Give a text of the log on few lines, none too long."""
    lines = safe_lines(text).split("\n")
    shown = [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"… ({len(lines) - _MOST_LINES} more lines)")
    return ("\n" + " " * (_MARGIN + 2)).join(shown)
