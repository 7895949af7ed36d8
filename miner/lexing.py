r"""Text → logical lines, fast and by the grammar of all current Pythons, whichever one runs this.

One possessive regular expression swallows a whole logical line: strings, comments, brackets up to six deep. What it
can't swallow (deeper brackets, f-strings with nested quotes of their own kind, text that never closes) goes through
`_scan_line`, which walks token by token with a stack. Nothing here backtracks: time is linear in the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TRIPLE = r'"""(?>(?:[^"\\]++|\\.|"(?!""))*)"""|' + r"'''(?>(?:[^'\\]++|\\.|'(?!''))*)'''"
_SINGLE = r'"(?!"")(?>(?:[^"\\\n]++|\\.)*)"|' + r"'(?!'')(?>(?:[^'\\\n]++|\\.)*)'"
_PLAIN = f"(?:{_TRIPLE}|{_SINGLE})"
_AFTER_F = r"(?:(?<=[fFtT])|(?<=[fFtT][rR]))"
_NESTED = rf"\{{(?>(?:[^{{}}\"'#\n]++|{_PLAIN})*)\}}"
_FIELD = rf"\{{(?!\{{)(?>(?:[^{{}}\"'#\n]++|{_PLAIN}|{_NESTED})*)\}}"
_ESCAPE = r"\\(?!\{).|\\(?=\{)"
_F_TRIPLE = (
    rf'"""(?>(?:[^"\\{{]++|{_ESCAPE}|"(?!"")|\{{\{{|{_FIELD})*)"""'
    rf"|'''(?>(?:[^'\\{{]++|{_ESCAPE}|'(?!'')|\{{\{{|{_FIELD})*)'''"
)
_F_SINGLE = (
    rf'"(?!"")(?>(?:[^"\\{{\n]++|{_ESCAPE}|\{{\{{|{_FIELD})*)"'
    rf"|'(?!'')(?>(?:[^'\\{{\n]++|{_ESCAPE}|\{{\{{|{_FIELD})*)'"
)
_STRING = rf"(?:{_AFTER_F}(?:{_F_TRIPLE}|{_F_SINGLE})|(?<![fFtT])(?<![fFtT][rR]){_PLAIN})"


def _nest(depth: int) -> str:
    inner = rf"(?>(?:[^()\[\]{{}}\"'#\\]++|{_STRING}|#[^\n]*+|\\\n?"
    group = rf"[(\[{{]{inner})*)[)\]}}]"
    for _ in range(depth - 1):
        group = rf"[(\[{{]{inner}|{group})*)[)\]}}]"
    return group


_LINE = re.compile(
    rf"([ \t\f]*+)((\w*+)(?>(?:[^()\[\]{{}}\"'#\\\n]++|{_STRING}|{_nest(6)}|\\\n)*))(?:\#[^\n]*+)?(?:\n|\Z)", re.DOTALL
)
_TOKEN = re.compile(
    r"""(?P<space>[ \t\f]+|\\\n)
    |(?P<newline>\n)
    |(?P<comment>\#[^\n]*+)
    |(?P<string>(?P<prefix>[A-Za-z]{0,3}+)(?P<quote>\"\"\"|'''|"|'))
    |(?P<word>\w++)
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<other>.)""",
    re.VERBOSE,
)
_LEAD = re.compile(r"((?>(?:\\\n[ \t\f]*+)+))(\w*+)")
"""Lines joined before the text of a logical line begins, and its first word."""
_PREFIX = re.compile(r"(?:[rbuft]|[rR][bft]|[bft][rR])?\Z", re.IGNORECASE)
_OPENER = {")": "(", "]": "[", "}": "{"}
MAX_DEPTH = 200
"""Brackets nested deeper than this are refused, as the compiler refuses them."""


class LexError(ValueError):
    """The text can't be split into logical lines: the message is the reason, with the line."""


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One logical line: its text runs over several physical lines where brackets, strings or backslashes join them."""

    line: int
    """1-based physical line where the text starts."""
    indent: int
    """Width of the indentation, tabs to multiples of 8."""
    start: int
    """Offset of the first character after the indentation."""
    end: int
    """Offset after the last character, without comment and newline; trailing blanks may be included."""
    word: str
    """The identifier-like first word, or an empty text."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token inside a logical line."""

    kind: str
    """`word`, `string`, `open`, `close`, `other`, `newline`, `comment` or `space`."""
    start: int
    end: int
    depth: int
    """How many brackets stand open around it."""


def split_lines(text: str) -> list[LogicalLine]:
    """Split text into logical lines, without the blank and comment-only ones.

    Raises `LexError` where a string or bracket never closes or brackets nest deeper than `MAX_DEPTH`.
    """
    rows: list[LogicalLine] = []
    append = rows.append
    match = _LINE.match
    count = text.count
    position, line, length = 0, 1, len(text)
    while position < length:
        found = match(text, position)
        if found is not None:
            start, end = found.span(2)
            after = found.end()
            word = found[3]
            indentation = found[1]
        else:
            start, end, after, word = _scan_line(text, position, line)
            indentation = text[position:start]
        row_line = line
        if start < end and text[start] == "\\":
            lead = _LEAD.match(text, start, end)
            if lead is not None:
                row_line += count("\n", start, lead.end(1))
                start, word = lead.end(1), lead[2]
        if end > start:
            indent = len(indentation)
            if indent and ("\t" in indentation or "\f" in indentation):
                indent = _measure(indentation)
            append(LogicalLine(row_line, indent, start, end, word))
        if after == position:
            raise LexError(f"line {line}: can't be read")
        line += count("\n", position, after)
        position = after
    return rows


def _measure(indentation: str) -> int:
    width = 0
    for character in indentation:
        if character == "\t":
            width = (width // 8 + 1) * 8
        elif character == "\f":
            width = 0
        else:
            width += 1
    return width


def _scan_line(text: str, position: int, line: int) -> tuple[int, int, int, str]:
    found = re.compile(r"[ \t\f]*+").match(text, position)
    start = found.end() if found else position
    end, word = start, ""
    for token in read_tokens(text, start, len(text), line):
        if token.kind == "newline" and token.depth == 0:
            return start, end, token.end, word
        if token.kind == "word" and token.start == start:
            word = text[token.start : token.end]
        if token.kind not in ("comment", "space"):
            end = token.end
    return start, end, len(text), word


def read_tokens(text: str, start: int, end: int, line: int = 0) -> Iterator[Token]:
    """Read the tokens of a stretch of text, strings whole.

    Raises `LexError` where a string or bracket doesn't close before `end`, or brackets don't pair.
    """
    stack: list[str] = []
    position = start
    while position < end:
        found = _TOKEN.match(text, position, end)
        if found is None:
            raise LexError(f"line {line}: a character that can't be read")
        kind = found.lastgroup or "other"
        after = found.end()
        if found["quote"] is not None:
            if _PREFIX.match(found["prefix"]) is None:
                kind, after = "word", found.end("prefix")
            else:
                kind = "string"
                after = _end_of_string(text, found.end(), end, found["prefix"].lower(), found["quote"], line)
        depth = len(stack)
        if kind == "open":
            stack.append(found[0])
            if len(stack) > MAX_DEPTH:
                raise LexError(f"line {line}: brackets nested more than {MAX_DEPTH} deep")
        elif kind == "close":
            if not stack or stack.pop() != _OPENER[found[0]]:
                raise LexError(f"line {line}: {found[0]!r} closes nothing")
            depth = len(stack)
        yield Token(kind, position, after, depth)
        position = after
    if stack:
        raise LexError(f"line {line}: {stack[-1]!r} is never closed")


def _end_of_string(text: str, position: int, end: int, prefix: str, quote: str, line: int, level: int = 0) -> int:
    formatted = "f" in prefix or "t" in prefix
    stop = re.compile(rf"\\|{quote}|\n" + (r"|\{\{|\{" if formatted else ""))
    while True:
        found = stop.search(text, position, end)
        if found is None:
            raise LexError(f"line {line}: a string is never closed")
        what = found[0]
        position = found.end()
        if what == quote:
            return position
        if what == "\\":
            # A backslash before `{` escapes nothing in an f-string, except in a `\N{NAME}` of one that isn't raw.
            if formatted and text.startswith("N{", position) and "r" not in prefix:
                position = text.find("}", position, end) + 1 or end
            elif not (formatted and text.startswith("{", position)):
                position += 1
        elif what == "\n" and len(quote) == 1:
            raise LexError(f"line {line}: a string is never closed")
        elif what == "{":
            position = _end_of_field(text, position, end, line, level + 1)


def _end_of_field(text: str, position: int, end: int, line: int, level: int) -> int:
    """Find the end of a replacement field of an f-string, whose format spec may hold fields again."""
    if level > 50:
        raise LexError(f"line {line}: fields of an f-string nested more than 50 deep")
    stack = 0
    while position < end:
        found = _TOKEN.match(text, position, end)
        if found is None:
            break
        kind, what, after = found.lastgroup, found[0], found.end()
        if found["quote"] is not None:
            prefix = found["prefix"] if _PREFIX.match(found["prefix"]) else ""
            after = _end_of_string(text, after, end, prefix.lower(), found["quote"], line, level)
        elif what == "}" and stack == 0:
            return after
        elif kind == "open":
            stack += 1
        elif kind == "close":
            stack -= 1
        elif what == ":" and stack == 0:
            return _end_of_format(text, after, end, line, level)
        position = after
    raise LexError(f"line {line}: a field of an f-string is never closed")


def _end_of_format(text: str, position: int, end: int, line: int, level: int) -> int:
    while position < end:
        character = text[position]
        position += 1
        if character == "}":
            return position
        if character == "{":
            position = _end_of_field(text, position, end, line, level + 1)
    raise LexError(f"line {line}: a field of an f-string is never closed")
