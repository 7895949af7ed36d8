"""A unit → the text handed to the parser: the logical lines that bear on its sites, without comments."""

import re
from dataclasses import dataclass

from miner.lexing import LogicalLine
from miner.locate import Unit
from miner.pruning import choose_rows


@dataclass(frozen=True, slots=True)
class Slice:
    """Text that parses by itself, and the source line of each of its logical lines."""

    code: str
    lines: tuple[int, ...]


def cut_slice(
    text: str,
    unit: Unit,
    never_return: re.Pattern[str] | None = None,
    also: frozenset[int] = frozenset(),
    *,
    whole: bool = False,
) -> Slice:
    """Cut a unit out of its file; `also` are lines of sites without a mark, `whole` keeps also what bears on none."""
    kept = [True] * len(unit.rows) if whole else choose_rows(text, unit, never_return, also)
    chosen = [
        index
        for index, row in enumerate(unit.rows)
        if kept[index] and not (row.word == "" and text.startswith("@", row.start))
    ]
    pieces: list[str] = []
    lines: list[int] = []
    base = 0
    if unit.header is not None:
        base = unit.header.indent
        pieces.append(text[unit.header.start : unit.header.end])
        lines.append(unit.header.line)
        if unit.rows and not chosen:
            pieces[-1] += " pass"
    elif chosen:
        base = unit.rows[chosen[0]].indent
    tries: list[int] = []
    for place, index in enumerate(chosen):
        row = unit.rows[index]
        while tries and row.indent <= tries[-1]:
            tries.pop()
        if row.word == "try":
            tries.append(row.indent)
        piece = _read_row(text, unit, row, whole or bool(tries) or row.line in also)
        following = unit.rows[chosen[place + 1]].indent if place + 1 < len(chosen) else -1
        if following <= row.indent and _opens_block(unit, index):
            piece += " pass"
        pieces.append(" " * (row.indent - base) + piece)
        lines.append(row.line)
    pieces.append("")
    return Slice("\n".join(pieces), tuple(lines))


def _opens_block(unit: Unit, index: int) -> bool:
    """Tell whether a row is a header whose block stands on lines of its own."""
    row = unit.rows[index]
    after = index + 1
    return row.start not in unit.nested and after < len(unit.rows) and unit.rows[after].indent > row.indent


def _read_row(text: str, unit: Unit, row: LogicalLine, whole: bool) -> str:
    """Read a row; what is returned matters only inside a `try`, where it may raise after a change."""
    nested = unit.nested.get(row.start)
    if nested is not None:
        return f"class {nested.name}: pass" if nested.kind == "class" else f"def {nested.name}(): pass"
    if row.word == "return" and not whole:
        return "return"
    return text[row.start : row.end]
