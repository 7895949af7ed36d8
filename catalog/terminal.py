"""How text reaches a terminal: harmless, with right plurals, coloured only where a person looks."""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_SPACES = frozenset("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000")


def safe(text: str) -> str:
    r"""Give text on one line that a terminal only shows: line ends, escape codes and bidi marks as `\n`, `\x1b`."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in _SPACES else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def safe_lines(text: str) -> str:
    """Give text that a terminal only shows, with its own line ends kept and its tabs as spaces."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(safe(line.expandtabs(8)) for line in lines)


def plural(count: int, singular: str, several: str | None = None) -> str:
    """Give a count with its noun: `1 entry`, `2,991 entries`, `2 matches`."""
    if several is None:
        several = f"{singular[:-1]}ies" if singular[-1] == "y" and singular[-2] not in "aeiou" else f"{singular}s"
    return f"{count:,} {singular if count == 1 else several}"


def align(rows: Iterable[Sequence[str]]) -> list[str]:
    """Lay rows of cells out in columns, made safe; the last column is as long as it likes."""
    from rich.cells import cell_len

    table = [[safe(cell) for cell in row] for row in rows]
    widths = [max(cell_len(cell) for cell in column) for column in zip(*table, strict=True)]
    return [
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]


def open_console(stderr: bool = False) -> "Console":
    """Open the terminal for styled text; without one, or under NO_COLOR, the same text comes plain.

    Nothing in a text is read as markup. Lines are never broken here: the terminal does that, a pipe gets them whole.
    """
    from rich.console import Console

    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, soft_wrap=True)


def write_line(text: str = "") -> None:
    """Write one line to stdout."""
    sys.stdout.write(text + "\n")


def complain(text: str) -> None:
    """Write one line to stderr, whatever the text holds."""
    sys.stderr.write(f"errmine: {safe(text)}\n")
    sys.stderr.flush()


def tell(text: str) -> None:
    """Write a line meant for the person at the keyboard to stderr."""
    sys.stderr.write(safe(text) + "\n")


def prepare_streams() -> None:
    """Let no character fail that the terminal's encoding lacks, and write line ends as they are."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def silence_stdout() -> None:
    """Let what is still buffered for a reader that went away vanish without a word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
