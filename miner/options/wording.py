"""Rows around a field → the words that describe it: a text below, comments above or behind."""

import re
from collections.abc import Sequence

import libcst as cst

from miner.lexing import LogicalLine
from miner.options.outline import parse

_TEXT = re.compile(r"[rRuUbBfF]{0,2}[\"']")
_RULE = re.compile(r"[#\s=*_~-]*")


def read_text(node: cst.BaseExpression | None) -> str | None:
    """Read an expression that is a text, holes of an f-string as the source has them."""
    match node:
        case cst.SimpleString():
            value = node.evaluated_value
            return value if isinstance(value, str) else None
        case cst.ConcatenatedString():
            left, right = read_text(node.left), read_text(node.right)
            return left + right if left is not None and right is not None else None
        case cst.FormattedString():
            return "".join(part.value if isinstance(part, cst.FormattedStringText) else "{…}" for part in node.parts)
        case cst.BinaryOperation(operator=cst.Add()):
            left, right = read_text(node.left), read_text(node.right)
            return left + right if left is not None and right is not None else None
        case _:
            return None


def read_description(text: str, rows: Sequence[LogicalLine], index: int) -> str | None:
    """Find what describes the row: the text that follows it, or the comments above or behind it."""
    row = rows[index]
    if index + 1 < len(rows) and rows[index + 1].word in ("", "r", "R", "u", "f"):
        below = rows[index + 1]
        if below.indent == row.indent and _TEXT.match(text, below.start, below.end):
            found = read_text(parse(text[below.start : below.end].strip()))
            if found:
                return tidy(found)
    return read_comments(text, row.start) or _read_behind(text, row)


def _read_behind(text: str, row: LogicalLine) -> str | None:
    end = text.find("\n", row.end)
    behind = text[row.end : end if end >= 0 else len(text)].strip()
    words = behind.lstrip("#").strip()
    return words if behind.startswith("#") and not re.match(r"(?:type|noqa|pylint|pyright|fmt)\b", words) else None


def read_comments(text: str, start: int) -> str | None:
    """Read the comment lines that stand right above an offset."""
    lines: list[str] = []
    position = text.rfind("\n", 0, start)
    while position > 0:
        before = text.rfind("\n", 0, position)
        line = text[before + 1 : position].strip()
        if not line.startswith("#"):
            break
        if _RULE.fullmatch(line):
            if lines:
                break
            return None
        lines.append(line.lstrip("#:").strip())
        position = before
    return tidy(" ".join(reversed(lines))) or None


def tidy(text: str) -> str:
    """Put words on one line, paragraphs apart."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return "\n".join(part for part in paragraphs if part)
