"""What do notes say of values that are refused by themselves?"""

import ast

from catalog.notes.rules.cases import Advice, Case, list_places
from catalog.notes.rules.sentences import list_solutions, say_requirement
from catalog.notes.words.nouns import join_nouns, name_place
from catalog.records import Text


def explain_out_of_range(case: Case) -> Advice:
    """Say which bound a value must keep."""
    places = list_places(case.culprit.node, case.terms) if case.culprit is not None else ()
    bounds = len(places) == 2 and isinstance(case.culprit.node, ast.Compare) if case.culprit is not None else False
    others = _name_subjects(case)
    advice = f"Change {others} together: one bounds the other." if bounds else ""
    return Advice(say_requirement(case), tuple(list_solutions(case)), _only(advice))


def explain_not_a_choice(case: Case) -> Advice:
    """Say which values are taken."""
    places = list_places(case.culprit.node, case.terms) if case.culprit is not None else ()
    listed = [name_place(place) for place in places if place.option.choices]
    advice = f"Take the value of {listed[0]} from the choices that its help lists." if listed else ""
    return Advice(say_requirement(case), tuple(list_solutions(case)), _only(advice))


def explain_missing(case: Case) -> Advice:
    """Say what must be given."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_wrong_type(case: Case) -> Advice:
    """Say of what type a value must be."""
    subjects = list_places(case.culprit.node, case.terms) if case.culprit is not None else ()
    quoted = [place for place in subjects if place.keys]
    advice = f"Mind the quotes in the JSON of `{quoted[0].flag}`: a number in quotes is a text." if quoted else ""
    return Advice(say_requirement(case), tuple(list_solutions(case)), _only(advice))


def explain_wrong_length(case: Case) -> Advice:
    """Say how many items, or which shape, a value must have."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_not_divisible(case: Case) -> Advice:
    """Say what must divide what."""
    subjects = _name_subjects(case)
    advice = f"Choose {subjects} together, so that one stays a multiple of the other." if " and " in subjects else ""
    return Advice(say_requirement(case), tuple(list_solutions(case)), _only(advice))


def explain_mismatch(case: Case) -> Advice:
    """Say which two values must agree."""
    subjects = _name_subjects(case)
    advice = (
        f"Take {subjects} from one place in the configuration, so that they stay in step."
        if " and " in subjects
        else ""
    )
    return Advice(say_requirement(case), tuple(list_solutions(case)), _only(advice))


def explain_duplicate(case: Case) -> Advice:
    """Say what must be there only once."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_malformed(case: Case) -> Advice:
    """Say what can't be read."""
    if case.culprit is None and case.caught is not None:
        text = _quote_message(case)
        meaning = f"What {case.function} was given could not be read: `{case.caught.test}` was raised on it{text}."
        named = [name_place(place) for place in case.terms.used]
        fix = f"Correct the value of {named[0]}." if len(named) == 1 else "Correct what was passed in."
        return Advice(meaning, (fix,))
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_invalid(case: Case) -> Advice:
    """Say what is refused, where no more can be told of why."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def _find_subject(case: Case) -> str | None:
    places = list_places(case.culprit.node, case.terms) if case.culprit is not None else ()
    return name_place(places[0]) if places else None


def _name_subjects(case: Case) -> str:
    places = list_places(case.culprit.node, case.terms) if case.culprit is not None else ()
    return join_nouns([name_place(place) for place in places])


def _only(sentence: str) -> tuple[str, ...]:
    return (sentence,) if sentence else ()


def _quote_message(case: Case) -> str:
    message = case.entry.message
    fixed = "".join(part.text for part in message.parts if isinstance(part, Text)) if message is not None else ""
    return ", which the message passes on" if not fixed.strip() else ""
