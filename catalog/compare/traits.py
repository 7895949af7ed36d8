"""By what can an entry be recognised in another catalog?"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from catalog.compare.clauses import Checks, OwnGuard, list_checks, list_names, read_own_guard
from catalog.records import Entry

Place = tuple[str, str]
"""Path and qualname."""

_LINES_BEFORE = 6
_LINES_AFTER = 4


@dataclass(frozen=True)
class Function:
    """The entries of one function, class or module body."""

    place: Place
    entries: tuple[Entry, ...]
    """In the order of their sites."""

    @cached_property
    def checks(self) -> Checks:
        """What its entries check."""
        return list_checks(self.entries)

    @cached_property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The words of each entry's message."""
        return tuple(list_words(entry.message.template) if entry.message else () for entry in self.entries)


@dataclass(frozen=True)
class Traits:
    """An entry with what speaks for its being the same error, worked out when asked for."""

    entry: Entry
    function: Function
    rank: int
    """Its place among the entries of its function."""

    @property
    def place(self) -> Place:
        """Where it stands: path and qualname."""
        return self.function.place

    @property
    def exception(self) -> str:
        """The short name of what is raised."""
        return self.entry.exception.name

    @property
    def template(self) -> str:
        """The message as the source has it; empty without one."""
        return self.entry.message.template if self.entry.message else ""

    @property
    def skeleton(self) -> str:
        """The fixed text of the message; empty without one."""
        return self.entry.message.skeleton if self.entry.message else ""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the template, those in its holes too: `--max-len` and `max_len` are the same two."""
        return self.function.texts[self.rank]

    @cached_property
    def letters(self) -> int:
        """How many letters the message fixes."""
        return sum(map(str.isalnum, self.skeleton))

    @cached_property
    def own_guard(self) -> OwnGuard:
        """The part of the guard that decides about this entry alone."""
        return read_own_guard(self.entry, self.function.checks)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names its own guard speaks of."""
        return frozenset().union(*map(list_names, self.own_guard.tests))

    @cached_property
    def content(self) -> tuple[str, str, str]:
        """What it raises, says and checks: the same wherever it is moved."""
        return self.exception, self.skeleton, self.own_guard.innermost

    @cached_property
    def surroundings(self) -> Counter[str]:
        """The lines around the statement, without their indentation, and the statement's own."""
        excerpt, site = self.entry.excerpt, self.entry.site
        first = max(0, site.line - excerpt.start_line - _LINES_BEFORE)
        last = site.end_line - excerpt.start_line + 1 + _LINES_AFTER
        lines = (line.strip() for line in excerpt.text.splitlines()[first:last])
        return Counter(line for line in lines if line)


def list_words(text: str) -> tuple[str, ...]:
    """Give the words of a text or an expression, in lower case and with names taken apart."""
    return tuple(re.findall(r"[^\W_]+", text.lower()))


def read_traits(entries: Iterable[Entry]) -> list[Traits]:
    """Read the traits of all entries of a catalog, in the order of their sites."""
    places: dict[Place, list[Entry]] = defaultdict(list)
    for entry in entries:
        places[entry.site.path, entry.site.qualname].append(entry)
    traits: list[Traits] = []
    for place in sorted(places):
        members = sorted(places[place], key=lambda entry: (entry.site.line, entry.site.column, entry.id))
        function = Function(place, tuple(members))
        traits.extend(Traits(entry, function, rank) for rank, entry in enumerate(members))
    return traits
