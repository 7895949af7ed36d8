"""Which tests is a branch made of?"""

import ast
from dataclasses import dataclass

from catalog.notes.words.texts import write_source

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True, slots=True)
class Part:
    """One of the tests that a branch is made of: it holds, or where negated does not."""

    node: ast.expr
    holds: bool

    @property
    def text(self) -> str:
        """Its source, as a condition that holds."""
        written = write_source(self.node)
        return written if self.holds else f"not ({written})"


def split_branch(node: ast.expr, holds: bool = True) -> tuple[Part, ...]:
    """Take a branch apart into tests that must all come out as said."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return split_branch(operand, not holds)
        case ast.BoolOp(op=ast.And(), values=values) if holds:
            return tuple(part for value in values for part in split_branch(value, holds))
        case ast.BoolOp(op=ast.Or(), values=values) if not holds:
            return tuple(part for value in values for part in split_branch(value, holds))
        case ast.Constant(value=value) if bool(value) is holds:
            return ()
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if not holds and type(op) in _OPPOSITES:
            return (Part(ast.Compare(left, [_OPPOSITES[type(op)]()], [right]), holds=True),)
    return (Part(node, holds),)
