"""A catalog file is asked through its kept index, which is made anew whenever it can't be trusted."""

import os
import threading
from pathlib import Path

import pytest
from explaining import CART, FILES, build_catalog, explain, find_place, index_shop
from factories import change

from catalog.errors import CatalogError
from catalog.explain import stored
from catalog.explain.stored import IndexedCatalog, index_catalog, open_catalog
from catalog.records import Skipped
from catalog.store import write_catalog

LOG = "ValueError: cart size=7 cannot exceed the warehouse shelf most=3"
FOUND = ("Cart.resize", "cart {size=} cannot exceed the warehouse shelf {most=}")


@pytest.fixture
def catalog_file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.json"
    write_catalog(build_catalog(), path)
    return path


def ask(path: Path, cache: Path | None) -> tuple[str, str] | None:
    with open_catalog(path, cache) as catalog:
        return find_place(LOG, [catalog])


def list_kept(cache: Path) -> list[Path]:
    return sorted((cache / "explain").glob("*"))


def test_an_index_is_kept_and_used_again(catalog_file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"

    assert ask(catalog_file, cache) == FOUND
    [kept] = list_kept(cache)
    written = kept.stat().st_mtime_ns
    assert ask(catalog_file, cache) == FOUND
    assert kept.stat().st_mtime_ns == written


def test_a_kept_index_spares_reading_the_catalog(
    catalog_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    ask(catalog_file, cache)
    monkeypatch.delattr(stored, "_make_columns")

    assert ask(catalog_file, cache) == FOUND


def test_nothing_is_kept_without_a_cache(catalog_file: Path, tmp_path: Path) -> None:
    assert ask(catalog_file, None) == FOUND
    assert [file.name for file in tmp_path.iterdir()] == ["shop.json"]


def test_a_changed_catalog_gets_a_new_index(catalog_file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    ask(catalog_file, cache)
    write_catalog(build_catalog({"shop/cart.py": CART.replace("cannot exceed", "must fit into")}), catalog_file)

    assert ask(catalog_file, cache) is None
    assert len(list_kept(cache)) == 1


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "junk", "other version", "no columns"])
def test_a_damaged_index_is_made_anew(catalog_file: Path, tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "cache"
    ask(catalog_file, cache)
    [kept] = list_kept(cache)
    whole = kept.read_bytes()
    damaged = {
        "empty": b"",
        "cut": whole[: len(whole) // 2],
        "flipped": whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:],
        "junk": os.urandom(500),
        "other version": whole.replace(b'"format":', b'"format":9', 1),
        "no columns": whole.split(b"\n")[0].split(b'"columns"')[0] + b'"columns":[]}\n',
    }[damage]
    kept.write_bytes(damaged)

    assert ask(catalog_file, cache) == FOUND
    assert kept.read_bytes() == whole


def test_a_folder_that_refuses_costs_no_answer(catalog_file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file stands where the folder should")

    assert ask(catalog_file, cache) == FOUND


def test_catalogs_laid_out_otherwise_are_read_too(catalog_file: Path, tmp_path: Path) -> None:
    import json

    indented = tmp_path / "indented.json"
    indented.write_text(json.dumps(json.loads(catalog_file.read_bytes()), indent=4, ensure_ascii=True))

    assert ask(indented, tmp_path / "cache") == FOUND


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema_version": 99}', '{"schema_version": 1, "entries": 3}'])
def test_what_is_no_catalog_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "shop.json"
    path.write_text(content)

    with pytest.raises(CatalogError, match=r"shop\.json: [^\n]+$"):
        ask(path, tmp_path / "cache")


def test_a_missing_catalog_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="missing"):
        ask(tmp_path / "missing.json", None)


def test_many_processes_may_build_at_once(catalog_file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    answers: list[object] = []
    threads = [threading.Thread(target=lambda: answers.append(ask(catalog_file, cache))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [FOUND] * 6
    assert len(list_kept(cache)) == 1


def test_nothing_of_a_log_is_kept(catalog_file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with open_catalog(catalog_file, cache) as catalog:
        explain(f"password=hunter2\n{LOG}", [catalog])

    assert all(b"hunter2" not in kept.read_bytes() for kept in list_kept(cache))


def test_several_versions_say_what_became_of_an_entry(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    write_catalog(build_catalog(release="2.0.0"), old)
    reworded = {
        **FILES,
        "shop/cart.py": CART.replace("cannot exceed the warehouse shelf", "must fit the warehouse shelf"),
    }
    write_catalog(build_catalog(reworded, release="2.1.0"), new)

    with open_catalog(old, None) as first, open_catalog(new, None) as second:
        [finding] = explain(LOG, [first, second]).findings

    assert finding.matches[0].catalog == "shop 2.0.0"
    assert finding.matches[0].lives == ("reworded in 2.1.0: cart size={} must fit the warehouse shelf most={}",)


def index_releases(*carts: str) -> list[IndexedCatalog]:
    """Index releases 2.0.0, 2.1.0, … of the shop, each with another cart."""
    return [index_shop({"shop/cart.py": cart}, f"2.{minor}.0") for minor, cart in enumerate(carts)]


@pytest.mark.parametrize(
    ("old", "new", "lives"),
    [
        ("cannot exceed", "must not exceed",
         ("reworded in 2.1.0: cart size={} must not exceed the warehouse shelf most={}",)),
        ("size is not None and size > most", "size is not None and size >= most",
         ("raised under another condition in 2.1.0 (loosened): size is not None and size >= most",)),
        ("raise ValueError(f\"cart", "raise OverflowError(f\"cart", ("raises OverflowError in 2.1.0",)),
        ("def resize(self", "def set_size(self", ("stands in 2.1.0 at shop/cart.py:6 in Cart.set_size",)),
        ("return size", "return size", ()),
    ],
)  # fmt: skip
def test_what_became_of_an_entry_is_what_its_lineage_says(old: str, new: str, lives: tuple[str, ...]) -> None:
    log = f"shop API server version 2.0.0\n\n{LOG}"
    [finding] = explain(log, index_releases(CART, CART.replace(old, new))).findings

    assert finding.matches[0].catalog == "shop 2.0.0"
    assert finding.matches[0].lives == lives


def test_each_version_is_compared_with_the_one_before() -> None:
    reworded = CART.replace("cannot exceed", "must not exceed")
    gone = reworded.replace("if size is not None and size > most:", "if False and size > most:").replace(
        'raise ValueError(f"cart', 'log(f"cart'
    )
    releases = index_releases(gone, CART, reworded, reworded, gone, gone)
    [finding] = explain(LOG, releases).findings

    assert finding.matches[0].catalog == "shop 2.1.0"
    assert finding.matches[0].lives == (
        "not yet in 2.0.0",
        "reworded in 2.2.0: cart size={} must not exceed the warehouse shelf most={}",
        "removed in 2.4.0",
    )


def test_an_entry_in_several_versions_is_one_match_of_the_newest_or_the_named_one() -> None:
    moved = CART.replace("def resize(self", "def set_size(self")
    releases = index_releases(CART, moved)

    [finding] = explain(LOG, releases).findings
    assert [match.catalog for match in finding.matches] == ["shop 2.1.0"]
    assert not finding.tied
    [finding] = explain(f"shop API server version 2.0.0\n\n{LOG}", releases).findings
    assert [match.catalog for match in finding.matches] == ["shop 2.0.0"]


def test_of_a_file_that_another_scan_skipped_nothing_is_said() -> None:
    later = change(build_catalog({}, "2.1.0"), {"skipped": (Skipped("shop/cart.py", "no Python"),)})
    [finding] = explain(LOG, [index_shop(release="2.0.0"), index_catalog(later, "later")]).findings

    assert finding.matches[0].lives == ()


def test_a_catalog_of_another_scope_says_nothing_of_what_it_lacks() -> None:
    later = change(build_catalog({}, "2.1.0"), {"target__scope": ("config",)})
    [finding] = explain(LOG, [index_shop(release="2.0.0"), index_catalog(later, "later")]).findings

    assert finding.matches[0].lives == ()


def test_the_lineage_of_two_catalogs_is_kept_and_never_trusted(tmp_path: Path) -> None:
    old, new, cache = tmp_path / "old.json", tmp_path / "new.json", tmp_path / "cache"
    write_catalog(build_catalog(release="2.0.0"), old)
    write_catalog(build_catalog({"shop/till.py": FILES["shop/till.py"]}, release="2.1.0"), new)

    def ask_both() -> tuple[str, ...]:
        with open_catalog(old, cache) as first, open_catalog(new, cache) as second:
            return explain(LOG, [first, second]).findings[0].matches[0].lives

    assert ask_both() == ("removed in 2.1.0",)
    [kept] = cache.rglob("*.kin")
    written = kept.read_bytes()
    for damaged in (b"", written[:-3], written.replace(b"digest", b"tsegid")):
        kept.write_bytes(damaged)
        assert ask_both() == ("removed in 2.1.0",)
        assert kept.read_bytes() == written
    write_catalog(build_catalog(release="2.1.0"), new)
    assert ask_both() == ()


def test_an_entry_that_a_later_version_lacks_is_said_to_be_removed() -> None:
    log = "TillError: nobody put coins into the till drawer"
    [finding] = explain(log, [index_shop(release="2.0.0"), index_shop({"shop/cart.py": CART}, "2.1.0")]).findings

    assert finding.matches[0].lives == ("removed in 2.1.0",)


@pytest.mark.parametrize(
    "banner",
    [
        "shop API server version 1.9.2",
        "Initializing shop==1.9.2",
        '  File "/usr/lib/python3/site-packages/shop-1.9.2-py3.11.egg/shop/x.py", line 3, in f',
        "INFO shop/1.9.2 started",
        "Name: shop\nVersion: 1.9.2",
    ],
)
def test_a_log_of_another_version_is_said_to_be(banner: str) -> None:
    remarks = explain(f"{banner}\n\n{LOG}").remarks

    assert len(remarks) == 1
    assert "shop 1.9.2" in remarks[0] and "2.1.0" in remarks[0]


@pytest.mark.parametrize("banner", ["shop API server version 2.1.0", "worship 1.9.2", "shop at 10.0.0.1", "no version"])
def test_a_log_of_the_same_version_or_of_none_says_nothing(banner: str) -> None:
    assert explain(f"{banner}\n\n{LOG}").remarks == ()
