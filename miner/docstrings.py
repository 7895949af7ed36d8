"""What stands around a unit's statements: its decorators, its signature and the first paragraph of its docstring."""

import ast
import inspect
import re

from miner.lexing import read_tokens
from miner.locate import Unit
from miner.wording import fold_lines

_STRING = re.compile(r"[rRuU]?(?:\"|')")


def read_signature(text: str, unit: Unit) -> str | None:
    """Give `(self, x: int = 3) -> str` on one line; `None` where the unit is no function."""
    if unit.kind != "function" or unit.header is None:
        return None
    start: int | None = None
    for token in read_tokens(text, unit.header.start, unit.header.end, unit.header.line):
        if token.depth == 0 and token.kind == "open" and start is None:
            start = token.start
            if text[token.start] == "[":
                start = None
        elif token.depth == 0 and text[token.start : token.end] == ":" and start is not None:
            return fold_lines(text[start : token.start]).replace("\\\n", " ")
    return None


def read_docstring(text: str, unit: Unit) -> str | None:
    """Give the first paragraph of the docstring on one line."""
    if unit.kind == "module" or not unit.rows:
        return None
    row = unit.rows[0]
    if not _STRING.match(text, row.start):
        return None
    try:
        value = ast.literal_eval(text[row.start : row.end].strip())
    except (SyntaxError, ValueError, MemoryError):
        return None
    if not isinstance(value, str):
        return None
    paragraph = re.split(r"\n\s*\n", inspect.cleandoc(value), maxsplit=1)[0]
    return " ".join(paragraph.encode("utf-8", "backslashreplace").decode().split()) or None


def read_decorators(text: str, unit: Unit) -> tuple[str, ...]:
    """Read the decorators of a definition, without their arguments."""
    found: list[str] = []
    rows = unit.parent.rows if unit.parent is not None else []
    for row in rows:
        if unit.header is not None and row.start == unit.header.start:
            return tuple(found)
        if text.startswith("@", row.start):
            found.append(text[row.start + 1 : row.end].partition("(")[0].strip())
        else:
            found.clear()
    return ()
