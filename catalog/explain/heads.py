"""Where does a text name an exception, or otherwise begin to quote a message?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import re2

HeadKind = Literal["class", "line", "wrapped", "repr", "body", "error"]

_NAME = r"(?:[A-Za-z_]\w*\.)*"
_LIKELY = r"_?[A-Z]\w*(?:[Ee]r+o+r+|[Ee]xc?[a-z]{0,4}pt[a-z]*n|Warning|Interrupt|Exit|Failure|Timeout|Iteration)s?\d?"
_OPENING = r"[\s*_~`>#\"'\x{201c}\x{2018}-]*"
# ValueError: text; anywhere in a line. KVTransferError(room=1): text.
_ANYWHERE = re2.compile(
    r"(?P<name>" + _NAME + _LIKELY + r")(?P<call>\([^()\n]{0,120}\))?[*_`]{0,4}(?::+|\s\x{2014})(?:\s|$)"
)
# click.exceptions.BadParameter: text; TooManyRedirects: text; anywhere, where a catalog raises the class.
_KNOWN_CLASS = re2.compile(
    r"(?:^|[\s(\[>\x{2502}|:])(?P<name>(?:[A-Za-z_]\w*\.)+_?[A-Z]\w*|_?[A-Z]\w*[a-z0-9][A-Z]\w*)"
    r"(?P<call>\([^()\n]{0,120}\))?[*_`]{0,4}:+(?:\s|$)"
)
# AssertionError, alone on its line.
_ALONE = re2.compile(r"(?m)^" + _OPENING + r"(?P<name>" + _NAME + _LIKELY + r")[\s*_~`:]*$")
# MissingSchema: text; a line that begins like this is an exception where one must come.
_LEADING = re2.compile(
    r"(?m)^[*_~`]{0,4}(?:(?P<name>"
    + _NAME
    + r"_?[A-Z]\w*)(?:: |:?[*_~`]*\s*$)|(?P<dotted>(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*): )"
)
# ValueError('text')
_REPR = re2.compile(r"(?P<name>" + _NAME + r"_?[A-Z]\w{3,})\((?:[bBuUrR]?[\"'\x{201c}\x{2018}])")
_LIKELY_NAME = re2.compile(_NAME + _LIKELY)
# Value error, text [type=value_error, …]
_WRAPPED = re2.compile(r"\b(?P<name>Value|Assertion) error, ")
_TYPED = re2.compile(r"(?m)^\s*(?P<text>[^\s\[][^\n]*?)\s\[type=\w+,")
# "message": "text"
_BODY = re2.compile(
    r"[\"'](?:msg|message|detail|details|error|reason|exception|err|error_message|error_msg|description|status)[\"']"
    r"\s?:\s?[\"']"
)
# error: text, at the beginning of a line, perhaps behind a program's name
_ERROR = re2.compile(r"(?m)^(?:[\w./-]+(?: [\w.-]+){0,2}: )?(?:[Ff]atal )?[Ee]rror: ")
_FORBIDDEN_BEFORE = ("raise ", "except ", "class ", "import ", "(", "from ", "isinstance(", "return ")
_KNOWN = frozenset(
    "StopIteration StopAsyncIteration KeyboardInterrupt SystemExit GeneratorExit Exception BaseException".split()
)


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a message."""

    kind: HeadKind
    name: str | None
    """The exception as the text names it; None where none is named."""
    start: int
    message_start: int


IsClass = Callable[[str], bool]
"""Tells whether a name is that of an exception one of the catalogs has."""


def find_heads(text: str, is_class: IsClass = lambda _: False) -> list[Head]:
    """Find every head, in order; `line` heads are heads only where an exception is due."""
    found = [
        *(Head("wrapped", f"{head.group('name')}Error", head.start(), head.end()) for head in _WRAPPED.finditer(text)),
        *(
            Head("wrapped", None, head.start(1), head.start(1))
            for head in _TYPED.finditer(text)
            if _begins_line(text, head.start()) and " error, " not in head.group("text")[:40]
        ),
        *(Head("body", None, head.start(), head.end()) for head in _BODY.finditer(text)),
        *(
            Head("error", None, head.start(), head.end())
            for head in _ERROR.finditer(text)
            if _begins_line(text, head.start())
        ),
        *_find_named(text, is_class),
    ]
    return list(_drop_overlapping(sorted(found, key=lambda head: (head.start, -head.message_start))))


def _find_named(text: str, is_class: IsClass) -> Iterator[Head]:
    for head in _ANYWHERE.finditer(text):
        if not _is_code(text, head.start()):
            yield Head("class", head.group("name"), head.start(), head.end())
    for head in _KNOWN_CLASS.finditer(text):
        start = head.start(1)
        is_code = _is_code(text, start) and text[start - 1 : start] != "("  # nothing in source has a colon there
        if is_class(head.group("name")) and not is_code:
            yield Head("class", head.group("name"), start, head.end())
    for head in _ALONE.finditer(text):
        if _begins_line(text, head.start()):
            yield Head("class", head.group("name"), head.start(1), head.end())
    for head in _REPR.finditer(text):
        if not _is_code(text, head.start()):
            # Of other classes than exceptions' nobody says that they were raised.
            kind: HeadKind = "repr" if _LIKELY_NAME.fullmatch(head.group("name")) else "body"
            yield Head(kind, head.group("name"), head.start(), head.end())
    for head in _LEADING.finditer(text):
        name = head.group("name") or head.group("dotted")
        if not _begins_line(text, head.start()):
            continue
        start = head.start(1) if head.group("name") else head.start(2)
        kind = "class" if name.rsplit(".", 1)[-1] in _KNOWN or is_class(name) else "line"
        yield Head(kind, name, start, head.end())


def _is_code(text: str, offset: int) -> bool:
    """Tell a class that source names from one that was raised."""
    before = text[max(0, offset - 12) : offset]
    return before.endswith(_FORBIDDEN_BEFORE) and not before.endswith("error(")


def _begins_line(text: str, offset: int) -> bool:
    return offset == 0 or text[offset - 1] == "\n" or text[offset : offset + 1] == "\n"


def _drop_overlapping(heads: list[Head]) -> Iterator[Head]:
    end = -1
    for head in heads:
        if head.start >= end:
            yield head
            end = head.message_start
