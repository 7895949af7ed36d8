"""`errmine options`, as a person runs it, and what its answers mean."""

import json
from pathlib import Path

import pytest
from factories import make_catalog, make_entry
from test_cli import run

from catalog.options import find_options
from catalog.records import Catalog, Option, OptionKind, OptionUse
from catalog.store import write_catalog


def make_option(id_: str, flags: tuple[str, ...] = (), type_: str | None = None, owner: str | None = None) -> Option:
    kind: OptionKind = "env" if id_.isupper() else "flag" if id_.startswith("-") else "field"
    name = id_.lstrip("-").replace("-", "_").rpartition(".")[2]
    return Option(id_, kind, name, flags, owner, type_, "3", ("1", "2"), "How many fit.", "shop/cart.py", 4)


OPTIONS = (
    make_option("--verbose", ("--verbose", "-v")),
    make_option("CART_SIZE"),
    make_option("CartConfig.size", ("--cart-size", "-s", "--cart-config"), "int", "CartConfig"),
    make_option("CartConfig.width", ("--cart-config",), "int", "CartConfig"),
    make_option("ShopArgs.cart_config", ("--cart-config",), "CartConfig | None", "ShopArgs"),
    make_option("ShopArgs.cart_size", ("--cart-size", "-s"), "int", "ShopArgs"),
)


@pytest.fixture
def catalog() -> Catalog:
    use = OptionUse("CartConfig.size", "n", ("guard", "message"), ("parameter n of check", "shop/cart.py:9: self.size"))
    entry = make_entry(options=(use,), title="too \x1b[31mmuch", site__line=7)
    return make_catalog([entry, make_entry(id="0" * 16, site__line=8)], options=OPTIONS)


QUESTIONS = [
    ("CartConfig.size", ["CartConfig.size"]),
    ("--cart-size", ["CartConfig.size", "ShopArgs.cart_size"]),
    ("-s", ["CartConfig.size", "ShopArgs.cart_size"]),
    ("--cart-config", ["ShopArgs.cart_config"]),
    ("--cart-config.width", ["CartConfig.width"]),
    ("size", ["CartConfig.size"]),
    ("CART_SIZE", ["CART_SIZE"]),
    ("cart-size", ["CART_SIZE", "CartConfig.size", "ShopArgs.cart_size"]),
    ("verb", ["--verbose"]),
    ("-v", ["--verbose"]),
    ("wheels", []),
    ("--", []),
]


@pytest.mark.parametrize(("question", "ids"), QUESTIONS)
def test_an_option_is_found_by_what_people_call_it(catalog: Catalog, question: str, ids: list[str]) -> None:
    assert [answer.option.id for answer in find_options(catalog, question)] == ids


def test_an_option_has_its_errors_and_the_names_they_use(catalog: Catalog) -> None:
    (answer,) = find_options(catalog, "CartConfig.size")
    assert [(error.entry.site.line, [use.as_ for use in error.uses]) for error in answer.errors] == [(7, ["n"])]


def test_a_flag_is_asked_for_as_it_stands(catalog: Catalog, tmp_path: Path) -> None:
    write_catalog(catalog, tmp_path / "shop.json")
    done = run("options", "--cart-size", "--catalog", "shop.json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "CartConfig.size\n  kind field\n  set with --cart-size, -s, --cart-config\n" in done.stdout
    assert "Part of 1 error\n• too \\x1b[31mmuch\n" in done.stdout
    assert "in the guard and the message, as n" in done.stdout


def test_all_options_are_a_table(catalog: Catalog, tmp_path: Path) -> None:
    write_catalog(catalog, tmp_path / "shop.json")
    done = run("options", "--catalog", "shop.json", folder=tmp_path)
    assert [line.split()[0] for line in done.stdout.splitlines()] == [option.id for option in OPTIONS]


def test_the_json_has_the_option_and_its_errors(catalog: Catalog, tmp_path: Path) -> None:
    write_catalog(catalog, tmp_path / "shop.json")
    done = run("options", "CartConfig.size", "--json", "--catalog", "shop.json", folder=tmp_path)
    (answer,) = json.loads(done.stdout)["options"]
    assert answer["option"]["flags"] == ["--cart-size", "-s", "--cart-config"]
    assert answer["errors"][0]["uses"][0]["as"] == "n"
    assert answer["errors"][0]["site"]["line"] == 7


def test_no_option_is_exit_code_1(catalog: Catalog, tmp_path: Path) -> None:
    write_catalog(catalog, tmp_path / "shop.json")
    done = run("options", "wheels", "--catalog", "shop.json", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no option in shop.json fits 'wheels'" in done.stderr
