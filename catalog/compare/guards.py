"""How did an entry's own guard change?"""

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from catalog.compare.clauses import Conjuncts, OwnGuard, list_names, normalize, split_test
from catalog.compare.implication import GuardChange, compare_tests
from catalog.records import Guard

_DEEPEST_BINDING = 4
_LONGEST_CONDITION = 2_000
_BINDERS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class GuardDifference:
    """What a guard gained and lost, and what that means."""

    change: GuardChange
    gained: tuple[str, ...]
    """Clauses, and bindings as `name = value`."""
    lost: tuple[str, ...]


def compare_guards(
    old: OwnGuard, old_guard: Guard, new: OwnGuard, new_guard: Guard, elsewhere: bool = False
) -> GuardDifference | None:
    """Compare two own guards, with the names that the function computed; None when they read the same.

    A name in a test that is computed differently makes another guard of it, a name further back doesn't; but it too
    stands in the way of a proof. `elsewhere`, in another file, a name whose computation can't be read is no difference.
    """
    before, after = _read_bindings(old_guard), _read_bindings(new_guard)
    shifted = {name for name in _list_names(old.tests) & _list_names(new.tests) if before.get(name) != after.get(name)}
    if elsewhere:
        shifted &= before.keys() & after.keys()
    if old.tests == new.tests and old.steps == new.steps and not shifted:
        return None
    gained = _subtract(new.tests, old.tests) + _subtract(new.steps, old.steps)
    lost = _subtract(old.tests, new.tests) + _subtract(old.steps, new.steps)
    gained += tuple(f"{name} = {after[name]}" for name in sorted(shifted) if name in after)
    lost += tuple(f"{name} = {before[name]}" for name in sorted(shifted) if name in before)
    change: GuardChange = "changed"
    if Counter(old.steps) == Counter(new.steps):
        change = _compare_tests(old.tests, before, new.tests, after)
    return GuardDifference(change, gained, lost)


def _compare_tests(old: Conjuncts, before: Mapping[str, str], new: Conjuncts, after: Mapping[str, str]) -> GuardChange:
    """Compare what the tests say, as they stand, or else with what the function computed put in."""
    change = _compare_conditions(old, before, new, after)
    if change == "changed" and (before or after):
        change = _compare_conditions(_put_in_bindings(old, before), before, _put_in_bindings(new, after), after)
    return change


def _compare_conditions(
    old: Conjuncts, before: Mapping[str, str], new: Conjuncts, after: Mapping[str, str]
) -> GuardChange:
    """Compare two conditions; a name that was computed differently is another value, so nothing can be proved of it."""
    for name in _list_names(old) & _list_names(new):
        if (name in before or name in after) and _trace_name(name, before) != _trace_name(name, after):
            return "changed"
    return compare_tests(old, new)


def _trace_name(name: str, values: Mapping[str, str]) -> dict[str, str]:
    """Give all bindings that a name depends on."""
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in values and current not in found:
            found[current] = values[current]
            waiting.extend(list_names(values[current]))
    return found


def _read_bindings(guard: Guard) -> dict[str, str]:
    """Give the bindings of a guard as name and value, each value written in one way."""
    return {binding.name: normalize(binding.value) for binding in guard.bindings}


def _list_names(tests: Conjuncts) -> frozenset[str]:
    return frozenset().union(*map(list_names, tests))


def _subtract(clauses: Conjuncts, others: Conjuncts) -> Conjuncts:
    return tuple(clause for clause in clauses if clause not in others)


def _put_in_bindings(tests: Conjuncts, values: Mapping[str, str]) -> Conjuncts:
    """Replace each name that the function computed by what it computed."""
    replacement = _Replacement(values, _DEEPEST_BINDING, [])
    expanded: list[str] = []
    for test in tests:
        try:
            text = ast.unparse(replacement.visit(ast.parse(test, mode="eval").body))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            text = test
        expanded.extend(split_test(text))
    return tuple(dict.fromkeys(expanded))


class _Replacement(ast.NodeTransformer):
    """Replace names by the expressions they are bound to, and those inside these, as long as the whole stays readable.

    What is left alone is only a name that nothing is known of.
    """

    def __init__(self, values: Mapping[str, str], depth: int, written: list[int]) -> None:
        self.values = values
        self.depth = depth
        self.written = written
        """How much was put in so far, shared by all depths: bindings of bindings multiply."""

    def visit(self, node: ast.AST) -> ast.AST:
        """Replace a name; what binds names of its own stays as it is."""
        if isinstance(node, _BINDERS) or self.depth == 0:
            return node
        name = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""
        if name not in self.values or sum(self.written) + len(self.values[name]) > _LONGEST_CONDITION:
            return self.generic_visit(node)
        self.written.append(len(self.values[name]))
        value = ast.parse(self.values[name], mode="eval").body
        inner = {other: text for other, text in self.values.items() if other != name}
        return _Replacement(inner, self.depth - 1, self.written).visit(value)
