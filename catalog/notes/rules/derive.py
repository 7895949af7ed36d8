"""What can be said of an entry from what was mined alone?"""

from catalog.notes.facts import Facts
from catalog.notes.rules.cases import Case, read_case
from catalog.notes.rules.sentences import say_trigger
from catalog.notes.rules.table import explain
from catalog.records import Entry, Note

AUTHOR = "errmine"


def derive_note(entry: Entry, facts: Facts) -> Note:
    """Derive a note for an entry: from guard, template and options, without a model, always the same."""
    case = read_case(entry, facts)
    advice = explain(case)
    return Note(
        entry=entry.id,
        fingerprint=entry.fingerprint,
        author=AUTHOR,
        model=None,
        date=None,
        status="derived",
        meaning=case.polish(advice.meaning),
        solutions=case.polish_list(advice.solutions or _fall_back(case)),
        example=None,
        check=None,
        prevention=case.polish_list(advice.prevention),
        trigger=case.polish(say_trigger(case)),
        situations=(),
        verified=(),
    )


def _fall_back(case: Case) -> tuple[str, ...]:
    if case.caught is not None:
        return (f"Look at the `{case.caught.test}` that this one is raised from: it tells what failed.",)
    return (f"Avoid the way through {case.function} that leads here.",)
