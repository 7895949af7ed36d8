"""Files that hurt: each is mined or skipped with a reason; never a crash, a hang, or a lost neighbour."""

import os
import sys
from pathlib import Path

import factories
import pytest

from catalog.records import Catalog, Entry, Skipped
from catalog.store import dump_catalog
from miner.mine import Mined
from miner.pool import Ground, MinedFile, RawFile, mine_file, run_files
from miner.scan import ScanOptions, mine_source, scan

_SITE = "def f(a):\n    if a:\n        raise ValueError('bad')\n"
_NEIGHBOUR = RawFile("good.py", "good", _SITE.encode())


def mine_bytes(data: bytes) -> tuple[Entry, ...] | str:
    """Mine a file beside a good one, in a process of its own: its entries, or why it was skipped."""
    results = list(run_files(mine_file, [RawFile("bad.py", "bad", data), _NEIGHBOUR], Ground(), 1))
    found: dict[str, Mined | str] = {}
    for result in results:
        if isinstance(result, Skipped):
            found[result.path] = result.reason
        elif isinstance(result, MinedFile):
            found[result.path] = result.mined
    good, bad = found["good.py"], found["bad.py"]
    assert isinstance(good, Mined)
    assert len(good.entries) == 1
    return bad if isinstance(bad, str) else bad.entries


_DEEP = 600
"""Deep enough for every recursion to show; deeper chains cost the parser more than the suite may take."""

MINED = {
    "Latin-1 cookie": b"# coding: latin-1\nraise E('\xe9')\n",
    "byte-order mark": b"\xef\xbb\xbfraise E('x')\n",
    "CRLF": _SITE.replace("\n", "\r\n").encode(),
    "lone CR": _SITE.replace("\n", "\r").encode(),
    "form feeds": b"\x0c\ndef f():\n\x0c    raise E('x')\n\x0c\n",
    "tabs": b"def f(a):\n\tif a:\n\t\traise E('x')\n",
    "tabs and blanks": b"def f(a):\n\tif a:\n\t        raise E('x')\n",
    "no newline at the end": b"raise E('x')",
    "a backslash at the end": b"raise E('x')\\\n",
    "type parameters": b"def f[T: int](a: T) -> T:\n    raise E('x')\n",
    "a generic class": b"class A[T](B):\n    def f(self): raise E('x')\n",
    "type aliases": b"type A[T] = list[T]\nraise E('x')\n",
    "nested quotes": b"def f(d):\n    raise E(f'{d['k']} and {\", \".join(d['l'])}')\n",
    "quotes nested four deep": b"raise E(f'{f'{f'{f'{a}'}'}'}')\n",
    "line breaks in a field": b"raise E(f'{\n    a  # why\n}')\n",
    "groups": b"try:\n    g()\nexcept* ValueError:\n    raise E('x')\n",
    "match": b"def f(a):\n    match a:\n        case {'k': [x, *_]} if x: raise E('x')\n",
    "surrogates": b"raise E('\\ud800 \\udcff')\n",
    "surrogates in names of files": b"raise E(f'\\udc80 {a}')\n",
    "bytes in a message": b"raise E(b'\\xff')\n",
    "a star in an index": b"def f(a, b):\n    if a[*b]: raise E('x')\n",
    "parenthesised managers": b"def f(a):\n    with (a as b, c as d):\n        raise E('x')\n",
    "soft keywords as names": b"match = case = type = _ = 1\nassert match\n",
    "a long function": ("def f(a):\n" + "    a = g(a)\n" * 10_000 + "    raise E('x')\n").encode(),
    "a long function of exits": ("def f(a):\n" + "    if a: return\n" * 1_000 + "    raise E('x')\n").encode(),
    "a long chain of elifs": (
        "def f(a):\n    if a: pass\n" + "    elif a == 1: pass\n" * 1_500 + "    raise E('x')\n"
    ).encode(),
    "a very long line": b"raise E('" + b"x" * 2_000_000 + b"')\n",
    "a very long sum of texts": b"raise E('a'" + b" + 'b'" * 600 + b")\n",
    "many texts side by side": b"raise E(" + b"'a' " * 2_000 + b")\n",
    "nested blocks": "".join(" " * n + "if a:\n" for n in range(90)).encode() + b" " * 90 + b"raise E('x')\n",
    "nested functions": "".join(" " * n + "def f():\n" for n in range(90)).encode() + b" " * 90 + b"raise E('x')\n",
}
SKIPPED = {
    "UTF-16": ("raise E".encode("utf-16"), "UTF-16"),
    "UTF-16 cookie": (b"# coding: utf-16\nraise E\n", "no Python source"),
    "Latin-1 without a cookie": (b"raise E('\xe9')\n", "not valid UTF-8"),
    "null bytes": (b"raise E\0\n", "null"),
    "Python 2's raise": (b"raise E, 'x'\n", "line 1"),
    "Python 2's except": (
        b"def f():\n    try:\n        raise E\n    except E, e:\n        print e\n        raise\n",
        "line",
    ),
    "half a string": (b"raise E('x\n", "never closed"),
    "half a bracket": (b"raise E((\n", "never closed"),
    "brackets too deep": (b"raise E(" + b"(" * 5_000 + b"a" + b")" * 5_000 + b")\n", "nested more than"),
    "lists too deep": (b"assert " + b"[" * 5_000 + b"]" * 5_000 + b"\n", "nested more than"),
    "a torn definition": (b"def f(:\n    raise E\n", "line 1"),
}
MAYBE = {
    "a deep unary": b"assert " + b"not " * _DEEP + b"a\n",
    "a deep minus": b"assert " + b"-" * _DEEP + b"a\n",
    "a deep sum": b"assert a" + b" + a" * _DEEP + b"\n",
    "a deep power": b"assert a" + b" ** a" * _DEEP + b"\n",
    "a deep or": b"assert a" + b" or a" * _DEEP + b"\n",
    "a deep comparison": b"assert a" + b" < a" * _DEEP + b"\n",
    "deep attributes": b"assert a" + b".b" * _DEEP + b"\n",
    "deep calls": b"assert a" + b"()" * _DEEP + b"\n",
    "deep indexes": b"assert a" + b"[0]" * _DEEP + b"\n",
    "deep conditional expressions": b"assert " + b"a if b else " * _DEEP + b"c\n",
    "deep lambdas": b"assert " + b"lambda: " * _DEEP + b"c\n",
    "deep text sums": b"raise E(" + b"'a' + " * _DEEP + b"b)\n",
    "template strings": b"def f(a):\n    raise E(t'{a} is bad')\n",
    "except without parentheses": b"try:\n    g()\nexcept A, B:\n    raise E('x')\n",
    "defaults of type parameters": b"def f[T = int](a: T):\n    raise E('x')\n",
    "print and exec": b"print 'x'\nexec 'y'\nassert a\n",
    "backticks": b"assert `a`\n",
    "a walrus where none may stand": b"a := 1\nassert a\n",
    "only a raise in the middle of words": "raise \u00e9('x')\n".encode(),
    "blocks nested 400 deep": "".join(" " * n + "if a:\n" for n in range(400)).encode()
    + b" " * 400
    + b"raise E('x')\n",
}


@pytest.mark.parametrize("name", MINED)
def test_what_hurts_and_is_python_is_mined(name: str) -> None:
    found = mine_bytes(MINED[name])
    assert isinstance(found, tuple), found
    assert len(found) == 1


@pytest.mark.parametrize("name", SKIPPED)
def test_what_is_no_python_is_skipped_with_a_reason(name: str) -> None:
    data, reason = SKIPPED[name]
    found = mine_bytes(data)
    assert isinstance(found, str), found
    assert reason in found


@pytest.mark.parametrize("name", MAYBE)
def test_what_no_parser_has_to_take_is_mined_or_skipped(name: str) -> None:
    found = mine_bytes(MAYBE[name])
    if isinstance(found, str):
        assert found
        assert "\n" not in found
    else:
        assert len(found) == 1


def scan_folder(folder: Path) -> Catalog:
    return scan(str(folder), ScanOptions(scope=("all",), workers=1))


def test_links_out_of_the_tree_and_in_circles_are_kept_as_skipped(tmp_path: Path) -> None:
    factories.write_files(
        {"outside.py": _SITE, "project/shop/__init__.py": "", "project/shop/good.py": _SITE}, tmp_path
    )
    shop = tmp_path / "project/shop"
    (shop / "out.py").symlink_to(tmp_path / "outside.py")
    (shop / "loop.py").symlink_to("loop.py")
    (shop / "round").symlink_to(shop, target_is_directory=True)
    (shop / "gone.py").symlink_to("nowhere.py")
    catalog = scan_folder(tmp_path / "project")
    assert [entry.site.path for entry in catalog.entries] == ["shop/good.py"]
    assert {skipped.path for skipped in catalog.skipped} >= {"shop/gone.py", "shop/loop.py", "shop/out.py"}


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are text there")
def test_a_path_that_is_no_text_is_mined_under_an_escaped_name(tmp_path: Path) -> None:
    factories.write_files({"project/shop/__init__.py": "", "project/shop/good.py": _SITE}, tmp_path)
    Path(os.fsdecode(os.fsencode(tmp_path / "project/shop") + b"/b\xe9d.py")).write_text(_SITE)
    catalog = scan_folder(tmp_path / "project")
    assert len(catalog.entries) + len(catalog.skipped) == 2
    dump_catalog(catalog)


def test_every_catalog_of_hostile_files_can_be_written(tmp_path: Path) -> None:
    files = {f"shop/m{n}.py": data for n, data in enumerate(MINED.values())}
    files |= {f"shop/s{n}.py": data for n, (data, _) in enumerate(SKIPPED.values())}
    factories.write_files(files, tmp_path)
    catalog = scan_folder(tmp_path / "shop")
    assert len(catalog.entries) == len(MINED)
    assert len(catalog.skipped) == len(SKIPPED)
    dump_catalog(catalog)


def test_a_case_with_a_tuple_in_parentheses_is_read() -> None:
    source = "def f(x):\n    match x:\n        case (1, y):\n            raise ValueError(y)\n"
    entries = mine_source(source)
    assert entries[0].guard.clauses[0].test == "x matches (1, y)"
