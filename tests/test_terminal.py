import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from catalog.terminal import align, open_console, plural, safe, safe_lines

ROOT = Path(__file__).parent.parent
PRINT = """
import sys
from rich.text import Text
from catalog.terminal import open_console
open_console().print(Text(*sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain {x!r} · é 漢字 \u3000\u00a0ok", "plain {x!r} · é 漢字 \u3000\u00a0ok"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\nb\r\tc\x00", "a\\nb\\r\\tc\\x00"),
        ("user\u202egnp.exe\u2066", "user\\u202egnp.exe\\u2066"),
        ("zero\u200bwidth\ufeff\u00ad", "zero\\u200bwidth\\ufeff\\xad"),
        ("line\u2028end\u0085", "line\\u2028end\\x85"),
        ("half \ud800", "half \\ud800"),
        ("tag \U000e0041", "tag \\U000e0041"),
    ],
)
def test_what_could_steer_a_terminal_is_written_out(text: str, shown: str) -> None:
    assert safe(text) == shown


@given(st.text(st.characters()))
def test_safe_text_is_printable_stays_put_and_encodes(text: str) -> None:
    shown = safe(text)
    assert safe(shown) == shown
    assert not set(shown) & set(map(chr, [*range(32), *range(127, 160)]))
    shown.encode()


@given(st.text(st.characters()))
def test_lines_keep_their_ends_and_nothing_else_that_moves_the_cursor(text: str) -> None:
    assert safe_lines(text).split("\n") == [safe(line) for line in safe_lines(text).split("\n")]


def test_lines_have_spaces_for_tabs_and_one_kind_of_end() -> None:
    assert safe_lines("if x:\r\n\traise\rend\n\x0cpage") == "if x:\n        raise\nend\n\\x0cpage"


@pytest.mark.parametrize(
    ("count", "words", "said"),
    [
        (0, ("file",), "0 files"),
        (1, ("file",), "1 file"),
        (1, ("entry",), "1 entry"),
        (2991, ("entry",), "2,991 entries"),
        (2, ("day",), "2 days"),
        (3, ("match", "matches"), "3 matches"),
    ],
)
def test_plurals_are_right(count: int, words: tuple[str, ...], said: str) -> None:
    assert plural(count, *words) == said


def test_columns_stand_under_each_other_by_their_width_on_screen() -> None:
    assert align([("漢字", "1"), ("abc", "2\x1b"), ("", "")]) == ["漢字  1", "abc   2\\x1b", ""]
    assert align([]) == []


def test_markup_in_a_text_is_only_text() -> None:
    console = open_console()
    console.file = io.StringIO()
    console.print(Text("[bold]:smile: [link=x]"))
    assert console.file.getvalue() == "[bold]:smile: [link=x]\n"


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False), ({}, False)],
)
def test_colour_is_for_terminals_and_no_color_wins(variables: dict[str, str], coloured: bool) -> None:
    code = (
        "from catalog.terminal import open_console; from rich.text import Text; open_console().print(Text('x', 'cyan'))"
    )
    command = [sys.executable, "-c", code]
    variables = {"PYTHONPATH": str(ROOT), "TERM": "xterm", **variables}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert ("\x1b[36m" in done.stdout) is coloured


def test_a_long_line_reaches_a_pipe_whole() -> None:
    command = [sys.executable, "-c", PRINT, "word " * 99]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.rstrip() == ("word " * 99).rstrip()
