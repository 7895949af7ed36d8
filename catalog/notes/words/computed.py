"""Numbers that the source writes as a computation: `2**31 - 1`."""

import ast
from collections.abc import Iterator

from catalog.notes.evaluate import Unknown, evaluate, parse
from catalog.notes.words.texts import list_parts, write_source


def work_out(node: ast.BinOp) -> int | None:
    """Work out a whole number that is computed from numbers alone; None for anything else."""
    if any(isinstance(part, ast.Name | ast.Attribute | ast.Call) for part in list_parts(node)):
        return None
    try:
        value = evaluate(write_source(node), {})
    except Unknown:
        return None
    return value if type(value) is int else None


def list_computed(source: str) -> Iterator[int]:
    """Give the numbers that a source text writes as computations."""
    try:
        tree = parse(source)
    except Unknown:
        return
    for part in list_parts(tree):
        number = work_out(part) if isinstance(part, ast.BinOp) else None
        if number is not None:
            yield number
