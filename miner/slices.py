"""A unit → the text handed to the parser: its own logical lines, without comments and inner definitions."""

from dataclasses import dataclass

from miner.lexing import LogicalLine
from miner.locate import Unit


@dataclass(frozen=True, slots=True)
class Slice:
    """Text that parses by itself, and the source line of each of its logical lines."""

    code: str
    lines: tuple[int, ...]


def cut_slice(text: str, unit: Unit) -> Slice:
    """Cut a unit out of its file."""
    pieces: list[str] = []
    lines: list[int] = []
    base, inner = 0, 0
    if unit.header is not None:
        base = unit.header.indent
        pieces.append(text[unit.header.start : unit.header.end])
        lines.append(unit.header.line)
        inner = unit.rows[0].indent if unit.rows else base
    elif unit.rows:
        base = inner = unit.rows[0].indent
    for row in unit.rows:
        if text.startswith("@", row.start):
            continue
        pieces.append(" " * (row.indent - base) + _read_row(text, unit, row))
        lines.append(row.line)
    if unit.header is not None and unit.rows and len(pieces) == 1:
        pieces.append(" " * (inner - base) + "pass")
        lines.append(unit.header.line)
    pieces.append("")
    return Slice("\n".join(pieces), tuple(lines))


def _read_row(text: str, unit: Unit, row: LogicalLine) -> str:
    nested = unit.nested.get(row.start)
    if nested is None:
        return text[row.start : row.end]
    return f"class {nested.name}: pass" if nested.kind == "class" else f"def {nested.name}(): pass"
