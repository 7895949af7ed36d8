"""Prose with code in backticks → the same for a page."""

import re

from markupsafe import Markup

from catalog.publish.site.harmless import show

_FLAG = '<code class="flag">{}</code>'
"""One that is short enough to stand on a line of a phone, so that it needn't be broken at its hyphens."""


def prose(text: str) -> Markup:
    """Write a note's prose: what stands in backticks is code, a blank line begins a paragraph; all else is text."""
    pieces = re.split(r"(`[^`\n]+`)", show(text.strip()))
    html = Markup("").join(
        Markup(_FLAG if re.fullmatch(r"--?[\w-]{1,34}", piece[1:-1]) else "<code>{}</code>").format(piece[1:-1])
        if index % 2
        else Markup("{}").format(piece)
        for index, piece in enumerate(pieces)
    )
    return Markup("<br><br>").join(Markup(part) for part in str(html).split("\n\n"))
