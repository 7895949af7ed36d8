"""What would a user write that brings an error about, and what instead?"""

import ast
from collections.abc import Mapping

from catalog.notes.places import Place
from catalog.notes.rules.candidates import Value
from catalog.notes.rules.cases import Case
from catalog.notes.rules.snippets import Unwritable, choose_language, write_snippet
from catalog.notes.rules.solving import Solution
from catalog.notes.words.texts import write_source
from catalog.records import Example


def build_example(case: Case, leaves: tuple[ast.expr, ...], solution: Solution) -> Example | None:
    """Write a solution down as a user would; None where one of its values can't be set that way."""
    places: dict[str, tuple[Place, str]] = {}
    for leaf in leaves:
        place = case.terms.find(leaf)
        if place is not None:
            places.setdefault(place.option.id, (place, write_source(leaf)))
    before = _divide(places, solution.before)
    after = _divide(places, solution.after)
    every = [place for place, _ in places.values()]
    language = choose_language(every)
    try:
        texts = [
            write_snippet(settings, given, [place for place in every if settings.get(place) in (None, False)], language)
            for settings, given in (before, after)
        ]
    except Unwritable:
        return None
    return Example(texts[0], texts[1], language) if texts[0] != texts[1] else None


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
        if value is None and place.option.default != "None":
            given[text] = value
        elif value is not None:
            settings[place] = value
    return settings, given
