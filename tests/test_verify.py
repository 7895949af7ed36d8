"""Notes in, verifications out: what is true passes, each planted lie is caught by the check that should see it."""

from typing import Any

import pytest
from factories import change
from noteworld import find_kitchen_entry, make_kitchen

from catalog.notes.facts import Facts
from catalog.notes.verify import CHECKS, has_passed, verify_note
from catalog.records import Check, Entry, Example, Note

KITCHEN = make_kitchen()
FACTS = Facts.of(KITCHEN)


REACH, TRAYS, WINDOW, HEAT, STYLE, STEAM, PORT = (
    find_kitchen_entry(KITCHEN, word)
    for word in ("oven_reach", "trays", "window must", "heat must", "style", "steam", "door")
)


def make_note(entry: Entry, **changes: Any) -> Note:
    note = Note(
        entry=entry.id,
        fingerprint=entry.fingerprint,
        author="a cook",
        model=None,
        date="2026-08-14",
        status="reviewed",
        meaning="The kitchen refuses this.",
        solutions=("Change the setting.",),
        example=None,
        check=None,
        prevention=(),
        trigger="Raised when the kitchen starts.",
        situations=(),
        verified=(),
    )
    return change(note, changes)


TRUE_REACH = make_note(
    REACH,
    meaning="`reach` must be at most `rack_reach`: the oven can't look further ahead than the rack goes.",
    solutions=("Set `reach` (in `--oven`) to at most `rack_reach`.", "Or leave `reach` (in `--oven`) unset."),
    example=Example(
        "# given: rack_reach = 30\n--oven '{\"reach\": 60}'", "# given: rack_reach = 30\n--oven '{\"reach\": 30}'", "sh"
    ),
    check=Check(
        "validation",
        "def check_reach(reach: int | None, rack_reach: int) -> bool:\n"
        '    """Tell whether the oven may look so far ahead."""\n'
        "    return reach is None or reach <= rack_reach\n",
    ),
    trigger="Raised by `OvenConfig._limit_reach` when `reach` is set and greater than `rack_reach`.",
    prevention=("Keep `--oven` next to what is known of the rack.",),
)
TRUE_TRAYS = make_note(
    TRAYS,
    meaning="`trays` (in `--oven`) must be 1 or `--trays`.",
    solutions=("Set `trays` (in `--oven`) to 1, or to `--trays`.", "Or leave `trays` (in `--oven`) unset."),
    example=Example("Kitchen(trays=4, oven={'trays': 2})", "Kitchen(trays=4, oven={'trays': 4})", "python"),
    check=Check(
        "validation",
        "def check_trays(oven_trays: int | None, trays: int) -> bool:\n"
        '    """Tell whether the oven has trays of its own or those of the kitchen."""\n'
        "    if oven_trays is None:\n        return True\n"
        "    return oven_trays in (1, trays)\n",
    ),
    trigger="Raised when `trays` (in `--oven`) is set and neither 1 nor `--trays`.",
)
TRUE_WINDOW = make_note(
    WINDOW,
    meaning="`--window` must be at least `--block`: a window that is smaller can't show one block.",
    solutions=("Set `--window` to at least `--block`.",),
    example=Example("--block 32 --window 16", "--block 32 --window 32", "sh"),
    check=Check(
        "validation",
        "def check_window(window: int | None, block: int) -> bool:\n"
        '    """Tell whether the window reaches over a block."""\n'
        "    return window is None or window >= block\n",
    ),
    trigger="Raised by `check_window` in `shop/config.py` when `--window` is less than `--block`.",
)
HEAT_CODE = 'def check_heat(heat: int) -> bool:\n    """Tell whether the heat is one."""\n    return heat > 0\n'
TRUE_HEAT = make_note(
    HEAT,
    meaning="`--heat` must be at least 1.",
    solutions=("Set `--heat` to 1 or more.", "Set `--heat` to 180."),
    example=Example("--heat 0", "--heat 1", "sh"),
    check=Check("validation", HEAT_CODE),
    trigger="Raised when `--heat` is less than 1.",
)
TRUE_STYLE = make_note(
    STYLE,
    meaning='`--style` must be `"round"` or `"square"`.',
    solutions=('Set `--style` to `"round"` or `"square"`.',),
    example=Example("style: oval\n", "style: square\n", "yaml"),
    check=Check(
        "validation",
        'def check_style(style: str) -> bool:\n    """Tell whether there is such a style."""\n'
        '    return style in {"round", "square"}\n',
    ),
    trigger='Raised when `--style` is neither `"round"` nor `"square"`.',
)
TRUE_STEAM = make_note(
    STEAM,
    meaning="`--heat` must be at most 250 when `--steam` is on.",
    solutions=("Turn off `--steam`.", "Or set `--heat` to at most 250."),
    example=Example('{"steam": true, "heat": 251}', '{"steam": true, "heat": 250}', "json"),
    check=Check(
        "validation",
        "def check_steam(heat: int, steam: bool) -> bool:\n"
        '    """Tell whether steam and heat go together."""\n'
        "    return heat < 1 or not steam or not heat > 250\n",
    ),
    trigger="Raised when `--steam` is on and `--heat` is above 250.",
    situations=("See https://git.example/acme/shop/blob/main/shop/config.py for the limits.",),
)
TRUE_PORT = make_note(
    PORT,
    meaning='`KITCHEN_PORT` must not be `"0"`.',
    example=Example("KITCHEN_PORT=0 kitchen serve", "KITCHEN_PORT=80 kitchen serve", "sh"),
    solutions=("Unset KITCHEN_PORT, or give another port.",),
    trigger='Raised when `KITCHEN_PORT` is `"0"`.',
)
TRUE = {
    "reach": TRUE_REACH,
    "trays": TRUE_TRAYS,
    "window": TRUE_WINDOW,
    "heat": TRUE_HEAT,
    "style": TRUE_STYLE,
    "steam": TRUE_STEAM,
    "port": TRUE_PORT,
    "bare": make_note(HEAT),
}
ENTRIES = {entry.id: entry for entry in KITCHEN.entries}


def find_failures(note: Note) -> dict[str, str]:
    """Give the checks that a note fails, with what they say."""
    verified = verify_note(note, ENTRIES[note.entry], FACTS)
    assert [verification.check for verification in verified] == [
        "names",
        "parses",
        "example",
        "check",
        "bounds",
        "links",
    ]
    assert all(verification.detail and "\n" not in verification.detail for verification in verified)
    return {verification.check: verification.detail for verification in verified if not verification.passed}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_note_passes(name: str) -> None:
    assert find_failures(TRUE[name]) == {}


def test_all_checks_are_tried_in_one_order() -> None:
    verified = verify_note(TRUE_HEAT, HEAT, FACTS)
    assert len(verified) == len(CHECKS)
    assert has_passed(verified)
    assert not has_passed(())


def _example(note: Note, old: str, new: str, side: str = "") -> dict[str, Any]:
    """Give the changes that put other words into an example, on both sides or one."""
    assert note.example is not None
    sides = [side] if side else [side for side in ("before", "after") if old in getattr(note.example, side)]
    assert all(old in getattr(note.example, each) for each in sides)
    return {f"example__{each}": getattr(note.example, each).replace(old, new) for each in sides}


def _code(note: Note, old: str, new: str) -> dict[str, Any]:
    assert note.check is not None
    assert old in note.check.code
    return {"check__code": note.check.code.replace(old, new)}


LIES: dict[str, tuple[Note, dict[str, Any], str, str]] = {
    # the names that the seeds got wrong: a helper's parameter as the user's key
    "a helper's parameter as a key": (
        TRUE_REACH,
        _example(TRUE_REACH, '"reach"', '"oven_reach"'),
        "names example check",
        "`oven_reach` is no key of `--oven`: it is what the source calls `reach` inside `--oven`",
    ),
    "a helper's parameter as a solution": (
        TRUE_REACH,
        {"solutions": ("Set `oven_reach` to at most `rack_reach`.",)},
        "names",
        "solution 1: `oven_reach` can't be set",
    ),
    "a helper's parameter without backticks": (
        TRUE_REACH,
        {"trigger": "Passing oven_reach larger than what the rack has."},
        "names",
        "trigger: `oven_reach` can't be set",
    ),
    "a helper's parameter as a keyword": (
        TRUE_TRAYS,
        _example(TRUE_TRAYS, "{'trays'", "{'oven_trays'"),
        "names example check",
        "`oven_trays` is no key of",
    ),
    # names that nobody has
    "an unknown flag in the example": (
        TRUE_HEAT,
        _example(TRUE_HEAT, "--heat", "--heet"),
        "names example check",
        "`--heet` is no flag; did you mean `--heat`?",
    ),
    "an unknown flag in prose": (
        TRUE_HEAT,
        {"solutions": ("Raise `--heating` to 1.",)},
        "names",
        "`--heating` is no flag",
    ),
    "an unknown flag without backticks": (
        TRUE_HEAT,
        {"prevention": ("Pass --warm-up first.",)},
        "names",
        "`--warm-up` is no flag",
    ),
    "an unknown variable": (
        TRUE_PORT,
        _example(TRUE_PORT, "KITCHEN_PORT", "KITCHEN_PROT"),
        "names example",
        "did you mean `KITCHEN_PORT`?",
    ),
    "an unknown variable in prose": (
        TRUE_PORT,
        {"meaning": "SHOP_PORT must not be 0."},
        "names",
        "`SHOP_PORT` is neither",
    ),
    "an unknown key": (
        TRUE_REACH,
        {"meaning": "`reich` must be at most `rack_reach`."},
        "names",
        "did you mean `reach`?",
    ),
    "an unknown symbol": (TRUE_HEAT, {"trigger": "Raised by `check_cold`."}, "names", "`check_cold` exists nowhere"),
    "an unknown class": (TRUE_HEAT, {"trigger": "Raised by `FridgeConfig`."}, "names", "`FridgeConfig` exists nowhere"),
    "an unknown file": (
        TRUE_WINDOW,
        {"trigger": "Raised in `shop/window.py`."},
        "names",
        "no file of the target is called `shop/window.py`",
    ),
    "an unknown value": (
        TRUE_STYLE,
        {"solutions": ('Set `--style` to `"oval"`.',)},
        "names bounds",
        "the value 'oval' is none",
    ),
    "a key at the top": (
        TRUE_REACH,
        {
            "example__before": "Kitchen(reach=60)  # given: rack_reach = 30",
            "example__after": "Kitchen(reach=30)  # given: rack_reach = 30",
            "example__language": "python",
        },
        "names example check",
        "it is set as `reach` inside `--oven`",
    ),
    "a given that the source does not have": (
        TRUE_REACH,
        _example(TRUE_REACH, "rack_reach", "rack_length"),
        "names example check",
        "`rack_length` is given, but",
    ),
    # snippets that can't be read
    "a brace too few": (
        TRUE_REACH,
        _example(TRUE_REACH, "60}", "60"),
        "parses example",
        "before: the value of --oven is not JSON",
    ),
    "an open quote": (
        TRUE_REACH,
        _example(TRUE_REACH, "30}'", "30}"),
        "parses example",
        "after: the command line is not complete",
    ),
    "a call that is not closed": (
        TRUE_TRAYS,
        {"example__after": "Kitchen(trays=4"},
        "parses example",
        "after: the Python does not parse",
    ),
    "a check that does not parse": (
        TRUE_HEAT,
        _code(TRUE_HEAT, "heat > 0", "heat >> > 0"),
        "parses check",
        "the check does not parse",
    ),
    "a check that is two functions": (
        TRUE_HEAT,
        {"check__code": f"{HEAT_CODE}\n\n{HEAT_CODE}"},
        "parses check",
        "one function and nothing else",
    ),
    "a check that imports": (
        TRUE_HEAT,
        {"check__code": f"import os\n\n\n{HEAT_CODE}"},
        "parses check",
        "one function and nothing else",
    ),
    "an unknown language": (TRUE_HEAT, {"example__language": "ini"}, "parses example", "none of the languages"),
    # examples that show nothing
    "a before that works": (TRUE_HEAT, {"example__before": "--heat 2"}, "example check", "before does not fail"),
    "a fix that does not fix": (TRUE_HEAT, {"example__after": "--heat -1"}, "example check", "after still fails"),
    "a fix that changes something else": (
        TRUE_HEAT,
        {"example__after": "--heat 0 --steam"},
        "example check",
        "after still fails",
    ),
    "before and after the same": (TRUE_HEAT, {"example__after": "--heat 0"}, "example check", "the same"),
    "an option that only looks like it": (
        TRUE_WINDOW,
        _example(TRUE_WINDOW, "--block", "--tile"),
        "example check",
        "before: not evaluable",
    ),
    "a value off by one": (TRUE_STEAM, _example(TRUE_STEAM, "250", "251", "after"), "example check", "the same"),
    "an option as given": (
        TRUE_HEAT,
        {"example__before": "--trays 1  # given: kitchen.heat = 0"},
        "names",
        "`kitchen.heat` is given, but users set it as `--heat`; set that",
    ),
    "a fix that nobody can make": (
        TRUE_REACH,
        {"example__after": "# given: rack_reach = 60\n--oven '{\"reach\": 60}'"},
        "example",
        "only what is given changes",
    ),
    # checks that say something else
    "a flipped comparison": (
        TRUE_REACH,
        _code(TRUE_REACH, "reach <= rack_reach", "reach >= rack_reach"),
        "check",
        "does not fire on before",
    ),
    "an off-by-one bound": (TRUE_HEAT, _code(TRUE_HEAT, "heat > 0", "heat > 1"), "check", "fires on after"),
    "an off-by-one bound that the example does not show": (
        change(TRUE_HEAT, {"example__after": "--heat 9"}),
        _code(TRUE_HEAT, "heat > 0", "heat > 1"),
        "check",
        "finds fault with these values, the guard lets them through: heat=1",
    ),
    "a strict comparison": (
        TRUE_WINDOW,
        _code(TRUE_WINDOW, "window >= block", "window > block"),
        "check",
        "fires on after",
    ),
    "a forgotten None": (
        TRUE_REACH,
        _code(TRUE_REACH, "reach is None or ", "reach is not None and "),
        "check",
        "finds fault with these values",
    ),
    "a forgotten condition": (
        TRUE_STEAM,
        _code(TRUE_STEAM, "not steam or ", ""),
        "check",
        "finds fault with these values",
    ),
    "a check turned round": (
        TRUE_HEAT,
        _code(TRUE_HEAT, "return heat > 0", "return not heat > 0"),
        "check",
        "does not fire on before",
    ),
    "a check that never fires": (
        TRUE_HEAT,
        _code(TRUE_HEAT, "return heat > 0", "return True"),
        "check",
        "does not fire on before",
    ),
    "a missing choice": (TRUE_STYLE, _code(TRUE_STYLE, '{"round", "square"}', '{"square"}'), "check", "style='round'"),
    "a check of another name": (
        TRUE_HEAT,
        _code(TRUE_HEAT, "heat", "warmth"),
        "check",
        "`warmth`: no name of the condition",
    ),
    # prose that says something else
    "a flipped bound in prose": (
        TRUE_REACH,
        {"meaning": "`reach` must be at least `rack_reach`."},
        "bounds",
        "“at least rack_reach” disagrees with the guard",
    ),
    "a flipped bound in a trigger": (
        TRUE_HEAT,
        {"trigger": "Raised when `--heat` is greater than 1."},
        "bounds",
        "“greater than 1” disagrees",
    ),
    "an off-by-one bound in prose": (
        TRUE_HEAT,
        {"meaning": "`--heat` must be at least 2."},
        "bounds",
        "“at least 2” disagrees with the guard, which refuses `kitchen.heat < 1`",
    ),
    "an off-by-one bound in a solution": (
        TRUE_STEAM,
        {"solutions": ("Set `--heat` to less than 250.",)},
        "bounds",
        "“less than 250” disagrees",
    ),
    "a strict bound in prose": (
        TRUE_WINDOW,
        {"solutions": ("Set `--window` to more than `--block`.",)},
        "bounds",
        "“more than --block” disagrees",
    ),
    "a sign in prose": (TRUE_HEAT, {"meaning": "`--heat` must not be positive."}, "bounds", "disagrees with the guard"),
    "a number from nowhere": (
        TRUE_WINDOW,
        {"meaning": "`--tile` must be at least 64."},
        "bounds",
        "the number 64 is nowhere",
    ),
    "a value that does not help": (
        TRUE_HEAT,
        {"solutions": ("Set `--heat` to 0.",)},
        "bounds",
        "setting `--heat` to 0 does not help",
    ),
    "a switch that does not help": (
        TRUE_STEAM,
        {"solutions": ("Turn on `--steam`.",)},
        "bounds",
        "turning on `--steam` does not help",
    ),
    "an unset that does not help": (
        change(TRUE_WINDOW, {"example__before": "--block 32 --window 16"}),
        {"solutions": ("Set `--window` to 31.",)},
        "bounds",
        "setting `--window` to 31 does not help",
    ),
    # links
    "a URL elsewhere": (
        TRUE_HEAT,
        {"situations": ("See https://docs.example/heat.",)},
        "links",
        "https://docs.example/heat leads elsewhere",
    ),
    "a URL that only begins alike": (
        TRUE_HEAT,
        {"situations": ("https://git.example/acme/shop-evil/x",)},
        "links",
        "leads elsewhere",
    ),
    "a URL in a comment": (
        TRUE_HEAT,
        {"example__before": "--heat 0  # see http://evil.example.io"},
        "links",
        "leads elsewhere",
    ),
    "a URL as a value": (
        TRUE_HEAT,
        _example(TRUE_HEAT, "--heat", "--style https://evil.example.io/x --heat"),
        "links",
        "https://evil.example.io/x leads elsewhere",
    ),
    "a text that is too long": (TRUE_HEAT, {"trigger": "(" * 100_000}, "parses", "trigger: is longer than the 5,000"),
    "a URL in a docstring": (
        TRUE_HEAT,
        _code(TRUE_HEAT, "the heat is one", "www.evil.example"),
        "links",
        "leads elsewhere",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_planted_lie_is_caught_by_the_check_that_should_see_it(lie: str) -> None:
    note, changes, checks, detail = LIES[lie]
    assert find_failures(note) == {}
    failures = find_failures(change(note, changes))
    assert set(failures) == set(checks.split())
    assert detail in " | ".join(failures.values())


NEAR_MISSES: dict[str, tuple[Note, dict[str, Any]]] = {
    "the parameter, spoken of as the source's": (
        TRUE_REACH,
        {"meaning": "What the source calls `oven_reach` must be at most `rack_reach`."},
    ),
    "the key with dots": (TRUE_REACH, _example(TRUE_REACH, "--oven '{\"reach\": 60}'", "--oven.reach 60")),
    "the class itself": (
        TRUE_REACH,
        {
            "example": Example(
                "# given: rack_reach = 3\nOvenConfig(reach=4)", "# given: rack_reach = 3\nOvenConfig(reach=3)", "python"
            )
        },
    ),
    "a bound said of the other side": (TRUE_WINDOW, {"solutions": ("Lower `--block` to at most `--window`.",)}),
    "a bound as a denial": (
        TRUE_HEAT,
        {"meaning": "`--heat` cannot be less than 1.", "trigger": "Raised when `--heat` is not at least 1."},
    ),
    "a bound in other words": (TRUE_HEAT, {"meaning": "`--heat` must be positive: 1 or more, never below 1."}),
    "the same bound of whole numbers": (TRUE_HEAT, {"trigger": "Raised when `--heat` is at most 0."}),
    "a bound with a condition": (
        TRUE_STEAM,
        {"meaning": "`--steam` needs `--heat` to be no more than 250; it fails when `--heat` is greater than 250."},
    ),
    "a number of an example": (TRUE_WINDOW, {"situations": ("A block of 64 with the window of an older recipe.",)}),
    "a value of the source": (TRUE_STYLE, {"solutions": ('Leave `--style` at `"round"`.',)}),
    "a plain word in backticks": (
        TRUE_HEAT,
        {"prevention": ("Give an `int`, not `None`, and no `ValueError` comes.",)},
    ),
    "a command": (TRUE_HEAT, {"prevention": ("Start it with `kitchen serve --heat 200`.",)}),
    "a function of the source": (TRUE_HEAT, {"trigger": "Raised by `check_heat(kitchen)` of `shop.config`."}),
    "the target's own page": (TRUE_HEAT, {"situations": ("https://git.example/acme/shop.",)}),
    "an address as a value": (TRUE_HEAT, _example(TRUE_HEAT, "--heat", "--style http://localhost:80/x --heat")),
    "a check in other words": (TRUE_HEAT, _code(TRUE_HEAT, "return heat > 0", "return not (heat <= 0)")),
    "a check with steps": (
        TRUE_STEAM,
        _code(
            TRUE_STEAM,
            "return heat < 1 or not steam or not heat > 250",
            "if steam and 1 <= heat:\n        return heat <= 250\n    return True",
        ),
    ),
    "a flag with an equals sign": (TRUE_HEAT, _example(TRUE_HEAT, "--heat ", "--heat=")),
    "a short flag": (TRUE_TRAYS, {"example": Example("-t 4 --oven.trays 3", "-t 4 --oven.trays 1", "sh")}),
    "a whole command": (TRUE_HEAT, _example(TRUE_HEAT, "--heat", "kitchen serve \\\n  --heat")),
}


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_a_near_miss_of_a_lie_is_let_through(name: str) -> None:
    note, changes = NEAR_MISSES[name]
    assert find_failures(change(note, changes)) == {}
