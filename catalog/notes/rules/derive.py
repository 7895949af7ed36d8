"""What can be said of an entry from what was mined alone?"""

from catalog.notes.facts import Facts
from catalog.notes.parameters import Opaque, list_leaves
from catalog.notes.rules.cases import Case, read_case
from catalog.notes.rules.checks import build_check
from catalog.notes.rules.conversions import (
    explain_conversion,
    find_conversion,
    say_conversion_trigger,
)
from catalog.notes.rules.examples import build_example
from catalog.notes.rules.sentences import say_trigger
from catalog.notes.rules.settables import find_settables
from catalog.notes.rules.solving import find_key, solve
from catalog.notes.rules.table import explain
from catalog.notes.words.texts import write_source
from catalog.records import Check, Entry, Example, Note

AUTHOR = "errmine"


def derive_note(entry: Entry, facts: Facts) -> Note:
    """Derive a note for an entry: from guard, template and options, without a model, always the same."""
    case = read_case(entry, facts)
    conversion = find_conversion(case)
    if conversion is not None:
        advice, trigger = explain_conversion(conversion), say_conversion_trigger(conversion)
        example, check = None, None
    else:
        advice, trigger = explain(case), say_trigger(case)
        example, check = _try(case)
    return Note(
        entry=entry.id,
        fingerprint=entry.fingerprint,
        author=AUTHOR,
        model=None,
        date=None,
        status="derived",
        meaning=case.polish(advice.meaning),
        solutions=case.polish_list(advice.solutions or _fall_back(case)),
        example=example,
        check=check,
        prevention=case.polish_list(advice.prevention),
        trigger=case.polish(trigger),
        situations=(),
        verified=(),
    )


def _try(case: Case) -> tuple[Example | None, Check | None]:
    """Give the example and the check of a case, where its branch can be worked out and says something of settings."""
    if case.is_handling:
        return None, None
    try:
        leaves = list_leaves(case.branch, case.terms)
    except Opaque:
        return None, None
    settables = find_settables(case, leaves)
    solution = solve(case, leaves, settables)
    example = build_example(case, settables, solution) if solution is not None else None
    if solution is None or example is None:
        return None, None
    if any(text in case.terms.computed for text in settables):
        return example, None  # what the function makes of an option is not what its user has at hand
    keys = {write_source(leaf): find_key(leaf, settables) for leaf in leaves}
    return example, build_check(case, leaves, {text: solution.before[key] for text, key in keys.items()})


def _fall_back(case: Case) -> tuple[str, ...]:
    if case.caught is not None:
        return (f"Look at the `{case.caught.test}` that this one is raised from: it tells what failed.",)
    return (f"Look at what called {case.function} and with what: it has no other outcome from there.",)
