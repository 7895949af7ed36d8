"""An entry without what people wrote beside the code: what a model was told in a comment is no fact to check it by."""

import re
from dataclasses import replace

from catalog.records import Entry

_PROSE = re.compile(r'"""(?s:.*?)"""|\'\'\'(?s:.*?)\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*')
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def keep_code(entry: Entry) -> Entry:
    """Leave of the source around a site only the names in its code: no comments, no strings, no docstring.

    A flag that only a comment or another message speaks of is then no flag. The entry's own message and guard stay.
    """
    code = _PROSE.sub(" ", entry.excerpt.text)
    names = "\n".join(" ".join(_NAME.findall(line)) for line in code.split("\n"))
    return replace(
        entry, excerpt=replace(entry.excerpt, text=names), site=replace(entry.site, docstring=None), remarks=()
    )
