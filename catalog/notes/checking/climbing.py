"""Which values make a branch of many tests hold, where neither the example nor chance has found any?"""

import ast
from collections.abc import Callable, Mapping, Sequence

from catalog.notes.evaluate import Unknown, parse
from catalog.notes.evaluation.source import write
from catalog.notes.situation import Situation

_ROUNDS = 3
_MOST = 600


def climb(
    branch: str, candidates: Mapping[str, Sequence[object]], imagine: Callable[[Mapping[str, object]], Situation]
) -> dict[str, object] | None:
    """Change one value at a time, as long as more of the branch's tests hold; None where that leads to no values."""
    tests = _split(branch)
    values = {name: options[0] for name, options in candidates.items()}
    best, spent = _count(tests, imagine(values)), 0
    for _ in range(_ROUNDS):
        for name, options in candidates.items():
            for option in options:
                if best == len(tests):
                    return values
                changed = {**values, name: option}
                count = _count(tests, imagine(changed))
                if count > best:
                    values, best = changed, count
                spent += 1
                if spent > _MOST:
                    return None
    return values if best == len(tests) else None


def _split(branch: str) -> list[str]:
    try:
        tree = parse(branch)
    except Unknown:
        return [branch]
    values = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    return [write(value) for value in values]


def _count(tests: Sequence[str], situation: Situation) -> int:
    return sum(_holds(test, situation) for test in tests)


def _holds(test: str, situation: Situation) -> bool:
    try:
        return situation.holds(test)
    except Unknown:
        return False
