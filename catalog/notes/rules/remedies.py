"""What can a user change so that a test no longer comes out as it did?"""

import ast
from collections.abc import Iterator

from catalog.notes.places import Place, is_denial
from catalog.notes.rules.parts import Part
from catalog.notes.rules.terms import Terms
from catalog.notes.words.calls import choose_article, list_classes
from catalog.notes.words.comparisons import is_constant, is_own_default
from catalog.notes.words.conditions import say_condition
from catalog.notes.words.demands import say_state
from catalog.notes.words.members import find_member
from catalog.notes.words.names import is_bound, may_be_unset
from catalog.notes.words.nouns import join_nouns, mentions_option, name_place, say_noun, strip_case
from catalog.notes.words.platforms import find_platform

_OPPOSITE: dict[type[ast.cmpop], str] = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}
_SAME: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_BOUNDS = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
_MOST_CHOICES = 8


def list_remedies(part: Part, terms: Terms) -> Iterator[str]:
    """Give what to do so that a test comes out the other way, each as a sentence."""
    found = False
    if mentions_option(part.node, terms):
        for remedy in _remedy(part.node, part.holds, terms):
            found = True
            yield remedy
    if found:
        return
    platform = find_platform(part.node)
    if platform is not None:
        yield f"Run it on {platform}." if not part.holds else f"Run it on a platform other than {platform}."
    else:
        yield f"Make sure that {say_state(part.node, terms, not part.holds)}."


def _remedy(node: ast.expr, holds: bool, terms: Terms) -> Iterator[str]:
    place = terms.find(node)
    if place is not None:
        yield _switch(place, not holds, terms.sort(node))
        return
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _remedy(operand, not holds, terms)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield from _remedy_pair(left, op, right, holds, terms)
        case ast.Compare(left=low, ops=[ast.Lt() | ast.LtE(), ast.Lt() | ast.LtE()], comparators=[middle, _]) if (
            not holds and terms.find(middle) is not None and is_constant(low)
        ):
            wanted = say_condition(node, terms).removeprefix(say_noun(middle, terms)).strip()
            yield f"Set {say_noun(middle, terms)} to a value that {wanted}."
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, classes]) if not holds:
            kinds = list_classes(classes)
            listed = join_nouns([f"`{kind}`" for kind in kinds], "or")
            yield f"Pass {say_noun(subject, terms)} as {choose_article(kinds[0])} {listed}."
        case ast.Call(func=ast.Attribute(value=subject), args=[_]) if terms.find(subject) is not None:
            wanted = say_condition(node, terms, not holds)
            if wanted.startswith(say_noun(subject, terms)):
                yield f"Set {say_noun(subject, terms)} to a value that{wanted.removeprefix(say_noun(subject, terms))}."


def _switch(place: Place, on: bool, sort: str) -> str:
    """Say how an option is given a value that counts as true, or as false."""
    name = name_place(place)
    if sort != "yes or no":
        return f"Set {name}." if on else f"Leave {name} unset."
    if place.option.kind == "env":
        return f"Set {name} to 1." if on else f"Set {name} to 0, or leave it unset."
    if place.keys or place.flag is None:
        return f"Set {name} to {'true' if on else 'false'}."
    denials = [flag for flag in place.option.flags if is_denial(flag, place.option)]
    denial = next(iter(sorted(denials, key=lambda flag: not flag.startswith("--no-"))), None)
    if on:
        return f"Turn on {name}."
    how = f" with `{denial}`" if denial else ", by leaving it out" if place.option.default != "True" else ""
    return f"Turn off {name}{how}."


def _remedy_pair(left: ast.expr, op: ast.cmpop, right: ast.expr, holds: bool, terms: Terms) -> Iterator[str]:
    if terms.find(left) is None and terms.find(right) is not None and type(op) in (*_SAME, ast.Eq, ast.NotEq):
        left, right = right, left
        op = _mirror(op)
    left = strip_case(left)[0] if terms.find(strip_case(left)[0]) is not None else left
    place = terms.find(left)
    match left, right:
        case ast.Call(func=ast.Name(id="len"), args=[measured]), ast.Constant(value=0) if terms.find(measured):
            if (isinstance(op, ast.Eq) and holds) or (isinstance(op, ast.Gt | ast.NotEq) and not holds):
                yield f"Give {say_noun(measured, terms)} at least one item."
                return
    if type(op) in _SAME:
        yield from _bound(left, _OPPOSITE[type(op)] if holds else _SAME[type(op)], right, terms)
    elif isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
        wanted = isinstance(op, ast.Eq | ast.Is) is not holds
        yield from _equal(left, right, wanted, place, terms)
    elif place is not None and isinstance(op, ast.In | ast.NotIn):
        yield _choose(place, right, isinstance(op, ast.In) is not holds, terms)
    elif mentions_option(left, terms) or mentions_option(right, terms):
        node = ast.Compare(left, [op], [right])
        yield f"Choose the values so that {say_state(node, terms, not holds)}."


def _mirror(op: ast.cmpop) -> ast.cmpop:
    pairs: dict[type[ast.cmpop], ast.cmpop] = {
        ast.Lt: ast.Gt(),
        ast.Gt: ast.Lt(),
        ast.LtE: ast.GtE(),
        ast.GtE: ast.LtE(),
    }
    return pairs.get(type(op), op)


def _bound(left: ast.expr, wanted: str, right: ast.expr, terms: Terms) -> Iterator[str]:
    place, other = terms.find(left), terms.find(right)
    match left, right:
        case ast.Call(func=ast.Name(id="len"), args=[measured]), _ if terms.find(measured) is not None:
            few = {"less than": "fewer than"}.get(_BOUNDS[wanted], _BOUNDS[wanted])
            unit = "character" if terms.sort(measured) == "text" else "item"
            unit += "" if isinstance(right, ast.Constant) and right.value == 1 else "s"
            yield f"Give {say_noun(measured, terms)} {few} {say_noun(right, terms)} {unit}."
            return
    if place is None and other is None:
        opposite = {"<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}[wanted]
        yield f"Choose the values so that {say_state(ast.Compare(left, [opposite], [right]), terms)}."
        return
    if place is not None:
        exactly = isinstance(right, ast.Constant) and wanted == "<=" and right.value in (0, 1)
        yield f"Set {name_place(place)} to {'' if exactly else _BOUNDS[wanted] + ' '}{say_noun(right, terms)}."
    if other is not None:
        yield f"Set {name_place(other)} to {_BOUNDS[_MIRRORED[wanted]]} {say_noun(left, terms)}."


def _equal(left: ast.expr, right: ast.expr, wanted: bool, place: Place | None, terms: Terms) -> Iterator[str]:
    is_none = isinstance(right, ast.Constant) and right.value is None
    match left:
        case ast.BinOp(op=ast.Mod(), left=base, right=by) if wanted and terms.find(base) is not None:
            yield f"Set {say_noun(base, terms)} to a multiple of {say_noun(by, terms)}."
            return
    if place is None:
        node = ast.Compare(left, [ast.Eq() if wanted else ast.NotEq()], [right])
        yield f"Choose the values so that {say_state(node, terms)}."
    elif is_none:
        default = place.option.default
        known = ", as it is by default" if default == "None" else ""
        yield f"Leave {name_place(place)} unset{known}." if wanted else f"Set {name_place(place)}{_hint(place)}."
    elif isinstance(right, ast.Constant) and isinstance(right.value, bool) and terms.sort(left) == "yes or no":
        yield _switch(place, right.value is wanted, "yes or no")
    elif is_own_default(left, right, terms):
        name = name_place(place)
        yield f"Leave {name} unset, so that it keeps its default." if wanted else f"Set {name}."
    elif wanted:
        same = "the same value as " if not is_constant(right) else ""
        chosen = next((f'`"{name}"`' for name in _name_choices(right) if name in place.option.choices), None)
        yield f"Set {name_place(place)} to {chosen or f'{same}{say_noun(right, terms)}'}."
    else:
        others = _list_others(place, [right])
        instead = f"{join_nouns(others, 'or')} instead of" if others else "something other than"
        yield f"Set {name_place(place)} to {instead} {say_noun(right, terms)}."


def _hint(place: Place) -> str:
    choices = _list_others(place, [])
    return f" to {join_nouns(choices, 'or')}" if choices else ""


def _list_others(place: Place, but: list[ast.expr]) -> list[str]:
    """Give an option's choices, save some; nothing where it has none or too many to read."""
    refused = [name for node in but for name in _name_choices(node)]
    if any(map(is_bound, place.option.choices)):
        return []
    others = [choice for choice in dict.fromkeys(place.option.choices) if choice not in map(str, refused)]
    return [f'`"{choice}"`' for choice in others] if len(others) <= _MOST_CHOICES else []


def _name_choices(node: ast.expr) -> tuple[object, ...]:
    """Give what users write for a value: a constant itself, a member of an enumeration by its name."""
    if isinstance(node, ast.Constant):
        return (node.value,)
    member = find_member(node)
    return (member, member.lower()) if member is not None else ()


def _choose(place: Place, container: ast.expr, wanted: bool, terms: Terms) -> str:
    name = name_place(place)
    elements = container.elts if isinstance(container, ast.Tuple | ast.List | ast.Set) else None
    if elements is None:
        return f"Set {name} to {'one of' if wanted else 'a value that is not in'} {say_noun(container, terms)}."
    values = [each for each in elements if not (isinstance(each, ast.Constant) and each.value is None)]
    unset = len(values) < len(elements)
    nouns = [say_noun(value, terms) for value in values]
    if wanted:
        listed = join_nouns(nouns, "or") if values else ""
        tail = ", or leave it unset" if unset and may_be_unset(place.option) else ""
        return f"Set {name} to {listed}{tail}."
    others = _list_others(place, elements)
    if others:
        return f"Set {name} to {join_nouns(others, 'or')}."
    return f"Set {name} to something other than {join_nouns(nouns, 'or')}."
