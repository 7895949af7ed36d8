"""Is a note true, as far as the mined facts can tell?

Each check is a function in `catalog.notes.checking` from the note, read once as a `Subject`, to one `Verification`
that says in one line what was found, where, and what to try. A note passes when all of its checks do.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from catalog.notes.checking.bounds import check_bounds
from catalog.notes.checking.example import check_example
from catalog.notes.checking.function import check_function
from catalog.notes.checking.links import check_links
from catalog.notes.checking.naming import check_names
from catalog.notes.checking.parsing import check_parses
from catalog.notes.checking.subject import Subject, read_subject
from catalog.notes.facts import Facts
from catalog.records import Entry, Note, Verification
from catalog.terminal import safe

_LONGEST = 800

Check: TypeAlias = Callable[[Subject], Verification]

CHECKS: tuple[Check, ...] = (check_names, check_parses, check_example, check_function, check_bounds, check_links)
"""A new check is a function of a `Subject`, and its name here."""


def verify_note(note: Note, entry: Entry, facts: Facts) -> tuple[Verification, ...]:
    """Try every check on a note, always in the same order; `facts` are those of the entry's catalog."""
    subject = read_subject(note, entry, facts)
    return tuple(_shorten(check(subject)) for check in CHECKS)


def _shorten(verification: Verification) -> Verification:
    """Put what a check found on one line that can be read at a glance."""
    line = safe(" ".join(verification.detail.split()))
    return replace(verification, detail=line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…")


def has_passed(verified: tuple[Verification, ...]) -> bool:
    """Tell whether a note that was checked may be published."""
    return bool(verified) and all(verification.passed for verification in verified)
