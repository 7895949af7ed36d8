"""A site and its trail → its guard: clauses, condition, branch, bindings, and how far they can be trusted.

This is the meaning of a guard as the design states it. All the reading of source has happened before.
"""

import re
from collections.abc import Iterable, Iterator

from catalog.records import Binding, Clause, Guard
from miner.conditions import Formula, has_words, list_conjuncts, write_formula
from miner.effects import PURE_FUNCTIONS, Path, Read, write_path
from miner.trail import Doubt, Fact, Trail, find_definition, find_rebound, is_as_at_entry, is_disturbed

MAX_CLAUSES = 150
"""A site behind more clauses keeps the nearest: further ones are noise to a reader, and their number is quadratic."""
_BRANCH_KINDS = ("if", "case", "while", "own")
_MAX_EARLIER_IN_BRANCH = 3
_LITERAL = r"(\d+|\"[^\"\\\\]*\"|'[^'\\\\]*')"
_EQUALS = re.compile(rf"([\w.]+) == {_LITERAL}")
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
    return Guard(
        branch=_write_branch(spoken, trail),
        condition=_write_condition(spoken, trail),
        clauses=tuple(
            Clause(fact.kind, fact.test, fact.negated, fact.line, names)
            for fact, names in zip(facts, rebound, strict=True)
        ),
        bindings=tuple(_list_bindings(spoken, trail, message_reads)),
        exact=not reasons,
        closed=len(spoken) == len(facts)
        and all(is_as_at_entry(read, trail, index) for index, fact in spoken for read in fact.reads),
        inexact_because=tuple(reasons),
    )


def _write_condition(spoken: list[tuple[int, Fact]], trail: Trail) -> str:
    """Join what is said, each part once: a part is said again only where something it reads has changed."""
    parts: dict[str, tuple[int, Fact]] = {}
    for index, fact in spoken:
        for part in list_conjuncts(fact.formula):
            text = _write_part(part)
            known = parts.get(text)
            if known is None or not any(is_disturbed(read, trail[known[0] : index]) for read in known[1].reads):
                parts.setdefault(text, (index, fact))
                continue
            parts[text] = (index, fact)
    said = [part for part in parts if part not in ("True", "not False")]
    equal = {found[1]: found[2] for part in said if (found := _EQUALS.fullmatch(part))}
    return " and ".join(part for part in said if not _is_implied(part, equal)) or "True"


def _is_implied(part: str, equal: dict[str, str]) -> bool:
    """Tell whether a part follows from an equality: `x == "b"` makes `x != "a"` idle."""
    found = _DIFFERS.fullmatch(part)
    value = equal.get(found[1]) if found is not None else None
    return found is not None and value is not None and value != found[2] and value[0].isdigit() == found[2][0].isdigit()


def _write_part(part: Formula) -> str:
    return write_formula(part, "and")


def _write_branch(spoken: list[tuple[int, Fact]], trail: Trail) -> str:
    own = [(index, fact) for index, fact in spoken if fact.kind in _BRANCH_KINDS]
    earlier = [(index, fact) for index, fact in spoken if fact.kind not in _BRANCH_KINDS]
    if not own and spoken and any(isinstance(event, Fact) for event in trail[spoken[-1][0] + 1 :]):
        return "True"
    subject = own or earlier[-1:]
    named = {read.path for _, fact in subject for read in fact.reads if _is_telling(read)}
    akin = [pair for pair in earlier if named & {read.path for read in pair[1].reads if _is_telling(read)}]
    kept = {index for index, _ in own} | {index for index, _ in akin[-_MAX_EARLIER_IN_BRANCH:]}
    return _write_condition([pair for pair in spoken if pair[0] in kept], trail)


def _is_telling(read: Read) -> bool:
    """Tell whether a read names something of its own: not a function that is called, nor `self` as a whole."""
    return read.path != ("self",) and not (len(read.path) == 1 and read.path[0] in PURE_FUNCTIONS)


def _list_bindings(spoken: list[tuple[int, Fact]], trail: Trail, message_reads: Iterable[Read]) -> Iterator[Binding]:
    queue: list[tuple[Read, int]] = [(read, index) for index, fact in spoken for read in fact.reads]
    queue += [(read, len(trail)) for read in message_reads]
    seen: set[tuple[Path, int]] = set()
    while queue:
        read, end = queue.pop(0)
        found = find_definition(read, trail, end)
        if found is None:
            continue
        index, definition = found
        if (definition.path, index) in seen or not definition.value:
            continue
        seen.add((definition.path, index))
        yield Binding(write_path(definition.path), definition.value, definition.line)
        queue += [(inner, index) for inner in definition.reads]
