"""What does a condition ask for, said as what must be so?"""

import ast
from collections.abc import Callable

from catalog.notes.words.conditions import read_condition
from catalog.notes.words.names import Names
from catalog.notes.words.phrases import Each, Joined, Phrase, Said, write

_WHOLE = {
    "is not set": "must be left unset",
    "is 0 or not set": "must be 0 or left unset",
    "is empty or not set": "must be empty or left unset",
    "exists": "must exist",
    "is in use at once": "may be in use at once",
    "is changed from its default": "must be changed from its default",
    "has no value twice": "must not have the same value twice",
    "has a value more than once": "must have some value more than once",
    "can be called": "must be callable",
    "cannot be called": "must not be callable",
}
_BEGINNINGS = (
    ("is not greater than ", "must be at most "),
    ("is not less than ", "must be at least "),
    ("is not at least ", "must be less than "),
    ("is not at most ", "must be greater than "),
    ("does not have fewer than ", "must have at least "),
    ("does not have more than ", "must have at most "),
    ("does not have at least ", "must have fewer than "),
    ("does not have at most ", "must have more than "),
    ("is not ", "must not be "),
    ("is ", "must be "),
    ("does not ", "must not "),
    ("has no ", "must not have "),
    ("has ", "must have "),
    ("equals ", "must equal "),
    ("differs ", "must differ "),
    ("contains ", "must contain "),
    ("consists ", "must consist "),
    ("starts ", "must start "),
    ("ends ", "must end "),
)


def say_demand(node: ast.expr, names: Names, wanted: bool = True) -> str:
    """Say that a condition must hold, or must not, as a sentence without its end."""
    return write(oblige(read_condition(node, names, wanted)))


def say_state(node: ast.expr, names: Names, wanted: bool = True) -> str:
    """Say that a condition is to hold, or not, as what follows `so that`; bounds are named by what is within them."""
    return write(_change(read_condition(node, names, wanted), _turn_bound))


def oblige(said: Said) -> Said:
    """Turn what is said into what must be: `x` is at least 1 into `x` must be at least 1."""
    return _change(said, _oblige_predicate)


def _change(said: Said, change: Callable[[str], str]) -> Said:
    match said:
        case Joined(word, items):
            return Joined(word, tuple(_change(item, change) for item in items))
        case Each(lead, inner):
            return Each(lead.replace("for some ", "for at least one ", 1), _change(inner, change))
        case Phrase(subject="", predicate=predicate):
            return Phrase("", f"it must hold that {predicate}") if change is _oblige_predicate else said
        case Phrase(subject, predicate):
            return Phrase(subject, change(predicate))


def _turn_bound(predicate: str) -> str:
    for begins, demanded in _BEGINNINGS[:8]:
        if predicate.startswith(begins):
            turned = demanded.replace("must be ", "is ").replace("must have ", "has ")
            return f"{turned}{predicate.removeprefix(begins)}"
    return predicate


def _oblige_predicate(predicate: str) -> str:
    if predicate in _WHOLE:
        return _WHOLE[predicate]
    for begins, demanded in _BEGINNINGS:
        if predicate.startswith(begins):
            return demanded + predicate.removeprefix(begins)
    return predicate
