"""Notes that were true, each changed in one small way that makes it a lie."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from catalog.records import Check, Example, Note

_SWAPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_PHRASES = (
    ("at least", "at most"),
    ("greater than", "less than"),
    ("greater than", "at least"),
    ("less than", "at most"),
    ("more than", "less than"),
)
_NUMBER = re.compile(r"(?<![\w.\"'-])\d+(?![\w.\"'])")


def list_mutants(note: Note) -> Iterator[tuple[str, Note]]:
    """Give the lies that are one small change away from a note, each with the kind of change."""
    if note.check is not None:
        for kind, code in _mutate_code(note.check.code):
            yield kind, replace(note, check=Check(note.check.strategy, code))
    if note.example is not None:
        for kind, example in _mutate_example(note.example):
            yield kind, replace(note, example=example)
    for kind, meaning in _mutate_prose(note.meaning):
        yield kind, replace(note, meaning=meaning)
    for kind, trigger in _mutate_prose(note.trigger):
        yield kind, replace(note, trigger=trigger)
    for index, solution in enumerate(note.solutions):
        for kind, text in _mutate_prose(solution):
            yield kind, replace(note, solutions=(*note.solutions[:index], text, *note.solutions[index + 1 :]))


def _mutate_code(code: str) -> Iterator[tuple[str, str]]:
    count = sum(1 for _ in ast.walk(ast.parse(code)))
    for index in range(count):
        for way in range(3):
            tree = ast.parse(code)
            node = list(ast.walk(tree))[index]
            kind = _change(node, way)
            if kind is not None:
                yield kind, ast.unparse(tree)
    yield "check: a bracket dropped", code.replace(")", "", 1)


def _change(node: ast.AST, way: int) -> str | None:
    """Change one node of a check in one of several ways; None when there is no such way."""
    match node:
        case ast.Compare(ops=[op, *rest]) if way < len(_SWAPS.get(type(op), ())):
            node.ops = [_SWAPS[type(op)][way](), *rest]
            return "check: a comparison swapped"
        case ast.BoolOp(op=op) if way == 0:
            node.op = ast.And() if isinstance(op, ast.Or) else ast.Or()
            return "check: `and` and `or` swapped"
        case ast.BoolOp(values=[_, *_]) if way == 1:
            del node.values[0]
            return "check: a condition dropped"
        case ast.Constant(value=bool() | None):
            return None
        case ast.Constant(value=int() | float() as value) if way < 2:
            node.value = value + (1, -1)[way]
            return "check: a number off by one"
        case ast.Return(value=ast.expr() as value) if way == 0:
            node.value = ast.UnaryOp(ast.Not(), value)
            return "check: turned round"
    return None


def _mutate_example(example: Example) -> Iterator[tuple[str, Example]]:
    yield "example: before and after swapped", Example(example.after, example.before, example.language)
    yield "example: a fix that fixes nothing", replace(example, after=example.before)
    yield "example: a failure that works", replace(example, before=example.after)
    for match in re.finditer(r"--[a-z][a-z-]{3,}", example.before):
        broken = f"{match[0][:-2]}{match[0][-1]}"
        yield "example: a flag misspelled", replace(example, before=example.before.replace(match[0], broken, 1))
    for match in re.finditer(r"\"([a-z_]{4,})\":|\b([a-z_]{4,})=", example.before):
        name = match[1] or match[2]
        yield "example: a key misspelled", replace(example, before=example.before.replace(name, f"other_{name}", 1))
    for bracket in ("}", ")", "]"):
        if bracket in example.before:
            yield "example: a bracket dropped", replace(example, before=example.before.replace(bracket, "", 1))
    for quote in ("'", '"'):
        if quote in example.before:
            yield "example: a quote dropped", replace(example, before=example.before.replace(quote, "", 1))


def _mutate_prose(text: str) -> Iterator[tuple[str, str]]:
    for one, other in _PHRASES:
        for old, new in ((one, other), (other, one)):
            for match in re.finditer(rf"\b{old}\b", text):
                yield "prose: a bound turned", f"{text[: match.start()]}{new}{text[match.end() :]}"
    for match in _NUMBER.finditer(text):
        for step in (1, -1):
            changed = f"{int(match[0]) + step}"
            yield "prose: a number off by one", f"{text[: match.start()]}{changed}{text[match.end() :]}"
    for match in re.finditer(r"`--[a-z][a-z-]{3,}`", text):
        yield "prose: a flag misspelled", text.replace(match[0], f"{match[0][:-3]}{match[0][-2:]}", 1)
    for match in re.finditer(r"`\"[a-z]{3,}\"`", text):
        yield "prose: a value misspelled", text.replace(match[0], f'`"{match[0][2:-2]}q"`', 1)
