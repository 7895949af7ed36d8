"""Ids that survive what happens to an error, and never go to another one."""

from dataclasses import replace

import pytest
from factories import make_catalog, mine
from hypothesis import given, settings
from test_diff import make_entries

from catalog.errors import QuestionError
from catalog.identity import mint_ids
from catalog.lineage import carry_ids
from catalog.records import Catalog, Entry, Tombstone

CHECK = """
def check(size, limit):
    if size < 0:
        raise ValueError(f"a size of {size} is below zero")
    if size > limit:
        raise ValueError(f"a size of {size} is over {limit}")
"""


def scan(source: str, path: str = "pkg/module.py", **changes: object) -> Catalog:
    return make_catalog(mine(source, path=path), **changes)


def get_ids(catalog: Catalog) -> dict[str, str]:
    return {entry.title: entry.id for entry in catalog.entries}


EDITS = [
    ("moved to another file", CHECK, "pkg/other.py"),
    ("in a renamed function", CHECK.replace("def check", "def verify"), "pkg/module.py"),
    ("in a class now", "class Cart:" + CHECK.replace("\n", "\n    ").rstrip(" "), "pkg/module.py"),
    ("reguarded", CHECK.replace("size < 0", "size <= 0"), "pkg/module.py"),
    ("retyped", CHECK.replace("ValueError", "OverflowError"), "pkg/module.py"),
]


@pytest.mark.parametrize(("what", "source", "path"), EDITS, ids=[edit[0] for edit in EDITS])
def test_an_id_survives_and_the_own_one_becomes_an_alias(what: str, source: str, path: str) -> None:
    old, new = scan(CHECK), scan(source, path)
    carried = carry_ids(new, old)
    assert get_ids(carried) == get_ids(old)
    assert not carried.tombstones
    for entry, alone in zip(carried.entries, new.entries, strict=True):
        assert entry.previous == (() if alone.id == entry.id else (alone.id,))


def test_an_id_survives_a_rewording_and_then_a_move() -> None:
    first = scan(CHECK)
    second = carry_ids(scan(CHECK.replace("is below zero", "lies below zero")), first)
    third = carry_ids(scan(CHECK.replace("is below zero", "lies below zero"), "pkg/other.py"), second)
    assert [entry.id for entry in third.entries] == [entry.id for entry in first.entries]
    assert len(third.entries[0].previous) == 2


def test_a_removed_entry_leaves_a_tombstone_with_where_it_was_last() -> None:
    old = scan(CHECK, target__release="1.0")
    half = scan(CHECK[: CHECK.index("    if size > limit")], target__release="2.0")
    carried = carry_ids(half, old)
    gone = old.entries[1]
    assert carried.tombstones == (Tombstone(gone.id, gone.title, old.target.commit, "1.0"),)
    assert carry_ids(half, carried).tombstones == carried.tombstones


def test_a_removed_entry_that_comes_back_gets_its_id_back() -> None:
    old = scan(CHECK)
    half = carry_ids(scan(CHECK[: CHECK.index("    if size > limit")]), old)
    again = carry_ids(scan(CHECK), half)
    assert get_ids(again) == get_ids(old)
    assert not again.tombstones


def test_a_new_entry_at_the_old_place_of_a_moved_one_gets_a_fresh_id() -> None:
    old = scan(CHECK)
    other = CHECK[: CHECK.index("    if")] + CHECK[CHECK.index("    if size > limit") :].replace(
        "size > limit", "limit.full"
    )
    verify = CHECK.replace("def check", "def verify")
    # By itself the new entry in `check` would have the id that the moved one was given long ago.
    moved = carry_ids(scan(verify), old)
    new = scan(verify + "\n\n" + other)
    natural = next(entry for entry in new.entries if entry.site.qualname == "check")
    carried = carry_ids(new, moved)
    fresh = next(entry for entry in carried.entries if entry.site.qualname == "check")
    assert natural.id in get_ids(old).values()
    assert fresh.id not in {each for entry in moved.entries for each in (entry.id, *entry.previous)}
    assert get_ids(make_catalog(entry for entry in carried.entries if entry is not fresh)) == get_ids(old)
    assert carry_ids(new, moved) == carried


def test_swapped_equals_keep_their_own_ids() -> None:
    source = (
        "def check(low, high):\n"
        "    if low < 0:\n        raise ValueError('a bound is out of range')\n"
        "    if high > 9:\n        raise ValueError('a bound is out of range')\n"
    )
    turned = source.replace("low < 0", "X").replace("high > 9", "low < 0").replace("X", "high > 9")
    old = scan(source)
    carried = carry_ids(scan(turned), old)
    assert [entry.id for entry in carried.entries] == [entry.id for entry in reversed(old.entries)]
    assert all(entry.previous == () for entry in carried.entries)


def test_two_equal_checks_merged_into_a_helper_share_its_entry() -> None:
    text = '    if not name:\n        raise ValueError("a name is needed for this to work")\n'
    old = scan(f"def load(name):\n{text}\n\ndef save(name):\n{text}")
    call = "    check_name(name)\n"
    new = scan(f"def load(name):\n{call}\n\ndef save(name):\n{call}\n\ndef check_name(name):\n{text}")
    (entry,) = carry_ids(new, old).entries
    assert {each.id for each in old.entries} <= {entry.id, *entry.previous}
    assert not carry_ids(new, old).tombstones


def test_an_equal_check_that_is_deleted_while_the_other_stays_is_gone() -> None:
    text = '    if not name:\n        raise ValueError("a name is needed for this to work")\n'
    old = scan(f"def load(name):\n{text}\n\ndef save(name):\n{text}")
    carried = carry_ids(scan(f"def load(name):\n{text}"), old)
    assert [stone.id for stone in carried.tombstones] == [old.entries[1].id]


def test_related_entries_are_named_by_their_inherited_ids() -> None:
    old, new = scan(CHECK), scan(CHECK, "pkg/other.py")
    first, second = new.entries
    linked = replace(new, entries=(replace(first, related=(second.id,)), second))
    assert carry_ids(linked, old).entries[0].related == (old.entries[1].id,)


def test_a_baseline_of_another_target_or_scope_is_refused() -> None:
    with pytest.raises(QuestionError, match="two targets"):
        carry_ids(scan(CHECK), scan(CHECK, target__name="market"))
    with pytest.raises(QuestionError, match="scope"):
        carry_ids(scan(CHECK), scan(CHECK, target__scope=("config",)))


def _mint(entries: list[Entry]) -> Catalog:
    return make_catalog(mint_ids("shop", sorted(entries, key=lambda entry: (entry.site.path, entry.site.line))))


@settings(max_examples=200, deadline=None)
@given(make_entries(), make_entries(), make_entries())
def test_ids_and_aliases_stay_unique_over_a_chain(first: list[Entry], second: list[Entry], third: list[Entry]) -> None:
    baseline = _mint(first)
    for entries in (second, third, first):
        carried = carry_ids(_mint(entries), baseline)
        ids = [each for entry in carried.entries for each in (entry.id, *entry.previous)]
        stones = [stone.id for stone in carried.tombstones]
        assert len(ids + stones) == len(set(ids + stones))
        known = {each for entry in baseline.entries for each in (entry.id, *entry.previous)}
        known |= {stone.id for stone in baseline.tombstones}
        assert known <= set(ids + stones), "no address is forgotten"
        baseline = carried


@settings(max_examples=100, deadline=None)
@given(make_entries())
def test_a_catalog_as_its_own_baseline_stays_as_it_is(entries: list[Entry]) -> None:
    catalog = _mint(entries)
    assert carry_ids(catalog, catalog) == catalog


def test_an_id_never_goes_to_an_error_that_only_looks_alike() -> None:
    source = "def check(size):\n    total = 0\n    if size < 0:\n        raise ValueError(size)\n    return total\n"
    other = (
        "def check(size):\n    import zeta\n    for name in zeta.all():\n        raise ValueError(size)\n    print()\n"
    )
    old, new = scan(source), scan(other)
    assert old.entries[0].id == new.entries[0].id, "by themselves they have the same id"
    carried = carry_ids(new, old)
    assert carried.entries[0].id != old.entries[0].id
    assert [stone.id for stone in carried.tombstones] == [old.entries[0].id]
