"""Where in a squeezed text does a template's fixed text stand, in its order?

Only plain searches: whatever the text, the work is linear in its length.
"""

from collections.abc import Callable
from dataclasses import dataclass

from catalog.explain.shapes import Shape

_LONGEST_GAP = 6_000
_SHORT = 8
_TRIES = 24
_FEWEST_CUT = 3
"""Letters of a fragment that a cut must have left, to count as cut inside it."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """A template laid over a squeezed text; all places are places in it."""

    start: int
    end: int
    """After the last fixed text; a value at the template's end begins here."""
    gaps: tuple[tuple[int, int], ...]
    """What stands between the fixed texts, also before the first and behind the last if holes are there."""
    matched: int
    """Letters of fixed text found."""
    is_cut: bool
    """The text ended before the template did."""


def align(shape: Shape, text: str, start: int, limit: int, can_end: Callable[[int], bool]) -> Alignment | None:
    """Lay a template over a text that begins at `start`.

    The last fixed text is looked for where the message can end, if it stands there at all, since a short one (`.`,
    `)`) may stand in a value too.
    """
    position = start
    gaps: list[tuple[int, int]] = []
    matched = 0
    for number, fragment in enumerate(shape.fragments):
        if number == 0 and not shape.opens_with_gap:
            found = start if text.startswith(fragment, start, limit) else -1
        else:
            is_last = number == len(shape.fragments) - 1 and not shape.closes_with_gap
            found = _find(text, fragment, position, limit, can_end if is_last else None)
        if found < 0:
            return None
        if number or shape.opens_with_gap:
            gaps.append((position, found))
        position = found + len(fragment)
        matched += len(fragment)
    if not shape.fragments:
        gaps.append((start, limit))
        position = limit
    elif shape.closes_with_gap:
        gaps.append((position, limit))
    return Alignment(start, position, tuple(gaps), matched, is_cut=False)


def align_cut(shape: Shape, text: str, start: int, limit: int) -> Alignment | None:
    """Lay a template over a text that ends, at `limit`, before the template does."""
    position = start
    gaps: list[tuple[int, int]] = []
    for number, fragment in enumerate(shape.fragments):
        if number == 0 and not shape.opens_with_gap:
            found = start if text.startswith(fragment, start, limit) else -1
        else:
            found = text.find(fragment, position, min(limit, position + _LONGEST_GAP + len(fragment)))
        if found < 0:
            return _cut(shape, text, (start, position, limit), gaps, number)
        if number or shape.opens_with_gap:
            gaps.append((position, found))
        position = found + len(fragment)
    return None


def find_start(shape: Shape, text: str, piece: str, position: int, low: int) -> int | None:
    """Give where the template begins in a text in which one of its pieces stands at `position`.

    A template that begins with a hole begins with the first fixed text here.
    """
    for number, fragment in enumerate(shape.fragments):
        within = fragment.find(piece)
        while within >= 0:
            begin = position - within
            if begin >= low and text.startswith(fragment, begin):
                return _trace_back(shape, text, number, begin, low)
            within = fragment.find(piece, within + 1)
    return None


def _trace_back(shape: Shape, text: str, number: int, begin: int, low: int) -> int | None:
    for earlier in reversed(shape.fragments[:number]):
        begin = text.rfind(earlier, max(low, begin - _LONGEST_GAP - len(earlier)), begin)
        if begin < 0:
            return None
    return begin


def _find(text: str, fragment: str, position: int, limit: int, can_end: Callable[[int], bool] | None) -> int:
    high = min(limit, position + _LONGEST_GAP + len(fragment))
    first = text.find(fragment, position, high)
    if can_end is None or first < 0 or len(fragment) > _SHORT:
        return first
    ends = []
    found = first
    for _ in range(_TRIES):
        if found < 0:
            break
        if can_end(found + len(fragment)):
            ends.append(found)
        found = text.find(fragment, found + 1, high)
    # Of several closing brackets the one that closes nothing in the value.
    return next((end for end in ends if _is_balanced(text[position:end])), ends[0] if ends else first)


def _is_balanced(value: str) -> bool:
    return value.count("(") == value.count(")") and value.count("[") == value.count("]")


def _cut(
    shape: Shape, text: str, span: tuple[int, int, int], gaps: list[tuple[int, int]], number: int
) -> Alignment | None:
    """Give the alignment of a text that ends inside the template's fragment `number`, or in the gap before."""
    start, position, limit = span
    fragment = shape.fragments[number]
    if number == 0 and not shape.opens_with_gap:
        rest = text[start:limit]
        if len(rest) >= _FEWEST_CUT and fragment.startswith(rest):
            return Alignment(start, limit, (), len(rest), is_cut=True)
        return None
    if limit - position > _LONGEST_GAP:
        return None
    for length in range(min(len(fragment) - 1, limit - position), _FEWEST_CUT - 1, -1):
        if text.startswith(fragment[:length], limit - length):
            matched = sum(map(len, shape.fragments[:number])) + length
            return Alignment(start, limit, (*gaps, (position, limit - length)), matched, is_cut=True)
    matched = sum(map(len, shape.fragments[:number]))
    return Alignment(start, limit, (*gaps, (position, limit)), matched, is_cut=True) if number else None
