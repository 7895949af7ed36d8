"""A list that a function fills before it joins it → the lists it may be, each with its condition.

`extras = []`, then `extras.append(…)` under one `if` and under another: four lists. An element that a loop adds can be
there any number of times, and then nothing is said of the list.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import libcst as cst

from miner.conditions import Formula, has_words, join, negate, write_formula
from miner.effects import Path, find_path, find_targets
from miner.frames import Given
from miner.nodes import list_inner
from miner.templates import Found, Scope, hole_of
from miner.trail import Fact
from miner.walking import Arrival

_MAX_CHOICES = 3
_HARMLESS = frozenset("len str repr print sorted set list tuple bool any all debug info warning error".split())


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
    names = _list_names(node, scope) if steps else ()
    pieces = {name: found for name in names if (found := _read_pieces(name, steps, site)) is not None}
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
        if any(not built.elements and _is_filled(name, site) for name, built in lists.items()):
            continue
        yield ListWorld(_give_all(lists), conditions, _overlay(scope, lists))


def fills_lists(text: str) -> bool:
    """Tell whether a stretch of source may fill a list and join it."""
    return ".join(" in text and (".append(" in text or ".extend(" in text or "+= [" in text)


def _list_names(node: cst.CSTNode, scope: Scope) -> tuple[str, ...]:
    """List the names that an expression speaks of, by itself or through a variable."""
    found: dict[str, None] = {}
    queue: list[tuple[cst.CSTNode, Scope]] = [(node, scope)]
    while queue:
        inner, look = queue.pop(0)
        if isinstance(inner, cst.Name) and inner.value not in found:
            found[inner.value] = None
            meant = look(inner)
            if meant is not None and meant.resolution == "variable":
                queue.append((meant.node, meant.scope))
        queue.extend((child, look) for child in list_inner(inner))
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
            conditions = _find_conditions(step, start, site) if start is not None else None
            if conditions is None:
                return None
            pieces.append(_Piece(added, conditions))
        elif start is not None and _changes(name, step.step.node):
            return None
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


def _changes(name: str, node: cst.CSTNode) -> bool:
    """Tell whether a statement may do something else to a list: bind it, change it, hand it on."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Name(value=owner), attr=cst.Name(value=method))) if owner == name:
            return method not in ("copy", "index", "count")
        case cst.Call(func=func, args=args) if any(_is_name(name, argument.value) for argument in args):
            path = find_path(func)
            return not (path is not None and path[-1] in _HARMLESS) and not _is_join(func)
        case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.AnnAssign(target=target):
            if any(path[0] == name for path in find_targets(target)):
                return True
        case _:
            pass
    return any(_changes(name, inner) for inner in list_inner(node))


def _is_name(name: str, node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _is_join(func: cst.BaseExpression) -> bool:
    return isinstance(func, cst.Attribute) and func.attr.value == "join"


def _find_conditions(step: Arrival, start: Arrival, site: Arrival) -> tuple[Formula, ...] | None:
    """Find what must hold for a step beyond what holds where the list is made or used; `None` inside a loop."""
    made, used = {id(event) for event in start.trail}, {id(event) for event in site.trail}
    added = [event for event in step.trail if isinstance(event, Fact) and id(event) not in made]
    if any(has_words(fact.formula) or fact.kind in ("for", "while") for fact in added):
        return None
    return tuple(fact.formula for fact in added if id(fact) not in used)


def _build(pieces: Sequence[_Piece], chosen: Mapping[int, bool]) -> cst.List:
    elements = [e for piece in pieces if chosen.get(id(piece), True) for e in piece.elements]
    return cst.List([cst.Element(e.value) if isinstance(e, cst.Element) else e for e in elements])


def _is_filled(name: str, site: Arrival) -> bool:
    """Tell whether the list can't be empty at the site: `if errors:`."""
    return any(isinstance(event, Fact) and write_formula(event.formula) == name for event in site.trail)


def _give_all(lists: Mapping[str, cst.List]) -> dict[Path, Given]:
    return {(name,): Given(node, (hole_of(node),)) for name, node in lists.items()}


def _overlay(scope: Scope, lists: Mapping[str, cst.List]) -> Scope:
    def look(node: cst.BaseExpression) -> Found | None:
        if isinstance(node, cst.Name) and node.value in lists:
            return Found(lists[node.value], "variable", look)
        found = scope(node)
        if found is not None and found.resolution == "variable":
            return Found(found.node, found.resolution, _overlay(found.scope, lists))
        return found

    return look
