"""What a clause and a kind are called in plain words."""

from dataclasses import dataclass

from catalog.records import Clause, Entry

_KINDS = {"raise": "error", "assert": "assertion", "call": "error", "exit": "exit", "constraint": "constraint"}


@dataclass(frozen=True, slots=True)
class Step:
    """A clause in words."""

    text: str
    """What holds: `not: x is None`."""
    remark: str
    """Where that is decided: `line 40, an earlier exit`."""


def name_kind(entry: Entry) -> str:
    """Name what kind of thing an entry is, for people."""
    return _KINDS[entry.kind]


def say_clause(clause: Clause) -> Step:
    """Say one step of a guard: what held there, and by what statement."""
    text, what = _say(clause)
    remark = f"line {clause.line}{f', {what}' if what else ''}"
    if clause.rebound:
        verb = "may have changed" if len(clause.rebound) == 1 else "may each have changed"
        remark += f"; {', '.join(clause.rebound)} {verb} since"
    return Step(text, remark)


def _say(clause: Clause) -> tuple[str, str]:
    test, negated = clause.test, clause.negated
    denied = f"not: {test}" if negated else test
    match clause.kind:
        case "if":
            return denied, "the other branch" if negated else ""
        case "past":
            return denied, "an earlier exit"
        case "assert":
            return denied, "an earlier assert"
        case "own":
            return denied, "the assert itself"
        case "for":
            return (f"after the loop for {test}", "") if negated else (f"in the loop for {test}", "")
        case "while":
            return denied, "after the loop" if negated else "the loop's test"
        case "case":
            return (f"not the case: {test}", "an earlier case") if negated else (f"the case: {test}", "")
        case "except":
            return (f"no {test} was caught", "") if negated else (f"{test} was caught", "from the try at this line")
        case "else":
            return (f"not: {test}", "") if negated else (test, "the else")
