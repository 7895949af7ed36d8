"""What lies behind control when it arrives somewhere: facts, definitions, changes and doubts, in the order they came.

A trail is a list of events. The questions asked of it look back from a point: which definition of a name arrives here,
and what may have changed since a test ran.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from catalog.records import ClauseKind
from miner.conditions import Formula
from miner.effects import IDENTITY, RESUMED, Effect, Path, Read, Rebind, disturbs

_RECEIVER = ("self",)
"""What no method defines."""


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A test that held or didn't: a clause in the making."""

    kind: ClauseKind
    formula: Formula
    """What holds on arrival, as a formula; words where no expression says it."""
    test: str
    negated: bool
    line: int
    reads: tuple[Read, ...]


class Definition:
    """A name or attribute was given a value.

    The value's text and what it reads are worked out when they are asked for: most definitions never are.
    """

    __match_args__ = ("path",)
    __slots__ = ("_made", "_make", "line", "path", "rebinding")

    def __init__(self, path: Path, make: Callable[[], tuple[str, tuple[Read, ...]]], line: int) -> None:
        self.path = path
        self.rebinding = Rebind(path)
        self.line = line
        self._make = make
        self._made: tuple[str, tuple[Read, ...]] | None = None

    @property
    def is_import(self) -> bool:
        """It binds something of another module, which existed before."""
        return self._make is _make_nothing

    @property
    def value(self) -> str:
        """The value as an expression; empty for an import, which is no value of the function's own."""
        return self._get()[0]

    @property
    def reads(self) -> tuple[Read, ...]:
        """What the value depends on."""
        return self._get()[1]

    def _get(self) -> tuple[str, tuple[Read, ...]]:
        if self._made is None:
            self._made = self._make()
        return self._made


def define_import(name: str, line: int) -> Definition:
    """Give the definition of a name that an import inside the function binds."""
    return Definition((name,), _make_nothing, line)


def _make_nothing() -> tuple[str, tuple[Read, ...]]:
    return "", ()


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Something may be another value from here on."""

    effect: Effect


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """Arrival depends on something that no clause says."""

    reason: str


Event = Fact | Definition | Change | Doubt
Trail = Sequence[Event]


def effects_of(events: Iterable[Event]) -> Iterator[Effect]:
    """Give what a stretch of events may change, definitions included."""
    for event in events:
        if type(event) is Change:
            yield event.effect
        elif type(event) is Definition:
            yield event.rebinding


def forget_values(events: Iterable[Event]) -> Iterator[Event]:
    """Weaken events to what holds when they may or may not have happened: definitions become changes."""
    for event in events:
        match event:
            case Change():
                yield event
            case Definition(path):
                yield Change(Rebind(path))
            case _:
                pass


def is_disturbed(read: Read, events: Iterable[Event]) -> bool:
    """Tell whether what was read may have changed in a stretch of events."""
    return any(disturbs(effect, read) for effect in effects_of(events))


def find_rebound(trail: Trail) -> list[tuple[str, ...]]:
    """Find for each fact, in order, the names of its test that may be bound anew between it and the trail's end."""
    later: list[Effect] = []
    found: list[tuple[str, ...]] = []
    for event in reversed(trail):
        match event:
            case Fact():
                names = (read.name for read in event.reads if any(disturbs(effect, read) for effect in later))
                found.append(tuple(dict.fromkeys(names)))
            case _:
                later.extend(effects_of((event,)))
    found.reverse()
    return found


def find_definition(read: Read, trail: Trail, end: int) -> tuple[int, Definition] | None:
    """Find the one definition of what is read, or of what it hangs on, that arrives at an index of the trail.

    `None` when there is none (a parameter, a global) or when something else may have changed it since.
    """
    path = read.path
    for index in range(end - 1, -1, -1):
        event = trail[index]
        match event:
            case Definition(defined) if defined == path[: len(defined)]:
                return index, event
            case Definition(defined):
                path = _cut(path, Rebind(defined))
            case Change(effect):
                path = _cut(path, effect)
            case _:
                continue
        if not path or path == _RECEIVER:
            return None
    return None


def _cut(path: Path, effect: Effect) -> Path:
    """Cut a path to what an effect leaves as it is: what `view.size` reads may change, and `view` be the same."""
    target = effect.path
    if target[0] != path[0] and (len(target) == 1 or target[-1] not in path):
        return path
    while path and disturbs(effect, Read(path, IDENTITY)):
        path = path[:-1]
    return path


def is_as_at_entry(read: Read, trail: Trail, end: int) -> bool:
    """Tell whether a read at an index of the trail can be worked out from what existed on entry."""
    if read.path == RESUMED:
        return False
    for index in range(end - 1, -1, -1):
        event = trail[index]
        if type(event) is Definition:
            if event.path == read.path[: len(event.path)]:
                return all(is_as_at_entry(inner, trail, index) for inner in event.reads)
            if disturbs(event.rebinding, read):
                return False
        elif type(event) is Change and disturbs(event.effect, read):
            return False
    return True
