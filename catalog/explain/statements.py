"""What does the statement at a site look like, line by line?"""

import re

import re2

from catalog.explain.squeeze import squeeze
from catalog.records import Entry

_LONGEST = 40
_LINE_END = re.compile(r"\r\n|\r|\n")
_MEAGER = re2.compile(r"^(?:raise[\w.]*\(?|\)|\]|assert\(?|return[\w.]*\(?)$")
"""A line that any statement may have."""


def list_lines(entry: Entry) -> list[str]:
    """List the lines of the site's statement as far as the excerpt has them, squeezed, empty ones left out."""
    start = entry.site.line - entry.excerpt.start_line
    length = entry.site.end_line - entry.site.line + 1
    lines = _LINE_END.split(entry.excerpt.text)[max(0, start) : max(0, start) + min(length, _LONGEST)]
    return [squeezed for squeezed in map(squeeze, lines) if squeezed]


def is_telling(squeezed: str) -> bool:
    """Tell whether a line says more than that something is raised."""
    return len(squeezed) >= 8 and not _MEAGER.match(squeezed)
