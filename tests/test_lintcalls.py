"""The linter that the README offers: what it tells of, and what it keeps quiet about."""

import subprocess
import sys
from pathlib import Path

import lintcalls
import pytest
from factories import make_catalog, mine

from catalog.publish.export.lines import dump_lines

LIBRARY = """
class Cart:
    def __init__(self, name, size=1, *, mode="r"):
        if not name:
            raise ValueError("a cart needs a name")
        if "." in name:
            raise ValueError(f"no dot in {name!r}")
        if mode not in ("r", "w"):
            raise KeyError(mode)
        if size > self.limit():
            raise ValueError("too big")


def open_cart(path, mode="r", *rest):
    if len(mode) > 1 and mode != "rw":
        raise ValueError("no such mode")
"""


@pytest.fixture(scope="module")
def checks() -> dict[str, list[dict[str, object]]]:
    entries = mine(LIBRARY, path="shop/cart.py")
    catalog = make_catalog(entries)
    return lintcalls.read_checks(dump_lines(catalog, catalog.entries).decode().splitlines())


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ('from shop import Cart\nCart("a.b")', ["no dot in {name!r}"]),
        ('from shop.cart import Cart as C\nx = [C(name="a.b", size=n)]', ["no dot in {name!r}"]),
        ('import shop\nshop.Cart("")', ["a cart needs a name"]),
        ('import shop.cart as s\ns.Cart("a", mode="x")', ["KeyError"]),
        ('from shop import open_cart\nopen_cart(p, "rb")\nopen_cart(p)\nopen_cart(p, mode="xy")', ["no such mode"] * 2),
        # near misses
        ('from shop import Cart\nCart("ab")', []),
        ("from shop import Cart\nCart(name)", []),
        ('from shop import Cart\nCart(*["a.b"])', []),
        ('from shop import Cart\nCart("a", **{"mode": "x"})', []),
        ('from shop import Cart\nCart("a", mode=mode)', []),
        ('from shop import Cart\nCart("a", 10**9)', []),
        ('from store import Cart\nCart("a.b")', []),
        ('from .shop import Cart\nCart("a.b")', []),
        ('Cart("a.b")', []),
        ('from shop import open_cart\nopen_cart(p, "rw")', []),
    ],
)
def test_a_call_is_told_of_when_it_can_only_fail(
    source: str, told: list[str], checks: dict[str, list[dict[str, object]]]
) -> None:
    found = [text for _, _, text in lintcalls.lint(source, checks)]
    assert len(found) == len(told)
    for text, expected in zip(found, told, strict=True):
        assert expected in text


def test_it_runs_by_itself_and_prints_as_flake8_does(tmp_path: Path) -> None:
    catalog = make_catalog(mine(LIBRARY, path="shop/cart.py"))
    (tmp_path / "shop.jsonl").write_bytes(dump_lines(catalog, catalog.entries))
    (tmp_path / "app.py").write_text('from shop import Cart\n\ncart = Cart("a.b")\n', encoding="utf-8")
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, root / "tests" / "lintcalls.py", "shop.jsonl", "app.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == 'app.py:3:8: ERR001 ValueError: no dot in {name!r} (when name and "." in name)\n'
