"""Units and their sites, against `ast`."""

import ast
import sysconfig
import tokenize
from pathlib import Path

import pytest

from miner.locate import locate_units

_LIBRARY = Path(sysconfig.get_path("stdlib"))
_MODULES = sorted(path for folder in (".", "json", "email", "asyncio") for path in (_LIBRARY / folder).glob("*.py"))[
    ::2
]


def sites_of(text: str) -> list[tuple[str, str, int, int, int]]:
    return sorted(
        (unit.qualname, mark.keyword, mark.line, mark.column, mark.end_line)
        for unit in locate_units(text)
        for mark in unit.marks
    )


def sites_by_ast(text: str) -> list[tuple[str, str, int, int, int]]:
    found: list[tuple[str, str, int, int, int]] = []
    lines = text.split("\n")

    def visit(node: ast.AST, names: tuple[str, ...]) -> None:
        if isinstance(node, ast.Raise | ast.Assert):
            column = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
            keyword = "raise" if isinstance(node, ast.Raise) else "assert"
            found.append((".".join(names) or "<module>", keyword, node.lineno, column, node.end_lineno or 0))
        inner = (
            (*names, node.name) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else names
        )
        for child in ast.iter_child_nodes(node):
            visit(child, inner)

    visit(ast.parse(text), ())
    return sorted(found)


@pytest.mark.parametrize("path", _MODULES, ids=lambda path: path.stem)
def test_sites_of_the_standard_library_are_those_of_ast(path: Path) -> None:
    with tokenize.open(path) as file:
        text = file.read()
    assert sites_of(text) == sites_by_ast(text)


@pytest.mark.parametrize(
    "text",
    [
        "raise A",
        "def f(): raise A",
        "def f(): pass; raise A; assert b",
        "class A: raise B",
        "if a: raise B\nelse: raise C",
        "x = 1; raise A('; raise B'); assert c, (1; 2)"[:-8] + "(1, 2)",
        "def f():\n  def g():\n    raise A\n  raise B\nraise C",
        "class A:\n  def f(self):\n    class B:\n      raise C\n    assert d",
        "async def f():\n  raise A",
        "async \\\n def f():\n  raise A",
        "def \\\n  f(): raise A",
        "@d\n@e(lambda: 0)\ndef f():\n  raise A",
        "'raise A'",
        '"""\nraise A\n"""\nassert b',
        "# raise A\nassert b # assert c",
        "x = f'{raise_}'; raises = assert_ = 1",
        "raise A(\n  'b'\n  ) from c",
        "raise \\\n  A",
        "assert (a,\n  b)  # c",
        "lambda: 0; assert x",
        "if x:\n\traise A\n\tif y:\n\t\traise B",
        "try: raise A\nexcept B: raise\nfinally: assert c",
        "match a:\n  case 1: raise B\n  case raise_: assert c",
        "while x: assert y; raise A",
        "with a as b: raise C",
        "for x in (raise_, 1): raise A",
        "é = 'ü'; raise A",
        "def f(a='raise B'): raise A",
        "def f(a=(\n 1)): raise A\n",
        "class A(B,\n C): assert d",
        "raise(A)",
        "assert(a)",
        "assert-1",
        "assert'a'",
        "raise\n",
        "def f():\n  raise A\n # comment\n  raise B",
        "def f():\n  raise A\n\n\n\n# comment\nraise B",
        "x = [a for a in b]; raise A",
        "if a:\n  x = {'k': 1}; raise A\n  assert x[1:2]; assert y",
        "d: raise_ = 1; assert d",
        "def f(): return 1\nraise A",
        "def f(): x = 1; def_ = 2; raise A",
    ],
)
def test_each_statement_is_found_where_ast_finds_it(text: str) -> None:
    assert sites_of(text) == sites_by_ast(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f[T](x: T) -> T:\n  raise A", [("f", "raise", 2, 2, 2)]),
        ("class A[*Ts, **P]:\n  def f(self): raise A", [("A.f", "raise", 2, 15, 2)]),
        ("type X = int\nraise A", [("<module>", "raise", 2, 0, 2)]),
        ("raise A(f'{b['c']}')", [("<module>", "raise", 1, 0, 1)]),
        ("raise A(f'{\nb\n}'); assert c", [("<module>", "assert", 3, 5, 3), ("<module>", "raise", 1, 0, 3)]),
        ("raise A(t'{b}')", [("<module>", "raise", 1, 0, 1)]),
        ("try: pass\nexcept A, B: raise", [("<module>", "raise", 2, 13, 2)]),
        ("raise A, 'b'", [("<module>", "raise", 1, 0, 1)]),
        ("print 'a'\nassert b", [("<module>", "assert", 2, 0, 2)]),
    ],
)
def test_sites_are_found_in_every_pythons_syntax(text: str, expected: list[tuple[str, str, int, int, int]]) -> None:
    assert sites_of(text) == expected


@pytest.mark.parametrize(
    "text", ["raise_ = 1", "x.raise_()", "'raise'", "# assert", "x = {'raise': 1}", "assertion(a)", "f'raise {a}'"]
)
def test_what_only_looks_like_a_site_is_none(text: str) -> None:
    assert sites_of(text) == []
