"""How text of a target stands in Markdown: shown as it is, whatever it holds."""

import re
from urllib.parse import quote

from catalog.terminal import safe, safe_lines

_KEPT = ":/#?&=%~+@,;.-_"
"""What stands for itself in an address; brackets and quotes don't."""


def span_code(text: str) -> str:
    """Give text as a code span on one line, in which nothing is markup, mention or link."""
    line = safe(" ".join(text.split()))
    if not line:
        return "` `"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    edge = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{edge}{line}{edge}{fence}"


def link(text: str, url: str | None) -> str:
    """Link Markdown to a page of the web; without an address, or with one that isn't of the web, it stays alone."""
    if url is None or not url.startswith(("https://", "http://")):
        return text
    return f"[{text}]({quote(url, safe=':/#?&=%~+@,;.-_')})"


def escape(text: str) -> str:
    """Give text on one line in which nothing is markup, to CommonMark, to its extensions and to Python-Markdown alike.

    Not for the beginning of a line, where a number or a dash begins a list.
    """
    line = safe(" ".join(text.split()))
    return re.sub(r"[\\`*_{}\[\]#]|[&<>|~$^@]", _escape_mark, line)


def _escape_mark(mark: re.Match[str]) -> str:
    """Write a mark with a backslash where all readers take one for what it is, else by its number."""
    return f"&#{ord(mark[0])};" if mark[0] in "&<>|~$^@" else f"\\{mark[0]}"


def format_prose(text: str) -> str:
    """Give plain text whose words between backticks are code; nothing else in it is markup."""
    pieces = re.split(r"(?<!`)`([^`\n]+)`(?!`)", " ".join(text.split()))
    return "".join(span_code(piece) if number % 2 else _escape_kept(piece) for number, piece in enumerate(pieces))


def _escape_kept(text: str) -> str:
    """Escape a piece of a line with the space at its ends."""
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{escape(text)}{after if text.strip() else ''}"


def fence(text: str, language: str = "") -> str:
    """Give text as a block of code, whatever it holds."""
    body = safe_lines(text.strip("\n"))
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", body)), default=0))
    return f"{ticks}{language}\n{body}\n{ticks}"
