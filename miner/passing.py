"""A value that is passed to a function or class of the target: what may become of it, asked only when it matters."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from miner.effects import Effect
from miner.holding import View
from miner.ledger import Question


class Answers(Protocol):
    """Reads functions and classes of the target."""

    def list_effects(self, passing: "Passing") -> tuple[Effect, ...] | None:
        """List what a function may do to a value it is given."""

    def list_views(self, passing: "Passing") -> tuple[View, ...]:
        """List how what a function returns may show a value it is given."""

    def find_names(self, qualified: str) -> frozenset[str] | None:
        """Find the words in the code of a class; `None` where its instances keep no argument."""

    def find_keyed(self, qualified: str) -> frozenset[str]:
        """Find the attributes in which a class looks for the asked name alone."""


@dataclass(frozen=True, slots=True)
class Passing:
    """A value passed to a function of the target: the question what becomes of it."""

    function: str
    """Qualified name."""
    slot: int | str
    """Index or keyword of the argument; `.` for the receiver."""
    is_bound: bool
    """The receiver is the function's first parameter."""
    bodies: Answers
    keywords: tuple[str, ...] | None = None
    """What the call gives by keyword; `None` where only running tells."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Passing) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int | str, bool, tuple[str, ...] | None]:
        return self.function, self.slot, self.is_bound, self.keywords

    def list_effects(self) -> tuple[Effect, ...] | None:
        """List what the function may do to the value at `$`; `None` when that can't be told."""
        return self.bodies.list_effects(self)

    def list_views(self) -> tuple[View, ...]:
        """List how what the function returns may show the value."""
        return self.bodies.list_views(self)


@dataclass(frozen=True, slots=True)
class Known:
    """What becomes of a value, as an earlier scan has found."""

    effects: tuple[Effect, ...] | None
    asked: tuple[Question, ...]
    """What it took to tell."""


class Recalls(Protocol):
    """Knows what earlier scans have found."""

    def find(self, passing: Passing) -> Known | None:
        """Find what is kept of a function, if all that it took to tell is still so."""

    def keep(self, passing: Passing, effects: tuple[Effect, ...] | None, asked: Iterable[Question]) -> None:
        """Keep what a function does to what it is given."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value passed to one of several functions, which only running decides between."""

    passings: tuple[Passing, ...]

    def list_effects(self) -> tuple[Effect, ...] | None:
        """List what any of them may do to the value at `$`."""
        found: dict[Effect, None] = {}
        for passing in self.passings:
            effects = passing.list_effects()
            if effects is None:
                return None
            found.update(dict.fromkeys(effects))
        return tuple(found)

    def list_views(self) -> tuple[View, ...]:
        """List how what any of them returns may show the value."""
        return tuple(dict.fromkeys(view for passing in self.passings for view in passing.list_views()))


@dataclass(frozen=True, slots=True)
class Making:
    """A value passed to a class of the target: its instance may keep it."""

    qualified: str
    bodies: Answers = field(compare=False)

    def list_views(self) -> tuple[View, ...]:
        """List how the instance may show the value."""
        names = self.bodies.find_names(self.qualified)
        return () if names is None else (View((), names, self.bodies.find_keyed(self.qualified)),)


@dataclass(frozen=True, slots=True)
class Adding:
    """A value that a function's `**fields` are added to: by name, and nothing else."""

    def list_effects(self) -> None:
        """Tell that anything may change for who doesn't look it up by name."""


@dataclass(frozen=True, slots=True)
class Harmless:
    """A function of another project: taken not to change what it is given, save for a few known ones."""

    def list_effects(self) -> tuple[Effect, ...]:
        """List nothing."""
        return ()
