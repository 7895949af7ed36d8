"""Which parts of a branch say nothing that the others don't?"""

import ast
from collections.abc import Iterator

from catalog.notes.rules.parts import Part
from catalog.notes.words.comparisons import is_constant
from catalog.notes.words.texts import list_parts, write_source


def drop_implied(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Leave out what follows from the rest: that something is there, that a value is among more or isn't another."""
    kept = _join_refusals(tuple(part for part in parts if not _is_owner_of_other(part, parts)))
    kept = _drop_weaker_bounds(_join_types(kept))
    values = [_read_values(part) for part in kept]
    return tuple(
        part
        for place, part in enumerate(kept)
        if not any(
            _implies(values[other], values[place], other < place) for other in range(len(kept)) if other != place
        )
    )


def _drop_weaker_bounds(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Leave out that a number is above 1 where it is above 250."""
    bounds = [_read_bound(part) for part in parts]
    return tuple(
        part
        for part, bound in zip(parts, bounds, strict=True)
        if bound is None or not any(_is_stronger(other, bound) for other in bounds if other is not None)
    )


def _read_bound(part: Part) -> tuple[str, bool, tuple[float, bool]] | None:
    """Give the term, whether it is above, and how tight that is: the limit, and whether that itself is out."""
    match part.node:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int() | float() as limit)]):
            if isinstance(op, ast.Gt | ast.GtE | ast.Lt | ast.LtE):
                above = isinstance(op, ast.Gt | ast.GtE) is part.holds
                strict = isinstance(op, ast.Gt | ast.Lt) is part.holds
                return write_source(left), above, (limit if above else -limit, strict)
    return None


def _is_stronger(one: tuple[str, bool, tuple[float, bool]], other: tuple[str, bool, tuple[float, bool]]) -> bool:
    return one[:2] == other[:2] and one[2] > other[2]


def _join_refusals(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Say in one test what a value is not, where several say it one after the other."""
    refused: dict[str, list[int]] = {}
    for place, part in enumerate(parts):
        values = _read_values(part)
        if values is not None and not values[2] and read_defined(part) is None:
            refused.setdefault(values[0], []).append(place)
    joined = {places[-1]: [parts[place] for place in places] for places in refused.values() if len(places) > 1}
    gone = {place for places in refused.values() for place in places[:-1]}
    kept = [_join(joined[place]) if place in joined else part for place, part in enumerate(parts) if place not in gone]
    return tuple(kept)


def _join_types(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Say in one test of which types a value is not, where several say it one after the other."""
    refused: dict[str, list[ast.expr]] = {}
    kept: list[Part] = []
    for part in parts:
        match part.node:
            case ast.Call(func=ast.Name(id="isinstance") as func, args=[subject, classes]) if not part.holds:
                known = refused.setdefault(write_source(subject), [])
                known += classes.elts if isinstance(classes, ast.Tuple) else [classes]
                joined = ast.Call(
                    func, [subject, ast.Tuple(list(known), ast.Load()) if len(known) > 1 else known[0]], []
                )
                kept = [other for other in kept if not _asks_type_of(other, subject)]
                kept.append(Part(joined, holds=False))
            case _:
                kept.append(part)
    return tuple(kept)


def _asks_type_of(part: Part, subject: ast.expr) -> bool:
    match part.node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[other, _]) if not part.holds:
            return write_source(other) == write_source(subject)
    return False


def _join(parts: list[Part]) -> Part:
    """Make one test of `x != 1` and `x not in (2, 3)`."""
    members: dict[str, ast.expr] = {}
    for part in parts:
        if isinstance(part.node, ast.Compare):
            (right,) = part.node.comparators
            each = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
            members |= {write_source(member): member for member in each}
    left = parts[-1].node.left if isinstance(parts[-1].node, ast.Compare) else parts[-1].node
    return Part(ast.Compare(left, [ast.NotIn()], [ast.Tuple(list(members.values()), ast.Load())]), holds=True)


def _is_owner_of_other(part: Part, parts: tuple[Part, ...]) -> bool:
    """Tell whether a part says that something isn't None, an attribute of which another part looks at."""
    owner = read_defined(part)
    if owner is None:
        return False
    others = (node for other in parts if other is not part for node in list_parts(other.node))
    return any(isinstance(node, ast.Attribute) and write_source(node.value) == owner for node in others)


def read_defined(part: Part) -> str | None:
    """Give what a part says is not None."""
    match part.node:
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]) if part.holds:
            return write_source(left)
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]) if not part.holds:
            return write_source(left)
    return None


_Values = tuple[str, frozenset[str], bool]
"""A term, some constants, and whether the term is one of them or none."""


def _read_values(part: Part) -> _Values | None:
    match part.node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            positive = isinstance(op, ast.Eq | ast.Is | ast.In) is part.holds
            if isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
                members = [right]
            elif isinstance(op, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List | ast.Set):
                members = right.elts
            else:
                return None
            if all(isinstance(member, ast.Constant) or is_constant(member) for member in members):
                return write_source(left), frozenset(_list_texts(members)), positive
    return None


def _list_texts(members: list[ast.expr]) -> Iterator[str]:
    return (write_source(member) for member in members)


def _implies(one: _Values | None, other: _Values | None, earlier: bool) -> bool:
    """Tell whether one part says what the other does; of two that say the same the later one goes."""
    if one is None or other is None or one[0] != other[0] or not one[2]:
        return False
    if other[2]:
        return one[1] < other[1] or (one[1] == other[1] and earlier)
    return not one[1] & other[1]
