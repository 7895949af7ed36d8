"""What is the value of an expression of a target, worked out without ever running the target's code?

Names and paths (`self.max_model_len`, `envs.PORT.get()`, `sizes[0]`) are looked up by their source text in the values
that are given; literals, operators, comprehensions and a closed list of pure functions are computed. Whatever else
there is, or what would take too long or grow too large, is `Unknown`.
"""

import ast
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from catalog.notes.evaluation.decisions import build_decision
from catalog.notes.evaluation.expressions import build
from catalog.notes.evaluation.plain import DEEPEST, Budget, Refused, Stream, Unknown, take
from catalog.notes.evaluation.run import Part, Run
from catalog.notes.evaluation.source import write
from catalog.notes.words.members import name_members

__all__ = ["Refused", "Unknown", "decide", "evaluate", "normalize", "parse"]

_LONGEST = 20_000
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\Z", re.ASCII)


def evaluate(expression: str, values: Mapping[str, object]) -> object:
    """Give an expression's value; raises `Unknown` with the reason where it has none here.

    What a generator would give is given as a list.
    """
    budget = Budget()
    value = _prepare(expression)(Run(_normalize_keys(values), {}, budget))
    return take(value, budget, ordered=False) if isinstance(value, Stream) else value


def decide(expression: str, values: Mapping[str, object]) -> bool:
    """Tell whether a condition holds; raises `Unknown` where that can't be told.

    A part without a value may not matter: `a and b` doesn't hold when `b` is false, whatever `a` is; whether working
    out `a` would have raised something is left aside. What certainly raises, as `None > 3 and b` does, is `Refused`.
    """
    return _prepare_decision(expression)(Run(_normalize_keys(values), {}, Budget()))


def parse(expression: str) -> ast.expr:
    """Parse an expression; raises `Unknown` when it isn't one, or isn't one that anybody would write."""
    if len(expression) > _LONGEST:
        raise Unknown("the expression is too long")
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise Unknown("the expression does not parse") from error


@lru_cache(maxsize=16_384)
def normalize(text: str) -> str:
    """Give a source text as it is looked up: without the spaces and quotes that happen to be in it."""
    if _PATH.match(text):
        return text
    try:
        tree = parse(text)
    except Unknown:
        return text
    return write(tree) if is_shallow(tree) else text


def is_shallow(tree: ast.AST, levels: int = DEEPEST) -> bool:
    """Tell whether a tree is one that can be walked through."""
    return levels > 0 and all(is_shallow(child, levels - 1) for child in ast.iter_child_nodes(tree))


@lru_cache(maxsize=4096)
def _prepare(expression: str) -> Part:
    return build(_parse_shallow(expression))


@lru_cache(maxsize=4096)
def _prepare_decision(expression: str) -> Callable[[Run], bool]:
    return build_decision(_parse_shallow(expression))


def _parse_shallow(expression: str) -> ast.expr:
    tree = parse(expression)
    if not is_shallow(tree):
        raise Unknown("the expression is nested too deeply")
    return name_members(tree)


def _normalize_keys(values: Mapping[str, object]) -> Mapping[str, object]:
    """Give a dictionary with its keys as they are looked up; another mapping knows that by itself."""
    if not isinstance(values, dict) or all(map(_PATH.match, values)):
        return values
    return {normalize(name): value for name, value in values.items()}
