"""A message expression → its template: fixed text and holes, resolved as far as the source allows.

A draft is one text a message may have, with the conditions under which it has it. An expression gives one draft, or
several where it chooses; what can't be read stays a hole with the source's own text.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import libcst as cst

from catalog.records import Hole, Part, Resolution, Text
from miner.conditions import Formula, negate, read_formula
from miner.formats import read_f_string, read_format, read_percent
from miner.reshaping import reshape
from miner.wording import write_expression

MAX_DRAFTS = 8
"""A message that could read in more ways than this keeps its undecided pieces as holes."""
_MAX_DEPTH = 12
_GETTEXT = frozenset("_ gettext gettext_lazy ugettext ugettext_lazy gettext_noop lazy_gettext N_ _N".split())
_SOUNDS_LIKE_TEXT = re.compile(
    r"(?:\w+\.)*\w*(?:msg|mess|hint|reason|detail|suffix|prefix|text|note|help|desc|extra|why|tail|advice|problem)\w*"
)
_CONSTANT = re.compile(r"(?:\w+\.)*_?[A-Z][A-Z0-9_]+")
_PLURAL_GETTEXT = frozenset("ngettext ungettext ngettext_lazy ungettext_lazy".split())


@dataclass(frozen=True, slots=True)
class Draft:
    """One text that a message may have."""

    parts: tuple[Part, ...]
    conditions: tuple[Formula, ...] = ()
    resolution: Resolution = "literal"

    @property
    def has_text(self) -> bool:
        """Some of it is fixed."""
        return any(isinstance(part, Text) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Found:
    """What a name stands for: an expression, how it was found, and where to look on from there."""

    node: cst.BaseExpression
    resolution: Resolution
    scope: "Scope"


Scope = Callable[[cst.BaseExpression], Found | None]
"""Looks up what a name or attribute stands for at some point of the source."""


def read_drafts(node: cst.BaseExpression, scope: Scope, depth: int = 0) -> tuple[Draft, ...]:
    """Read every text that an expression may give, at most `MAX_DRAFTS`."""
    if depth > _MAX_DEPTH:
        return (hole_of(node),)
    match node:
        case cst.SimpleString():
            return (_read_plain(node),)
        case cst.ConcatenatedString():
            return _concatenate(node.left, node.right, scope, depth)
        case cst.FormattedString():
            return _read_f_string(node, scope, depth)
        case cst.Tuple(elements=elements) if elements and all(isinstance(e, cst.Element) for e in elements):
            return (read_tuple([element.value for element in elements]),)
        case cst.Subscript():
            return _read_element(node, scope, depth)
        case cst.BinaryOperation(operator=cst.Add()):
            return _read_sum(node, scope, depth)
        case cst.BinaryOperation(operator=cst.Modulo()):
            return _read_modulo(node, scope, depth)
        case cst.Call():
            return _read_call(node, scope, depth)
        case cst.IfExp():
            return _choose(read_formula(node.test), node.body, node.orelse, scope, depth)
        case cst.BooleanOperation(operator=cst.Or()):
            return _choose(read_formula(node.left), node.left, node.right, scope, depth)
        case cst.Name() | cst.Attribute():
            return _look_up(node, scope, depth)
        case cst.NamedExpr():
            return read_drafts(node.value, scope, depth + 1)
        case _:
            return (hole_of(node),)


def hole_of(node: cst.BaseExpression) -> Draft:
    """Give the draft that is nothing but a hole."""
    return Draft((Hole(write_expression(node), None, None, False),))


def _read_plain(node: cst.SimpleString) -> Draft:
    value = node.evaluated_value
    if isinstance(value, bytes):
        return Draft((Text(repr(value)),))
    return Draft(_text(value))


def _text(value: str) -> tuple[Part, ...]:
    return (Text(value.encode("utf-8", "backslashreplace").decode()),) if value else ()


def merge_text(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Join fixed pieces that stand side by side."""
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, Text) and merged and isinstance(merged[-1], Text):
            merged[-1] = Text(merged[-1].text + part.text)
        else:
            merged.append(part)
    return tuple(merged)


def combine(*groups: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """Put pieces of a text side by side, in every way that their conditions allow."""
    total = 1
    for group in groups:
        total *= len(group)
    if total > MAX_DRAFTS:
        groups = tuple(group[:1] for group in groups)
    return tuple(
        Draft(
            merge_text(part for draft in chosen for part in draft.parts),
            tuple(dict.fromkeys(condition for draft in chosen for condition in draft.conditions)),
            _worst(draft.resolution for draft in chosen),
        )
        for chosen in product(*groups)
        if not _contradicts(chosen)
    )


def _contradicts(chosen: Sequence[Draft]) -> bool:
    conditions = {condition for draft in chosen for condition in draft.conditions}
    return any(negate(condition) in conditions for condition in conditions)


def _worst(resolutions: Iterable[Resolution]) -> Resolution:
    order: tuple[Resolution, ...] = ("literal", "constant", "variable", "helper", "class", "dynamic")
    return max(resolutions, key=order.index, default="literal")


def _concatenate(left: cst.BaseExpression, right: cst.BaseExpression, scope: Scope, depth: int) -> tuple[Draft, ...]:
    return combine(read_drafts(left, scope, depth + 1), read_drafts(right, scope, depth + 1))


def _read_f_string(node: cst.FormattedString, scope: Scope, depth: int) -> tuple[Draft, ...]:
    parts = read_f_string(node)
    if not any(isinstance(part, Hole) and _may_be_text(part) for part in parts):
        return (Draft(parts),)
    groups = (_fill(part, scope, depth) if isinstance(part, Hole) else (Draft((part,)),) for part in parts)
    return combine(*groups)


def _may_be_text(hole: Hole) -> bool:
    """Tell whether a hole is a name that sounds like a piece of the message: only those are worth a look above."""
    is_plain = hole.conversion in (None, "s") and hole.format is None and not hole.self_documenting
    return is_plain and (
        _SOUNDS_LIKE_TEXT.fullmatch(hole.expr) is not None or _CONSTANT.fullmatch(hole.expr) is not None
    )


def _fill(hole: Hole, scope: Scope, depth: int) -> tuple[Draft, ...]:
    whole = (Draft((hole,)),)
    if not _may_be_text(hole):
        return whole
    drafts = read_drafts(cst.parse_expression(hole.expr), scope, depth + 1)
    return drafts if all(draft.has_text for draft in drafts) else whole


def read_tuple(values: Sequence[cst.BaseExpression]) -> Draft:
    """Read a tuple as it prints, which is also how an exception with several arguments does."""
    parts: list[Part] = [Text("(")]
    for index, value in enumerate(values):
        if index:
            parts.append(Text(", "))
        fixed = getattr(value, "evaluated_value", None)
        if isinstance(value, cst.SimpleString | cst.Integer | cst.ConcatenatedString) and fixed is not None:
            parts.append(Text(repr(fixed)))
        else:
            parts.append(Hole(write_expression(value), "r", None, False))
    return Draft(merge_text([*parts, Text(",)" if len(values) == 1 else ")")]))


def _read_element(node: cst.Subscript, scope: Scope, depth: int) -> tuple[Draft, ...]:
    """Read an element of a literal table: `MESSAGES["key"]`."""
    match node:
        case cst.Subscript(
            value=cst.Name() | cst.Attribute() as table,
            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString(evaluated_value=key)))],
        ):
            found = scope(table)
            value = _find_value(found.node, key) if found is not None else None
            if found is not None and value is not None:
                drafts = read_drafts(value, found.scope, depth + 1)
                return tuple(replace(d, resolution=_worst((d.resolution, found.resolution))) for d in drafts)
        case _:
            pass
    return (hole_of(node),)


def _find_value(table: cst.BaseExpression, key: object) -> cst.BaseExpression | None:
    for element in table.elements if isinstance(table, cst.Dict) else ():
        match element:
            case cst.DictElement(key=cst.SimpleString(evaluated_value=known), value=value) if known == key:
                return value
            case _:
                pass
    return None


def _read_sum(node: cst.BinaryOperation, scope: Scope, depth: int) -> tuple[Draft, ...]:
    operands: list[cst.BaseExpression] = []
    rest: cst.BaseExpression = node
    while isinstance(rest, cst.BinaryOperation) and isinstance(rest.operator, cst.Add):
        operands.append(rest.right)
        rest = rest.left
    operands.append(rest)
    groups = [read_drafts(operand, scope, depth + 1) for operand in reversed(operands)]
    if not any(draft.has_text for group in groups for draft in group):
        return (hole_of(node),)
    return combine(*groups)


def _read_modulo(node: cst.BinaryOperation, scope: Scope, depth: int) -> tuple[Draft, ...]:
    drafts = read_drafts(node.left, scope, depth + 1)
    if not all(draft.has_text and not _has_holes(draft) for draft in drafts):
        return (hole_of(node),)
    return tuple(replace(d, parts=merge_text(read_percent(_plain_text(d), node.right))) for d in drafts)


def _has_holes(draft: Draft) -> bool:
    return any(isinstance(part, Hole) for part in draft.parts)


def _plain_text(draft: Draft) -> str:
    return "".join(part.text for part in draft.parts if isinstance(part, Text))


def _choose(
    test: Formula, yes: cst.BaseExpression, no: cst.BaseExpression, scope: Scope, depth: int
) -> tuple[Draft, ...]:
    drafts = [
        replace(draft, conditions=(held, *draft.conditions))
        for held, node in ((test, yes), (negate(test), no))
        for draft in read_drafts(node, scope, depth + 1)
    ]
    return tuple(drafts) if len(drafts) <= MAX_DRAFTS else tuple(drafts[:MAX_DRAFTS])


def _look_up(node: cst.BaseExpression, scope: Scope, depth: int) -> tuple[Draft, ...]:
    found = scope(node)
    if found is None:
        return (hole_of(node),)
    drafts = read_drafts(found.node, found.scope, depth + 1)
    if not any(draft.has_text for draft in drafts):
        return (hole_of(node),)
    return tuple(replace(draft, resolution=_worst((draft.resolution, found.resolution))) for draft in drafts)


def _read_call(node: cst.Call, scope: Scope, depth: int) -> tuple[Draft, ...]:
    first = node.args[0].value if node.args and not node.args[0].star and node.args[0].keyword is None else None
    match node.func:
        case cst.Name(value=name):
            if name in _PLURAL_GETTEXT and len(node.args) >= 3:
                return _read_plural(node, scope, depth)
            if first is not None and (name in _GETTEXT or name in ("dedent", "cleandoc")):
                return _transform(name, read_drafts(first, scope, depth + 1))
            if first is not None and name == "str" and len(node.args) == 1:
                inner = read_drafts(first, scope, depth + 1)
                return inner if any(draft.has_text for draft in inner) else (hole_of(node),)
            if first is not None and name == "repr" and len(node.args) == 1:
                return (Draft((Hole(write_expression(first), "r", None, False),)),)
        case cst.Attribute(attr=cst.Name(value=name), value=base):
            if name == "format":
                return _read_format(node, base, scope, depth)
            if name == "join" and first is not None:
                return _read_join(node, base, first, scope, depth)
            if first is not None and (name in ("dedent", "cleandoc") or name in _GETTEXT):
                return _transform(name, read_drafts(first, scope, depth + 1))
            if name in ("strip", "lstrip", "rstrip") and not node.args:
                inner = read_drafts(base, scope, depth + 1)
                return _transform(name, inner) if any(d.has_text for d in inner) else (hole_of(node),)
        case _:
            pass
    return (hole_of(node),)


def _read_plural(node: cst.Call, scope: Scope, depth: int) -> tuple[Draft, ...]:
    singular, plural, count = (argument.value for argument in node.args[:3])
    one = read_formula(cst.parse_expression(f"({write_expression(count)}) == 1"))
    return _choose(one, singular, plural, scope, depth)


def _read_format(node: cst.Call, base: cst.BaseExpression, scope: Scope, depth: int) -> tuple[Draft, ...]:
    drafts = read_drafts(base, scope, depth + 1)
    if not all(draft.has_text and not _has_holes(draft) for draft in drafts):
        return (hole_of(node),)
    filled: list[Draft] = []
    for draft in drafts:
        parts = read_format(_plain_text(draft), node.args)
        if parts is None:
            return (hole_of(node),)
        filled.append(replace(draft, parts=merge_text(parts)))
    return tuple(filled)


def _read_join(
    node: cst.Call, base: cst.BaseExpression, items: cst.BaseExpression, scope: Scope, depth: int
) -> tuple[Draft, ...]:
    if isinstance(items, cst.Name) and (found := scope(items)) is not None:
        items, scope = found.node, found.scope
    separators = read_drafts(base, scope, depth + 1)
    if not isinstance(items, cst.List | cst.Tuple) or len(separators) != 1 or _has_holes(separators[0]):
        return (hole_of(node),)
    groups: list[tuple[Draft, ...]] = []
    for element in items.elements:
        if isinstance(element, cst.StarredElement):
            return (hole_of(node),)
        if groups:
            groups.append(separators)
        groups.append(read_drafts(element.value, scope, depth + 1))
    return combine(*groups) if groups else (Draft(()),)


def _transform(name: str, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    if name in _GETTEXT:
        return tuple(drafts)
    return tuple(replace(draft, parts=reshape(name, draft.parts)) for draft in drafts)
