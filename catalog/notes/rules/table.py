"""Which rule explains which family? A new rule is a function of a case, and a line here."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from catalog.notes.rules import surroundings, together, values
from catalog.notes.rules.cases import Advice, Case

Rule: TypeAlias = Callable[[Case], Advice]

RULES: Mapping[str, Rule] = {
    "out-of-range": values.explain_out_of_range,
    "not-a-choice": values.explain_not_a_choice,
    "mutually-exclusive": together.explain_mutually_exclusive,
    "requires-another": together.explain_requires_another,
    "missing": values.explain_missing,
    "wrong-type": values.explain_wrong_type,
    "wrong-length": values.explain_wrong_length,
    "not-divisible": values.explain_not_divisible,
    "mismatch": values.explain_mismatch,
    "not-found": surroundings.explain_not_found,
    "duplicate": values.explain_duplicate,
    "malformed": values.explain_malformed,
    "unsupported-combination": together.explain_unsupported_combination,
    "unsupported-platform": surroundings.explain_unsupported_platform,
    "missing-dependency": surroundings.explain_missing_dependency,
    "wrong-state": surroundings.explain_wrong_state,
    "not-implemented": surroundings.explain_not_implemented,
    "resource-limit": surroundings.explain_resource_limit,
    "permission": surroundings.explain_permission,
    "internal": surroundings.explain_internal,
    "invalid": values.explain_invalid,
}


def explain(case: Case) -> Advice:
    """Explain a case by the rule of its family; a family of a later version by the general rule."""
    return RULES.get(case.entry.family, values.explain_invalid)(case)
