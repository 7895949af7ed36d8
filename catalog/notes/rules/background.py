"""Which tests from before a branch does one need to know, to make sense of the message?"""

import ast
import re

from catalog.notes.rules.culprit import list_last_names, list_spoken
from catalog.notes.rules.parts import Part, split_branch
from catalog.notes.rules.terms import Terms
from catalog.notes.uses import parse
from catalog.records import Entry

_MOST = 2
_COMMON = frozenset(
    "enable enabled disable use config args self server size mode type max min num path name model backend cfg data "
    "with none auto value cache parallel attention prefill decode speculative moe".split()
)


def find_background(entry: Entry, terms: Terms, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Find what the condition says beyond the branch of an option in use that the message speaks of."""
    condition = parse(entry.guard.condition)
    if condition is None or entry.message is None or entry.guard.condition == entry.guard.branch:
        return ()
    said = {part.text for part in parts}
    words = {word for name in list_spoken(entry) for word in _split_words(name)}
    named = frozenset(name for part in parts for name in list_last_names(part.node))
    found = []
    for part in split_branch(condition):
        place = _find_option_in_use(part, terms, list_spoken(entry))
        if place is None or part.text in said or list_last_names(part.node) & named:
            continue
        if any(one.startswith(other) or other.startswith(one) for one in _split_words(place) for other in words):
            found.append(part)
    return tuple(found[-_MOST:])


def _find_option_in_use(part: Part, terms: Terms, spoken: frozenset[str]) -> str | None:
    """Give the name of the one option that a part says is on, set, or has a certain value.

    A number that is as it should be is not worth saying, unless the message itself speaks of the option.
    """
    node = part.node
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Gt()], comparators=[ast.Constant(value=int() | float())]):
            place = terms.find(left)
            told = place is not None and place.option.name in spoken
            return place.option.name if place is not None and told and part.holds else None
        case ast.Compare(left=left, ops=[ast.Eq() | ast.IsNot()], comparators=[ast.Constant()]) if part.holds:
            node = left
        case ast.Call(func=ast.Attribute(value=value, attr="startswith"), args=[ast.Constant()]) if part.holds:
            node = value
        case ast.Compare(left=left, ops=[ast.Is() | ast.NotEq()], comparators=[ast.Constant()]) if not part.holds:
            node = left
        case _ if not part.holds:
            return None
    place = terms.find(node)
    return place.option.name if place is not None else None


def _split_words(name: str) -> list[str]:
    return [word for word in re.split(r"[_\W]+", name.lower()) if len(word) > 2 and word not in _COMMON]
