"""What does the statement at a site look like, line by line?"""

import re
from functools import lru_cache

import re2

from catalog.explain.squeeze import squeeze
from catalog.records import Entry

_LONGEST = 40
_LINE_END = re.compile(r"\r\n|\r|\n")
_MEAGER = re2.compile(r"^(?:raise[\w.]*\(?|\)|\]|assert\(?|return[\w.]*\(?)$")
"""A line that any statement may have."""


def list_lines(entry: Entry) -> tuple[str, ...]:
    """List the lines of the site's statement as far as the excerpt has them, squeezed, empty ones left out."""
    start = max(0, entry.site.line - entry.excerpt.start_line)
    length = entry.site.end_line - entry.site.line + 1
    return _squeeze_lines(entry.excerpt.text, start, start + min(length, _LONGEST))


@lru_cache(maxsize=2_048)
def _squeeze_lines(text: str, start: int, end: int) -> tuple[str, ...]:
    return tuple(filter(None, map(squeeze, _LINE_END.split(text)[start:end])))


def is_telling(squeezed: str) -> bool:
    """Tell whether a line says more than that something is raised."""
    return len(squeezed) >= 8 and not _MEAGER.match(squeezed)
