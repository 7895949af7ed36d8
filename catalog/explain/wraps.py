"""Where did a terminal break a line that was one?

A terminal breaks at its last column, in the middle of a word, and the rest stands at the left edge without the prefix
that real lines carry. So the broken lines are all equally long, and none is longer.
"""

import re
from collections import Counter
from collections.abc import Sequence

import re2

from catalog.explain.lines import undress

_LOOKED_AT = 300
"""Lines that tell whether real ones carry a prefix."""
_NARROWEST, _WIDEST = 40, 400
_USUAL = frozenset({72, 76, 79, 80, 90, 100, 110, 118, 119, 120, 125, 130, 132, 140, 150, 160, 180, 200, 240})
_FRESH = re2.compile(
    r"^\s*(?:[=_*#-]{3}|\{\"\w+\":|File\s[\"'<]|Traceback\s|During handling|The above exception)"
    r"|^\s*(?:[~^]+\s*$|-+\s*$|$|[\x{2500}-\x{259f}])"
    r"|^\s{4,}\S|^(?:\w+\.)*\w*(?:Error|Exception|Warning|Exit|Interrupt)\b"
)

_WHOLE_FRAME = re2.compile(r"line \d+, in \S+$")
_MIDDLE = frozenset(",.;:)]}'\"/_")
"""What may stand at the beginning of a word's second half."""
_REST_OF_FRAME = (" line ", "line ")
_REST_OF_NAME = re2.compile(r"^[\w>]+\s*$")
_ENDS_PREFIX = frozenset(" >]|:\t")
_DIGIT = re.compile(r"\d")
_FEWEST = 2
_LONGEST_PREFIX = 200
_WALLED = re2.compile(r"^\s*[\x{256d}\x{2502}\x{2570}]")


def join_wrapped(lines: Sequence[str]) -> list[str]:
    """Join again what a terminal broke; a text nobody broke comes back as it is."""
    width = max(map(len, lines), default=0)
    if not _NARROWEST <= width <= _WIDEST or any(_WALLED.match(line[:40]) for line in lines):
        return list(lines)  # what draws boxes also breaks its lines between words
    full = sum(len(line) == width for line in lines)
    if full < 2 and width not in _USUAL:
        return list(lines)
    looked_at = [line for line in lines if line.strip()][:_LOOKED_AT]
    prefixed = Counter(bool(undress(line).shape) for line in looked_at)
    mostly_prefixed = prefixed[True] > prefixed[False] // 2
    joined: list[str] = []
    was_full = False
    for line in lines:
        if was_full and joined and _continues(joined[-1], line, mostly_prefixed, full):
            joined[-1] += line
        else:
            joined.append(line)
        was_full = len(line) == width
    return joined


def join_prefixed(lines: Sequence[str]) -> list[str]:
    """Join what a terminal broke before each of the halves got one and the same prefix; else give the lines back."""
    written = [_DIGIT.sub("0", line[:_LONGEST_PREFIX]) for line in lines[:_LOOKED_AT] if line.strip()]
    if len(written) < _FEWEST:
        return list(lines)
    prefix = _find_common_prefix(written)
    bodies = [line[prefix:] for line in lines]
    return join_wrapped(bodies) if prefix and max(map(len, bodies)) in _USUAL else list(lines)


def _find_common_prefix(lines: Sequence[str]) -> int:
    """Give the length of what all lines begin with, up to a sign that may end a prefix."""
    first, last = min(lines), max(lines)  # what these two share, all share
    shared = next((at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    return max((at + 1 for at in range(min(shared, len(last))) if first[at] in _ENDS_PREFIX), default=0)


def _continues(above: str, line: str, mostly_prefixed: bool, full: int) -> bool:
    """Tell whether a line that follows a full one is its rest."""
    if mostly_prefixed:
        return bool(line.strip()) and not undress(line).shape
    if _WHOLE_FRAME.search(above[-200:]) and not _REST_OF_NAME.match(line):
        return False
    if _FRESH.match(line[:200]) or undress(line).shape:
        return False
    return (
        full > 1 or line[:1].islower() or line[:1].isdigit() or line[:1] in _MIDDLE or line.startswith(_REST_OF_FRAME)
    )
