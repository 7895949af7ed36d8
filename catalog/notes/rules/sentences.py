"""How do the rules speak of a case?"""

import ast
import re
from collections.abc import Iterator

from catalog.notes.rules.cases import Case, list_places
from catalog.notes.rules.parts import Part
from catalog.notes.rules.remedies import list_remedies
from catalog.notes.rules.simplify import read_defined
from catalog.notes.words.conditions import read_condition
from catalog.notes.words.demands import say_demand
from catalog.notes.words.nouns import join_nouns
from catalog.notes.words.phrases import join, write
from catalog.notes.words.platforms import find_platform
from catalog.notes.words.texts import list_parts, write_source

_LEAVES = re.compile(r"(?:allow|skip|ignore|force|trust)[_-]")
"""How the options begin that leave one to do what is otherwise refused."""
_ALWAYS = re.compile(r"__init__|__post_init__|__new__|_?(?:verify|validate|check)(?:_(?:args|config|all|fields))?")
"""How the methods are called that every object of a class goes through."""
_MOST_CONTEXT = 4
_MOST_TESTS = 7
_MOST_SOLUTIONS = 4


def say_requirement(case: Case) -> str:
    """Say what must be so, and when: `a` must be at least 1 when `b` is on."""
    if case.culprit is None:
        return _say_without_test(case)
    platforms = list_platforms(case)
    demand = say_demand(case.culprit.node, case.terms, not case.culprit.holds)
    if platforms:
        demand = f"the platform must be {join_nouns(platforms, 'or')}"
    context = say_context(case)
    if not context and _is_only_sometimes(case):
        return f"Where {case.function} runs, {demand}."
    return f"{demand}{f' when {context}' if context else ''}."


def _is_only_sometimes(case: Case) -> bool:
    """Tell whether what is asked of an option is asked in a function that other settings lead to."""
    places = list_places(case.culprit.node, case.terms) if case.culprit is not None else ()
    owner, _, function = case.entry.site.qualname.rpartition(".")
    if case.entry.kind == "constraint" or not places or any(function.endswith(f"_{p.option.name}") for p in places):
        return False
    is_of_all = _ALWAYS.fullmatch(function) or function.replace("_", "").endswith(owner.rpartition(".")[2].lower())
    return owner not in case.facts.owners or not is_of_all


def _say_without_test(case: Case) -> str:
    """Say what there is to say of a site that stands under no test of its own."""
    if case.caught is not None:
        context = say_context(case)
        when = f" when {context}" if context else ""
        return f"{case.function} raises this in place of `{case.caught.test}`{when}{_say_loops(case)}."
    if any(clause.kind == "past" for clause in case.entry.guard.clauses):
        return f"{case.function} raises this whenever it gets past its earlier exits{_say_loops(case)}."
    return f"{case.function} raises this whenever it gets here{_say_loops(case)}."


def say_context(case: Case) -> str:
    """Say what else holds when the culprit is refused, as far as it isn't said by speaking of the culprit."""
    culprit = list_places(case.culprit.node, case.terms) if case.culprit is not None else ()
    parts = [part for part in case.context if not _is_presence_of_culprit(part, case)]
    parts = [part for part in parts if not (_is_bound(part) and list_places(part.node, case.terms) == culprit)]
    parts = [part for part in parts if not _is_earlier_bound(part, case)]
    if list_platforms(case):
        parts = [part for part in parts if part.holds or find_platform(part.node) is None]
    return _say_most_telling(case, parts, _MOST_CONTEXT) if parts else ""


def list_platforms(case: Case) -> list[str]:
    """Give the platforms of which one is needed, where several are asked for one after the other."""
    refused = [part for part in case.parts if not part.holds and find_platform(part.node) is not None]
    if case.culprit not in refused or len(refused) < 2:
        return []
    return [platform for part in refused if (platform := find_platform(part.node)) is not None]


def _is_bound(part: Part) -> bool:
    return isinstance(part.node, ast.Compare) and isinstance(part.node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)


def _is_earlier_bound(part: Part, case: Case) -> bool:
    """Tell whether a part says that what the culprit bounds has passed another bound, which had its own error."""
    match part.node, case.culprit:
        case ast.Compare(left=left), Part(node=ast.Compare(left=bounded)) if _is_bound(part) and not part.holds:
            return write_source(left) == write_source(bounded)
    return False


def _say_most_telling(case: Case, parts: list[Part], most: int) -> str:
    """Say that these hold; of very many those that speak of options, and how many there are besides."""
    if len(parts) <= most + 1:
        return say_parts(case, parts)
    ranked = sorted(parts, key=lambda part: (not list_places(part.node, case.terms), part is not case.culprit))
    kept = [part for part in parts if part in ranked[:most]]
    rest = len(parts) - len(kept)
    return f"{say_parts(case, kept)}, and {rest} more conditions hold"


def _is_presence_of_culprit(part: Part, case: Case) -> bool:
    owner = read_defined(part)
    if owner is None or case.culprit is None:
        return False
    return any(isinstance(node, ast.expr) and write_source(node) == owner for node in list_parts(case.culprit.node))


def say_parts(case: Case, parts: list[Part]) -> str:
    """Say that all of these come out as they do."""
    return write(join("and", (read_condition(part.node, case.terms, part.holds) for part in parts)))


def say_trigger(case: Case) -> str:
    """Say when the site is reached, in full."""
    site = case.function
    if case.entry.kind == "constraint" and case.entry.exception.name == "SystemExit":
        site = "the parser of the command line"
    if not case.parts:
        return f"Raised by {site}{say_circumstance(case) or ' whenever it is called'}."
    said = _say_most_telling(case, [*case.background, *case.parts], _MOST_TESTS)
    return f"Raised by {site} when {said}{say_circumstance(case)}."


def say_circumstance(case: Case) -> str:
    """Say which loop or handler the site stands in, where the branch speaks of its names."""
    said = _say_loops(case)
    caught = case.caught
    if caught is not None:
        said += f"{' and' if said else ''} while handling `{caught.test}`"
    return said


def _say_loops(case: Case) -> str:
    said = ""
    text = case.entry.guard.branch
    for clause in case.entry.guard.clauses:
        target, found, items = clause.test.partition(" in ")
        if clause.kind == "for" and not clause.negated and found and any(name in text for name in target.split(", ")):
            said += f", for some `{target}` in `{' '.join(items.split())}`"
    return said


def list_solutions(case: Case) -> Iterator[str]:
    """Give what to change: the culprit first, then what brings the demand about."""
    if case.culprit is None:
        return
    platforms = list_platforms(case)
    given = (
        [f"Run it on {join_nouns(platforms, 'or')}."] if platforms else list(list_remedies(case.culprit, case.terms))
    )
    changed = set(list_places(case.culprit.node, case.terms))
    for part in reversed([part for part in case.parts if part is not case.culprit]):
        places = list_places(part.node, case.terms)
        if _is_presence_of_culprit(part, case) or (_is_switch(part, case) and not changed & set(places)):
            given += list_remedies(part, case.terms)
    for place, remedy in enumerate(dict.fromkeys(given)):
        if place < _MOST_SOLUTIONS:
            yield remedy if place == 0 else f"Or {remedy[:1].lower()}{remedy[1:]}"


def _is_switch(part: Part, case: Case) -> bool:
    """Tell whether a part says that one option is in use, so that not using it is a way out."""
    match part.node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if case.terms.find(left) is not None:
            fixed = not list_places(right, case.terms)
            return fixed and part.holds and isinstance(op, ast.Eq | ast.IsNot | ast.Gt | ast.In)
    place = case.terms.find(part.node)
    if place is None:
        return False
    return part.holds or _LEAVES.match(place.option.name.lstrip("-")) is not None
