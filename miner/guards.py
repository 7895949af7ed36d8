"""A site and its trail → its guard: clauses, condition, branch, bindings, and how far they can be trusted.

This is the meaning of a guard as the design states it. All the reading of source has happened before.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from catalog.compare.implication import implies
from catalog.records import Binding, Clause, Guard
from miner.conditions import All, Atom, Not, has_words, list_conjuncts, write_formula
from miner.effects import CONTENT, IDENTITY, PURE_FUNCTIONS, Path, Read, Rebind, disturbs, write_path
from miner.exits import WALRUS
from miner.trail import (
    Change,
    Definition,
    Doubt,
    Fact,
    Trail,
    find_definition,
    find_rebound,
    is_as_at_entry,
    is_disturbed,
)

MAX_CLAUSES = 150
"""A site behind more clauses keeps the nearest: further ones are noise to a reader, and their number is quadratic."""
_BRANCH_KINDS = ("if", "case", "while", "own")
_MAX_EARLIER_IN_BRANCH = 3
_FILLED = ("[", "{", "list(", "dict(", "set(", "defaultdict(", "deque(")
"""How a value begins that is filled later: what it was at first says nothing then."""
_LITERAL = r"(\d+|\"[^\"\\\\]*\"|'[^'\\\\]*')"
_EQUALS = re.compile(rf"([\w.]+) == {_LITERAL}")
_IS_THERE = re.compile(rf"([\w.]+) (?:==|is) (?:{_LITERAL}|True|False)|isinstance\(([\w.]+), [\w.]+\)")
"""What holds of nothing that is `None`."""
_ASKS_NONE = re.compile(r"\bis (?:not )?None\b")
_DIFFERS = re.compile(rf"([\w.]+) != {_LITERAL}")


def build_guard(trail: Trail, message_reads: Iterable[Read] = ()) -> Guard:
    """Build the guard of a site from the trail that leads to it."""
    places = [index for index, event in enumerate(trail) if isinstance(event, Fact)]
    reasons = list(dict.fromkeys(event.reason for event in trail if isinstance(event, Doubt)))
    rebound = find_rebound(trail)
    if len(places) > MAX_CLAUSES:
        reasons.append(f"more than {MAX_CLAUSES} clauses; the nearest are kept")
        places, rebound = places[-MAX_CLAUSES:], rebound[-MAX_CLAUSES:]
    facts = [fact for index in places if isinstance(fact := trail[index], Fact)]
    spoken = [(index, fact) for index, fact in zip(places, facts, strict=True) if not has_words(fact.formula)]
    bound = _list_bindings(spoken, trail, message_reads)
    return Guard(
        branch=_write_branch(spoken, trail),
        condition=_write_condition(spoken, trail),
        clauses=tuple(
            Clause(fact.kind, fact.test, fact.negated, fact.line, names)
            for fact, names in zip(facts, rebound, strict=True)
        ),
        bindings=tuple(dict.fromkeys(Binding(write_path(d.path), d.value, d.line) for _, d in bound)),
        exact=not reasons,
        closed=len(spoken) == len(facts)
        and all(is_as_at_entry(read, trail, index) for index, fact in spoken for read in fact.reads)
        and not any(_is_superseded(index, fact, bound) for index, fact in spoken)
        and not any(_is_bound_anew(index, fact, spoken, trail) for index, fact in spoken),
        inexact_because=tuple(reasons),
    )


def _is_superseded(index: int, fact: Fact, bound: list[tuple[int, Definition]]) -> bool:
    """Tell whether a binding gives a name of this test its later meaning: put in, it would change the test.

    One statement may have left its definition on the trail more than once, with each of the exits behind it; two that
    give a name the same value leave its meaning as it was.
    """
    earlier = {(d.path, d.value) for place, d in bound if place < index}
    return any(
        place > index and disturbs(Rebind(d.path), read) and (d.path, d.value) not in earlier
        for place, d in bound
        for read in fact.reads
    )


def _is_bound_anew(index: int, fact: Fact, spoken: list[tuple[int, Fact]], trail: Trail) -> bool:
    """Tell whether a later test reads a name that this one's walrus binds, and that has had another value since.

    Written side by side, the later test would read what the walrus gives.
    """
    names = [Read((name,), IDENTITY) for name in WALRUS.findall(write_formula(fact.formula))]
    return any(
        is_disturbed(name, trail[index + 1 : place])
        for name in names
        for place, later in spoken
        if place > index and any(read.path[:1] == name.path for read in later.reads)
    )


def _write_condition(spoken: list[tuple[int, Fact]], trail: Trail) -> str:
    """Join what is said, each part once: a part is said again only where something it reads has changed."""
    parts: dict[str, tuple[int, Fact]] = {}
    alone: dict[str, str] = {}
    for index, fact in spoken:
        for part in list_conjuncts(fact.formula):
            text = write_formula(part, "and")
            alone[text] = text if isinstance(part, Atom) else write_formula(part)
            known = parts.get(text)
            if known is None or not any(is_disturbed(read, trail[known[0] : index]) for read in known[1].reads):
                parts.setdefault(text, (index, fact))
                continue
            parts[text] = (index, fact)
    said = [part for part in parts if part not in ("True", "not False")]
    equal = {found[1]: found[2] for part in said if (found := _EQUALS.fullmatch(part))}
    idle = {
        one
        for one, other in pairwise(said)
        if _is_idle(one, other)
        and not any(is_disturbed(read, trail[parts[one][0] : parts[other][0]]) for read in parts[one][1].reads)
    }
    kept = [part for part in said if part not in idle and not _is_implied(part, equal)]
    return (alone[kept[0]] if len(kept) == 1 else " and ".join(kept)) or "True"


def _is_implied(part: str, equal: dict[str, str]) -> bool:
    """Tell whether a part follows from an equality: `x == "b"` makes `x != "a"` idle."""
    found = _DIFFERS.fullmatch(part)
    value = equal.get(found[1]) if found is not None else None
    return found is not None and value is not None and value != found[2] and value[0].isdigit() == found[2][0].isdigit()


def _is_idle(part: str, following: str) -> bool:
    """Tell whether a part says that something isn't `None`, and the one behind it what it is.

    Only right before it: what stands between may need the first to be worked out at all.
    """
    found = _IS_THERE.fullmatch(following)
    return found is not None and part == f"{found[1] or found[3]} is not None"


def _write_branch(spoken: list[tuple[int, Fact]], trail: Trail) -> str:
    """Write the tests of the branches around the site, with the earlier exits that a reader needs beside them.

    Those are the exits inside the innermost branch, those inside an outer one that share a name with the branch, and
    those before all branches that speak of its names alone; the nearest three at most. An exit one of whose names was
    given another value since is none of them: beside the branch it would speak of that.
    """
    own = [(index, fact) for index, fact in spoken if fact.kind in _BRANCH_KINDS]
    earlier = [(index, fact) for index, fact in spoken if fact.kind not in _BRANCH_KINDS]
    if not own and spoken and any(isinstance(event, Fact) for event in trail[spoken[-1][0] + 1 :]):
        return "True"
    subject = own or earlier[-1:]
    named = {path for _, fact in subject for path in _list_telling(fact)}
    outermost, innermost = (own[0][0], own[-1][0]) if own else (len(trail), len(trail))
    near = [
        index
        for index, fact in earlier
        if not _is_outdated(fact, trail[index + 1 :])
        and (
            index > innermost
            or (
                _is_about_one(fact)
                and (named & _list_telling(fact) if index > outermost else _list_telling(fact) <= named)
            )
        )
    ]
    near = [index for index, fact in earlier if index in near and not _goes_without_saying(fact, subject, trail)]
    kept = {index for index, _ in subject} | set(near[-_MAX_EARLIER_IN_BRANCH:])
    return _write_condition([pair for pair in spoken if pair[0] in kept], trail)


def _goes_without_saying(fact: Fact, subject: list[tuple[int, Fact]], trail: Trail) -> bool:
    """Tell whether a test follows from the branch's, and doesn't keep them from failing, as `x is not None` does."""
    text = write_formula(fact.formula)
    return _ASKS_NONE.search(text) is None and implies(_write_condition(subject, trail), text)


def _is_outdated(fact: Fact, since: Trail) -> bool:
    """Tell whether a name that a test reads was assigned to since, which is more than that its content may differ."""
    names = {Rebind(read.path) for read in fact.reads}
    return any(event.rebinding in names for event in since if isinstance(event, Definition)) or any(
        event.effect in names for event in since if isinstance(event, Change)
    )


def _is_about_one(fact: Fact) -> bool:
    """Tell whether a fact is about one test: that not all of several held says little to a reader."""
    return not (isinstance(fact.formula, Not) and isinstance(fact.formula.item, All))


def _list_telling(fact: Fact) -> set[Path]:
    """List what a test names of its own: neither a function that is called nor `self` as a whole."""
    paths = {read.path for read in fact.reads}
    return {path for path in paths if path != ("self",) and not (len(path) == 1 and path[0] in PURE_FUNCTIONS)}


def _list_bindings(
    spoken: list[tuple[int, Fact]], trail: Trail, message_reads: Iterable[Read]
) -> list[tuple[int, Definition]]:
    """List the definitions behind what the tests and the message read, with their places, nearest to them first."""
    bound: list[tuple[int, Definition]] = []
    queue: list[tuple[Read, int]] = [(read, index) for index, fact in spoken for read in fact.reads]
    queue += [(read, len(trail)) for read in message_reads]
    seen: set[tuple[Path, int]] = set()
    while queue:
        read, end = queue.pop(0)
        found = find_definition(read, trail, end)
        if found is None:
            continue
        index, definition = found
        if (definition.path, index) in seen or definition.is_import:
            continue
        if definition.value.startswith(_FILLED) and is_disturbed(
            Read(definition.path, CONTENT), trail[index + 1 : end]
        ):
            continue
        seen.add((definition.path, index))
        bound.append((index, definition))
        queue += [(inner, index) for inner in definition.reads]
    return bound
