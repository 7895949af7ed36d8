"""Three notes as they are found elsewhere, with their mistakes, beside the ones that are derived."""

import pytest
from noteworld import find_kitchen_entry, make_kitchen

from catalog.notes.facts import Facts
from catalog.notes.rules import derive_note
from catalog.notes.verify import has_passed, verify_note
from catalog.records import Check, Entry, Example, Note, Verification

KITCHEN = make_kitchen()
FACTS = Facts.of(KITCHEN)


def _write(entry: Entry, example: Example, code: str, solution: str) -> Note:
    return Note(
        entry=entry.id,
        fingerprint=entry.fingerprint,
        author="somebody",
        model="a model",
        date="2026-08-14",
        status="drafted",
        meaning="The kitchen can't be started like this.",
        solutions=(solution,),
        example=example,
        check=Check("validation", code),
        prevention=(),
        trigger="Raised when the kitchen is started.",
        situations=(),
        verified=(),
    )


REACH, TRAYS, WINDOW = (find_kitchen_entry(KITCHEN, word) for word in ("oven_reach", "trays", "window must"))

# Sets the helper's parameter as a key, which the configuration refuses before anything else.
REACH_AS_FOUND = _write(
    REACH,
    Example(
        'oven={"oven_reach": 60}  # given: rack_reach = 30',
        'oven={"oven_reach": 30}  # given: rack_reach = 30',
        "python",
    ),
    'def fits_rack(oven_reach: int | None, rack_reach: int) -> bool:\n    """Tell."""\n'
    "    return oven_reach is None or oven_reach <= rack_reach\n",
    "Set `oven_reach` <= what the rack has.",
)
# The same, and the other value is only in a comment.
TRAYS_AS_FOUND = _write(
    TRAYS,
    Example('oven={"oven_trays": 2}  # kitchen has 4', 'oven={"oven_trays": 4}', "python"),
    'def is_valid(oven_trays: int | None, trays: int) -> bool:\n    """Tell."""\n'
    "    return oven_trays is None or oven_trays in (1, trays)\n",
    "Remove the key `oven_trays` entirely.",
)
# Sets another option than the one that is compared, so that the check reads a value that isn't there.
WINDOW_AS_FOUND = _write(
    WINDOW,
    Example("--tile 32 --window 16", "--tile 32 --window 32", "sh"),
    'def check(window: int | None, block: int | None) -> bool:\n    """Tell."""\n'
    "    if window is not None:\n        return window >= int(block or 0)\n    return True\n",
    "Set `--window` to at least `--block`.",
)


def _find_failures(note: Note, entry: Entry) -> dict[str, Verification]:
    return {each.check: each for each in verify_note(note, entry, FACTS) if not each.passed}


def test_a_key_that_is_only_a_helpers_parameter_fails_the_first() -> None:
    failures = _find_failures(REACH_AS_FOUND, REACH)
    assert (
        "`oven_reach` is no key of `oven`: it is what the source calls `reach` inside `--oven`"
        in failures["names"].detail
    )
    assert "solution 1: `oven_reach` can't be set" in failures["names"].detail
    assert "before does not fail" in failures["example"].detail  # the key reaches nothing


def test_a_key_that_is_only_a_helpers_parameter_fails_the_second() -> None:
    failures = _find_failures(TRAYS_AS_FOUND, TRAYS)
    assert (
        "`oven_trays` is no key of `oven`: it is what the source calls `trays` inside `--oven`"
        in failures["names"].detail
    )
    assert "before does not fail" in failures["example"].detail
    assert "`is_valid` does not fire on before" in failures["check"].detail


def test_a_check_that_does_not_fire_on_its_own_example_fails_the_third() -> None:
    failures = _find_failures(WINDOW_AS_FOUND, WINDOW)
    assert "`check` does not fire on before: it finds the failing example fine" in failures["check"].detail
    assert "before: not evaluable: `int(…)`" in failures["example"].detail  # --block is not set
    assert set(failures) == {"example", "check"}


@pytest.mark.parametrize("entry", [REACH, TRAYS, WINDOW], ids=["reach", "trays", "window"])
def test_the_derived_note_passes_with_example_and_check_where_the_found_one_fails(entry: Entry) -> None:
    note = derive_note(entry, FACTS)
    verified = verify_note(note, entry, FACTS)
    assert has_passed(verified), [each for each in verified if not each.passed]
    assert note.example is not None
    assert note.check is not None
    details = {each.check: each.detail for each in verified}
    assert details["example"].startswith("before: `")
    assert details["check"].startswith("agrees with the guard on ")


def test_the_derived_notes_name_the_users_own_options() -> None:
    examples = [derive_note(entry, FACTS).example for entry in (REACH, TRAYS, WINDOW)]
    befores = [example.before if example else "" for example in examples]
    assert '--oven \'{"reach": ' in befores[0]
    assert "--trays " in befores[1]
    assert '"trays": ' in befores[1]
    assert "--block " in befores[2]
    assert not any("oven_reach" in before or "oven_trays" in before for before in befores)
