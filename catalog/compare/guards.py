"""How did an entry's own guard change?"""

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from catalog.compare.clauses import Conjuncts, OwnGuard, list_names, split_test
from catalog.compare.implication import GuardChange, compare_conditions
from catalog.records import Guard

_DEEPEST_BINDING = 4
_BINDERS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class GuardDifference:
    """What a guard gained and lost, and what that means."""

    change: GuardChange
    gained: tuple[str, ...]
    """Clauses, and bindings as `name = value`."""
    lost: tuple[str, ...]


def compare_guards(old: OwnGuard, old_guard: Guard, new: OwnGuard, new_guard: Guard) -> GuardDifference | None:
    """Compare two own guards, with the names that the function computed; None when they read the same."""
    before, after = _list_bindings(old.tests, old_guard), _list_bindings(new.tests, new_guard)
    shifted = {name for name in before.keys() & after.keys() if before[name] != after[name]}
    shifted |= {name for name in before.keys() ^ after.keys() if _is_used(name, old) and _is_used(name, new)}
    if old.tests == new.tests and old.steps == new.steps and not shifted:
        return None
    gained = _subtract(new.tests, old.tests) + _subtract(new.steps, old.steps)
    lost = _subtract(old.tests, new.tests) + _subtract(old.steps, new.steps)
    gained += tuple(f"{name} = {after[name]}" for name in sorted(shifted) if name in after)
    lost += tuple(f"{name} = {before[name]}" for name in sorted(shifted) if name in before)
    change: GuardChange = "changed"
    if Counter(old.steps) == Counter(new.steps):
        change = _compare_tests(old.tests, before, new.tests, after, shifted)
    return GuardDifference(change, gained, lost)


def _compare_tests(
    old: Conjuncts, before: Mapping[str, str], new: Conjuncts, after: Mapping[str, str], shifted: set[str]
) -> GuardChange:
    """Compare what the tests say, as they stand and with what the function computed put in.

    A name that is computed differently now is another value: where it stays in the text, nothing can be proved.
    """
    change: GuardChange = "changed"
    if not shifted:
        change = compare_conditions(_join(old), _join(new))
    if change == "changed" and (before or after):
        first, second = _put_in_bindings(old, before), _put_in_bindings(new, after)
        if not shifted & (list_names(first) | list_names(second)):
            change = compare_conditions(first, second)
    return change


def _join(tests: Conjuncts) -> str:
    return " and ".join(f"({test})" for test in tests) or "True"


def _subtract(clauses: Conjuncts, others: Conjuncts) -> Conjuncts:
    return tuple(clause for clause in clauses if clause not in others)


def _is_used(name: str, guard: OwnGuard) -> bool:
    return any(name in list_names(test) for test in guard.tests)


def _list_bindings(tests: Conjuncts, guard: Guard) -> dict[str, str]:
    """Give the bindings that the tests depend on, directly or through others, as name and value."""
    values = {binding.name: " and ".join(split_test(binding.value, negated=False)) for binding in guard.bindings}
    waiting = [*tests]
    used: dict[str, str] = {}
    while waiting:
        names = list_names(waiting.pop())
        for name in sorted(names & values.keys() - used.keys()):
            used[name] = values[name]
            waiting.append(values[name])
    return used


def _put_in_bindings(tests: Conjuncts, values: Mapping[str, str]) -> str:
    """Join tests to one condition, with each name that the function computed replaced by what it computed."""
    condition = _join(tests)
    try:
        return ast.unparse(_Replacement(values, _DEEPEST_BINDING).visit(ast.parse(condition, mode="eval").body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return condition


class _Replacement(ast.NodeTransformer):
    """Replace names by the expressions they are bound to, and those inside these, to a depth."""

    def __init__(self, values: Mapping[str, str], depth: int) -> None:
        self.values = values
        self.depth = depth

    def visit(self, node: ast.AST) -> ast.AST:
        """Replace a name; what binds names of its own stays as it is."""
        if isinstance(node, _BINDERS):
            return node
        if not isinstance(node, ast.Name) or self.depth == 0 or node.id not in self.values:
            return self.generic_visit(node)
        value = ast.parse(self.values[node.id], mode="eval").body
        inner = {name: text for name, text in self.values.items() if name != node.id}
        return _Replacement(inner, self.depth - 1).visit(value)
