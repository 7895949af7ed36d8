"""How text of a target stands in Markdown: shown as it is, whatever it holds."""

import re
from urllib.parse import quote

from catalog.terminal import safe

_KEPT = ":/#?&=%~+@,;.-_"
"""What stands for itself in an address; brackets and quotes don't."""


def span_code(text: str) -> str:
    """Give text as a code span on one line, in which nothing is markup, mention or link."""
    line = safe(" ".join(text.split()))
    if not line:
        return "` `"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    edge = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{edge}{line}{edge}{fence}"


def link(text: str, url: str | None) -> str:
    """Link Markdown to a page of the web; without an address, or with one that isn't of the web, it stays alone."""
    if url is None or not url.startswith(("https://", "http://")):
        return text
    return f"[{text}]({quote(url, safe=':/#?&=%~+@,;.-_')})"
