"""Which part of a guard's branch does a user have to change?"""

import ast
import re

from catalog.notes.rules.parts import Part, split_branch
from catalog.notes.rules.simplify import drop_implied
from catalog.notes.rules.terms import Terms
from catalog.notes.uses import parse
from catalog.notes.words.nouns import mentions_option
from catalog.notes.words.platforms import find_platform
from catalog.notes.words.texts import list_parts, write_source
from catalog.records import Entry, Hole
from catalog.shapes import name_shapes

_TELLING = {
    "out-of-range": frozenset({"ordering"}),
    "not-a-choice": frozenset({"not among", "unequal to a constant"}),
    "not-divisible": frozenset({"remainder"}),
    "wrong-type": frozenset({"type"}),
    "wrong-length": frozenset({"length"}),
    "missing": frozenset({"is none", "empty"}),
    "mismatch": frozenset({"unequal"}),
    "not-found": frozenset({"no file", "no attribute"}),
}
"""The shapes of the tests that errors of a family are about."""


def choose_culprit(parts: tuple[Part, ...], entry: Entry, terms: Terms) -> Part | None:
    """Choose the part that the message complains about; of equals, the one tested last."""
    if not parts:
        return None
    spoken = list_spoken(entry)
    named = [list_last_names(part.node) for part in parts]
    innermost = _list_innermost(entry, terms)

    def weigh(place: int) -> tuple[int, int]:
        own = 5 if innermost & {parts[place].text, *_list_refused((parts[place],))} else 0
        others = frozenset().union(*(names for other, names in enumerate(named) if other != place))
        return own + _weigh(parts[place], named[place], spoken, entry, terms, others), place

    return parts[max(range(len(parts)), key=weigh)]


def _list_innermost(entry: Entry, terms: Terms) -> frozenset[str]:
    """Give the parts of the test that the statement itself stands under; of an assert, its own."""
    for clause in reversed(entry.guard.clauses):
        if clause.kind in ("if", "own", "while") and (clause.kind == "own" or not clause.negated):
            test = parse(clause.test)
            parts = split_branch(terms.expand(test), not clause.negated) if test is not None else ()
            return frozenset(part.text for part in (*parts, *drop_implied(parts))) | _list_refused(parts)
    return frozenset()


def _list_refused(parts: tuple[Part, ...]) -> frozenset[str]:
    """Give what parts say is none of some values: several such parts are said as one."""
    return frozenset(
        f"{write_source(part.node.left)} is refused"
        for part in parts
        if part.holds and isinstance(part.node, ast.Compare) and isinstance(part.node.ops[0], ast.NotIn | ast.NotEq)
    )


def _weigh(
    part: Part, named: frozenset[str], spoken: frozenset[str], entry: Entry, terms: Terms, others: frozenset[str]
) -> int:
    node = part.node
    weight = 4 if mentions_option(node, terms) else 0
    said = sum(1 for name in named if _is_spoken(name, spoken))
    if entry.family == "requires-another" and is_lacking(part):
        weight += 7 if said else 2
    if _TELLING.get(entry.family, frozenset()) & set(name_shapes(node, part.holds)):
        weight += 2
    weight += 2 * min(2, said)
    if find_platform(node) is not None and "platform" not in spoken:
        weight -= 1
    if _is_presence(part):
        weight -= 5 if named <= others else 1
    elif isinstance(node, ast.Compare) and not (isinstance(node.ops[0], ast.In) and part.holds):
        weight += 1
    elif terms.sort(node) == "yes or no":
        weight -= 0 if not part.holds else 1
    return weight


def is_lacking(part: Part) -> bool:
    """Tell whether a part says that something is off, unset, or not the value it should be."""
    match part.node:
        case ast.Compare(left=_, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]):
            return part.holds
        case ast.Compare(ops=[ast.NotEq() | ast.NotIn()]):
            return part.holds
        case ast.Compare(ops=[ast.Eq() | ast.In() | ast.Is()]):
            return not part.holds
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return not part.holds
        case ast.Compare():
            return False
    return not part.holds


def _is_spoken(name: str, spoken: frozenset[str]) -> bool:
    """Tell whether the message has a name, also as the end of a longer one: `use_cache` of `APP_USE_CACHE`."""
    return name in spoken or (len(name) > 5 and any(word.lower().endswith(f"_{name}") for word in spoken))


def _is_presence(part: Part) -> bool:
    """Tell whether a part only says that something is there to be looked at."""
    match part.node:
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return part.holds
        case ast.Compare(ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return not part.holds
        case ast.Call(func=ast.Name(id="hasattr" | "isinstance")):
            return part.holds
        case ast.Compare(ops=[ast.NotIn()], comparators=[ast.Tuple(elts=members) | ast.List(elts=members)]):
            return part.holds and not any(isinstance(each, ast.Constant) and each.value for each in members)
        case ast.Name() | ast.Attribute():
            return part.holds
    return False


def list_last_names(node: ast.expr) -> frozenset[str]:
    """Give the names in an expression, of dotted ones the last segments."""
    owners = {id(part.value) for part in list_parts(node) if isinstance(part, ast.Attribute)}
    names = {part.id for part in list_parts(node) if isinstance(part, ast.Name) and id(part) not in owners}
    return frozenset(names | {part.attr for part in list_parts(node) if isinstance(part, ast.Attribute)})


def list_spoken(entry: Entry) -> frozenset[str]:
    """Give the names that the message has, in its holes or its words; a flag as the field is spelled."""
    if entry.message is None:
        return frozenset()
    text = entry.message.skeleton.replace("-", "_")
    holes = [part.expr for part in entry.message.parts if isinstance(part, Hole)]
    return frozenset(name.strip("_") for name in re.findall(r"[A-Za-z_]\w{2,}", " ".join([text, *holes])))
