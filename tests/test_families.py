"""The family of an entry, from what its message says and what its guard is like."""

import pytest
from factories import make_entry, make_message

from catalog.families import FAMILIES, classify
from catalog.records import Clause
from catalog.shapes import read_shapes
from catalog.signs import list_signs


def _classify(message: str | None, test: str, exception: str = "ValueError", kind: str = "raise") -> str:
    clause = Clause("own" if kind == "assert" else "if", test, negated=kind == "assert", line=3, rebound=())
    branch = f"not ({test})" if kind == "assert" else test
    entry = make_entry(guard__branch=branch, guard__clauses=(clause,), exception__name=exception)
    return classify(kind, entry.exception, make_message(message) if message is not None else None, entry.guard)


@pytest.mark.parametrize(
    ("message", "test", "family"),
    [
        ("height must be at least 1, got {height}", "height < 1", "out-of-range"),
        ("bad height", "height > limit", "out-of-range"),
        ("--dwell-timeout must be positive", "dwell_timeout <= 0", "out-of-range"),
        ("width must be in [0, {lanes}), got {width}", "width >= lanes", "out-of-range"),
        ("this oven only takes trays in range {span}", "tray not in span", "out-of-range"),
        ("Parse 3 has only one step", "steps > 1", "out-of-range"),
        ("cannot parse the recipe", "found is None", "malformed"),
        ("baking is not supported on TPU", "is_tpu", "unsupported-platform"),
        ("TPU baking supports only plain dough", "dough != 'plain'", "unsupported-combination"),
        ("oven must be set before baking", "self.oven is None", "wrong-state"),
        ("heat must be set by this point", "self.heat is None", "internal"),
        ("port 80 is unavailable", "not is_free(port)", "resource-limit"),
        ("baking requires ovenlib 0.6.17 or newer", "found < wanted", "missing-dependency"),
        ("ensure the oven packages are installed", "not is_there()", "missing-dependency"),
        ("Unsupported dough format: {dough}", "dough not in KNOWN", "not-a-choice"),
        ("Unsupported input for the oven", "weight > 3 and is_wet", "unsupported-combination"),
        ("ignored layers require a matching tray", "missing", "requires-another"),
        ("enable_fan must be True to use the grill", "grill and not fan", "requires-another"),
        ("cannot convert to both dough and bread", "dough and bread", "mutually-exclusive"),
        ("colour must be one of {colours}", "colour not in COLOURS", "not-a-choice"),
        ("colour: expected red or blue", "colour not in ('red', 'blue')", "not-a-choice"),
        ("only one of --left and --right may be given", "left and right", "mutually-exclusive"),
        ("--left and --right are mutually exclusive", "left is not None and right is not None", "mutually-exclusive"),
        ("--left requires --right", "left and not right", "requires-another"),
        ("--right must be set when --left is on", "left and right is None", "requires-another"),
        ("no seed was given", "seed is None", "missing"),
        ("tags must not be empty", "not tags", "missing"),
        ("tags must be a list", "not isinstance(tags, list)", "wrong-type"),
        (None, "not isinstance(tags, list)", "wrong-type"),
        ("got {len(a)} names for {len(b)} values", "len(a) != len(b)", "wrong-length"),
        ("rows must be divisible by lanes", "rows % lanes != 0", "not-divisible"),
        (None, "rows % lanes", "not-divisible"),
        ("declared width does not match the width of the file", "declared != found", "mismatch"),
        ("no such recipe: {path}", "not os.path.exists(path)", "not-found"),
        ("key {k} was given twice", "k in seen", "duplicate"),
        ("could not parse the recipe", "broken", "malformed"),
        ("stirring is not supported with a lid", "lid and stir", "unsupported-combination"),
        ("only supported on CUDA devices", "not platform.is_cuda()", "unsupported-platform"),
        ("the oven is already running", "self.running", "wrong-state"),
        ("out of memory while baking", "used > free", "resource-limit"),
        ("you are not permitted to open this oven", "locked", "permission"),
        ("this should never happen", "state == 3", "internal"),
        ("no", "f(x)", "invalid"),
    ],
)
def test_message_and_guard_tell_the_family(message: str | None, test: str, family: str) -> None:
    assert _classify(message, test) == family


@pytest.mark.parametrize(
    ("message", "test", "exception", "family"),
    [
        (None, "True", "NotImplementedError", "not-implemented"),
        ("subclasses must implement this", "True", "NotImplementedError", "not-implemented"),
        ("lids are not supported with stirring", "lid", "NotImplementedError", "unsupported-combination"),
        ("the whisk could not be imported", "whisk is None", "ImportError", "missing-dependency"),
        ("whisk: {name}", "name not in table", "KeyError", "not-a-choice"),
        ("{name}", "flag", "FileNotFoundError", "not-found"),
        ("{name}", "flag", "PermissionError", "permission"),
    ],
)
def test_the_exception_weighs_in(message: str | None, test: str, exception: str, family: str) -> None:
    assert _classify(message, test, exception) == family


def test_an_assert_that_says_it_requires_something_is_not_internal() -> None:
    assert _classify("lids require a pot", "pot", "AssertionError", "assert") == "requires-another"


def test_an_assert_without_a_word_about_a_plain_fact_is_internal() -> None:
    assert _classify(None, "pot", "AssertionError", "assert") == "internal"


def test_an_option_named_after_time_is_no_limit_of_resources() -> None:
    assert dict(list_signs("--queue-timeout and drain_limit are odd")) == {}


def test_a_flags_conversion_is_about_its_type() -> None:
    clause = Clause("own", "int takes the value of --port", negated=True, line=1, rebound=())
    entry = make_entry(guard__clauses=(clause,), guard__branch="True")
    assert read_shapes(entry.guard) == {"read as"}


def test_every_sign_speaks_for_a_family_there_is() -> None:
    text = "mutually exclusive requires not installed divisible duplicate same length of type unknown exceeds not found"
    assert {family for family, _ in list_signs(text)} <= set(FAMILIES)


@pytest.mark.parametrize("test", ["x <", "", "lambda:", "a if b", "x" * 10])
def test_a_test_that_does_not_parse_has_a_family_all_the_same(test: str) -> None:
    assert _classify("odd", test) in FAMILIES
