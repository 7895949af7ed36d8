"""What is left of a text when everything that copying may damage is taken out of it?

Terminals break lines inside words, Markdown eats underscores, backticks, asterisks and indentation, JSON adds
backslashes, chat programs turn quotes and dashes into typographic ones, and boxes are drawn around it all. None of
that is in a squeezed text, so a message and the template it came from can be compared letter by letter.
"""

import re
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

# One class of characters, repeated: the standard engine has nothing to backtrack over, and is four times as fast here.
_KEPT = re.compile(
    r"[^\s\x00-\x1f\x7f-\xa0"  # white space and controls
    r"\\_*~`\"'\-"  # backslashes, and what Markdown and quoting take away or add
    r"\xad\xb4\xab\xbb\u2010-\u2015\u2018-\u201f\u2039\u203a\u2212"  # typographic quotes and dashes
    r"\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"  # invisible
    r"\u2500-\u259f\u2771\u276f]+"  # boxes, blocks and the arrow in them
)
_LONGEST_NAME = 200
_LOWER = {ord(letter): ord(letter.lower()) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A squeezed text that knows where each of its letters stood."""

    text: str
    offsets: "array[int]"
    """For each letter of `text` its place in the original, and then the original's length."""

    def find_place(self, offset: int) -> int:
        """Give the first place at or after this offset of the original."""
        return bisect_left(self.offsets, offset, 0, len(self.text))


def squeeze(text: str) -> str:
    """Take out of a text everything that copying may damage."""
    return lower(squeeze_cased(text))


def squeeze_cased(text: str) -> str:
    """Squeeze a text, but keep its capitals: copying doesn't change those, retyping does."""
    return "".join(_KEPT.findall(text))


def lower(squeezed: str) -> str:
    """Give a squeezed text without capitals, of the same length whatever the letters."""
    return squeezed.translate(_LOWER)


def squeeze_name(name: str) -> str:
    """Squeeze a name that comes up again and again."""
    return _squeeze_again(name) if len(name) <= _LONGEST_NAME else squeeze(name)


@lru_cache(maxsize=8_192)
def _squeeze_again(name: str) -> str:
    return squeeze(name)


def squeeze_with_offsets(text: str) -> Squeezed:
    """Squeeze a text and keep where each letter stood."""
    pieces = []
    offsets = array("I")
    for piece in _KEPT.finditer(text):
        offsets.extend(range(*piece.span()))
        pieces.append(piece.group())
    offsets.append(len(text))
    return Squeezed("".join(pieces).translate(_LOWER), offsets)
