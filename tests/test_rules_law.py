"""What holds of every derived note, whatever the condition."""

import ast

from factories import make_catalog, make_entry
from hypothesis import given
from hypothesis import strategies as st

from catalog.notes.facts import Facts
from catalog.notes.rules import derive_note
from catalog.notes.verify import verify_note
from catalog.records import Entry, Option, OptionUse

_OPTIONS = (
    Option("Server.width", "field", "width", ("--width",), "Server", "int", "1", (), None, "pkg/c.py", 1),
    Option("Server.height", "field", "height", ("--height",), "Server", "int | None", "None", (), None, "pkg/c.py", 2),
    Option("Server.fuse", "field", "fuse", ("--fuse",), "Server", "bool", "False", (), None, "pkg/c.py", 3),
    Option(
        "Server.mode", "field", "mode", ("--mode",), "Server", "str", '"slow"', ("slow", "fast"), None, "pkg/c.py", 4
    ),
)
_USES = tuple(OptionUse(option.id, f"self.{option.name}", ("guard",), ()) for option in _OPTIONS)

_SIZES = st.sampled_from(["self.width", "limit", "len(names)"])
_NUMBERS = st.one_of(_SIZES, st.sampled_from(["0", "1", "7"]))
_TESTS = st.one_of(
    st.tuples(_SIZES, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), _NUMBERS)
    .filter(lambda sides: sides[0] != sides[2])
    .map(" ".join),
    st.builds("self.mode {} ('slow', 'quick')".format, st.sampled_from(["in", "not in"])),
    st.sampled_from(
        [
            "self.height is None",
            "self.height is not None and self.height > limit",
            "self.fuse",
            "self.mode == 'fast'",
            "self.width % 8 != 0",
            "isinstance(extra, str)",
            "self.mode.startswith('f')",
            "any(name == 'x' for name in names)",
            "ready(self.width)",
            "not 0 < self.width <= 64",
        ]
    ),
)
_CONDITIONS = st.recursive(
    _TESTS,
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({})".format, inner),
    ),
    max_leaves=5,
)


def _make(condition: str, family: str) -> Entry:
    return make_entry(
        guard__branch=condition,
        guard__condition=condition,
        guard__exact=True,
        options=_USES,
        family=family,
        message="the server refuses this",
        excerpt__text=f"        if {condition}:\n            raise ValueError('the server refuses this')\n",
    )


@given(_CONDITIONS, st.sampled_from(["out-of-range", "requires-another", "mutually-exclusive", "internal", "missing"]))
def test_a_derived_note_passes_every_check_that_notes_are_held_to(condition: str, family: str) -> None:
    entry = _make(condition, family)
    facts = Facts.of(make_catalog([entry], options=_OPTIONS))
    note = derive_note(entry, facts)
    failed = [verification for verification in verify_note(note, entry, facts) if not verification.passed]
    assert failed == [], condition


@given(_CONDITIONS)
def test_a_derived_check_is_a_function_of_known_names(condition: str) -> None:
    entry = _make(condition, "invalid")
    note = derive_note(entry, Facts.of(make_catalog([entry], options=_OPTIONS)))
    if note.check is None:
        return
    (function,) = ast.parse(note.check.code).body
    assert isinstance(function, ast.FunctionDef)
    known = {"width", "height", "fuse", "mode", "limit", "names", "extra", "ready_self_width"}
    assert {argument.arg for argument in function.args.args} <= known
    assert ast.get_docstring(function)
