"""A list that a function fills before it joins it → the lists it may be, each with its condition.

`extras = []`, then `extras.append(…)` under one `if` and under another: four lists. An element that a loop adds can be
there any number of times, and then nothing is said of the list.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import libcst as cst

from miner.conditions import Formula, has_words, join, negate
from miner.effects import Path, find_path
from miner.frames import Given
from miner.nodes import list_inner
from miner.templates import Found, Scope, hole_of
from miner.trail import Fact
from miner.walking import Arrival

_MAX_CHOICES = 3


@dataclass(frozen=True, slots=True)
class ListWorld:
    """One way the lists of a function may have turned out."""

    lists: Mapping[Path, Given]
    conditions: tuple[Formula, ...]
    scope: Scope


@dataclass(frozen=True, slots=True)
class _Piece:
    """Elements that one statement adds, when its conditions hold."""

    elements: tuple[cst.BaseElement, ...]
    conditions: tuple[Formula, ...]


def list_worlds(node: cst.BaseExpression, steps: Sequence[Arrival], site: Arrival, scope: Scope) -> Iterator[ListWorld]:
    """List the ways in which the lists that an expression speaks of may be filled; one with none where it has none."""
    pieces = {name: found for name in _list_names(node) if (found := _read_pieces(name, steps, site)) is not None}
    if not pieces:
        yield ListWorld({}, (), scope)
        return
    undecided = [(name, piece) for name, found in pieces.items() for piece in found if piece.conditions]
    if len(undecided) > _MAX_CHOICES:
        yield ListWorld({}, (), scope)
        return
    for taken in product((True, False), repeat=len(undecided)):
        chosen = {id(piece): is_taken for (_, piece), is_taken in zip(undecided, taken, strict=True)}
        conditions = tuple(
            join(piece.conditions) if chosen[id(piece)] else negate(join(piece.conditions)) for _, piece in undecided
        )
        lists = {name: _build(found, chosen) for name, found in pieces.items()}
        yield ListWorld(_give_all(lists), conditions, _overlay(scope, lists))


def _list_names(node: cst.CSTNode) -> tuple[str, ...]:
    """List the names in an expression, those inside f-strings included."""
    found: dict[str, None] = {}
    queue: list[cst.CSTNode] = [node]
    while queue:
        inner = queue.pop(0)
        if isinstance(inner, cst.Name):
            found[inner.value] = None
        queue.extend(list_inner(inner))
    return tuple(found)


def _read_pieces(name: str, steps: Sequence[Arrival], site: Arrival) -> tuple[_Piece, ...] | None:
    """Read what fills a list, from where it is made to the site; `None` where that isn't plain."""
    pieces: list[_Piece] = []
    start: Arrival | None = None
    for step in steps:
        if step is site:
            break
        made = _read_making(name, step.step.node)
        added = _read_adding(name, step.step.node)
        if made is not None:
            if start is not None:
                return None
            start, pieces = step, [_Piece(made, ())] if made else []
        elif added is not None:
            conditions = _find_conditions(step, start) if start is not None else None
            if conditions is None:
                return None
            pieces.append(_Piece(added, conditions))
    return tuple(pieces) if start is not None and pieces else None


def _read_making(name: str, node: cst.CSTNode) -> tuple[cst.BaseElement, ...] | None:
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=target))], value=cst.List(elements=elements)):
            return tuple(elements) if target == name else None
        case cst.AnnAssign(target=cst.Name(value=target), value=cst.List(elements=elements)):
            return tuple(elements) if target == name else None
        case _:
            return None


def _read_adding(name: str, node: cst.CSTNode) -> tuple[cst.BaseElement, ...] | None:
    match node:
        case cst.Expr(value=cst.Call(func=cst.Attribute() as func, args=[cst.Arg(value=value, star="")])):
            if find_path(func) == (name, "append"):
                return (cst.Element(value),)
            if find_path(func) == (name, "extend") and isinstance(value, cst.List | cst.Tuple):
                return tuple(value.elements)
            return None
        case cst.AugAssign(target=cst.Name(value=target), operator=cst.AddAssign(), value=cst.List(elements=elements)):
            return tuple(elements) if target == name else None
        case _:
            return None


def _find_conditions(step: Arrival, start: Arrival) -> tuple[Formula, ...] | None:
    """Find what must hold for a step beyond what held where the list was made; `None` inside a loop or handler."""
    known = {id(event) for event in start.trail}
    added = [event for event in step.trail if isinstance(event, Fact) and id(event) not in known]
    if any(has_words(fact.formula) or fact.kind in ("for", "while") for fact in added):
        return None
    return tuple(fact.formula for fact in added)


def _build(pieces: Sequence[_Piece], chosen: Mapping[int, bool]) -> cst.List:
    elements = [e for piece in pieces if chosen.get(id(piece), True) for e in piece.elements]
    return cst.List([cst.Element(e.value) if isinstance(e, cst.Element) else e for e in elements])


def _give_all(lists: Mapping[str, cst.List]) -> dict[Path, Given]:
    return {(name,): Given(node, (hole_of(node),)) for name, node in lists.items()}


def _overlay(scope: Scope, lists: Mapping[str, cst.List]) -> Scope:
    def look(node: cst.BaseExpression) -> Found | None:
        if isinstance(node, cst.Name) and node.value in lists:
            return Found(lists[node.value], "variable", look)
        return scope(node)

    return look
