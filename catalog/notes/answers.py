"""What a model answered: a note, or why it is none."""

import re
from dataclasses import dataclass
from typing import Literal

import msgspec

from catalog import store
from catalog.errors import CatalogError
from catalog.records import Check, Example, Fingerprint, Note

_LONGEST = 20_000


class _Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: str
    after: str
    language: Literal["sh", "python", "json", "yaml"]


class _Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    strategy: Literal["validation", "environment", "state"]
    code: str


class _Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same as `prompt.SCHEMA`: a server may promise it and not keep it."""

    meaning: str
    trigger: str
    solutions: tuple[str, ...]
    example: _Example | None
    check: _Check | None
    prevention: tuple[str, ...]
    situations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bad:
    """An answer that is no note."""

    reason: str
    """In our own words, with nothing of the answer: `not the JSON that was asked for`."""


def read_answer(text: str) -> Note | Bad:
    """Read an answer's text into a note without an entry, an author or a date yet."""
    if not text.strip():
        return Bad("it was empty")
    text = _unwrap(text.strip())
    if len(text) > _LONGEST:
        return Bad(f"it was longer than {_LONGEST:,} characters")
    try:
        answer = store.load_record(text.encode("utf-8", "surrogatepass"), _Answer, "")
    except CatalogError as error:
        return Bad(_explain(error))
    if not answer.meaning.strip():
        return Bad("`meaning` was empty")
    if not any(each.strip() for each in answer.solutions):
        return Bad("`solutions` was empty")
    return Note(
        entry="",
        fingerprint=Fingerprint("", ""),
        author="",
        model=None,
        date=None,
        status="drafted",
        meaning=answer.meaning.strip(),
        solutions=_strip(answer.solutions),
        example=Example(answer.example.before, answer.example.after, answer.example.language)
        if answer.example is not None
        else None,
        check=Check(answer.check.strategy, answer.check.code.strip("\n")) if answer.check is not None else None,
        prevention=_strip(answer.prevention),
        trigger=answer.trigger.strip(),
        situations=_strip(answer.situations),
        verified=(),
    )


def _unwrap(text: str) -> str:
    """Take an answer out of the one fence that models like to put around JSON."""
    fenced = re.fullmatch(r"```(?:json)?\s*\n(.*)\n\s*```", text, re.DOTALL)
    return fenced[1] if fenced is not None else text


def _explain(error: CatalogError) -> str:
    """Tell what is wrong with an answer's JSON without a word of the answer."""
    cause = error.__cause__
    if not isinstance(cause, msgspec.ValidationError):
        return "it was cut off" if "truncated" in str(cause) else "it was no JSON"
    _, _, place = str(cause).partition(" - at `$")
    where = "".join(char for char in place.rstrip("`") if char.isalnum() or char in "._[]").lstrip(".")
    return f"it did not follow the schema{f' at {where[:60]}' if where else ''}"


def _strip(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts if text.strip())
