import dataclasses
from textwrap import dedent
from typing import Any

import pytest
from factories import make_catalog, make_entry, make_message
from rich.text import Text

from catalog.page import HOLE, RAISING, build_page
from catalog.records import (
    Alternative,
    Binding,
    Catalog,
    Check,
    Clause,
    ClauseKind,
    Entry,
    Example,
    Note,
    Option,
    OptionUse,
    Verification,
)
from catalog.words import say_clause

NOTE = Note(
    entry="",
    fingerprint=make_entry().fingerprint,
    author="rules",
    model=None,
    date="2026-08-14",
    status="derived",
    meaning="The cart can't hold less than nothing.",
    solutions=("Give a size above 0", "Leave the size out"),
    example=Example("Cart(size=0)", "Cart(size=1)", "python"),
    check=Check("validation", "if size > 0:\n    cart.resize(size)"),
    prevention=("Let the type say it",),
    trigger="resize(0)",
    situations=("A form sends an empty field",),
    verified=(Verification("example", passed=True, detail="ran"),),
)


def read_page(entry: Entry, catalog: Catalog | None = None) -> str:
    return build_page(entry, catalog or make_catalog([entry])).plain


def read_section(page: str, heading: str) -> str:
    return page.split(f"\n\n{heading}\n\n", 1)[1]


def test_a_whole_page() -> None:
    entry = make_entry(
        id="7a3a63b2c8c404d9",
        permalink="https://git.example/acme/shop/blob/c0ffee/shop/cart.py#L12",
        guard__clauses=(
            Clause("past", "size is None", negated=True, line=9, rebound=()),
            Clause("if", "size <= 0", negated=False, line=11, rebound=("size",)),
        ),
        guard__condition="size is not None and size <= 0",
        guard__bindings=(Binding("size", "int(self.text)", 8),),
    )
    assert read_page(entry) == dedent("""\
        acme/shop · error · ValueError

        size must be positive, got {}

        Error message

        size must be positive, got {size}

        When it is raised

        size <= 0

          1. not: size is None  (line 9, an earlier exit)
          2. and size <= 0      (line 11; size may have changed since)

        Whole condition: size is not None and size <= 0

        where size = int(self.text)  (line 8)

        exact: these steps, and nothing else, lead here
        closed: it can be checked before the call

        Source

        Thrown at shop/cart.py:12 in Cart.resize

          11 │         if size <= 0:
        > 12 │             raise ValueError(f"size must be positive, got {size}")

        https://git.example/acme/shop/blob/c0ffee/shop/cart.py#L12

        shop@c0ffee0000 (2026-08-14) · entry 7a3a63b2c8c404d9 · out-of-range""")


def test_holes_are_told_apart_from_braces_of_the_text() -> None:
    page = build_page(make_entry(message="{{}} of {a=!r:>8} {b}"), make_catalog())
    assert [page.plain[span.start : span.end] for span in page.spans if span.style == HOLE] == ["{a=!r:>8}", "{b}"]
    assert "\n{{}} of {a=!r:>8} {b}\n" in page.plain


def test_every_line_of_the_raising_statement_is_marked() -> None:
    text = "if a:\n\traise E(\r\n    b\n)\nend"
    entry = make_entry(site__line=99, site__end_line=101, excerpt__start_line=98, excerpt__text=text)
    page = build_page(entry, make_catalog())
    assert read_section(page.plain, "Source").split("\n")[2:7] == [
        "   98 │ if a:",
        ">  99 │         raise E(",
        "> 100 │     b",
        "> 101 │ )",
        "  102 │ end",
    ]
    assert sum(span.style == RAISING for span in page.spans) == 3


@pytest.mark.parametrize(
    ("kind", "negated", "text", "remark"),
    [
        ("if", False, "a > b", "line 3"),
        ("if", True, "not: a > b", "line 3, the other branch"),
        ("past", True, "not: a > b", "line 3, an earlier exit"),
        ("assert", False, "a > b", "line 3, an earlier assert"),
        ("own", True, "not: a > b", "line 3, the assert itself"),
        ("for", False, "in the loop for a > b", "line 3"),
        ("for", True, "after the loop for a > b", "line 3"),
        ("while", False, "a > b", "line 3, the loop's test"),
        ("while", True, "not: a > b", "line 3, after the loop"),
        ("case", False, "the case: a > b", "line 3"),
        ("case", True, "not the case: a > b", "line 3, an earlier case"),
        ("except", False, "a > b was caught", "line 3, from the try at this line"),
        ("except", True, "no a > b was caught", "line 3"),
        ("else", False, "a > b", "line 3, the else"),
        ("else", True, "not: a > b", "line 3"),
    ],
)
def test_each_kind_of_clause_is_said_in_words(kind: ClauseKind, negated: bool, text: str, remark: str) -> None:
    step = say_clause(Clause(kind, "a > b", negated, 3, ()))
    assert (step.text, step.remark) == (text, remark)


def test_long_steps_have_their_remark_below_and_an_or_is_kept_together() -> None:
    tests = ["a", "b or c", "x" * 90]
    clauses = tuple(Clause("if", test, negated=False, line=line, rebound=()) for line, test in enumerate(tests, 1))
    assert read_section(read_page(make_entry(guard__clauses=clauses)), "When it is raised").startswith(
        f"size <= 0\n\n  1. a            (line 1)\n  2. and: b or c  (line 2)\n  3. and {'x' * 90}\n       (line 3)\n"
    )


def test_names_bound_anew_are_named() -> None:
    remark = say_clause(Clause("if", "a > b", negated=False, line=3, rebound=("a", "b"))).remark
    assert remark == "line 3; a, b may each have changed since"


def test_a_guard_that_is_not_exact_says_why() -> None:
    entry = make_entry(guard__exact=False, guard__closed=False, guard__inexact_because=("an earlier loop may leave",))
    assert "not exact: an earlier loop may leave\nnot closed: it speaks of what" in read_page(entry)


def test_no_condition_at_all_is_said() -> None:
    assert "always, when the code is reached" in read_page(make_entry(guard__branch="True", guard__condition="True"))


def test_an_assert_without_a_message_shows_its_test() -> None:
    own = Clause("own", "size > 0", negated=True, line=12, rebound=())
    page = read_page(make_entry(kind="assert", message=None, guard__clauses=(own,)))
    assert "acme/shop · assertion · " in page
    assert "no message; the test that fails is: size > 0" in page


def test_other_wordings_follow_the_first_with_their_conditions() -> None:
    first, second = make_message("too small"), make_message("too {how}")
    alternatives = tuple(
        Alternative(each.template, each.skeleton, each.parts, condition)
        for each, condition in ((first, "a"), (second, "not a"))
    )
    page = read_page(make_entry(message=dataclasses.replace(first, alternatives=alternatives)))
    assert read_section(page, "Other wordings").startswith("• too {how}\n  when not a\n")
    assert "Other wordings" not in read_page(make_entry())


def test_a_class_of_the_target_is_shown_with_its_bases() -> None:
    own: dict[str, Any] = {"exception__name": "CartError", "exception__qualified": "shop.CartError"}
    page = read_page(make_entry(**own, exception__bases=("ShopError", "ValueError"), helper="shop.fail"))
    assert "shop.CartError, a kind of ShopError, ValueError\nraised by the helper shop.fail\n" in page
    assert "\n\nException\n\n" not in read_page(make_entry())
    unknown = read_page(make_entry(exception__name="errors[k]", exception__qualified=None))
    assert "errors[k] (which class that is can't be told" in unknown


def test_options_have_their_flags_and_facts() -> None:
    entry = make_entry(
        options=(
            OptionUse("Cart.size", "limit", ("guard",), ("limit", "Cart.size")),
            OptionUse("SHOP_DEBUG", "SHOP_DEBUG", ("message",), ()),
        )
    )
    option = Option(
        "Cart.size", "field", "size", ("--size", "-s"), "Cart", "int", "3", ("1", "3"), "How\n big", "a.py", 4
    )
    assert read_section(read_page(entry, make_catalog([entry], options=(option,))), "Options").startswith(
        "• --size, -s, here `limit`\n"
        "  field Cart.size; type int; default 3; one of 1, 3; a.py:4\n"
        "  How big\n"
        "  via limit → Cart.size\n"
        "• SHOP_DEBUG\n"
    )


def test_related_errors_are_named_by_title() -> None:
    entry = make_entry(related=("b" * 16, "f" * 16))
    other = make_entry(id="b" * 16, title="no room")
    assert f"\n\nRelated errors\n\n• no room  ({'b' * 16})\n\n" in read_page(entry, make_catalog([entry, other]))


def test_a_note_is_part_of_the_page() -> None:
    entry = make_entry(id="a" * 16)
    page = read_page(entry, make_catalog([entry], notes=(dataclasses.replace(NOTE, entry="a" * 16),)))
    assert read_section(page, "What it means").startswith(
        "The cart can't hold less than nothing.\n\nderived by rules, 2026-08-14\n\nWhen it is raised\n"
    )
    assert "Solutions\n\n1. Give a size above 0\n2. Leave the size out\n" in page
    assert "Example fix\n\n# before\nCart(size=0)\n# after\nCart(size=1)\n" in page
    assert "Check before the call\n\nif size > 0:\n    cart.resize(size)\n" in page
    assert "When it happens\n\nTrigger: resize(0)\n• A form sends an empty field\n" in page


def test_a_note_says_when_it_may_no_longer_hold() -> None:
    entry = make_entry(id="a" * 16, fingerprint__guard="1" * 16)
    failed = (Verification("example", passed=False, detail="it ran"),)
    note = dataclasses.replace(NOTE, entry="a" * 16, verified=failed)
    page = read_page(entry, make_catalog([entry], notes=(note,)))
    assert "written before the message or its condition changed" in page
    assert "1 check of it failed" in page


def test_nothing_of_a_target_reaches_the_terminal_as_control() -> None:
    evil = "\x1b[2J\u202e\x07"
    named = "title permalink family helper exception__name exception__qualified guard__branch guard__condition"
    changes: dict[str, Any] = dict.fromkeys([*named.split(), "site__path", "site__qualname", "excerpt__text"], evil)
    entry = make_entry(
        **changes,
        message="{x\x1b} \x1b",
        remarks=(evil,),
        related=("b" * 16,),
        guard__clauses=(Clause("if", evil, negated=False, line=1, rebound=(evil,)),),
        guard__bindings=(Binding(evil, evil, 1),),
        guard__exact=False,
        guard__inexact_because=(evil,),
        exception__bases=(evil,),
        options=(OptionUse(evil, evil, ("guard",), (evil,)), OptionUse("o", evil, ("guard",), (evil,))),
    )
    evil_note = dataclasses.replace(
        NOTE, entry=entry.id, author=evil, meaning=evil, trigger=evil, solutions=(evil,), check=Check(evil, evil)
    )
    option = Option("o", "field", evil, (evil,), evil, evil, evil, (evil,), evil, evil, 1)
    other = make_entry(id="b" * 16, title=evil)
    names: dict[str, Any] = {"target__name": evil, "target__repo": evil, "target__release": evil}
    page = build_page(entry, make_catalog([entry, other], notes=(evil_note,), options=(option,), **names))
    assert isinstance(page, Text)
    assert "\\x1b[2J\\u202e\\x07" in page.plain
    assert not set(page.plain) & set("\x1b\u202e\x07")
