"""Which fixed text does a template promise, and in which order?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalog.explain.squeeze import lower, squeeze_cased
from catalog.records import Entry, Hole, Part, Text

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Shape:
    """The fixed text of a template, squeezed, with gaps in between."""

    fragments: tuple[str, ...]
    """Never empty ones; empty altogether when nothing is fixed."""
    cased: tuple[str, ...]
    """The same with capitals kept."""
    opens_with_gap: bool
    closes_with_gap: bool
    length: int
    """Letters of fixed text."""

    @property
    def fixes_numbers(self) -> bool:
        """Tell whether the fixed text has digits."""
        return any(_DIGIT.search(fragment) for fragment in self.fragments)


def list_texts(entry: Entry) -> list[tuple[Part, ...]]:
    """List the texts an entry's message may have, its first one first."""
    if entry.message is None:
        return []
    texts = [alternative.parts for alternative in entry.message.alternatives] or [entry.message.parts]
    return [parts for parts in texts if parts]


def shape_parts(parts: Sequence[Part]) -> Shape:
    """Squeeze a template's fixed text; what squeezes to nothing leaves one gap where two stood."""
    fragments: list[str] = []
    gap_before = False
    opens_with_gap = False
    fixed = ""
    for piece in [*_split(parts), None]:
        if piece:
            fixed += piece
            continue
        squeezed = squeeze_cased(fixed)
        if squeezed:
            opens_with_gap = opens_with_gap if fragments else gap_before
            fragments.append(squeezed)
            gap_before = False
        gap_before = gap_before or piece is not None
        fixed = ""
    return Shape(
        tuple(map(lower, fragments)),
        tuple(fragments),
        opens_with_gap if fragments else gap_before,
        gap_before,
        sum(map(len, fragments)),
    )


def read_fixed(parts: Sequence[Part]) -> str:
    """Give the fixed text with a blank for every hole, for counting words."""
    return "".join(piece or " " for piece in _split(parts))


def _split(parts: Sequence[Part]) -> Iterator[str]:
    """Give the fixed pieces in order, with an empty one for every hole; `{x=}` promises `x=` first."""
    for part in parts:
        match part:
            case Text(text) if text:
                yield text
            case Hole(expr=expr, self_documenting=documenting):
                if documenting:
                    yield f"{expr}="
                yield ""
