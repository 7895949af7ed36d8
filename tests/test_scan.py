"""A whole scan: same input, same bytes; nothing that can't be read is lost."""

import sysconfig
import tokenize
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import factories
import pytest

from catalog.records import Catalog, Target
from catalog.store import dump_catalog
from miner.guards import build_guard
from miner.locate import locate_units
from miner.scan import ScanOptions, mine_source, scan
from miner.slices import cut_slice
from miner.visitor import read_flow
from miner.walk import walk_flow

_LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES: Mapping[str, str | bytes] = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "shop/__init__.py": "from shop.errors import CartError\n",
    "shop/errors.py": "class CartError(ValueError): pass\nTEXT = 'cart is full'\n",
    "shop/cart.py": (
        "from shop import CartError\nfrom shop.errors import TEXT\n"
        "def add(cart, item):\n"
        "    if len(cart) > 9:\n        raise CartError(TEXT)\n"
        "    assert item is not None\n"
        "    try:\n        cart.append(item)\n    except AttributeError:\n        raise\n"
    ),
    "shop/latin.py": b"# coding: latin-1\nraise ValueError('\xe9')\n",
    "shop/broken.py": "def f(:\n    raise ValueError\n",
    "shop/bytes.py": b"raise ValueError('\xe9')\n",
    "shop/null.py": b"raise ValueError\0\n",
    "shop/deep/__init__.py": "",
    "shop/deep/more.py": "import shop.errors as e\ndef f(x):\n    if x:\n        raise e.CartError(f'bad {x=}')\n",
    "tests/test_cart.py": "def test(): assert True\n",
}


def scan_all(place: Path, **options: int) -> Catalog:
    return scan(str(place), ScanOptions(scope=("all",), **options))  # type: ignore[arg-type]


def without_header(catalog: Catalog) -> Catalog:
    blank = Target("shop", None, None, None, None, None, None, ("all",))
    entries = tuple(replace(entry, permalink=None) for entry in catalog.entries)
    return replace(catalog, target=blank, entries=entries)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    factories.write_files(FILES, tmp_path / "shop")
    return tmp_path / "shop"


def test_every_site_is_an_entry_or_a_reraise_and_every_unreadable_file_is_kept(folder: Path) -> None:
    catalog = scan_all(folder)
    assert [(entry.site.path, entry.site.line, entry.kind) for entry in catalog.entries] == [
        ("shop/cart.py", 5, "raise"),
        ("shop/cart.py", 6, "assert"),
        ("shop/deep/more.py", 4, "raise"),
        ("shop/latin.py", 2, "raise"),
    ]
    assert [(each.path, each.line, each.qualname) for each in catalog.reraises] == [("shop/cart.py", 10, "add")]
    assert [each.path for each in catalog.skipped] == ["shop/broken.py", "shop/bytes.py", "shop/null.py"]
    assert all(each.reason for each in catalog.skipped)
    assert (catalog.stats.files, catalog.stats.files_scanned, catalog.stats.files_skipped) == (9, 6, 3)


def test_names_are_followed_through_the_whole_target(folder: Path) -> None:
    first, _, deep, latin = scan_all(folder).entries
    assert first.exception.qualified == "shop.errors.CartError"
    assert first.exception.bases == ("ValueError", "Exception")
    assert first.message is not None
    assert (first.message.template, first.message.resolution) == ("cart is full", "constant")
    assert deep.exception.name == "CartError"
    assert latin.message is not None
    assert latin.message.template == "é"


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_bytes_do_not_depend_on_the_workers(folder: Path, workers: int) -> None:
    assert dump_catalog(scan_all(folder, workers=workers)) == dump_catalog(scan_all(folder))


def test_git_and_folder_give_the_same_but_for_the_header(folder: Path, make_repo: Callable[..., Path]) -> None:
    repository = make_repo(FILES)
    cloned = scan(str(repository), ScanOptions(scope=("all",), ref="main"))
    plain = scan_all(folder)
    assert cloned.target.commit is not None
    assert plain.target.commit is None
    as_shop = [replace(entry, id="") for entry in without_header(cloned).entries]
    assert [replace(entry, id="", related=()) for entry in without_header(plain).entries] == [
        replace(entry, related=()) for entry in as_shop
    ]
    assert (cloned.skipped, cloned.reraises) == (plain.skipped, plain.reraises)


def test_ids_are_unique_and_stay_when_lines_move(folder: Path) -> None:
    before = scan_all(folder)
    cart = folder / "shop/cart.py"
    cart.write_text("# a line\n\n" + cart.read_text())
    after = scan_all(folder)
    assert [entry.id for entry in before.entries] == [entry.id for entry in after.entries]
    assert len({entry.id for entry in after.entries}) == len(after.entries)


def test_same_sites_in_one_function_have_ids_of_their_own() -> None:
    entries = mine_source("def f(a):\n    if a == 1:\n        raise E('x')\n    if a == 2:\n        raise E('x')\n")
    assert len({entry.id for entry in entries}) == 2


@pytest.mark.parametrize(
    "module",
    [
        *("argparse", "calendar", "configparser", "csv", "dataclasses", "datetime", "enum", "fractions", "functools"),
        *("gettext", "gzip", "inspect", "ipaddress", "pathlib", "plistlib", "random", "shlex", "statistics", "string"),
        *("subprocess", "tarfile", "tempfile", "threading", "types", "uuid", "wave", "zipfile", "asyncio/streams"),
    ],
)
def test_what_is_left_out_before_parsing_changes_nothing(module: str) -> None:
    with tokenize.open(_LIBRARY / f"{module}.py") as file:
        text = file.read()
    for unit in locate_units(text):
        if unit.marks:
            pruned, whole = (
                [
                    build_guard(arrival.trail)
                    for arrival in walk_flow(
                        read_flow(cut_slice(text, unit, whole=keep), unit.marks, unit.kind), lambda _: False
                    )
                ]
                for keep in (False, True)
            )
            assert pruned == whole
