"""Does the example fail as it stands before, and work as it stands after?"""

from catalog.notes.checking.subject import Scene, Subject
from catalog.notes.evaluate import Unknown
from catalog.records import Verification


def check_example(subject: Subject) -> Verification:
    """Try both sides of the example on the mined branch."""
    example, branch = subject.note.example, subject.entry.guard.branch
    if example is None:
        return Verification("example", True, "the note has no example")
    if example.before.strip() == example.after.strip():
        return Verification("example", False, "before and after are the same; the example must show a change")
    before, after = subject.find_scene("before"), subject.find_scene("after")
    if before is None or after is None:
        return Verification("example", False, "not tried: it can't be read")
    if before.settings.settings == after.settings.settings:
        return Verification(
            "example", False, "before and after set the same; only what is given changes, which nobody can set"
        )
    complaints = [*_try(before, branch, True), *_try(after, branch, False)]
    if complaints:
        return Verification("example", False, "; ".join(complaints))
    return Verification("example", True, f"before: `{_cut(branch)}` holds; after: it does not")


def _try(scene: Scene, branch: str, wanted: bool) -> list[str]:
    """Say what is wrong with one side of an example."""
    try:
        holds = scene.situation.holds(branch)
    except Unknown as error:
        remedy = "set it, or add `# given: NAME = VALUE`" if "has no value" in error.reason else "simplify the example"
        return [f"{scene.which}: not evaluable: {error.reason}; {remedy}"]
    if holds is wanted:
        return []
    if wanted:
        return [f"before does not fail: with its values `{_cut(branch)}` is false; show values for which it holds"]
    return [f"after still fails: with its values `{_cut(branch)}` holds; show values for which it does not"]


def _cut(text: str, length: int = 120) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length]}…"
