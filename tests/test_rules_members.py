"""Derived notes in the words that users write: members of enumerations, flags that deny, keys beside flags."""

import ast

import pytest
from factories import make_catalog, make_entry

from catalog.notes.evaluate import Unknown, decide
from catalog.notes.facts import Facts
from catalog.notes.places import is_denial
from catalog.notes.rules import derive_note
from catalog.notes.verify import verify_note
from catalog.notes.words.members import find_member, name_members
from catalog.records import Entry, Note, Option, OptionUse


def _option(id_: str, *flags: str, type_: str, default: str | None = None, choices: tuple[str, ...] = ()) -> Option:
    return Option(id_, "field", id_.rpartition(".")[2], flags, "Server", type_, default, choices, None, "pkg/c.py", 1)


_OPTIONS = (
    _option("Server.kind", "--kind", type_="Kind", default="Kind.SLOW"),
    _option("Server.dtype", "--dtype", type_="str", default='"auto"', choices=("auto", "half", "bfloat16")),
    _option(
        "Server.disable_cache",
        "--disable-cache",
        "--no-disable-cache",
        "--enable-cache",
        type_="bool | None",
        default="None",
    ),
    _option("Args.tune", "--tune", "--no-tune", type_="bool | None", default="None"),
    _option("Oven.tune", "--tune", "--no-tune", "--oven", type_="bool | None", default="None"),
    _option("Server.oven", "--oven", type_="Oven", default="Oven()"),
    _option("Server.size", "--size", type_="int", default="3"),
    _option("Server.stops", "--stops", type_="list[str]", choices=("length >= 1",)),
    _option("Server.allow_old", "--allow-old", type_="bool", default="False"),
    _option("Server.one", "--one", type_="bool", default="False"),
    _option("Server.two", "--two", type_="bool", default="False"),
)


def _entry(
    branch: str,
    *names: str,
    qualname: str = "Server.check",
    message: str = "no",
    kind: str = "raise",
    family: str = "unsupported-combination",
) -> Entry:
    uses = tuple(
        OptionUse(id_, as_, ("guard",), ())
        for id_, _, as_ in ((name.partition("=")[0], "", name.partition("=")[2]) for name in names)
    )
    return make_entry(
        guard__branch=branch,
        guard__condition=branch,
        site__qualname=qualname,
        message=message,
        options=uses,
        kind=kind,
        family=family,
    )


def _derive(entry: Entry) -> Note:
    facts = Facts.of(make_catalog([entry], options=_OPTIONS))
    note = derive_note(entry, facts)
    failed = [each for each in verify_note(note, entry, facts) if not each.passed]
    assert not failed
    return note


def test_a_member_of_an_enumeration_goes_by_its_name_in_example_and_check() -> None:
    note = _derive(_entry("self.kind not in (Kind.FAST, Kind.SLOW)", "Server.kind=self.kind"))
    assert note.meaning == "`--kind` must be `Kind.FAST` or `Kind.SLOW`."
    assert note.example is not None and note.check is not None
    assert (note.example.before, note.example.after) == ("--kind other", "--kind FAST")
    assert 'return kind in ("FAST", "SLOW")' in note.check.code


def test_a_type_of_tensors_is_written_as_the_option_takes_it() -> None:
    note = _derive(_entry("self.dtype != torch.bfloat16", "Server.dtype=self.dtype"))
    assert note.meaning == "`--dtype` must be `torch.bfloat16`."
    assert note.solutions[0] == 'Set `--dtype` to `"bfloat16"`.'
    assert note.example is not None
    assert (note.example.before, note.example.after) == ("--dtype auto", "--dtype bfloat16")
    refused = _derive(_entry("self.dtype == torch.bfloat16", "Server.dtype=self.dtype"))
    assert refused.solutions[0] == 'Set `--dtype` to `"auto"` or `"half"` instead of `torch.bfloat16`.'


@pytest.mark.parametrize(
    ("condition", "named"),
    [
        ("kind == Kind.FAST", "kind == 'FAST'"),
        ("kind is not Kind.FAST", "kind != 'FAST'"),
        ("Kind.FAST is kind", "'FAST' == kind"),
        ("kind in {Kind.FAST, None}", "kind in {'FAST', None}"),
        ("kind not in [p.Kind.FAST]", "kind not in ('FAST',)"),
        ("x == np.float32", "x == 'float32'"),
        ("not (kind == Kind.FAST and on)", "not (kind == 'FAST' and on)"),
        # near misses
        ("size > Limits.LARGEST", "size > Limits.LARGEST"),
        ("size == LIMITS.LARGEST", "size == LIMITS.LARGEST"),
        ("size == limits.LARGEST", "size == limits.LARGEST"),
        ("kind == Kind.fast", "kind == Kind.fast"),
        ("Kind.FAST == Kind.SLOW", "Kind.FAST == Kind.SLOW"),
        ("Kind.FAST in known", "'FAST' in known"),
        ("x == torch.cuda", "x == torch.cuda"),
        ("a < kind == Kind.FAST", "a < kind == Kind.FAST"),
    ],
)
def test_members_that_something_is_compared_with_are_names(condition: str, named: str) -> None:
    assert ast.unparse(name_members(ast.parse(condition, mode="eval").body)) == named


def test_a_limit_of_a_class_has_no_value_by_its_name() -> None:
    assert find_member(ast.parse("Limits.LARGEST", mode="eval").body) == "LARGEST"
    with pytest.raises(Unknown):
        decide("size > Limits.LARGEST", {"size": 3})
    assert decide("kind == Kind.FAST", {"kind": "FAST"})


@pytest.mark.parametrize(
    ("flag", "denies"),
    [
        ("--no-disable-cache", True),
        ("--enable-cache", True),
        ("--disable-cache", False),
        ("--cache", False),
        ("--disable-caches", False),
    ],
)
def test_a_flag_denies_what_the_option_is_named_for(flag: str, denies: bool) -> None:
    assert is_denial(flag, _OPTIONS[2]) is denies


def test_an_option_is_never_named_by_the_flag_that_denies_it() -> None:
    entry = _entry(
        "self.disable_cache is False", "Server.disable_cache=self.disable_cache", message="leave out --enable-cache"
    )
    note = _derive(entry)
    assert note.meaning == "`--disable-cache` must not be off."
    assert note.solutions == ("Turn on `--disable-cache`.",)
    assert note.example is not None and note.example.before == "--no-disable-cache"


def test_two_options_of_one_flag_are_told_apart_by_the_key() -> None:
    entry = _entry("self.tune is not None and oven.tune is not None", "Args.tune=self.tune", "Oven.tune=oven.tune")
    assert _derive(entry).meaning == "`tune` (in `--oven`) must be left unset when `--tune` is set."


def test_an_option_compared_with_its_classs_own_value_keeps_its_default() -> None:
    note = _derive(_entry("self.size != Server.size", "Server.size=self.size"))
    assert note.meaning == "`--size` must be left as it is by default."
    assert note.solutions == ("Leave `--size` unset, so that it keeps its default.",)


def test_the_items_of_a_list_of_texts_are_empty_not_false() -> None:
    note = _derive(_entry("any(not stop for stop in self.stops)", "Server.stops=self.stops"))
    assert note.meaning == "For every `stop` in `--stops`, `stop` must not be empty."


def test_a_rule_among_the_choices_is_no_value() -> None:
    note = _derive(_entry("len(self.stops) > 1", "Server.stops=self.stops"))
    assert note.example is None or "length" not in note.example.before


def test_what_an_option_allows_is_a_way_out() -> None:
    entry = _entry(
        "self.size in OLD and not self.allow_old", "Server.size=self.size", "Server.allow_old=self.allow_old"
    )
    assert "Turn on `--allow-old`." in _derive(entry).solutions


def test_of_several_switches_at_most_one_may_be_on() -> None:
    entry = _entry("sum([self.one, self.two]) > 1", "Server.one=self.one", "Server.two=self.two")
    assert _derive(entry).meaning == "At most one of `--one` and `--two` may be in use at once."


def test_what_a_function_asks_that_not_all_settings_lead_to_is_said_with_it() -> None:
    note = _derive(_entry("self.size > 1", "Server.size=self.size", qualname="check_oven"))
    assert note.meaning == "Where `check_oven` runs, `--size` must be at most 1."


def test_what_isnt_given_breaks_no_declared_rule() -> None:
    entry = _entry("tune not in ('a', 'b')", "Args.tune=tune", kind="constraint")
    note = _derive(entry)
    assert note.example is None or "without" not in note.example.before


def test_a_name_whose_items_the_message_lists_is_empty_or_not() -> None:
    note = _derive(_entry("missing", message="{', '.join(missing)} are missing"))
    assert note.meaning == "`missing` must be empty."


def test_a_number_that_is_written_as_a_computation_is_worked_out() -> None:
    note = _derive(_entry("self.size >= 2**31 - 1", "Server.size=self.size"))
    assert note.meaning == "`--size` must be less than 2147483647."


def test_of_several_platforms_one_is_needed() -> None:
    test = "is_baking and not current_platform.is_rocm() and not current_platform.is_xpu()"
    note = _derive(_entry(test, message="this platform has no ovens", family="unsupported-platform"))
    assert note.meaning == "The platform must be ROCm or an XPU when `is_baking` is true."
    assert note.solutions[0] == "Run it on ROCm or an XPU."


@pytest.mark.parametrize(
    ("qualname", "begins"),
    [
        ("Server.__init__", "`--size`"),
        ("Server.verify_args", "`--size`"),
        ("Server._validate_server", "`--size`"),
        ("Server._check_size", "`--size`"),
        ("Server._verify_greedy", "Where `Server._verify_greedy` runs, "),
        ("Grill.check", "Where `Grill.check` runs, "),
        ("check_size_of_ovens", "Where `check_size_of_ovens` runs, "),
    ],
)
def test_what_every_object_goes_through_is_asked_of_all(qualname: str, begins: str) -> None:
    assert _derive(_entry("self.size > 1", "Server.size=self.size", qualname=qualname)).meaning.startswith(begins)
