"""What do the questions of the API mean, and what is found?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from catalog.changes.answer import build_answer
from catalog.changes.filters import Filter, find_options, read_kinds, select_changes
from catalog.choosing import Choice, choose_entries
from catalog.diff import Change, check_comparable, count_kinds, find_changes
from catalog.errors import QuestionError
from catalog.options import OptionAnswer, choose_options
from catalog.publish.server.answers import ErrorsAnswer, OptionsAnswer, answer_errors, answer_options
from catalog.publish.server.library import Library, Opened
from catalog.records import Entry, Target

_KEPT = 64
"""Answers to so many different questions are kept: the next page of a list costs nothing."""
_MOST_OPTIONS = 25
"""So many options are given of those that a part of a name means."""


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is asked for."""

    offset: int
    limit: int
    address: str
    """The address of the list."""
    query: tuple[tuple[str, str], ...]
    """What was asked besides."""

    def link_next(self) -> str:
        """Give the address of the page after this one."""
        numbers = [("offset", str(self.offset + self.limit)), ("limit", str(self.limit))]
        return f"{self.address}?{urlencode([*self.query, *numbers])}"


class Questions:
    """Answers what takes more than a look, and keeps the last answers; several threads may ask at once."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._choose = lru_cache(maxsize=_KEPT)(_choose)
        self._compare = lru_cache(maxsize=_KEPT)(_compare)

    def list_errors(self, target: str | None, version: str | None, choice: Choice, page: Page) -> ErrorsAnswer:
        """List the entries that fit."""
        found = [(each, entry) for each, entries in self._ask_each(target, version, choice) for entry in entries]
        return answer_errors(found, page.offset, page.limit, page.link_next())

    def _ask_each(
        self, target: str | None, version: str | None, choice: Choice
    ) -> Iterator[tuple[Target, Sequence[Entry]]]:
        """Ask each catalog; a name that one of them hasn't is refused when none has it."""
        refused: list[QuestionError] = []
        meant = self.library.choose(target, version)
        for opened in meant:
            try:
                yield opened.catalog.target, self._choose(opened, choice)
            except QuestionError as error:
                refused.append(error)
        if refused and len(refused) == len(meant):
            raise refused[0]

    def find_options(self, target: str | None, version: str | None, name: str) -> OptionsAnswer:
        """Find the options that a name means."""
        found = [
            (opened.catalog.target, OptionAnswer(option, opened.errors.get(option.id, ())))
            for opened in self.library.choose(target, version)
            for option in choose_options(opened.catalog.options, name)
        ]
        if not found:
            raise QuestionError("no option has this name")
        return answer_options(found, _MOST_OPTIONS)

    def compare(self, sides: "Sides", wanted: "Wanted", page: Page) -> dict[str, Any]:
        """Compare two versions of a target: a page of the changes that were asked for, counted over all."""
        old, new = self._choose_sides(sides)
        filters = Filter(
            read_kinds(wanted.kinds), wanted.paths, find_options(wanted.options, (old.catalog, new.catalog))
        )
        chosen = list(select_changes(self._compare(old, new), filters))
        shown = chosen[page.offset : page.offset + page.limit]
        answer = build_answer(old.catalog, new.catalog, shown)
        following = page.link_next() if page.offset + page.limit < len(chosen) else None
        answer["stats"] |= {"changes": len(chosen), **count_kinds(chosen)}
        return {"total": len(chosen), "offset": page.offset, "next": following, **answer}

    def _choose_sides(self, sides: "Sides") -> tuple[Opened, Opened]:
        """Give the older and the newer one; what isn't named is the newest, and the one before."""
        versions = self._list_versions(sides.target)
        new = self._find_version(versions, sides.new) if sides.new is not None else versions[0]
        if sides.old is not None:
            old = self._find_version(versions, sides.old)
        else:
            earlier = versions[versions.index(new) + 1 :]
            if not earlier:
                raise QuestionError(f"{new.catalog.target.name}: no earlier version is here to compare with")
            old = earlier[0]
        check_comparable(old.catalog.target, new.catalog.target, scoped=False)
        return old, new

    def _list_versions(self, target: str | None) -> tuple[Opened, ...]:
        if target is None and len(self.library.by_target) != 1:
            raise QuestionError(f"several targets are here; name one: {', '.join(self.library.by_target)}")
        newest = self.library.choose(target, None)[0]
        return self.library.by_target[newest.catalog.target.name]

    def _find_version(self, versions: Sequence[Opened], version: str) -> Opened:
        return self.library.choose(versions[0].catalog.target.name, version)[0]


@dataclass(frozen=True, slots=True)
class Sides:
    """Which versions are compared."""

    target: str | None
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which changes are asked for."""

    kinds: tuple[str, ...]
    paths: tuple[str, ...]
    options: tuple[str, ...]


def _choose(opened: Opened, choice: Choice) -> tuple[Entry, ...]:
    return tuple(choose_entries(opened.catalog, choice))


def _compare(old: Opened, new: Opened) -> tuple[Change, ...]:
    return tuple(find_changes(old.catalog, new.catalog))
