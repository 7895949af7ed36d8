"""What do notes say of options that need or exclude each other?"""

from catalog.notes.rules.cases import Advice, Case, list_places
from catalog.notes.rules.culprit import is_lacking
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
    needed = list_places(case.culprit.node, case.terms) if case.culprit is not None else ()
    lacks = case.culprit is not None and is_lacking(case.culprit)
    advice = ""
    if lacks and len(places) == 2 and len(needed) == 1:
        (other,) = (place for place in places if place != needed[0])
        advice = f"Whenever {name_place(other)} is set, look at {name_place(needed[0])} as well."
    return Advice(say_requirement(case), tuple(list_solutions(case)), (advice,) if advice else ())


def explain_unsupported_combination(case: Case) -> Advice:
    """Say what is not supported with what."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))
