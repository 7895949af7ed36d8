"""Can the note's snippets be read: the example in its language, the check as one Python function?"""

from catalog.notes.checking.subject import Subject
from catalog.records import Verification


def check_parses(subject: Subject) -> Verification:
    """Hold the snippets to their languages, the check also to its form."""
    note = subject.note
    if subject.broken:
        return Verification("parses", False, "; ".join(subject.broken))
    read = [
        f"the example as {note.example.language}" if note.example else "",
        f"the check as the function `{subject.function.name}`" if subject.function else "",
    ]
    return Verification("parses", True, " and ".join(filter(None, read)) or "the note has neither example nor check")
