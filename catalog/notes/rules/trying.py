"""Does an example do what it is to show, read as anybody reads it?"""

from catalog.notes import situation  # as a module, since it looks at the names that the rules read
from catalog.notes.choices import find_choices
from catalog.notes.evaluate import Unknown
from catalog.notes.facts import Facts
from catalog.notes.settings import SnippetError, read_settings
from catalog.records import Entry, Example


def shows_the_change(example: Example, entry: Entry, facts: Facts) -> bool:
    """Tell whether the mined branch holds for the example before, and not after."""
    surroundings = situation.Surroundings.of(entry, facts)
    outcomes = []
    for snippet in (example.before, example.after):
        try:
            settings = read_settings(snippet, example.language)
            choices = find_choices(settings, entry, facts)
            if choices.strangers:
                return False
            outcomes.append(situation.Situation(surroundings, settings.givens, choices).holds(entry.guard.branch))
        except (SnippetError, Unknown):
            return False
    return outcomes == [True, False]
