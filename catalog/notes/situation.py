"""What is the value of each name in a guard, in the situation that a snippet describes?

In this order: what the snippet takes as given; what the function itself computed (the guard's bindings, worked out in
the same way); the option that the name leads to, as the snippet sets it, else with its default.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from catalog.notes.choices import Choices
from catalog.notes.definitions import Definitions
from catalog.notes.evaluate import Unknown, decide, evaluate, normalize
from catalog.notes.facts import Facts
from catalog.notes.reading import read_default, read_value
from catalog.notes.settings import Unreadable
from catalog.notes.snippets.parts import Words
from catalog.notes.uses import is_same_value
from catalog.records import Binding, Entry, Option

_LAST = 10**9
_MOST_STEPS = 12
_ENVIRONMENT = re.compile(r"\b(?:environ|getenv)\b")
"""What gives a variable as text, whatever its type."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an entry's names lead to, whatever the snippet; gathered once for an entry."""

    bindings: Mapping[str, Binding]
    """By name as it is looked up; which of several definitions counts depends on the way taken, so these are none."""
    options: Mapping[str, tuple[Option, ...]]
    """By a name of the source."""
    endings: Mapping[str, tuple[Option, ...]]
    """By an option's own name, which a path of the source ends with."""
    definitions: Definitions
    """What names come down to, as text."""

    @classmethod
    def of(cls, entry: Entry, facts: Facts) -> "Surroundings":
        """Gather what an entry says of its names."""
        bindings: dict[str, set[Binding]] = {}
        for binding in entry.guard.bindings:
            bindings.setdefault(normalize(binding.name), set()).add(binding)
        options: dict[str, dict[str, Option]] = {}
        endings: dict[str, dict[str, Option]] = {}
        for use in entry.options:
            option = facts.options.get(use.id)
            if option is None:
                continue
            for name in (
                {normalize(use.as_), _flatten(use.as_)} if is_same_value(use) or entry.kind == "constraint" else ()
            ):
                options.setdefault(name, {})[option.id] = option
            endings.setdefault(_flatten(option.name), {})[option.id] = option
        return cls(
            {name: next(iter(found)) for name, found in bindings.items() if len(found) == 1},
            {name: tuple(found.values()) for name, found in options.items()},
            {name: tuple(found.values()) for name, found in endings.items()},
            Definitions.of(entry.guard.bindings),
        )


@dataclass(slots=True)
class Situation(Mapping[str, object]):
    """The values of names, worked out as they are asked for."""

    surroundings: Surroundings
    givens: Mapping[str, object]
    choices: Choices
    before: int = _LAST
    """Only what the function computed before this line counts."""
    depth: int = 0
    known: dict[tuple[str, int], object] = field(default_factory=dict)
    has_defaults: bool = True
    """What isn't set has its default."""

    def holds(self, condition: str) -> bool:
        """Tell whether a condition holds here; raises `Unknown` where that can't be told."""
        return decide(condition, self)

    def __getitem__(self, text: str) -> object:
        """Give the value of a name; raises `KeyError` for what is no name of the guard, `Unknown` for what is open."""
        if text in self.givens:
            return self.givens[text]
        binding = self.surroundings.bindings.get(text)
        if binding is not None and binding.line < self.before:
            return self._work_out(text, binding)
        for expanded in self.surroundings.definitions.expand(text):
            if expanded in self.givens:
                return self.givens[expanded]
        argument = text.removeprefix("self.")
        if argument in self.choices.arguments:
            return _read(self.choices.arguments[argument], text)
        return self._read_options(text)

    def __iter__(self) -> Iterator[str]:
        """Give the names that are known to lead somewhere."""
        return iter({**self.givens, **self.surroundings.bindings, **self.surroundings.options})

    def __len__(self) -> int:
        """Count the names that are known to lead somewhere."""
        return len(list(iter(self)))

    def _work_out(self, text: str, binding: Binding) -> object:
        """Work out what the function computed; a plain path may also be known as an option."""
        key = (text, binding.line)
        if key in self.known:
            return _raise_or_give(self.known[key])
        if self.depth >= _MOST_STEPS:
            raise Unknown(f"`{text}` is computed in too many steps")
        earlier = Situation(
            self.surroundings, self.givens, self.choices, binding.line, self.depth + 1, self.known, self.has_defaults
        )
        try:
            value = evaluate(binding.value, earlier)
        except Unknown as error:
            if not _is_adjusted(binding):
                self.known[key] = error
                raise
            value = self._read_adjusted(text, error)  # `x = x or …`: as the user gave it, as far as can be told
        self.known[key] = value
        return value

    def _read_adjusted(self, text: str, error: Unknown) -> object:
        try:
            return self._read_options(text)
        except KeyError:
            raise error from None

    def _read_options(self, text: str) -> object:
        """Give the value of the option that a name leads to; several must agree."""
        path = text.removesuffix(".get()")
        options = self.surroundings.options.get(text) or self.surroundings.options.get(path)
        if options is None or len(options) > 1:
            named = self.surroundings.endings.get(_flatten(path.rpartition(".")[2]), ())
            options = named if "." in path or text in self.surroundings.options else ()
        if not options:
            raise KeyError(text)
        chosen = [option for option in options if option.id in self.choices.values]
        if chosen:
            return _read(self.choices.values[chosen[0].id], text, chosen[0])
        if not self.has_defaults:
            raise Unknown(f"`{text}` has no value here")
        return _read_default(options[0], text)

    def read_option(self, ids: Sequence[str], reason: str) -> object:
        """Give the default of the first of these options; raises `Unknown` with the reason where there is none."""
        options = (option for found in self.surroundings.options.values() for option in found)
        for option in options:
            if option.id in ids and self.has_defaults:
                return _read_default(option, "")
        raise Unknown(reason)


def _is_adjusted(binding: Binding) -> bool:
    """Tell whether a definition only adjusts what the name had before: `x = x or …`."""
    return re.search(rf"(?<![\w.]){re.escape(binding.name)}(?!\w)", binding.value) is not None


def _read(value: object, text: str, option: Option | None = None) -> object:
    if isinstance(value, Unreadable):
        raise Unknown(f"the example leaves `{text}` open (`{value.text}`)")
    if isinstance(value, Words):
        if option is None:
            raise Unknown(f"the type of `{text}` is not known")
        return value.words[0] if _ENVIRONMENT.search(text) and value.words else read_value(value, option)
    return value


def _read_default(option: Option, text: str) -> object:
    value = read_default(option)
    is_text = isinstance(value, str) and option.kind == "env" and not _ENVIRONMENT.search(text)
    return read_value(Words((str(value),)), option) if is_text else value


def _raise_or_give(known: object) -> object:
    if isinstance(known, Unknown):
        raise known
    return known


def _flatten(name: str) -> str:
    return name.lstrip("-").replace("-", "_")
