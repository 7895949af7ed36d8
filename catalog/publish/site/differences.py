"""What changed about an error from one release to the next, in a few lines?"""

from collections.abc import Iterator
from itertools import islice

from catalog.changes.details import Detail, Relocated, Reoptioned, Retyped, Reworded, list_details, say_site
from catalog.changes.summary import WORDS
from catalog.compare.guards import GuardDifference
from catalog.diff import Altered
from catalog.publish.site.harmless import fold

Line = tuple[str, str]
"""A sign, `-` for what was, `+` for what is, nothing for a remark; and the text."""
_MOST = 6
_LONG = 200


def tell_change(change: Altered) -> tuple[Line, ...]:
    """Tell what changed, what matters most first; not more than fits a list."""
    lines = (line for detail in list_details(change) for line in _tell(detail))
    return tuple((sign, _cut(text)) for sign, text in islice(lines, _MOST))


def _tell(detail: Detail) -> Iterator[Line]:
    match detail:
        case GuardDifference(change, gained, lost):
            yield "", f"{change}: {WORDS[change]}"
            yield from (("-", clause) for clause in lost)
            yield from (("+", clause) for clause in gained)
        case Retyped(old, new):
            yield from (("-", old), ("+", new))
        case Reworded(spans):
            yield "-", "".join(span.text for span in spans if span.side != "new")
            yield "+", "".join(span.text for span in spans if span.side != "old")
        case Reoptioned(gained, lost):
            yield from (("-", f"option {option}") for option in lost)
            yield from (("+", f"option {option}") for option in gained)
        case Relocated(old, new):
            yield "", f"was in {say_site(old, new)}"


def _cut(text: str) -> str:
    shown = fold(text)
    return shown if len(shown) <= _LONG else f"{shown[: _LONG - 1].rstrip()}…"
