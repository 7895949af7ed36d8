"""Does a condition hold, also where a part that can't matter has no value?"""

import ast
from collections.abc import Callable, Sequence

from catalog.notes.evaluation.expressions import build
from catalog.notes.evaluation.plain import DEEPEST, Refused, Unknown
from catalog.notes.evaluation.run import Run, is_true


def build_decision(node: ast.expr, depth: int = DEEPEST) -> Callable[[Run], bool]:
    """Build the function that tells whether an expression holds, also where a part that can't matter is unknown."""
    match node:
        case ast.BoolOp(op=op, values=values) if depth:
            return _decide_sequence([build_decision(value, depth - 1) for value in values], isinstance(op, ast.Or))
        case ast.UnaryOp(op=ast.Not(), operand=operand) if depth:
            denied = build_decision(operand, depth - 1)
            return lambda run: not denied(run)
    part = build(node, depth)
    return lambda run: is_true(part(run))


def _decide_sequence(decisions: Sequence[Callable[[Run], bool]], decisive: bool) -> Callable[[Run], bool]:
    def decide(run: Run) -> bool:
        unknown: Unknown | None = None
        for decision in decisions:
            try:
                if decision(run) is decisive:
                    return decisive
            except Refused:
                if unknown is None:  # evaluation certainly gets here, and no further
                    raise
            except Unknown as error:
                unknown = unknown or error
        if unknown is not None:
            raise unknown
        return not decisive

    return decide
