"""What do notes say of a flag whose text can't be read as what it takes?"""

import re
from dataclasses import dataclass

from catalog.notes.places import Place
from catalog.notes.rules.cases import Advice, Case
from catalog.notes.words.nouns import name_place

_CONVERSION = re.compile(r"^([\w.]+) takes the value of ")
_KINDS = {"int": "a whole number", "float": "a number"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A flag, and what its text is read as."""

    place: Place
    kind: str

    @property
    def what(self) -> str:
        """What the flag takes, in words."""
        return _KINDS.get(self.kind, f"what `{self.kind}` can read")


def find_conversion(case: Case) -> Conversion | None:
    """Find what a flag's text is read as; None for an entry that isn't about that."""
    for clause in case.entry.guard.clauses:
        found = _CONVERSION.match(clause.test)
        place = next((place for place in case.terms.used if place.flag), None)
        if found and place is not None:
            return Conversion(place, found[1])
    return None


def explain_conversion(conversion: Conversion) -> Advice:
    """Say what a flag takes."""
    name = name_place(conversion.place)
    return Advice(f"{name} takes {conversion.what}; anything else is refused.", (f"Set {name} to {conversion.what}.",))


def say_conversion_trigger(conversion: Conversion) -> str:
    """Say what brings the error about."""
    name = name_place(conversion.place)
    return f"Raised by the parser of the command line when the value given for {name} is not {conversion.what}."
