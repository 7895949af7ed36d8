"""Notes of anyone: whatever stands in them, checking them ends soon, with one line a check."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from noteworld import make_kitchen

from catalog.notes.facts import Facts
from catalog.notes.verify import verify_note
from catalog.records import Check, Entry, Example, Note

KITCHEN = make_kitchen()
FACTS = Facts.of(KITCHEN)
WORDS = """
` `` ( ) [ ] { } ' " \\ # : ; , . = - -- 1 0 -1 1e9 99999999999 ⟦0⟧ --heat --oven --oven.reach --oven= -t KITCHEN_PORT=8
KITCHEN_PORT reach oven_reach rack_reach kitchen.heat https://evil.example.io/ a.py given: at least at most greater
than less between and to or set leave unset turn off not must when if unless lambda: x for x in [x[0]]*9 f'{x}'
9**9**9 None True def check(heat:int)->bool: return import os
"""
TOKENS = st.sampled_from(
    [
        *WORDS.split(),
        '{"reach": 1}',
        "# given: rack_reach = 3",
        "# given: rack_reach = 9**9**9",
        "f'{x!r:>{y}}\\n'",
        "\n",
        "\n    ",
        "\x1b[31m",
        "\u202e",
        "\ud800",
        "\0",
        "é",
    ]
)
TEXTS = st.lists(TOKENS, max_size=14).map(" ".join) | st.text(max_size=40)
CODES = TEXTS | st.lists(TOKENS, max_size=8).map(
    lambda tokens: f'def check(heat: int) -> bool:\n    """Tell."""\n    return {" ".join(tokens)}\n'
)


@st.composite
def notes(draw: st.DrawFn) -> tuple[Note, Entry]:
    entry = draw(st.sampled_from(KITCHEN.entries))
    language = draw(st.sampled_from(["sh", "python", "json", "yaml", "toml", ""]))
    return (
        Note(
            entry=entry.id,
            fingerprint=entry.fingerprint,
            author=draw(TEXTS),
            model=None,
            date=None,
            status="drafted",
            meaning=draw(TEXTS),
            solutions=tuple(draw(st.lists(TEXTS, max_size=2))),
            example=draw(st.none() | st.builds(Example, TEXTS, TEXTS, st.just(language))),
            check=draw(st.none() | st.builds(Check, st.just("validation"), CODES)),
            prevention=tuple(draw(st.lists(TEXTS, max_size=1))),
            trigger=draw(TEXTS),
            situations=(),
            verified=(),
        ),
        entry,
    )


@settings(max_examples=300, deadline=None)
@given(notes())
def test_any_note_is_checked_soon_with_one_line_a_check(case: tuple[Note, Entry]) -> None:
    note, entry = case
    began = time.process_time()
    verified = verify_note(note, entry, FACTS)
    assert time.process_time() - began < 2
    assert len(verified) == 6
    assert all(each.detail and each.detail.isprintable() for each in verified)


LONG: dict[str, str] = {
    "brackets": "(" * 5000,
    "closed brackets": "()" * 2500,
    "backticks": "`" * 5000,
    "names": "`a" * 2500,
    "numbers": "1 " * 2500,
    "one number": "1" * 5000,
    "bounds": "at least 1 " * 450,
    "denials": "not " * 1250,
    "sets": "set `--heat` to " + "1, " * 1600,
    "sets without commas": "set `--heat` to " + "1" * 4900,
    "words": "a_" * 2500,
    "flags": "--a" * 1600,
    "dots": "a." * 2500,
    "slashes": "a/" * 2500,
    "addresses": "http://a.b/ " * 400,
    "capitals": "A_" * 2500,
    "turns": "when " * 1000,
    "braces": "{" * 5000,
    "quotes": '"' * 4999,
}


@pytest.mark.parametrize("name", LONG)
def test_no_long_text_takes_long(name: str) -> None:
    text = LONG[name]
    entry = KITCHEN.entries[3]
    code = f'def check(heat: int) -> bool:\n    """Tell."""\n    return {text}\n'
    for language in ("sh", "python", "json", "yaml"):
        note = Note(
            entry=entry.id,
            fingerprint=entry.fingerprint,
            author="",
            model=None,
            date=None,
            status="drafted",
            meaning=text,
            solutions=(text,),
            example=Example(text, f"{text} ", language),
            check=Check("validation", code),
            prevention=(text,),
            trigger=text,
            situations=(text,),
            verified=(),
        )
        began = time.process_time()
        verify_note(note, entry, FACTS)
        assert time.process_time() - began < 3
