"""The law: when a site fires, its clauses are true in the frame, and the message matches. `scripts/law` tries more."""

import json
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import factories
import pytest
from law import Outcome, make_table, read_outcome, read_suites, run_program, run_suite

from miner.scan import ScanOptions, scan

SHOP = """
    class CartError(ValueError):
        pass


    class Cart:
        def __init__(self, limit=3):
            self.items = []
            self.__limit = limit

        def add(self, item, count=1):
            if item is None:
                raise CartError("no item")
            if not isinstance(count, int) or count < 1:
                raise CartError(f"{count=} is no number of items")
            for _ in range(count):
                if len(self.items) >= self.__limit:
                    raise CartError("the cart holds %d items, and %s is one too many" % (self.__limit, item))
                self.items.append(item)

        def take(self, name):
            for index, item in enumerate(self.items):
                if item == name:
                    return self.items.pop(index)
            raise KeyError(f"no {name} in the cart")

        def check(self, prices):
            missing = [item for item in self.items if item not in prices]
            assert not missing, "no price for {}".format(", ".join(missing))
            match prices.get("currency"):
                case "EUR" | "USD":
                    return sum(prices[item] for item in self.items)
                case None:
                    raise LookupError("no currency")
                case other:
                    raise ValueError(f"{other!r} is no currency")


    def parse(text, strict=False):
        numbers = []
        while text:
            head, _, text = text.partition(",")
            if not head.strip():
                if strict:
                    raise ValueError("an empty number")
                continue
            try:
                numbers.append(int(head))
            except ValueError as error:
                raise ValueError(f"{head!r} is no number") from error
        if strict and not numbers:
            raise ValueError("no number")
        numbers = numbers or [0]
        if (largest := max(numbers)) > 100:
            raise OverflowError(f"{largest} is more than 100")
        return numbers
"""
PROGRAM = """
    import itertools
    from shop import Cart, parse

    def attempt(function, *arguments, **named):
        try:
            function(*arguments, **named)
        except (ValueError, KeyError, LookupError, AssertionError, OverflowError, TypeError):
            pass

    for limit, item, count in itertools.product((0, 1, 3), (None, "a", "b"), (1, 2, 0, -1, "x", 5)):
        cart = Cart(limit)
        attempt(cart.add, item, count)
        attempt(cart.take, "a")
        attempt(cart.check, {})
        attempt(cart.check, {"a": 1, "b": 2})
        attempt(cart.check, {"a": 1, "b": 2, "currency": "EUR"})
        attempt(cart.check, {"a": 1, "b": 2, "currency": "XXX"})
    for text, strict in itertools.product(("", "1", ",", "1,,2", "x", "1,x", "200", "7,101,3"), (True, False)):
        attempt(parse, text, strict=strict)
"""


def watch(source: str, program: str, folder: Path) -> Outcome:
    factories.write_files(
        {"mined/shop/__init__.py": textwrap.dedent(source), "run.py": textwrap.dedent(program)}, folder
    )
    catalog = scan(str(folder / "mined"), ScanOptions(scope=("all",)))
    table = folder / "table.json"
    table.write_text(json.dumps(make_table(catalog, folder / "mined")))
    (folder / "mined/run.py").write_text((folder / "run.py").read_text())
    return run_program("shop", Path(sys.executable), table, folder, [str(folder / "mined/run.py")], folder, minutes=1)


def test_the_law_holds_for_a_small_package(tmp_path: Path) -> None:
    outcome = watch(SHOP, PROGRAM, tmp_path)
    assert outcome.fired > 150
    assert outcome.evaluated > 250
    assert outcome.messages > 100
    assert (outcome.violations, outcome.mismatches) == ((), ())


def test_what_breaks_the_law_is_seen(tmp_path: Path) -> None:
    watch(SHOP, PROGRAM, tmp_path)
    table = json.loads((tmp_path / "table.json").read_text())
    for site in table["shop/__init__.py"]["sites"]:
        for clause in site["clauses"]:
            clause["negated"] = not clause["negated"]
        site["patterns"] = ["never"]
    (tmp_path / "table.json").write_text(json.dumps(table))
    program: Sequence[str] = [str(tmp_path / "mined/run.py")]
    outcome = run_program("shop", Path(sys.executable), tmp_path / "table.json", tmp_path, program, tmp_path)
    assert len(outcome.violations) > 8
    assert len(outcome.mismatches) > 8


def test_a_changed_file_is_not_watched(tmp_path: Path) -> None:
    watch(SHOP, PROGRAM, tmp_path)
    module = tmp_path / "mined/shop/__init__.py"
    module.write_text("# moved\n" + module.read_text())
    program: Sequence[str] = [str(tmp_path / "mined/run.py")]
    assert run_program("shop", Path(sys.executable), tmp_path / "table.json", tmp_path, program, tmp_path).fired == 0


def test_a_program_that_says_nothing_shows_nothing(tmp_path: Path) -> None:
    assert read_outcome("none", tmp_path) == Outcome("none")


@pytest.mark.parametrize("module", ["fractions", "ipaddress"])
def test_the_law_holds_in_a_part_of_the_standard_library(module: str, tmp_path: Path) -> None:
    if subprocess.run(
        [sys.executable, "-c", f"import test.test_{module}"], check=False, capture_output=True
    ).returncode:
        pytest.skip("this Python comes without its own tests")
    library = Path(textwrap.__file__).parent
    factories.write_files({f"mined/{module}.py": (library / f"{module}.py").read_bytes()}, tmp_path)
    catalog = scan(str(tmp_path / "mined"), ScanOptions(scope=("all",)))
    table = tmp_path / "table.json"
    table.write_text(json.dumps(make_table(catalog, tmp_path / "mined")))
    command = ["-m", "unittest", f"test.test_{module}"]
    outcome = run_program(module, Path(sys.executable), table, tmp_path, command, tmp_path, minutes=2)
    assert outcome.fired > 30
    assert (outcome.violations, outcome.mismatches) == ((), ())


@pytest.mark.network
def test_the_law_holds_in_a_real_package(tmp_path: Path) -> None:
    suites = {suite.name: suite for suite in read_suites(Path(__file__).parent.parent / "scripts/law.toml")}
    outcome = run_suite(suites["pluggy"], tmp_path, None)
    assert outcome.fired > 50
    assert (outcome.violations, outcome.mismatches) == ((), ())
