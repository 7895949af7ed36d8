"""Does the check before calling say the same as the guard: false exactly where the branch holds?"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from catalog.notes.checking.climbing import climb
from catalog.notes.checking.proof import is_proved
from catalog.notes.checking.roles import Roles, find_roles
from catalog.notes.checking.samples import (
    count_comparisons,
    list_assignments,
    list_candidates,
    list_constants,
    list_multiples,
    list_near,
)
from catalog.notes.checking.subject import Subject
from catalog.notes.evaluate import Refused, Unknown, evaluate
from catalog.notes.functions import Function
from catalog.notes.situation import Situation
from catalog.records import Verification

_MOST = 40
_MOST_MIXED = 300
_FEW = 2
_LONGEST = 400


def check_function(subject: Subject) -> Verification:
    """Try the check on the example, and beside the branch on values around its constants."""
    function = subject.function
    if function is None:
        reason = "the note has no check" if subject.note.check is None else "not tried: it can't be read"
        return Verification("check", subject.note.check is None, reason)
    roles = find_roles(subject, function.parameters)
    if roles.strangers:
        names = ", ".join(f"`{name}`" for name in roles.strangers)
        return Verification(
            "check", False, f"{names}: no name of the condition `{subject.entry.guard.branch}`"[:_LONGEST]
        )
    complaints = [*_try_scenes(subject, function, roles)]
    if complaints:
        return Verification("check", False, "; ".join(complaints))
    return _compare(subject, function, roles)


def _try_scenes(subject: Subject, function: Function, roles: Roles) -> Iterator[str]:
    """Say where the check is wrong about the example."""
    for scene in subject.scenes:
        try:
            fine = bool(function.call(roles.read_arguments(scene.situation)))
        except Unknown as error:
            yield f"not evaluable on the example's {scene.which}: {error.reason}"
            continue
        if fine and scene.which == "before":
            yield f"`{function.name}` does not fire on before: it finds the failing example fine"
        elif not fine and scene.which == "after":
            yield f"`{function.name}` fires on after: it finds fault with the working example"


@dataclass(slots=True)
class _Tally:
    """How a check and the branch compared so far."""

    agreed: int = 0
    fired: int = 0
    differing: Mapping[str, object] | None = None
    refused: str | None = None
    """Why the check itself fails on the values that differ."""
    reasons: list[str] = field(default_factory=list)


def _compare(subject: Subject, function: Function, roles: Roles) -> Verification:
    tally = _Tally()
    candidates, bases = _list_candidates(subject, function, roles)
    mixed = _MOST if count_comparisons(function.tree) <= _FEW else _MOST_MIXED
    tried = list_assignments(candidates, bases, _MOST, mixed)
    _compare_all(subject, function, roles, tried, tally)
    if not tally.fired and tally.differing is None:
        found = climb(subject.entry.guard.branch, candidates, lambda values: roles.imagine(subject, values))
        if found is not None:
            _compare_all(subject, function, roles, list_assignments(candidates, [found], _MOST, mixed), tally)
    if tally.differing is not None:
        return Verification("check", False, _say_difference(subject, function, roles, tally))
    if tally.fired:
        detail = f"agrees with the guard on {tally.agreed} sets of values, {tally.fired} of them failing"
        return Verification("check", True, detail)
    if is_proved(subject, function, roles):
        return Verification("check", True, "is the guard turned round")
    return Verification("check", False, _say_untried(tally))


def _compare_all(
    subject: Subject, function: Function, roles: Roles, tried: Iterable[Mapping[str, object]], tally: _Tally
) -> None:
    for arguments in tried:
        _compare_once(subject, function, roles, arguments, tally)
        if tally.differing is not None:
            return


def _say_difference(subject: Subject, function: Function, roles: Roles, tally: _Tally) -> str:
    arguments = tally.differing or {}
    shown = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    if tally.refused is not None:
        what = f"fails itself ({tally.refused}), the guard does not"
    elif roles.imagine(subject, arguments).holds(subject.entry.guard.branch):
        what = "lets these values through, the guard does not"
    else:
        what = "finds fault with these values, the guard lets them through"
    return f"`{function.name}` differs from the guard: it {what}: {shown}"[:_LONGEST]


def _compare_once(
    subject: Subject, function: Function, roles: Roles, arguments: Mapping[str, object], tally: _Tally
) -> None:
    branch, situation = subject.entry.guard.branch, roles.imagine(subject, arguments)
    try:
        holds = situation.holds(branch)
        fine = bool(function.call(arguments))
    except Refused as error:
        if _has_value(branch, situation):  # the guard gets by with these values, the check does not
            tally.differing, tally.refused = arguments, error.reason
        tally.reasons.append(error.reason)
        return
    except Unknown as error:
        tally.reasons.append(error.reason)
        return
    if holds is fine:
        tally.differing = arguments
    tally.agreed += 1
    tally.fired += holds


def _has_value(branch: str, situation: Situation) -> bool:
    try:
        evaluate(branch, situation)
    except Unknown:
        return False
    return True


def _list_candidates(
    subject: Subject, function: Function, roles: Roles
) -> tuple[dict[str, list[object]], list[dict[str, object]]]:
    """Give the values to try for each parameter, and what the example has for them."""
    bases: list[dict[str, object]] = []
    for scene in subject.scenes:
        with suppress(Unknown):
            bases.append(roles.read_arguments(scene.situation))
    shown = tuple(value for base in bases for value in base.values() if isinstance(value, int | float | str))
    inside = list_constants([subject.entry.guard.branch, function.tree.body[-1]])
    far = list_constants(binding.value for binding in subject.entry.guard.bindings)
    multiples = list_multiples(function.tree, inside)
    candidates: dict[str, list[object]] = {}
    for name in function.parameters:
        near = list_near(function.tree, name)
        candidates[name] = list_candidates(function.hints[name], (*near, *shown, *multiples, *inside, *far))
    return candidates, bases


def _say_untried(tally: _Tally) -> str:
    if tally.agreed:
        return f"not evaluable: none of {tally.agreed} sets of values makes the branch hold; add an example that does"
    reason = tally.reasons[0] if tally.reasons else "it takes no parameters"
    return f"not evaluable: {reason}"
