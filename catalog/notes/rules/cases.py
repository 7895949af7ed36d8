"""What does a rule look at: an entry, with its branch in the user's names and taken apart?"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from catalog.notes.facts import Facts
from catalog.notes.places import Place
from catalog.notes.rules.background import find_background
from catalog.notes.rules.culprit import choose_culprit
from catalog.notes.rules.parts import Part, split_branch
from catalog.notes.rules.simplify import drop_implied
from catalog.notes.rules.terms import Terms, read_terms
from catalog.notes.uses import parse
from catalog.notes.words.members import name_members
from catalog.notes.words.nouns import shorten_repeats
from catalog.notes.words.rewriting import inline_walruses
from catalog.notes.words.texts import list_children
from catalog.records import Clause, Entry

_PLACES = ("if", "own", "while", "case", "except", "for")


@dataclass(frozen=True, slots=True)
class Case:
    """One entry as the rules see it."""

    entry: Entry
    facts: Facts
    terms: Terms
    branch: ast.expr
    """With the definitions of names that lead to options put in, and members of enumerations by their names."""
    parts: tuple[Part, ...]
    """The tests of the branch, without those that follow from others."""
    background: tuple[Part, ...]
    """Tests that hold at the site from before the branch, as far as the message speaks of them."""
    culprit: Part | None
    """The part to change; None where a branch has no test, or an exception is what went wrong."""

    @property
    def context(self) -> tuple[Part, ...]:
        """The parts besides the culprit, what held before first."""
        return (*self.background, *(part for part in self.parts if part is not self.culprit))

    @property
    def function(self) -> str:
        """What the site stands in, as one names it in a sentence."""
        name = self.entry.site.qualname
        return f"`{self.entry.site.module if name == '<module>' else name}`"

    @property
    def is_handling(self) -> bool:
        """Whether the site stands right in a handler, so that what was caught is what went wrong."""
        kinds = [one.kind for one in self.entry.guard.clauses if one.kind in _PLACES and not one.negated]
        return bool(kinds) and kinds[-1] == "except"

    @property
    def caught(self) -> Clause | None:
        """The handler that the site stands in."""
        clauses = reversed(self.entry.guard.clauses)
        return next((clause for clause in clauses if clause.kind == "except" and not clause.negated), None)

    def polish_list(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Polish sentences that are read one after the other."""
        return tuple(map(self.polish, shorten_repeats("\n".join(texts), self.terms.used).split("\n"))) if texts else ()

    def polish(self, text: str) -> str:
        """Name options in full only once, and begin with a capital."""
        text = shorten_repeats(" ".join(text.split()), self.terms.used)
        return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Advice:
    """What a rule says of an entry."""

    meaning: str
    solutions: tuple[str, ...]
    prevention: tuple[str, ...] = ()


def read_case(entry: Entry, facts: Facts) -> Case:
    """Read an entry for the rules."""
    terms = read_terms(entry, facts)
    written = parse(entry.guard.branch) or ast.Constant(True)
    branch = terms.expand(inline_walruses(written))
    parts = drop_implied(split_branch(branch))
    background = find_background(entry, terms, parts)
    case = Case(entry, facts, terms, name_members(branch), parts, background, None)
    return case if case.is_handling else replace(case, culprit=choose_culprit(parts, entry, terms))


def list_places(node: ast.expr, terms: Terms) -> tuple[Place, ...]:
    """Give the options in an expression, in the order in which it names them."""
    return tuple(dict.fromkeys(_list_places(node, terms)))


def _list_places(node: ast.AST, terms: Terms) -> Iterator[Place]:
    """Give the options, but not what holds one of them."""
    place = terms.find(node) if isinstance(node, ast.expr) else None
    if place is not None:
        yield place
        return
    for child in list_children(node):
        yield from _list_places(child, terms)
