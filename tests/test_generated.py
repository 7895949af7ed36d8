"""Generated programs: never a crash, and the sites are those of `ast`."""

import ast
import random
import re
import sysconfig
from pathlib import Path

import factories
import pytest
from sweep import compare, sweep

from miner.entries import SourceText
from miner.mine import find_facts, mine_text
from miner.names import World
from miner.scan import ScanOptions, scan

_NAMES = ("a", "b", "self", "x.y", "x[0]", "input", "match", "type")
_LEAVES = (*_NAMES, "1", "None", "'raise'", 'f"{a!r:>{b}}"', "f'{a=}'", "b'x'", "...", "-1")
_EXPRESSIONS = (
    *("({}) and ({})", "({}) or ({})", "({}) == ({})", "({}) in ({})", "({}) + ({})", "({}) % ({})", "({}) < ({})"),
    *("({}) is ({})", "not ({})", "f({}, k={}, *a, **b)", "[{} for a in ({}) if a]", "(lambda a, *b: {})"),
    *("(({}) if a else ({}))", "(\n  {}  # raise\n)", "(z := {})", "'%s {{}}'.format({})", "any({} for b in ({}))"),
)
_SIMPLE = (
    *(
        "{}",
        "raise E({})",
        "raise E({}) from None",
        "assert {}, {}",
        "assert ({})",
        "a = {}",
        "x.y += {}",
        "b = a = {}",
    ),
    *(
        "raise",
        "pass",
        "a, b = b, a",
        "del x.y",
        "import a.b as c",
        "from a import b",
        "x: int",
        "assert a; raise E({})",
    ),
    *("return", "return {}", "yield {}", "a = yield", "g({})"),
)
_COMPOUND = (
    *("if {}:\n{b}", "if {}:\n{b}else:\n{b}", "if {}:\n{b}elif {}:\n{b}", "for a, b in {}:\n{b}else:\n{b}"),
    *("while {}:\n{b}", "while True:\n{b}else:\n{b}", "try:\n{b}except (E, F) as e:\n{b}", "try:\n{b}finally:\n{b}"),
    *("try:\n{b}except E:\n{b}else:\n{b}finally:\n{b}", "with f({}) as a, b:\n{b}", "def f(a, *b, c={}, **d):\n{b}"),
    "match {}:\n    case [a, *_] | {{'k': a}}:\n{bb}    case 1 if a:\n{bb}    case _:\n{bb}",
    *("class A(B, metaclass=C):\n{b}", "@g\nasync def h(self, input): assert {}; raise E\n"),
    *("for a in {}:\n{b}    if {}:\n        continue\n{b}", "while {}:\n{b}    if {}:\n        break\n{b}"),
)
_PLACE = re.compile(r"\{(b*)\}(?!\})")


class Generator:
    """Makes programs of these pieces; a seed says which."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def write_expression(self, depth: int = 3) -> str:
        if depth == 0 or self._random.random() < 0.5:
            return self._random.choice(_LEAVES)
        return self._fill(self._random.choice(_EXPRESSIONS), depth)

    def write_block(self, depth: int, indent: str = "    ") -> str:
        parts = [self._write_statement(depth) for _ in range(self._random.randint(1, 3))]
        # A line break that a piece brings along stands only inside brackets, where more blanks do no harm.
        return "".join(f"{indent}{line}\n" for part in parts for line in part.splitlines())

    def _write_statement(self, depth: int) -> str:
        compound = depth > 0 and self._random.random() < 0.6
        return self._fill(self._random.choice(_COMPOUND if compound else _SIMPLE), depth)

    def _fill(self, form: str, depth: int) -> str:
        def fill(found: re.Match[str]) -> str:
            if not found[1]:
                return self.write_expression(min(depth, 3) - 1 if depth else 0)
            return self.write_block(depth - 1, "    " * len(found[1]))

        return _PLACE.sub(fill, form).replace("{{", "{").replace("}}", "}")


def sites_by_ast(text: str) -> list[tuple[str, int]] | None:
    """Give kind and line of each site, or nothing of what is no Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    return sorted(
        ("raise" if isinstance(node, ast.Raise) else "assert", node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise | ast.Assert)
    )


@pytest.mark.parametrize("first", range(0, 3_000, 300))
def test_generated_programs_have_the_sites_of_ast(first: int) -> None:
    programs = ["def outer(self, a):\n" + Generator(seed).write_block(3) for seed in range(first, first + 300)]
    readable = [(text, expected) for text in programs if (expected := sites_by_ast(text)) is not None]
    assert len(readable) > 90
    for text, expected in readable:
        check(text, expected)


def check(text: str, expected: list[tuple[str, int]]) -> None:
    source = SourceText("m.py", "m", text)
    mined = mine_text(source, World({"m": find_facts(source)}), "m")
    found = [(entry.kind, entry.site.line) for entry in mined.entries if entry.kind in ("raise", "assert")]
    assert sorted([*found, *(("raise", each.line) for each in mined.reraises)]) == expected
    for entry in mined.entries:
        ast.parse(entry.guard.condition, mode="eval")
        ast.parse(entry.guard.branch, mode="eval")


def test_a_part_of_the_standard_library_is_swept(tmp_path: Path) -> None:
    library = Path(sysconfig.get_path("stdlib"))
    chosen = [*library.glob("json/*.py"), *library.glob("email/*.py"), *library.glob("[a-d]*.py")]
    factories.write_files({path.relative_to(library).as_posix(): path.read_bytes() for path in chosen}, tmp_path)
    row = sweep(str(tmp_path), tmp_path / "cache")
    assert row.sites > 400
    assert (row.missed, row.invented, row.skipped) == ((), (), 0)


def test_a_sweep_sees_what_is_missed_and_what_is_invented(tmp_path: Path) -> None:
    factories.write_files({"shop/__init__.py": "raise A\nassert b\n"}, tmp_path)
    catalog = scan(str(tmp_path), ScanOptions(scope=("all",)))
    (tmp_path / "shop/__init__.py").write_text("raise A\n\nassert b\n")
    row = compare("shop", catalog, tmp_path, 0.0)
    assert row.missed == (("shop/__init__.py", "assert", 3),)
    assert row.invented == (("shop/__init__.py", "assert", 2),)
