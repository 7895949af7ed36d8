"""Does a change that a solution advises make the error go away, in the situation of the example?"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from catalog.notes.checking.subject import Scene, Subject
from catalog.notes.choices import Choices
from catalog.notes.evaluate import Unknown, evaluate
from catalog.notes.reading import read_value
from catalog.notes.settings import Unreadable
from catalog.records import Option

_CODE = re.compile(r"``(.+?)``|`([^`\n]+)`")
_NAMED = r"⟦(\d+)⟧(?: (?:\(in|\(inside|inside) ⟦(\d+)⟧\)?)?"
_ONE = r"(?:⟦\d+⟧|-?\d[\d_]*(?:\.\d+)?|true|false)"
_SET = re.compile(
    rf"(?:or )?set {_NAMED} to ({_ONE}(?:(?:, or |, | or ){_ONE})*)(?:, or leave it unset| instead of {_ONE})?[.;]?\Z",
    re.IGNORECASE,
)
_TURN = re.compile(rf"(?:or )?turn (on|off) {_NAMED}(?: with ⟦\d+⟧|, by leaving it out)?\.?\Z", re.IGNORECASE)
_DROP = re.compile(
    rf"(?:or )?(?:(?:leave|keep) {_NAMED} unset\b|(?:omit|drop|remove|unset|leave out) {_NAMED}\.?\Z)", re.IGNORECASE
)
_VALUE = re.compile(r"⟦(\d+)⟧|-?\d[\d_]*(?:\.\d+)?|true|false", re.IGNORECASE)
_DROPPED = object()

Named: TypeAlias = tuple[str, str | None]
"""What a solution calls an option, and the flag that it says it is inside of."""


def find_useless(subject: Subject) -> Iterator[str | None]:
    """Try each change that is advised on the failing example: what is wrong with it, or None."""
    before = subject.find_scene("before")
    if before is None or not _holds(before, subject, before.choices):
        return
    for number, solution in enumerate(subject.note.solutions, 1):
        for name, value, shown in _list_changes(solution):
            options = _find_options(name, subject)
            if options and _matters(before, subject, options):
                useless = _is_useless(before, subject, options, value)
                yield (
                    f"solution {number}: {shown} does not help: `{subject.entry.guard.branch[:100]}` still holds"
                    if useless
                    else None
                )


def _list_changes(solution: str) -> Iterator[tuple[Named, object, str]]:
    """Give the changes that a solution advises: the option's name, the value, and how to say it."""
    codes: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        codes.append((match[1] or match[2]).strip())
        return f"⟦{len(codes) - 1}⟧"

    plain = _CODE.sub(put_aside, solution.strip())
    if match := _SET.match(plain):
        name = _name(match[1], match[2], codes)
        for value in _VALUE.finditer(match[3]):
            text = codes[int(value[1])] if value[1] else value[0]
            with suppress(Unknown):  # another option's name is no value
                yield name, _read(text), f"setting `{name[0]}` to {text}"
    elif match := _TURN.match(plain):
        name = _name(match[2], match[3], codes)
        yield name, match[1].lower() == "on", f"turning {match[1].lower()} `{name[0]}`"
    elif match := _DROP.match(plain):
        name = _name(match[1] or match[3], match[2] or match[4], codes)
        yield name, _DROPPED, f"leaving out `{name[0]}`"


def _name(name: str, flag: str | None, codes: Sequence[str]) -> Named:
    return codes[int(name)], codes[int(flag)] if flag else None


def _read(text: str) -> object:
    """Read a value as the sentence has it; raises `Unknown` for a name."""
    return evaluate({"true": "True", "false": "False", "null": "None"}.get(text.lower(), text), {})


def _find_options(named: Named, subject: Subject) -> tuple[Option, ...]:
    """Find which of the entry's options a solution means."""
    name, flag = named
    last = name.rpartition(".")[2]
    known = (subject.facts.options.get(use.id) for use in subject.entry.options)
    options = tuple(dict.fromkeys(option for option in known if option is not None))
    exact = tuple(option for option in options if name in (option.id, *option.flags) and _is_own(option, name))
    alike = tuple(option for option in options if option.name == last)
    inside = tuple(option for option in alike if flag in option.flags and not _is_own(option, flag or ""))
    return exact or inside or alike


def _is_own(option: Option, name: str) -> bool:
    return name == option.id or name.lstrip("-").replace("-", "_") == option.name.lstrip("-").replace("-", "_")


def _is_useless(before: Scene, subject: Subject, options: tuple[Option, ...], value: object) -> bool:
    values = dict(before.choices.values)
    for option in options:
        if value is _DROPPED:
            values.pop(option.id, None)
        else:
            values[option.id] = read_value(value, option)
    return _holds(before, subject, replace(before.choices, values=values))


def _matters(before: Scene, subject: Subject, options: tuple[Option, ...]) -> bool:
    """Tell whether the branch asks for an option at all, in the situation of the example."""
    hidden = dict.fromkeys((option.id for option in options), Unreadable("hidden"))
    return not _holds(before, subject, replace(before.choices, values={**before.choices.values, **hidden}))


def _holds(scene: Scene, subject: Subject, choices: Choices) -> bool:
    situation = replace(scene.situation, choices=choices, known={})
    try:
        return situation.holds(subject.entry.guard.branch)
    except Unknown:
        return False
