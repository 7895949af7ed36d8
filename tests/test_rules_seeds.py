"""Derived notes hold where notes written by hand have failed: they set real keys, and their checks fire."""

import dataclasses

import pytest
from noteworld import make_kitchen

from catalog.notes.facts import Facts
from catalog.notes.rules import derive_note
from catalog.notes.verify import has_passed, verify_note
from catalog.records import Check, Entry, Example, Note

_KITCHEN = make_kitchen()
_FACTS = Facts.of(_KITCHEN)


def _find(word: str) -> Entry:
    (entry,) = (entry for entry in _KITCHEN.entries if word in entry.title)
    return entry


def _list_failed(note: Note, entry: Entry) -> set[str]:
    return {verification.check for verification in verify_note(note, entry, _FACTS) if not verification.passed}


@pytest.mark.parametrize("entry", _KITCHEN.entries, ids=lambda entry: entry.title)
def test_the_derived_note_of_every_entry_passes_all_checks(entry: Entry) -> None:
    note = derive_note(entry, _FACTS)
    assert has_passed(verify_note(note, entry, _FACTS))
    assert note.example is not None
    assert note.check is not None


@pytest.mark.parametrize(
    ("word", "parameter", "before", "after"),
    [
        ("oven_reach", "oven_reach", "--oven '{\"reach\": 2}'", "--oven '{\"reach\": 1}'"),
        ("oven_trays", "oven_trays", "--trays 1 --oven '{\"trays\": 2}'", "--trays 1 --oven '{\"trays\": 1}'"),
        ("must reach over", "block=int", "--window 2 --block 4", "--window 4 --block 4"),
    ],
)
def test_the_three_situations_name_what_the_user_sets(word: str, parameter: str, before: str, after: str) -> None:
    note = derive_note(_find(word), _FACTS)
    assert note.example is not None
    assert note.check is not None
    assert note.example.before.endswith(before)
    assert note.example.after.endswith(after)
    assert parameter not in f"{note.meaning} {note.solutions} {note.trigger} {note.example} {note.check.code}"


def test_a_key_that_is_only_the_helpers_parameter_fails_where_the_derived_example_passes() -> None:
    entry = _find("oven_reach")
    note = derive_note(entry, _FACTS)
    given = "# given: rack_reach = 1\n"
    by_parameter = Example(f"{given}--oven '{{\"oven_reach\": 2}}'", f"{given}--oven '{{\"oven_reach\": 1}}'", "sh")
    assert _list_failed(note, entry) == set()
    assert "names" in _list_failed(dataclasses.replace(note, example=by_parameter), entry)


def test_a_check_that_takes_unset_for_zero_fails_where_the_derived_one_fires() -> None:
    entry = _find("must reach over")
    note = derive_note(entry, _FACTS)
    lax = Check(
        "validation",
        "def check_window(window: int | None, block: int | None) -> bool:\n"
        '    """Tell whether the window reaches over the block."""\n'
        "    return window is None or window >= 0\n",
    )
    assert _list_failed(note, entry) == set()
    assert "check" in _list_failed(dataclasses.replace(note, check=lax), entry)


def test_the_same_entry_has_the_same_note() -> None:
    assert [derive_note(entry, _FACTS) for entry in _KITCHEN.entries] == [
        derive_note(entry, Facts.of(make_kitchen())) for entry in make_kitchen().entries
    ]
