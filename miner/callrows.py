"""A file's logical lines → those in which a call may never return, found by words alone."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from miner.facts import ModuleFacts
from miner.lexing import LogicalLine
from miner.locate import SiteMark, Unit
from miner.noreturn import Leaving, compile_calls

_EXITS = re.compile(
    r"\b(?:exit|quit|raise_from)\s*\(|\b\w*parser\.(?:error|exit)\s*\(|\b_?(?:ctx|context|click_ctx)\.fail\s*\("
)
_EXIT_WORDS = ("exit", "quit", "raise_from", "parser.error", ".fail")
_BARE_QUIT = re.compile(r"\b(?:exit|quit)\s*\((?![^)]*(?:[\"']|msg|mess|err|text|reason|usage))")
_DEFINES = re.compile(r"\b(?:def|import)\s+\Z")


@dataclass(frozen=True, slots=True)
class CallRows:
    """The lines of a file that may hold a call that never returns."""

    pattern: re.Pattern[str] | None
    """Finds the calls of the target's own functions that never return."""
    lines: Mapping[int, Mapping[int, SiteMark]]
    """By the place of a unit in the file, then by line: where a site would be."""


def find_call_rows(text: str, units: Sequence[Unit], facts: ModuleFacts, leaving: Leaving) -> CallRows:
    """Find the lines of each unit in which a call may never return and say why."""
    pattern = compile_calls(leaving.list_names(facts, text))
    exits = _EXITS.finditer(text) if any(word in text for word in _EXIT_WORDS) else ()
    places = [found.start() for found in exits if _BARE_QUIT.match(text, found.start()) is None]
    if pattern is not None:
        places += [found.start() for found in pattern.finditer(text)]
    places = sorted(place for place in places if _DEFINES.search(text, max(0, place - 8), place) is None)
    if not places:
        return CallRows(pattern, {})
    lines: dict[int, Mapping[int, SiteMark]] = {}
    for index, unit in enumerate(units):
        found = {row.line: _mark(text, row) for row in unit.rows if _holds(text, unit, row, places)}
        if found:
            lines[index] = found
    return CallRows(pattern, lines)


def _holds(text: str, unit: Unit, row: LogicalLine, places: Sequence[int]) -> bool:
    index = bisect_left(places, row.start)
    if index == len(places) or places[index] >= row.end:
        return False
    if row.word in ("raise", "assert", "import", "from") or row.start in unit.nested:
        return False
    return not text.startswith(("'", '"', "@"), row.start)


def _mark(text: str, row: LogicalLine) -> SiteMark:
    column = row.start - (text.rfind("\n", 0, row.start) + 1)
    return SiteMark("call", row.line, column, row.line + text.count("\n", row.start, row.end))
