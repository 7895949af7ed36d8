"""What do notes say of what lies outside a configuration: platforms, packages, files, states, code?"""

import re

from catalog.notes.rules.cases import Advice, Case
from catalog.notes.rules.sentences import list_solutions, say_requirement

_INSTALL = re.compile(r"pip3? install (?:-U |--upgrade )?(['\"]?)([A-Za-z][\w.\-\[\],=<>~!]*[\w\]])\1")


def explain_unsupported_platform(case: Case) -> Advice:
    """Say which platform is needed."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_missing_dependency(case: Case) -> Advice:
    """Say which package to install, where the message names it."""
    text = case.entry.message.skeleton if case.entry.message is not None else ""
    found = _INSTALL.search(text)
    if found is None:
        return Advice(
            say_requirement(case), tuple(list_solutions(case)) or ("Install the package that the message names.",)
        )
    package = f"'{found[2]}'" if "[" in found[2] else found[2]
    solution = f"Install it: `pip install {package}`."
    advice = f"Add `{found[2]}` to the requirements of the environment that this runs in."
    return Advice(f"{say_requirement(case)} The package `{found[2]}` is needed.", (solution,), (advice,))


def explain_not_found(case: Case) -> Advice:
    """Say what is not there."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_wrong_state(case: Case) -> Advice:
    """Say what must have happened before, or must not."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_not_implemented(case: Case) -> Advice:
    """Say that a method is left to subclasses, or that a way through the code is not written."""
    if case.parts or case.caught is not None:
        return Advice(say_requirement(case), tuple(list_solutions(case)))
    owner, _, method = case.entry.site.qualname.rpartition(".")
    if not owner:
        return Advice(
            f"{case.function} is not implemented: every call of it raises.", (f"Don't call {case.function}.",)
        )
    meaning = f"`{owner}` leaves `{method}` to its subclasses: the one in use does not define it."
    return Advice(meaning, (f"Use a subclass of `{owner}` that defines `{method}`, or define it.",))


def explain_resource_limit(case: Case) -> Advice:
    """Say which limit was reached."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_permission(case: Case) -> Advice:
    """Say what is not allowed."""
    return Advice(say_requirement(case), tuple(list_solutions(case)))


def explain_internal(case: Case) -> Advice:
    """Say what the code takes for granted, and that no setting is at fault by itself."""
    solutions = tuple(list_solutions(case))
    report = "If no setting of yours brings this about, report it with the full traceback: it guards the code itself."
    return Advice(say_requirement(case), (*solutions, report) if case.terms.used else (report,))
