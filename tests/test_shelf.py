import os
from pathlib import Path
from typing import Any

import pytest
from factories import make_catalog, make_entry

from catalog.errors import CatalogError
from catalog.records import Catalog
from catalog.shelf import choose_place, find_catalogs, open_catalog
from catalog.store import write_catalog

OLD, NEW = make_catalog(target__release="1.0"), make_catalog(target__release="2.0")


def fill(folder: Path) -> None:
    write_catalog(NEW, folder / "shop" / "2.0.json")
    write_catalog(OLD, folder / "shop" / "1.0.json")
    os.utime(folder / "shop" / "1.0.json", (1, 1))
    (folder / "package.json").write_text('{"name": "something else"}')


def releases(*given: str, folder: Path = Path("none")) -> list[str | None]:
    return [found.load().target.release for found in find_catalogs(given, None, folder)]


def test_without_a_name_the_newest_catalog_is_meant(tmp_path: Path) -> None:
    fill(tmp_path)
    assert releases(folder=tmp_path) == ["2.0"]


def test_a_folder_means_all_its_catalogs_newest_first(tmp_path: Path) -> None:
    fill(tmp_path)
    assert releases(str(tmp_path)) == ["2.0", "1.0"]
    assert releases(str(tmp_path / "shop" / "1.0.json"), str(tmp_path)) == ["1.0", "2.0", "1.0"]
    assert open_catalog(str(tmp_path)) == NEW


def test_where_no_catalog_is_a_target_is_scanned(tmp_path: Path) -> None:
    asked = []

    def scan(target: str) -> Catalog:
        asked.append(target)
        return make_catalog([make_entry()])

    (tmp_path / "package.json").write_text("{}")
    found = find_catalogs(["vllm==0.28.0", str(tmp_path)], scan)
    assert asked == []
    assert [each.name for each in found] == ["vllm==0.28.0", str(tmp_path)]
    assert len(found[0].load().entries) == 1
    assert asked == ["vllm==0.28.0"]
    assert len(open_catalog("shop", scan).entries) == 1


@pytest.mark.parametrize("given", ["missing.json", "vllm", "."])
def test_what_is_no_catalog_is_refused_where_nothing_can_be_scanned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CatalogError, match="errmine scan TARGET"):
        find_catalogs([given])
    with pytest.raises(CatalogError, match="errmine scan TARGET"):
        open_catalog("missing.json", lambda _: NEW)
    with pytest.raises(CatalogError, match=r"no catalog below catalogs/"):
        find_catalogs([])


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"target__release": "0.28.0"}, "catalogs/shop/0.28.0.json"),
        ({}, "catalogs/shop/c0ffee000000.json"),
        ({"target__dirty": True}, "catalogs/shop/c0ffee000000-dirty.json"),
        ({"target__commit": None}, "catalogs/shop/folder.json"),
        ({"target__name": "../../etc", "target__release": "/passwd"}, "catalogs/etc/passwd.json"),
        ({"target__name": "..", "target__release": "1.0+cu 12\n"}, "catalogs/unnamed/1.0+cu-12.json"),
        ({"target__name": "x" * 999}, f"catalogs/{'x' * 100}/c0ffee000000.json"),
    ],
)
def test_a_new_catalog_gets_a_place_that_says_what_it_is_of(changes: dict[str, Any], place: str) -> None:
    assert choose_place(make_catalog(**changes).target).as_posix() == place
