"""What became of a note's entry, told from the fingerprint, the ids it had and the place."""

from typing import Any

import pytest
from factories import make_catalog, make_entry
from notemaking import make_note

from catalog.notes.states import Registry, find_state, is_about
from catalog.records import Basis, Fingerprint, Tombstone

SAME = Fingerprint("0" * 16, "0" * 16)
ID = "00000000000000aa"

STATES = [
    ({}, "fresh", ""),
    ({"site__line": 40, "excerpt__start_line": 39}, "moved", "was shop/cart.py:12"),
    ({"site__path": "shop/basket.py"}, "moved", "was shop/cart.py:12"),
    ({"id": "00000000000000bb", "previous": (ID,)}, "moved", f"its id was {ID}"),
    ({"title": "another title", "site__docstring": "new", "family": "missing"}, "fresh", ""),
    ({"fingerprint__template": "1" * 16}, "reworded", ""),
    ({"fingerprint__guard": "1" * 16}, "guard changed", ""),
    ({"fingerprint__guard": "1" * 16, "site__line": 40}, "guard changed", ""),
    ({"fingerprint": Fingerprint("1" * 16, "2" * 16)}, "guard changed", "and its message was reworded"),
    ({"id": "00000000000000bb", "previous": (ID,), "fingerprint__template": "1" * 16}, "reworded", ""),
    ({"id": "00000000000000bb"}, "orphaned", f"no entry of this catalog has the id {ID}"),
]


@pytest.mark.parametrize(("changes", "state", "detail"), STATES)
def test_the_state_of_a_note_follows_its_entry(changes: dict[str, Any], state: str, detail: str) -> None:
    entry = make_entry(**{"id": ID, "fingerprint": SAME, **changes})
    found = find_state(make_note(), Registry(make_catalog([entry])))
    assert (found.state, found.detail) == (state, detail)
    assert found.entry == (None if state == "orphaned" else entry)
    assert found.is_stale == (state in ("reworded", "guard changed", "orphaned"))


def test_a_note_that_names_no_place_is_not_moved_by_one() -> None:
    entry = make_entry(id=ID, fingerprint=SAME, site__line=99)
    assert find_state(make_note(basis=None), Registry(make_catalog([entry]))).state == "fresh"


def test_an_id_that_an_entry_has_wins_over_one_that_another_had() -> None:
    heir = make_entry(id="00000000000000bb", previous=(ID,), site__line=1)
    owner = make_entry(id=ID, fingerprint=SAME)
    assert find_state(make_note(), Registry(make_catalog([heir, owner]))).entry == owner


def test_an_orphan_tells_where_its_entry_was_last_seen() -> None:
    catalog = make_catalog([], tombstones=(Tombstone(ID, "gone", None, "0.9"),))
    assert find_state(make_note(), Registry(catalog)).detail.endswith("last seen in 0.9")


@pytest.mark.parametrize(
    ("basis", "expected"), [(None, True), (Basis("shop", None, None), True), (Basis("other", None, None), False)]
)
def test_a_note_of_another_target_is_not_about_this_one(basis: Basis | None, expected: bool) -> None:
    assert is_about(make_note(basis=basis), make_catalog().target) == expected
