"""How do statements about subjects become one sentence?"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

_BOUND = re.compile(r"(?:than|least|most|equals|from|of|by) (?:the \w+ )?`")
"""A bound that is a name: what follows it would read as said of that name."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A subject and what is said of it; without a subject, a clause that stands by itself."""

    subject: str
    predicate: str

    def __str__(self) -> str:
        """Give the clause."""
        return f"{self.subject} {self.predicate}" if self.subject else self.predicate


@dataclass(frozen=True, slots=True)
class Joined:
    """Statements that all hold (`and`), or of which one does (`or`)."""

    word: str
    items: tuple["Said", ...]


@dataclass(frozen=True, slots=True)
class Each:
    """What is said of some or every item of a collection."""

    lead: str
    """`for every `x` in `sizes``."""
    inner: "Said"


Said: TypeAlias = Phrase | Joined | Each


_ALWAYS = Phrase("", "always")
_NEVER = Phrase("", "never")


def join(word: str, items: Iterable[Said]) -> Said:
    """Join statements, flat."""
    flat: list[Said] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Joined) and item.word == word else (item,))
    idle, final = (_ALWAYS, _NEVER) if word == "and" else (_NEVER, _ALWAYS)
    if final in flat:
        return final
    unique = tuple(item for item in dict.fromkeys(flat) if item != idle) or (idle,)
    return unique[0] if len(unique) == 1 else Joined(word, unique)


def write(said: Said) -> str:
    """Write a statement as the part of a sentence that follows `when`."""
    match said:
        case Phrase():
            return str(said)
        case Each(lead, inner):
            return f"{lead}, {write(inner)}"
        case Joined(word, items):
            parts = [_write_part(part, word) for part in _merge(items, word)]
            heavy = any(isinstance(item, Joined | Each) for item in items) or any("," in part for part in parts)
            return _list_out(parts, word, heavy)


def _write_part(part: Said, word: str) -> str:
    if word == "and" and isinstance(part, Joined):
        return f"either {write(part)}"
    return write(part)


def _merge(items: tuple[Said, ...], word: str) -> list[Said]:
    """Say several things of one subject, or one thing of several, in one go."""
    return _merge_subjects(_merge_predicates(items, word), word)


def _merge_subjects(items: list[Said], word: str) -> list[Said]:
    """Say one thing of several subjects in one go: `x` and `y` are set."""
    merged: list[Said] = []
    for predicate, group in groupby(items, key=lambda item: item.predicate if isinstance(item, Phrase) else None):
        members = list(group)
        subjects = [member.subject for member in members if isinstance(member, Phrase) and member.subject]
        if predicate is None or len(subjects) < max(2, len(members)) or not predicate.startswith(("is ", "must ")):
            merged.extend(members)
            continue
        plural = f"are {predicate.removeprefix('is ')}" if predicate.startswith("is ") and word == "and" else predicate
        merged.append(Phrase(_list_out(subjects, word, heavy=False).replace(f", {word}", f" {word}"), plural))
    return merged


def _merge_predicates(items: tuple[Said, ...], word: str) -> list[Said]:
    """Say several things of one subject in one go: `x` is set and greater than `y`."""
    merged: list[Said] = []
    for subject, group in groupby(items, key=lambda item: item.subject if isinstance(item, Phrase) else None):
        members = list(group)
        phrases = [member for member in members if isinstance(member, Phrase)]
        if not subject or len(phrases) < 2:
            merged.extend(members)
            continue
        predicates = [phrase.predicate for phrase in phrases]
        if "is set" in predicates:
            predicates = [predicate.removesuffix(" or not set") for predicate in predicates]
        if any(_BOUND.search(predicate) for predicate in predicates[:-1]):
            merged.extend(phrases if "is set" not in predicates else [Phrase(subject, each) for each in predicates])
            continue
        for verb in ("is ", "must be ", "must not be ") if word == "and" else ():
            if all(predicate.startswith(verb) for predicate in predicates) and " not " not in predicates[0]:
                predicates = [predicates[0], *(predicate.removeprefix(verb) for predicate in predicates[1:])]
        merged.append(Phrase(subject, _list_out(predicates, word, heavy=False)))
    return merged


def _list_out(parts: list[str], word: str, heavy: bool) -> str:
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        return f"{parts[0]}{',' if heavy and word == 'or' else ''} {word} {parts[1]}"
    return f"{', '.join(parts[:-1])}, {word} {parts[-1]}"
