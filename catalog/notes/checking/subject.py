"""What does a check look at: a note with its entry, its example in both situations, and its function?"""

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.notes.choices import Choices, find_choices
from catalog.notes.facts import Facts
from catalog.notes.functions import Function, read_function
from catalog.notes.settings import Settings, SnippetError, read_settings
from catalog.notes.situation import Situation, Surroundings
from catalog.records import Entry, Note

LONGEST_TEXT = 5000
"""What is checked of one text; a note that has more to say is none."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One side of an example: what it sets, and what that comes down to."""

    which: str
    """`before` or `after`."""
    settings: Settings
    choices: Choices
    situation: Situation


@dataclass(frozen=True, slots=True)
class Subject:
    """A note that is being checked."""

    note: Note
    entry: Entry
    facts: Facts
    surroundings: Surroundings
    scenes: tuple[Scene, ...]
    """The example before and after, as far as they can be read; empty without an example."""
    function: Function | None
    """The function of the note's check, if it has one that can be read."""
    broken: tuple[str, ...]
    """What can't be read, and why."""

    @property
    def texts(self) -> Iterator[tuple[str, str]]:
        """Give the prose of the note with the name of its place: `solution 2`."""
        return ((place, text[:LONGEST_TEXT]) for place, text in list_texts(self.note))

    def find_scene(self, which: str) -> Scene | None:
        """Give one side of the example, if there is one that can be read."""
        return next((scene for scene in self.scenes if scene.which == which), None)


def list_texts(note: Note) -> Iterator[tuple[str, str]]:
    """Give the prose of a note, whole, with the name of its place."""
    yield "meaning", note.meaning
    yield from ((f"solution {number}", text) for number, text in enumerate(note.solutions, 1))
    yield from ((f"prevention {number}", text) for number, text in enumerate(note.prevention, 1))
    yield "trigger", note.trigger
    yield from ((f"situation {number}", text) for number, text in enumerate(note.situations, 1))


def read_subject(note: Note, entry: Entry, facts: Facts) -> Subject:
    """Read all of a note's snippets once, for all checks."""
    surroundings = Surroundings.of(entry, facts)
    scenes: list[Scene] = []
    long = (place for place, text in list_texts(note) if len(text) > LONGEST_TEXT)
    broken = [f"{place}: is longer than the {LONGEST_TEXT:,} characters that are checked" for place in long]
    if note.example is not None:
        for which, snippet in (("before", note.example.before), ("after", note.example.after)):
            try:
                settings = read_settings(snippet, note.example.language)
            except SnippetError as error:
                broken.append(f"example, {which}: {error.reason}")
                continue
            choices = find_choices(settings, entry, facts)
            scenes.append(Scene(which, settings, choices, Situation(surroundings, settings.givens, choices)))
    function = None
    if note.check is not None:
        try:
            function = read_function(note.check.code)
        except SnippetError as error:
            broken.append(f"check: {error.reason}")
    return Subject(note, entry, facts, surroundings, tuple(scenes), function, tuple(broken))
