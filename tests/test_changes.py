"""How changes are chosen and told: filters, JSON, pages, release notes, annotations."""

import re

import pytest
from factories import make_catalog, make_entry, mine
from hypothesis import given
from hypothesis import strategies as st

from catalog.changes.annotations import write_annotations
from catalog.changes.answer import build_answer
from catalog.changes.filters import Filter, find_options, read_kinds, select_changes
from catalog.changes.notes import build_notes
from catalog.changes.page import build_page
from catalog.changes.rewording import compare_texts
from catalog.changes.summary import count_changes, name_sides
from catalog.diff import Change, find_changes
from catalog.errors import QuestionError
from catalog.markdown import link, span_code
from catalog.records import Catalog, Option, OptionUse
from catalog.selection import is_under
from catalog.store import dump_answer

OLD = """
def check(size, limit, mode):
    if size < 0:
        raise ValueError(f"a size of {size} is below zero")
    if size > limit:
        raise ValueError(f"a size of {size} is over {limit}")
    if mode == "slow":
        raise KeyError("this mode of operation is gone for good")
"""
NEW = """
def check(size, limit, mode):
    if size <= 0:
        raise ValueError(f"a size of {size} is not above zero")
    if size > limit:
        raise OverflowError(f"a size of {size} is over {limit}")
    if limit is None:
        raise TypeError("a limit is always needed to check this")
"""


def compare() -> tuple[Catalog, Catalog, list[Change]]:
    old = make_catalog(mine(OLD, path="pkg/check.py"), target__release="1.0")
    new = make_catalog(mine(NEW, path="pkg/check.py"), target__release="2.0")
    return old, new, list(find_changes(old, new))


def test_the_summary_counts_every_kind_a_change_has() -> None:
    old, new, changes = compare()
    assert name_sides(old, new) == "shop 1.0 → 2.0"
    assert count_changes(changes) == "4 changes: 1 added, 1 removed, 1 reworded, 1 reguarded (1 loosened), 1 retyped"
    assert count_changes([]) == "no changes"


def test_the_answer_has_the_shape_of_the_contract() -> None:
    answer = build_answer(*compare())
    assert [change["kinds"] for change in answer["changes"]] == [
        ["reworded", "reguarded"],
        ["retyped"],
        ["added"],
        ["removed"],
    ]
    reworded, retyped, added, removed = answer["changes"]
    assert reworded["guard_change"] == "loosened"
    assert reworded["clauses"] == {"gained": ["size <= 0"], "lost": ["size < 0"]}
    assert [span for span in reworded["words"] if span["side"] != "both"] == [
        {"side": "old", "text": "below "},
        {"side": "new", "text": "not above "},
    ]
    assert retyped["guard_change"] is None
    assert (added["old"], removed["new"]) == (None, None)
    assert list(added["new"])[:6] == ["id", "title", "exception", "template", "condition", "site"]
    assert added["new"]["site"] == {"path": "pkg/check.py", "line": 8, "qualname": "check"}
    assert (answer["stats"]["added"], answer["stats"]["removed"], answer["stats"]["moved"]) == (1, 1, 0)
    assert dump_answer(answer) == dump_answer(build_answer(*compare()))


def test_the_page_groups_by_file_and_kind() -> None:
    assert build_page(*compare()).plain.splitlines() == [
        "shop 1.0 → 2.0",
        "4 changes: 1 added, 1 removed, 1 reworded, 1 reguarded (1 loosened), 1 retyped",
        "",
        "pkg/check.py",
        "  removed",
        "        8  check  KeyError: this mode of operation is gone for good",
        "  added",
        "        8  check  TypeError: a limit is always needed to check this",
        "  reguarded",
        "        4  check  ValueError: a size of {size} is not above zero  (also reworded)",
        "        loosened: raised in more cases",
        "        - size < 0",
        "        + size <= 0",
        "        a size of {size} is [-below -]{+not above +}zero",
        "  retyped",
        "        6  check  OverflowError: a size of {size} is over {limit}",
        "        was ValueError, is OverflowError (ArithmeticError)",
    ]


def test_the_page_and_the_notes_can_be_cut_short() -> None:
    many = [make_entry(id=f"{number:016x}", site__line=number) for number in range(1, 6)]
    old, new = make_catalog(), make_catalog(many)
    changes = list(find_changes(old, new))
    assert "    and 3 more" in build_page(old, new, changes, most=2).plain.splitlines()
    notes = build_notes(old, new, changes, most=2)
    assert notes.count("\n- ") == 2
    assert "## Added (5)" in notes
    assert notes.endswith("\nAnd 3 more.\n")


def test_the_notes_link_both_sides_and_say_what_was() -> None:
    old = make_catalog([make_entry(id="a" * 16, permalink="https://git.example/old#L12")], target__release="1.0")
    new = make_catalog(
        [
            make_entry(
                id="a" * 16, permalink="https://git.example/new#L12", message="size must be above zero, got {size}"
            )
        ],
        target__release="2.0",
    )
    assert build_notes(old, new, list(find_changes(old, new))).splitlines() == [
        "# Errors of `shop 1.0 → 2.0`",
        "",
        "1 change: 1 reworded.",
        "",
        "## Reworded (1)",
        "",
        "### `shop/cart.py`",
        "",
        "- `ValueError` in [`Cart.resize`](https://git.example/new#L12) ([before](https://git.example/old#L12)): "
        "`size must be above zero, got {size}`",
        "  - was `size must be positive, got {size}`",
        "  - words: ~~`positive,`~~ **`above zero,`**",
    ]


def test_annotations_stand_on_the_new_lines_and_escape_what_would_end_them() -> None:
    nasty = make_entry(id="a" * 16, site__path="a,b:c.py", message="100% wrong\n::error::not a command", title="t")
    lines = list(write_annotations(find_changes(make_catalog(), make_catalog([nasty])), frozenset()))
    assert lines == [
        "::notice file=a%2Cb%3Ac.py,title=ValueError added,line=12,endLine=12::"
        "Cart.resize: 100%25 wrong\\n::error::not a command"
    ]


def test_annotations_of_failing_kinds_are_errors_and_removed_ones_have_no_line() -> None:
    _, _, changes = compare()
    lines = list(write_annotations(changes, read_kinds(["removed,loosened"])))
    assert [line.split("::")[1].split(",title")[0] for line in lines] == [
        "error file=pkg/check.py",
        "notice file=pkg/check.py",
        "error file=pkg/check.py",
        "notice file=pkg/check.py",
    ]
    assert "line=" not in lines[0]
    assert "line=4" in lines[2]


@pytest.mark.parametrize("write", ["page", "notes", "annotations"])
def test_no_text_of_a_target_reaches_the_reader_as_control(write: str) -> None:
    nasty = make_entry(
        id="a" * 16,
        title="\x1b]0;owned\x07",
        message="\x1b[31mred\r\u202e{x}",
        site__path="a\x1b[2J.py",
        site__qualname="f\x1b[2J",
        exception__name="E\x1b[2J",
        guard__branch="'\x1b[2J' in x",
        guard__condition="'\x1b[2J' in x",
    )
    other = make_entry(
        id="a" * 16, message="red \x9b{x}", guard__branch="'\x1b[1J' in x", guard__condition="'\x1b[1J' in x"
    )
    for old, new in ((make_catalog([nasty]), make_catalog([other])), (make_catalog(), make_catalog([nasty]))):
        changes = list(find_changes(old, new))
        match write:
            case "page":
                told = build_page(old, new, changes).plain
            case "notes":
                told = build_notes(old, new, changes)
            case _:
                told = "\n".join(write_annotations(changes, frozenset()))
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", told)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "`plain`"),
        ("has `ticks`", "`` has `ticks` ``"),
        ("``", "``` `` ```"),
        ("two\nlines", "`two lines`"),
        ("", "` `"),
        ("@everyone <b> #12", "`@everyone <b> #12`"),
    ],
)
def test_code_in_markdown_is_shown_as_it_is(text: str, expected: str) -> None:
    assert span_code(text) == expected


def test_only_addresses_of_the_web_are_linked() -> None:
    assert link("`x`", "https://a.example/b(c) d#L1") == "[`x`](https://a.example/b%28c%29%20d#L1)"
    assert link("`x`", "javascript:alert(1)") == "`x`"
    assert link("`x`", None) == "`x`"


@given(st.text(alphabet="ab {}=\n-", max_size=30), st.text(alphabet="ab {}=\n-", max_size=30))
def test_the_words_of_a_rewording_give_both_texts_back(old: str, new: str) -> None:
    spans = compare_texts(old, new)
    assert "".join(span.text for span in spans if span.side != "new") == old
    assert "".join(span.text for span in spans if span.side != "old") == new


def test_filters_choose_by_kind_path_and_option() -> None:
    _, _, changes = compare()
    assert len(list(select_changes(changes, Filter()))) == 4
    assert len(list(select_changes(changes, Filter(kinds=read_kinds(["loosened"]))))) == 1
    assert len(list(select_changes(changes, Filter(kinds=read_kinds(["added, removed", "retyped"]))))) == 3
    assert len(list(select_changes(changes, Filter(paths=("pkg",))))) == 4
    assert not list(select_changes(changes, Filter(paths=("pk", "check.py"))))
    assert not list(select_changes(changes, Filter(options=frozenset({"Cart.size"}))))


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("shop", True),
        ("shop/", True),
        ("./shop", True),
        ("shop/cart.py", True),
        ("*/cart.py", True),
        ("shop/*.py", True),
        ("sho", False),
        ("cart.py", False),
        ("shop/cart", False),
    ],
)
def test_a_path_is_a_file_a_folder_or_a_pattern(pattern: str, matches: bool) -> None:
    assert is_under("shop/cart.py", [pattern]) is matches


def test_options_are_found_by_id_name_or_flag() -> None:
    option = Option(
        "Cart.max_size", "field", "max_size", ("--max-size",), "Cart", None, None, (), None, "shop/cart.py", 1
    )
    entry = make_entry(options=(OptionUse("Cart.max_size", "size", ("guard",), ()),))
    catalog = make_catalog([entry], options=(option,))
    for name in ("Cart.max_size", "max_size", "--max-size", "max-size"):
        assert find_options([name], [catalog]) == frozenset({"Cart.max_size"})
        assert find_options([name], [make_catalog([entry])]) == frozenset({"Cart.max_size"})
    with pytest.raises(QuestionError, match="min_size: neither catalog has an option"):
        find_options(["min_size"], [catalog])


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(QuestionError, match=r"changd: no such kind of change; there are added, removed, .*options"):
        read_kinds(["added,changd"])
