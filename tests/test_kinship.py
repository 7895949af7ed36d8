"""Families with their entries across several catalogs."""

import json
from pathlib import Path

import pytest
from factories import make_catalog, make_entry
from test_annotate import run

from catalog.errors import QuestionError
from catalog.kinship import find_kin, list_kin
from catalog.records import Catalog
from catalog.store import write_catalog

SHOP = make_catalog(
    [make_entry(site__line=1, family="missing"), make_entry(site__line=2), make_entry(site__line=3)],
    target__release="1.0",
)
MILL = make_catalog([make_entry(site__line=9, family="out-of-range", title="grain too coarse")], target__name="mill")


def count(catalogs: list[Catalog]) -> list[tuple[str, list[int]]]:
    return [(kin.family, [len(each.entries) for each in kin.members]) for kin in list_kin(catalogs)]


def test_families_are_counted_in_each_catalog_the_largest_first() -> None:
    assert count([SHOP, MILL]) == [("out-of-range", [2, 1]), ("missing", [1, 0])]
    assert count([MILL]) == [("out-of-range", [1])]
    assert count([]) == []


@pytest.mark.parametrize("name", ["out-of-range", "Out of range", "out_of_range"])
def test_a_family_is_found_as_people_write_it(name: str) -> None:
    assert [len(each.entries) for each in find_kin(name, [SHOP, MILL]).members] == [2, 1]


def test_a_family_that_nobody_knows_is_refused_with_those_there_are() -> None:
    with pytest.raises(QuestionError, match="out of order: no such family; there are duplicate, internal"):
        find_kin("out of order", [SHOP])


def test_the_command_lists_families_and_the_entries_of_one(tmp_path: Path) -> None:
    write_catalog(SHOP, tmp_path / "shop.json")
    write_catalog(MILL, tmp_path / "mill.json")
    both = ["--catalog", "shop.json", "--catalog", "mill.json"]
    table = run("families", *both, cwd=tmp_path).stdout.splitlines()
    assert [line.split()[:3] for line in table[1:]] == [["out-of-range", "2", "1"], ["missing", "1", "0"]]
    assert table[0].startswith("FAMILY        shop 1.0  mill main  ABOUT")
    listed = run("families", "out-of-range", "--limit", "1", *both, cwd=tmp_path).stdout
    assert "shop 1.0: 2 entries\n" in listed
    assert "\n  and 1 more\n" in listed
    assert "mill main: 1 entry\n" in listed
    assert "shop/cart.py:9  grain too coarse\n" in listed
    (told,) = json.loads(run("families", "missing", "--json", *both, cwd=tmp_path).stdout)
    assert [each["count"] for each in told["members"]] == [1, 0]


def test_a_family_without_entries_is_exit_code_1(tmp_path: Path) -> None:
    write_catalog(SHOP, tmp_path / "shop.json")
    assert run("families", "permission", "--catalog", "shop.json", cwd=tmp_path).returncode == 1
    assert run("families", "nonsense", "--catalog", "shop.json", cwd=tmp_path).returncode == 2
