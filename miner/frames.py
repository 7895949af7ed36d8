"""Texts in the words of a function → the same texts in the words of its caller.

Inside an exception's `__init__`, a helper or a factory, a message speaks of parameters. At the call each of them is an
argument: a hole becomes that argument's text or expression, and a condition that the argument decides falls away.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import libcst as cst

from catalog.records import Hole, Part, Text
from miner.conditions import Formula, read_formula, write_formula
from miner.effects import Path, find_path
from miner.lookup import parse_value
from miner.settling import settle
from miner.templates import Draft, Scope, combine, merge_text, read_drafts
from miner.wording import write_expression

_MAX_DEPTH = 6
_SIMPLE = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.SimpleString, cst.Integer, cst.List, cst.Dict)


@dataclass(frozen=True, slots=True)
class Given:
    """What a name inside a function stands for, in the caller's words."""

    node: cst.BaseExpression
    drafts: tuple[Draft, ...]


def give(node: cst.BaseExpression, scope: Scope) -> Given:
    """Take an expression of the caller as it stands."""
    return Given(node, read_drafts(node, scope))


Special = Callable[[cst.BaseExpression], tuple[Draft, ...] | None]


@dataclass(frozen=True, slots=True)
class Frame:
    """A function while it is called."""

    values: Mapping[Path, Given]
    special: Special = lambda _: None
    """Texts of expressions that only the kind of function explains: `super().__str__()`."""

    def read(self, node: cst.BaseExpression, scope: Scope, conditions: tuple[Formula, ...] = ()) -> tuple[Draft, ...]:
        """Read an expression of the function and give its texts in the caller's words."""
        drafts = read_drafts(node, scope)
        return self.translate(tuple(replace(d, conditions=(*conditions, *d.conditions)) for d in drafts), scope)

    def translate(self, drafts: tuple[Draft, ...], scope: Scope, depth: int = 0) -> tuple[Draft, ...]:
        """Give texts in the caller's words; those whose conditions can't hold fall away."""
        return tuple(text for draft in drafts for text in self._translate(draft, scope, depth))

    def _translate(self, draft: Draft, scope: Scope, depth: int) -> Iterator[Draft]:
        conditions = self.decide(draft.conditions)
        if conditions is None:
            return
        groups = tuple(self._fill(part, scope, depth) for part in draft.parts)
        head = Draft((), conditions, draft.resolution)
        yield from combine((head,), *groups)

    def decide(self, conditions: tuple[Formula, ...]) -> tuple[Formula, ...] | None:
        """Put the arguments into conditions; `None` where one of them can't hold."""
        open_ones: list[Formula] = []
        for condition in conditions:
            node = parse_value(write_formula(condition))
            if node is None:
                open_ones.append(condition)
                continue
            written = self.rewrite(node)
            known = settle(written)
            if known is False:
                return None
            if known is None:
                open_ones.append(condition if written is node else read_formula(written))
        return tuple(dict.fromkeys(open_ones))

    def rewrite(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Write an expression in the caller's words."""
        rewritten = node.visit(_Rewriter(self.values))
        return rewritten if isinstance(rewritten, cst.BaseExpression) else node

    def _fill(self, part: Part, scope: Scope, depth: int) -> tuple[Draft, ...]:
        if not isinstance(part, Hole):
            return (Draft((part,)),)
        node = parse_value(part.expr.strip())
        if node is None or depth > _MAX_DEPTH:
            return (Draft((part,)),)
        is_plain = part.conversion in (None, "s") and part.format is None and not part.self_documenting
        path = find_path(node)
        given = self.values.get(path) if path is not None else None
        is_number = given is not None and isinstance(given.node, cst.Integer)
        if is_plain and not is_number:
            found = self._find_text(node, scope, depth)
            if found is not None:
                return found
        if given is not None and (fixed := _print_literal(given.node, part)) is not None:
            return (Draft((Text(fixed),)),)
        written = given.node if given is not None else self.rewrite(node)
        if written is node:
            return (Draft((part,)),)
        return (Draft(_make_hole(part, written)),)

    def _find_text(self, node: cst.BaseExpression, scope: Scope, depth: int) -> tuple[Draft, ...] | None:
        special = self.special(node)
        if special is not None:
            return special
        path = find_path(node)
        if path is not None:
            given = self.values.get(path)
            if given is not None:
                return given.drafts
            found = scope(node)
            if found is None:
                return None
            if (special := self.special(found.node)) is not None:
                return special
            drafts = read_drafts(found.node, found.scope)
            inner = self.translate(drafts, found.scope, depth + 1)
            return inner if any(draft.has_text for draft in inner) or _is_short(found.node) else None
        drafts = read_drafts(node, scope)
        if any(draft.has_text or not draft.parts for draft in drafts):
            return self.translate(drafts, scope, depth + 1)
        return None


def _is_short(node: cst.BaseExpression) -> bool:
    return isinstance(node, _SIMPLE) and len(write_expression(node)) <= 60


def _make_hole(part: Hole, node: cst.BaseExpression) -> tuple[Part, ...]:
    text = write_expression(node)
    if not part.self_documenting:
        return (Hole(text, part.conversion, part.format, False),)
    conversion = part.conversion or ("r" if part.format is None else None)
    return merge_text((Text(f"{part.expr}="), Hole(text, conversion, part.format, False)))


def _is_bare(part: Hole) -> bool:
    return part.conversion is None and not part.self_documenting


def _print_literal(node: cst.BaseExpression, part: Hole) -> str | None:
    """Print a literal argument as a hole with a conversion would; `None` where it takes more than that."""
    if part.format is not None or not isinstance(node, cst.SimpleString | cst.Integer | cst.ConcatenatedString):
        return None
    value = node.evaluated_value
    if value is None or isinstance(value, bytes):
        return None
    shown = (
        str(value)
        if part.conversion == "s" or _is_bare(part)
        else ascii(value)
        if part.conversion == "a"
        else repr(value)
    )
    return f"{part.expr}={shown}" if part.self_documenting else shown


class _Rewriter(cst.CSTTransformer):
    def __init__(self, values: Mapping[Path, Given]) -> None:
        self._values = values

    def _replace(self, original: cst.BaseExpression, updated: cst.BaseExpression) -> cst.BaseExpression:
        path = find_path(original)
        given = self._values.get(path) if path is not None else None
        if given is None:
            return updated
        if isinstance(given.node, _SIMPLE) or given.node.lpar:
            return given.node
        return given.node.with_changes(lpar=(cst.LeftParen(),), rpar=(cst.RightParen(),))

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
        return self._replace(original_node, updated_node)

    def visit_Attribute_attr(self, node: cst.Attribute) -> None:  # noqa: N802
        return None

    def visit_Attribute(self, node: cst.Attribute) -> bool:  # noqa: N802
        return find_path(node) not in self._values

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        replaced = self._replace(original_node, updated_node)
        if replaced is not updated_node:
            return replaced
        if updated_node.attr is not original_node.attr:
            return updated_node.with_changes(attr=original_node.attr)
        return updated_node

    def visit_Arg_keyword(self, node: cst.Arg) -> None:  # noqa: N802
        return None

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        return updated_node.with_changes(keyword=original_node.keyword)
