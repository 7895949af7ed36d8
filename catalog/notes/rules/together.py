"""What do notes say of options that need or exclude each other?"""

from catalog.notes.rules.cases import Advice, Case, list_places
from catalog.notes.rules.sentences import list_solutions, say_requirement
from catalog.notes.words.nouns import join_nouns, name_place


def explain_mutually_exclusive(case: Case) -> Advice:
    """Say which options must not be used together."""
    places = list_places(case.branch, case.terms)
    named = join_nouns([name_place(place) for place in places])
    advice = f"Decide on one of {named} before adding either." if len(places) == 2 else ""
    return Advice(say_requirement(case), tuple(list_solutions(case)), (advice,) if advice else ())


def explain_requires_another(case: Case) -> Advice:
    """Say which option another needs."""
    places = list_places(case.branch, case.terms)
    advice = f"Set {join_nouns([name_place(place) for place in places])} together." if len(places) == 2 else ""
    return Advice(say_requirement(case), tuple(list_solutions(case)), (advice,) if advice else ())


def explain_unsupported_combination(case: Case) -> Advice:
    """Say what is not supported with what."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))
