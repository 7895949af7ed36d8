"""What would a user write that brings an error about, and what instead?"""

from collections.abc import Mapping

from catalog.notes.places import Place
from catalog.notes.rules.candidates import Value
from catalog.notes.rules.cases import Case
from catalog.notes.rules.snippets import Unwritable, choose_language, write_snippet
from catalog.notes.rules.solving import Solution
from catalog.notes.rules.trying import shows_the_change
from catalog.records import Example


def build_example(case: Case, settables: Mapping[str, Place], solution: Solution) -> Example | None:
    """Write a solution down as a user would; None where that can't be, or would not show what it is to show."""
    places = {place.option.id: (place, text) for text, place in reversed(list(settables.items()))}
    every = [place for place, _ in reversed(list(places.values()))]
    values = (*solution.before.items(), *solution.after.items())
    language = choose_language({place: value for key, value in values for place in every if key == place.option.id})
    try:
        texts = [
            write_snippet(*_divide(places, side), _list_unset(every, side, other), language)
            for side, other in ((solution.before, solution.after), (solution.after, solution.before))
        ]
    except Unwritable:
        return None
    example = Example(texts[0], texts[1], language)
    return example if texts[0] != texts[1] and shows_the_change(example, case.entry, case.facts) else None


def _list_unset(every: list[Place], values: Mapping[str, Value], others: Mapping[str, Value]) -> list[Place]:
    """Give what one side leaves out and the other sets."""
    left_out = [place for place in every if values.get(place.option.id) in (None, False)]
    return [place for place in left_out if others.get(place.option.id) not in (None, False)]


def _divide(
    places: Mapping[str, tuple[Place, str]], values: Mapping[str, Value]
) -> tuple[dict[Place, Value], dict[str, Value]]:
    """Divide values into what the user sets and what is given, as the source names it."""
    settings: dict[Place, Value] = {}
    given: dict[str, Value] = {}
    for key, value in values.items():
        if key not in places:
            given[key] = value
            continue
        place, text = places[key]
        if value is None and place.flag is not None and place.option.default != "None":
            given[text] = value
        if value is not None or _is_argument(place):
            settings[place] = value
    return settings, given


def _is_argument(place: Place) -> bool:
    """Tell whether a place is an argument of a function, which has no default to fall back on."""
    return place.flag is None and place.option.default is None and place.option.kind == "field"
