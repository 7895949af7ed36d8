"""Derived notes that are true, changed in one small way each: whatever then says something else is caught."""

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterator

import pytest
from factories import make_catalog
from mutants import list_mutants
from noteworld import KITCHEN
from optionworld import attach

from catalog.notes.evaluate import Unknown
from catalog.notes.facts import Facts
from catalog.notes.functions import Function, read_function
from catalog.notes.rules import derive_note
from catalog.notes.verify import has_passed, verify_note
from catalog.records import Entry, Note

PANTRY = {
    "shop/pantry.py": '''
        from dataclasses import dataclass, field


        @dataclass
        class PantryConfig:
            """What is kept, and where."""

            shelves: int = 4
            jars: int = 8
            lids: int | None = None
            spices: list[str] = field(default_factory=list)
            cold: float = 0.5
            label: str | None = None
            locked: bool = False
            key: str | None = None

            def __post_init__(self) -> None:
                if self.lids is not None and self.lids != self.jars:
                    raise ValueError("each jar needs one lid")
                if len(self.spices) > 12:
                    raise ValueError("too many spices")
                if not 0.0 <= self.cold <= 1.0:
                    raise ValueError("cold is a share")
                if self.locked and self.key is None:
                    raise ValueError("what is locked needs a key")
                if self.key is not None and not self.locked:
                    raise ValueError("a key without a lock")
                if self.label is not None and not isinstance(self.label, str):
                    raise TypeError("a label is text")
                if self.label is not None and len(self.label) < 3:
                    raise ValueError("the label is too short")
                if self.shelves > 20 and self.jars > 200 or self.shelves > 40:
                    raise ValueError("no room for that")
                if "salt" in self.spices and self.cold == 1:
                    raise ValueError("salt does not like it that cold")
                if self.shelves < 1 or self.jars < self.shelves:
                    raise ValueError("an empty shelf")

            def fill(self) -> None:
                if self.jars % self.shelves != 0:
                    raise ValueError(f"{self.jars} jars do not go evenly on {self.shelves} shelves")
    ''',
}
VALUES: dict[str, list[object]] = {
    "int": [*range(-3, 5), 11, 12, 13, *range(18, 24), *range(38, 44), *range(198, 204), *range(248, 254), 1000],
    "int | None": [None, *range(-3, 14), 30, 31],
    "float": [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0],
    "bool": [True, False],
    "list[str]": [*(["salt"] * length for length in range(15)), ["mint"], ["mint"] * 13],
    "str": ["round", "square", "oval", "0", "80", ""],
    "str | None": [None, "", "ab", "abc", "other"],
    "object": [None, "a", "ab", "abc", 0, 1],
}
"""What is tried on a check that got through, to see whether it says something else at all."""


def _list_notes() -> Iterator[tuple[Note, Entry, Facts]]:
    for sources in (KITCHEN, PANTRY):
        attached = attach(sources)
        facts = Facts.of(make_catalog(attached.entries, options=tuple(attached.options)))
        for entry in attached.entries:
            yield derive_note(entry, facts), entry, facts


NOTES = tuple(_list_notes())


@pytest.mark.parametrize(("note", "entry", "facts"), NOTES, ids=[entry.title for _, entry, _ in NOTES])
def test_the_derived_note_itself_passes(note: Note, entry: Entry, facts: Facts) -> None:
    assert [each for each in verify_note(note, entry, facts) if not each.passed] == []


def _says_the_same(one: Note, other: Note) -> bool:
    """Tell whether two notes differ in nothing but how their checks say the same."""
    assert one.check is not None
    assert other.check is not None
    before, after = read_function(one.check.code), read_function(other.check.code)
    for values in itertools.product(*(VALUES[before.hints[name]] for name in before.parameters)):
        arguments = dict(zip(before.parameters, values, strict=True))
        if _call(before, arguments) != _call(after, arguments):
            return False
    return dataclasses.replace(other, check=one.check) == one


def _call(function: Function, arguments: dict[str, object]) -> object:
    try:
        return bool(function.call(arguments))
    except Unknown:
        return None


def test_each_lie_that_is_one_small_change_away_is_caught() -> None:
    tried: Counter[str] = Counter()
    missed: list[tuple[str, str]] = []
    for note, entry, facts in NOTES:
        for kind, mutant in list_mutants(note):
            tried[kind] += 1
            if has_passed(verify_note(mutant, entry, facts)) and not _says_the_same(note, mutant):
                missed.append((kind, entry.title))
    assert missed == []
    assert len(tried) > 12
    assert tried.total() > 300
