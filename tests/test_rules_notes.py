"""Notes derived from what was mined alone."""

from collections.abc import Callable

import pytest
from factories import make_catalog, make_entry

from catalog.notes.facts import Facts
from catalog.notes.rules import derive_note
from catalog.notes.rules.table import RULES
from catalog.records import Clause, Entry, Note, Option, OptionUse

_OPTIONS = (
    Option("Server.name", "field", "name", ("--name",), "Server", "str", None, (), None, "pkg/c.py", 6),
    Option("Draft.length", "field", "length", ("--draft",), "Draft", "int | None", "None", (), None, "pkg/c.py", 1),
    Option("Server.draft", "field", "draft", ("--draft",), "Server", "Draft | None", "None", (), None, "pkg/c.py", 2),
    Option("Server.width", "field", "width", ("--width",), "Server", "int", "1", (), None, "pkg/c.py", 3),
    Option("Server.fuse", "field", "fuse", ("--fuse",), "Server", "bool", "False", (), None, "pkg/c.py", 4),
    Option(
        "Server.mode", "field", "mode", ("--mode",), "Server", "str", '"slow"', ("slow", "fast"), None, "pkg/c.py", 5
    ),
)


def _derive(entry: Entry) -> Note:
    return derive_note(entry, Facts.of(make_catalog([entry], options=_OPTIONS)))


def _use(id_: str, as_: str, *via: str) -> OptionUse:
    return OptionUse(id_, as_, ("guard",), via)


def test_a_note_names_the_key_and_its_flag_not_the_helpers_parameter() -> None:
    note = _derive(
        make_entry(
            guard__branch="draft_length is not None and draft_length > limit",
            family="out-of-range",
            options=(_use("Draft.length", "draft_length", "parameter draft_length of fit", "pkg/c.py:9: self.length"),),
        )
    )
    assert note.meaning == "Where `Cart.resize` runs, `length` (in `--draft`) must be at most `limit`."
    assert note.solutions == (
        "Set `length` (in `--draft`) to at most `limit`.",
        "Or leave `length` unset, as it is by default.",
    )
    assert "draft_length" not in repr(note)


def test_a_name_computed_from_options_is_put_in_by_its_definition(mine: Callable[..., tuple[Entry, ...]]) -> None:
    (entry,) = mine(
        "class Server:\n"
        "    def check(self):\n"
        "        wide = self.width > 4\n"
        "        if wide and not self.fuse:\n"
        "            raise ValueError('a wide server needs fuse')\n"
    )
    uses = (_use("Server.width", "wide", "pkg/module.py:3: wide = self.width > 4"), _use("Server.fuse", "self.fuse"))
    note = _derive(
        make_entry(guard=entry.guard, options=uses, message="a wide server needs --fuse", family="requires-another")
    )
    assert note.meaning == "`--fuse` must be on when `--width` is greater than 4."
    assert note.solutions == ("Turn on `--fuse`.", "Or set `--width` to at most 4.")


def test_what_the_message_speaks_of_is_said_also_from_before_the_branch() -> None:
    note = _derive(
        make_entry(
            guard__branch="self.width > 1",
            guard__condition="self.fuse and self.mode == 'fast' and self.width > 1",
            message="fused servers take one width",
            options=(_use("Server.width", "self.width"), _use("Server.fuse", "self.fuse")),
            site__qualname="Server.check",
        )
    )
    assert note.meaning == "`--width` must be at most 1 when `--fuse` is on."


@pytest.mark.parametrize("family", sorted(RULES))
def test_every_family_has_a_note_for_an_entry_without_a_test(family: str) -> None:
    note = _derive(make_entry(family=family, guard__branch="True", guard__condition="True"))
    assert note.meaning.endswith(".")
    assert note.trigger.endswith(".")
    assert note.solutions


def test_a_handler_is_named_as_what_leads_there() -> None:
    clause = Clause("except", "KeyError", negated=False, line=4, rebound=())
    note = _derive(make_entry(guard__branch="True", guard__condition="True", guard__clauses=(clause,)))
    assert "`KeyError`" in note.trigger


def test_a_flag_is_told_what_it_is_read_as() -> None:
    clause = Clause("own", "int takes the value of --width", negated=True, line=4, rebound=())
    note = _derive(
        make_entry(
            kind="constraint",
            guard__branch="True",
            guard__condition="True",
            guard__clauses=(clause,),
            options=(OptionUse("Server.width", "--width", ("message",), ()),),
        )
    )
    assert note.meaning == "`--width` takes a whole number; anything else is refused."


def test_values_are_tried_in_the_order_of_the_source_also_those_of_a_set() -> None:
    note = _derive(
        make_entry(
            guard__branch="self.name not in {'pine', 'oak', 'elm', 'ash', 'yew'}",
            options=(_use("Server.name", "self.name"),),
        )
    )
    assert note.example is not None
    assert (note.example.before, note.example.after) == ("--name other", "--name pine")
