"""How well do two plain ways find the template of a message in a log?"""

import re2
from rapidfuzz import fuzz, process

from catalog.explain.shapes import list_texts
from catalog.records import Catalog, Entry, Hole, Part, Text

ALIKE = 85
"""From this ratio on the fuzzy baseline says that it has found something."""


class Baseline:
    """A plain way to look a log up among templates."""

    name: str

    def find(self, log: str) -> str | None:
        """Give the skeleton found, or None."""
        raise NotImplementedError


class Anchored(Baseline):
    """Each line against each template as a pattern; of several the one with most fixed text."""

    name = "anchored"

    def __init__(self, catalog: Catalog) -> None:
        """Compile each template."""
        options = re2.Options()
        options.dot_nl = True
        options.log_errors = False
        self.patterns: list[tuple[int, str, re2._Regexp]] = []
        for entry in catalog.entries:
            for parts, skeleton in zip(list_texts(entry), list_skeletons(entry), strict=True):
                fixed = sum(len(part.text) for part in parts if isinstance(part, Text))
                if fixed:
                    pattern = re2.compile("".join(map(write_part, parts)), options)
                    self.patterns.append((fixed, skeleton, pattern))

    def find(self, log: str) -> str | None:
        """Try each line, and of several templates that fit take the one with most fixed text."""
        lines = log.split("\n")
        found = (
            (fixed, skeleton)
            for fixed, skeleton, pattern in self.patterns
            if any(pattern.fullmatch(line) for line in lines)
        )
        return max(found, default=(0, None))[1]


class Fuzzy(Baseline):
    """The likest template."""

    name = "rapidfuzz"

    def __init__(self, catalog: Catalog) -> None:
        """Keep each template's fixed words."""
        self.skeletons = sorted({skeleton for entry in catalog.entries for skeleton in list_skeletons(entry)})
        self.choices = [skeleton.replace("{}", " ") for skeleton in self.skeletons]

    def find(self, log: str) -> str | None:
        """Compare the last part of the log with each."""
        found = process.extractOne(log[-2_000:], self.choices, scorer=fuzz.token_set_ratio, score_cutoff=ALIKE)
        return self.skeletons[found[2]] if found else None


def write_part(part: Part) -> str:
    """Write a part of a message as a pattern."""
    match part:
        case Text(text):
            return str(re2.escape(text))
        case Hole(expr=expr, self_documenting=True):
            return f"{re2.escape(expr)}=.*"
    return ".*"


def list_skeletons(entry: Entry) -> list[str]:
    """List the skeletons of an entry's texts, in the order of `list_texts`."""
    if entry.message is None:
        return []
    texts = entry.message.alternatives or (entry.message,)
    return [text.skeleton for text in texts if text.parts]
