"""Logical lines: against the standard library's tokenizer where it can read the text, by hand where it can't."""

import io
import sysconfig
import tokenize
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from miner.lexing import MAX_DEPTH, LexError, read_tokens, split_lines

_LIBRARY = Path(sysconfig.get_path("stdlib"))
_MODULES = (
    *("argparse", "ast", "calendar", "cgitb", "configparser", "copy", "csv", "dataclasses", "decimal", "difflib"),
    *("dis", "doctest", "enum", "fractions", "ftplib", "functools", "heapq", "inspect", "ipaddress", "locale"),
    *("mailbox", "optparse", "pdb", "pickle", "pickletools", "platform", "plistlib", "pydoc", "random", "re/_parser"),
    *("shutil", "smtplib", "statistics", "string", "subprocess", "tarfile", "textwrap", "threading", "tokenize"),
    *(
        "traceback",
        "turtle",
        "types",
        "typing",
        "uuid",
        "warnings",
        "zipfile",
        "json/decoder",
        "email/_header_value_parser",
    ),
)


def texts_of(text: str) -> list[str]:
    return [text[row.start : row.end].rstrip() for row in split_lines(text)]


def lines_by_tokenize(text: str) -> list[int]:
    """Give the first line of each logical line, as the standard library's tokenizer sees them."""
    begins: list[int] = []
    fresh = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        if token.type == tokenize.NEWLINE:
            fresh = True
        elif fresh:
            begins.append(token.start[0])
            fresh = False
    return begins


@pytest.mark.parametrize("name", _MODULES)
def test_logical_lines_start_where_the_tokenizer_says(name: str) -> None:
    path = _LIBRARY / f"{name}.py"
    if not path.exists():
        pytest.skip("this Python has no such module")
    with tokenize.open(path) as file:
        text = file.read()
    assert [row.line for row in split_lines(text)] == lines_by_tokenize(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n", ["a", "b"]),
        ("a", ["a"]),
        ("", []),
        ("\n \n\t\n# only words\n", []),
        ("a # b\nc", ["a", "c"]),
        ("a \\\n  + b\nc", ["a \\\n  + b", "c"]),
        ("f(\n a,\n\n # no\n b)\nc", ["f(\n a,\n\n # no\n b)", "c"]),
        ('"""x\nraise y\n"""\nz', ['"""x\nraise y\n"""', "z"]),
        ("x = '''a\n'b'\n'''; y", ["x = '''a\n'b'\n'''; y"]),
        ("'a\\\nb'\nc", ["'a\\\nb'", "c"]),
        (r"r'\'' + 'a'" + "\nc", [r"r'\'' + 'a'", "c"]),
        ("'#'\nb", ["'#'", "b"]),
        ("['(', ')']\nb", ["['(', ')']", "b"]),
        # Text that looks like an f-string's prefix and is none.
        ("if'a'in b:\n c", ["if'a'in b:", "c"]),
        ('x = buf"a"\nb', ['x = buf"a"', "b"]),
        # f-strings of 3.12 and later: quotes of their own kind, line breaks and comments inside a field.
        ("f'{a['b']}'\nc", ["f'{a['b']}'", "c"]),
        ("f'{f'{f'{a}'}'}'\nc", ["f'{f'{f'{a}'}'}'", "c"]),
        ("f'{\na # }'\n}'\nc", ["f'{\na # }'\n}'", "c"]),
        ('f"{a["}"]}"\nc', ['f"{a["}"]}"', "c"]),
        ("f'{{'\nc", ["f'{{'", "c"]),
        ("f'{{{a}}}'\nc", ["f'{{{a}}}'", "c"]),
        ("f'{a:{b}}'\nc", ["f'{a:{b}}'", "c"]),
        ("f'{a:{b:{c}}}'\nc", ["f'{a:{b:{c}}}'", "c"]),
        ("f'{a!r:>{w}}'\nc", ["f'{a!r:>{w}}'", "c"]),
        ("f'{(lambda x: 1)}'\nc", ["f'{(lambda x: 1)}'", "c"]),
        ("f'\\N{DASH}'\nc", ["f'\\N{DASH}'", "c"]),
        ("f'\\{a}'\nc", ["f'\\{a}'", "c"]),
        ("rf'\\{a}'\nc", ["rf'\\{a}'", "c"]),
        ("fR'{a}\\''\nc", ["fR'{a}\\''", "c"]),
        ("t'{a['b']}'\nc", ["t'{a['b']}'", "c"]),
        ("f'''{a\n}'''\nc", ["f'''{a\n}'''", "c"]),
        ('f"""a"b{c}"d"""\ne', ['f"""a"b{c}"d"""', "e"]),
        # Deeper than one expression can swallow.
        ("((((((((((a\n))))))))))\nb", ["((((((((((a\n))))))))))", "b"]),
        ("if a: b; c\nd", ["if a: b; c", "d"]),
        ("\fa\nb", ["a", "b"]),
        ("match x:\n case 1: y", ["match x:", "case 1: y"]),
        ("def f[T: (int, str)](x: T): pass\na", ["def f[T: (int, str)](x: T): pass", "a"]),
        ("é = 1\nüb", ["é = 1", "üb"]),
    ],
)
def test_text_is_split_into_logical_lines(text: str, expected: list[str]) -> None:
    assert texts_of(text) == expected


@pytest.mark.parametrize(
    ("text", "indents"),
    [
        ("a\n b\n  c\n", [0, 1, 2]),
        ("a\n\tb\n\t c\n \td\n", [0, 8, 9, 8]),
        ("a\n  \f b\n", [0, 1]),
        ("a\n    # no\n  b", [0, 2]),
    ],
)
def test_indentation_counts_tabs_to_multiples_of_eight_and_from_a_form_feed(text: str, indents: list[int]) -> None:
    assert [row.indent for row in split_lines(text)] == indents


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nf(b\nc", 2),
        ("a\n)", 2),
        ("a\n'b\nc'", 2),
        ('a\n\n"""b\nc', 3),
        ("f'{a'", 1),
        ("f'{a", 1),
        ("f'{a:'", 1),
        ("a\n" + "(" * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1), 2),
        ("f'" + "{f'" * 60 + "'}" * 60 + "'", 1),
    ],
)
def test_what_never_closes_or_nests_too_deep_is_an_error_with_its_line(text: str, line: int) -> None:
    with pytest.raises(LexError, match=f"line {line}: "):
        split_lines(text)


@pytest.mark.parametrize("depth", [7, 50, MAX_DEPTH])
def test_brackets_as_deep_as_the_compiler_takes_are_one_line(depth: int) -> None:
    assert len(split_lines("(" * depth + "\na\n" + ")" * depth + "\nb")) == 2


def test_time_is_linear_in_text_that_never_closes() -> None:
    for text in ("(" * 150 + "a," * 200_000, "'" + "\\\n" * 200_000, 'f"""{' + "a" * 400_000, "[" + "'a' " * 100_000):
        with pytest.raises(LexError):
            split_lines(text)


def test_the_first_word_is_known() -> None:
    assert [row.word for row in split_lines("if a: b\n(raise_)\nraise\n'x'\nasync def f(): 0")] == [
        "if",
        "",
        "raise",
        "",
        "async",
    ]


_PIECES = st.lists(
    st.sampled_from(
        [
            "a",
            " ",
            "\n",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "'",
            '"',
            "'''",
            '"""',
            "\\",
            "#",
            "f'",
            'f"',
            "rb'",
            ":",
            ";",
            "\t",
        ]
    ),
    max_size=30,
).map("".join)


@given(_PIECES)
def test_any_text_is_split_or_refused(text: str) -> None:
    try:
        rows = split_lines(text)
    except LexError:
        return
    ends = [0]
    for row in rows:
        assert ends[-1] <= row.start < row.end <= len(text)
        assert row.line == text.count("\n", 0, row.start) + 1
        ends.append(row.end)


@given(_PIECES)
@example("\\\na")
@example("\\\n\\\n  a = 1\nb\n")
@example("if a:\n    \\\n    b\n")
def test_text_that_the_tokenizer_takes_is_never_refused(text: str) -> None:
    try:
        expected = lines_by_tokenize(text)
        compile(text, "text", "exec")
    except (tokenize.TokenError, SyntaxError, ValueError, IndentationError):
        return
    assert [row.line for row in split_lines(text)] == expected


def test_tokens_carry_the_depth_they_stand_at() -> None:
    text = "f(a, [b])"
    found = [(text[t.start : t.end], t.depth) for t in read_tokens(text, 0, len(text)) if t.kind != "space"]
    assert found == [("f", 0), ("(", 0), ("a", 1), (",", 1), ("[", 1), ("b", 2), ("]", 1), (")", 0)]
