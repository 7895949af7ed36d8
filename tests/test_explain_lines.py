"""What stands in front of a line is taken off; what a line says is left alone."""

import pytest

from catalog.explain.boxes import unbox
from catalog.explain.escapes import expand_escapes
from catalog.explain.lines import clean_text, undress
from catalog.explain.squeeze import squeeze, squeeze_with_offsets
from catalog.explain.transcript import transcribe
from catalog.explain.wraps import join_wrapped


@pytest.mark.parametrize(
    "raw",
    [
        "(EngineCore_DP0 pid=51877) ERROR 11-03 19:42:10 [core.py:1346] ValueError: bad",
        "(RayWorker pid=12, ip=10.0.0.9) ValueError: bad",
        "shop-1  | (APIServer pid=37) ValueError: bad",
        "[rank0]: ValueError: bad",
        "[1,0]<stderr>: ValueError: bad",
        "[2026-10-02 08:14:55 DP7 TP3] ValueError: bad",
        "2026-07-30 11:08:52 | ERROR | stderr | ValueError: bad",
        "2026-09-14T03:22:10.1184532Z ValueError: bad",
        "2026-01-02 03:04:05,678 - shop.engine - ERROR - ValueError: bad",
        "test\tRun the tests\t2026-09-14T03:22:10.1184532Z ValueError: bad",
        "2026-03-01T00:00:00.123456789Z stderr F ValueError: bad",
        "Oct 14 02:11:07 node-7 shop[2214]: ValueError: bad",
        "E0309 10:10:10.123000 12 shop/elastic/api.py:882] ValueError: bad",
        "(Worker_TP0 pid=6312) [Stage-0] ERROR 08-19 23:55:01 [multi.py:1047] ValueError: bad",
        "E       ValueError: bad",
        "> > ValueError: bad",
    ],
)
def test_what_loggers_and_launchers_put_in_front_is_taken_off(raw: str) -> None:
    assert undress(raw).text == "ValueError: bad"


@pytest.mark.parametrize(
    "line",
    [
        "- ray, set '--backend ray'.",
        "    x: int | None = None",
        "Error: Got unexpected extra arguments (b c)",
        "[Errno 98] Address already in use",
        "ERRORS were found in 3 files",
        "12 parcels arrived",
        "max_size (2048) is smaller than most (12288).",
        "    assert mid is not None, (",
        "pages -> 12",
    ],
)
def test_a_line_that_only_looks_alike_keeps_its_words(line: str) -> None:
    assert undress(line).text == line


def test_a_line_says_who_spoke_and_how_loud() -> None:
    line = undress("(EngineCore_DP0 pid=51877) WARNING 11-03 19:42:10 [core.py:1346] low on shelves")

    assert (line.tag, line.level) == ("(EngineCore_DP0 pid=51877)", "WARNING")


@pytest.mark.parametrize(
    "damaged",
    [
        "\x1b[31mValueError\x1b[0m: it's <= 3",
        "\x1b[0;36mValueError\x1b[0;0m: it's <= 3",
        "#033[33mValueError: it's <= 3#033[0m#015",
        "\\u001b[31mValueError: it's <= 3\\u001b[0m",
        "[31mValueError[0m: it's <= 3",
        "ValueError: it&#x27;s &lt;= 3",
        "ValueError: it&amp;#39;s &amp;lt;= 3",
        "<code>ValueError: it's <= 3</code>",
    ],
)
def test_colours_and_entities_are_taken_out_in_whatever_spelling(damaged: str) -> None:
    assert clean_text(damaged) == "ValueError: it's <= 3"


def test_angle_brackets_of_python_are_no_tags() -> None:
    assert clean_text("in <module> of <class 'shop.Cart'> and <b>") == "in <module> of <class 'shop.Cart'> and "


@pytest.mark.parametrize(
    ("escaped", "written"),
    [
        ('{"a": "one\\nTwo"}', '{"a": "one\nTwo"}'),
        ('"one\\\\nTwo"', '"one\nTwo"'),
        ('say \\"hi\\"', 'say "hi"'),
        ("it\\u0027s", "it's"),
        ("at C:\\new\\table.py", "at C:\\new\\table.py"),
        ("at C:\\x then\\nNext", "at C:\\x then\nNext"),
    ],
)
def test_escapes_are_written_out_but_paths_stay(escaped: str, written: str) -> None:
    assert expand_escapes(escaped) == written


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ('{"log":"ValueError: bad\\n","stream":"stderr","time":"2026-03-01T00:00:00.1Z"}', "ValueError: bad"),
        ('{"log": "    assert a, (\\n", "stream": "stderr", "time": "2026"}', "    assert a, ("),
        ('{"log":"say \\"no\\"","stream":"stdout","time":"2026"}', 'say "no"'),
        ('{"log":"cut', '{"log":"cut'),
        ("bad<br>\nworse<br/>\n<br>worst", "bad\nworse\n\nworst"),
        (r'    raise ValueError(f"bad\nport {x}") from e', r'    raise ValueError(f"bad\nport {x}") from e'),
        (r"[w] raise OSError('bad\nport')", r"[w] raise OSError('bad\nport')"),
        (r"died: ValueError('bad\nport')", "died: ValueError('bad\nport')"),
        (
            r'"Traceback:\n    raise ValueError(x)\nValueError: bad"',
            '"Traceback:\n    raise ValueError(x)\nValueError: bad"',
        ),
    ],
)
def test_records_tags_and_escapes_give_back_the_lines_that_were_written(raw: str, text: str) -> None:
    assert transcribe(raw).text == text


def test_a_line_broken_at_the_edge_is_one_again() -> None:
    whole = "ValueError: " + "the quick cart ran over the lazy shelf " * 5
    broken = [whole[start : start + 80] for start in range(0, len(whole), 80)]

    assert join_wrapped(broken) == [whole]


@pytest.mark.parametrize(
    "prefix", ["> ", "shop-1  | ", "2026-01-02T03:04:0{}Z [rank0]: ", "[2026-01-02 03:04:0{} DP7] "]
)
def test_a_line_broken_before_each_half_got_its_prefix_is_one_again(prefix: str) -> None:
    line = "ValueError: the harbour has no crane that lifts parcels of more than a hundred kilograms at a time"
    halves = [line[:80], line[80:]]
    raw = "\n".join(prefix.format(number) + half for number, half in enumerate(halves))

    assert transcribe(raw).text == line


def test_a_record_of_a_container_is_opened_before_lines_are_compared() -> None:
    lines = [
        f'{{"log":"shop-1  | {word} is no more than a word that fills its line","stream":"stderr"}}' for word in "ab"
    ]

    assert transcribe("\n".join(lines)).text == "\n".join(
        f"{word} is no more than a word that fills its line" for word in "ab"
    )


def test_lines_that_are_merely_as_long_as_each_other_stay_apart() -> None:
    frames = ['  File "/srv/shop/cart.py", line 12, in weigh', '  File "/srv/shop/till.py", line 34, in count']
    lines = [frames[0], "    self.weigh()", frames[1], "    self.count()"]

    assert join_wrapped(lines) == lines


def test_a_box_gives_back_what_stands_in_it() -> None:
    box = [
        "\u256d\u2500\u2500 Traceback (most recent call last) \u2500\u2500\u256e",
        "\u2502 /srv/shop/cart.py:12 in weigh       \u2502",
        "\u2502 \u2771 12 \u2502   raise ValueError(          \u2502",
        "\u2570\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u256f",
    ]

    assert [line.text for line in unbox(map(undress, box))] == [
        "Traceback (most recent call last)",
        "/srv/shop/cart.py:12 in weigh",
        "\u2771 12 \u2502   raise ValueError(",
        "",
    ]


def test_the_branches_of_a_value_tree_vanish() -> None:
    tree = ["    ship(cart, port)", "    \u2502    \u2502     \u2514 'north'", "    \u2502    \u2514 <Cart>"]

    assert [line.text for line in unbox(map(undress, tree))] == ["    ship(cart, port)", "", ""]


def test_processes_that_write_in_turn_are_read_one_after_the_other() -> None:
    transcript = transcribe("(A pid=1) one\n(B pid=2) uno\n(A pid=1) two\n(B pid=2) due")

    assert transcript.text == "one\ntwo\nuno\ndue"
    assert [record.line for record in transcript.records] == [0, 1]


def test_a_prefix_on_the_first_line_only_ends_the_record_where_it_comes_again() -> None:
    transcript = transcribe("[2026-10-02 08:14:55] one\nmore\n[2026-10-02 08:14:56] next")

    assert [record.start for record in transcript.records] == [0, len("one\nmore\n")]


def test_a_prefix_on_every_line_makes_one_record() -> None:
    transcript = transcribe("2026-09-14T03:22:10Z one\n2026-09-14T03:22:11Z more")

    assert len(transcript.records) == 1


def test_squeezing_takes_out_all_that_copying_damages() -> None:
    assert squeeze("**_Value\u201cX\u201d \u2014 `--a_b`\n  \u2502 c_**") == "valuexabc"


def test_each_squeezed_letter_knows_its_place() -> None:
    text = "A \u2014 _b_\n\u00a0C"
    squeezed = squeeze_with_offsets(text)

    assert [text[offset] for offset in squeezed.offsets[:-1]] == ["A", "b", "C"]
    assert squeezed.text == "abc"
