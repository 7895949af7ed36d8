"""What stands inside the boxes and value trees that traceback printers draw?"""

from collections.abc import Iterable
from dataclasses import replace

import re2

from catalog.explain.lines import Line

_EDGE = re2.compile(
    r"^\s*[\x{256d}\x{2570}\x{250c}\x{2514}\x{251c}\x{250f}\x{2517}][\x{2500}\x{2501}]{2,}(.*?)[\x{2500}\x{2501}]*[^\w\s]?\s*$"
)
_WALLED = re2.compile(r"^\s*[\x{2502}\x{2503}] ?(.*)[\x{2502}\x{2503}]\s*$")
_LISTED = re2.compile(r"^\s*(?:\x{2771}|>|\x{276f})?\s*\d+\s+[\x{2502}|]")
_DRAWN = "\u2502\u2503\u2514\u251c\u2517\u2523"
_DRAWN_OR_SPACE = _DRAWN + "\u2500 \t"


def unbox(lines: Iterable[Line]) -> list[Line]:
    """Give the lines without walls and edges, folded ones joined; the branches of a value tree come out empty."""
    opened: list[Line] = []
    was_full = False
    for line in lines:
        if not any(sign in line.text for sign in "\u2502\u2503\u2500\u2501\u2514"):
            opened.append(line)
            was_full = False
            continue
        body, is_full = _open_line(line.text)
        if was_full and not _LISTED.match(body):
            gap = " " if opened[-1].text.endswith(" in") else ""  # between a frame's place and its function
            opened[-1] = replace(opened[-1], text=opened[-1].text + gap + body.strip())
        else:
            opened.append(replace(line, text=body))
        was_full = is_full
    return opened


def _open_line(text: str) -> tuple[str, bool]:
    """Give what a drawn line holds, and whether that fills it to the wall, so that the next one continues it."""
    walled = _WALLED.match(text)
    if walled:
        body = walled.group(1)
        # One blank stands before the wall: without it, or with it and none before, the text was folded here.
        is_full = bool(body.strip()) and not body[:-1].endswith(" ") and not _LISTED.match(body)
        return body.rstrip(), is_full
    edge = _EDGE.match(text)
    if edge:
        return edge.group(1).strip("\u2500\u2501 "), False
    stripped = text.lstrip()
    if stripped[:1] not in _DRAWN:
        return text, False
    if "\u2514" in text or not text.strip(_DRAWN_OR_SPACE):
        return "", False
    return stripped.lstrip(_DRAWN_OR_SPACE), False  # the right wall was cut off
