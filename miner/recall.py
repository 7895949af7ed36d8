"""What functions of the target do to what they are given, kept for a later scan: to know saves parsing them again.

Like what is kept of units (`miner.kept`) these are verifying traces: beside each stands what it took to tell.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.errors import CatalogError
from catalog.store import dump_exactly, load_record
from miner.effects import Effect, Mutate, Path, Rebind
from miner.ledger import Question
from miner.passing import Known, Passing
from miner.questions import Questions

_MOST = 40_000
"""Answers of one target: when there are more, only those of the last scan stay."""


@dataclass(frozen=True, slots=True)
class KeptEffect:
    """An effect; `deep` is `None` where a name is bound anew."""

    path: Path
    deep: bool | None
    is_inner: bool
    keys: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What a function does to a value that it is given."""

    function: str
    slot: int | str
    is_bound: bool
    keywords: tuple[str, ...] | None
    effects: tuple[KeptEffect, ...] | None
    """`None` where that can't be told."""
    asked: tuple[tuple[Question, str], ...]
    """Each question with a digest of its answer."""


_Key = tuple[str, int | str, bool, tuple[str, ...] | None]


def load_answers(data: bytes) -> tuple[KeptAnswer, ...]:
    """Load what is kept; nothing where that can't be read."""
    try:
        return load_record(data, tuple[KeptAnswer, ...], "the cache")
    except CatalogError:
        return ()


def merge_answers(before: bytes | None, found: Iterable[bytes]) -> bytes | None:
    """Put what is new in place of what was kept."""
    new = {_key(each): each for data in found for each in load_answers(data)}
    old = {_key(each): each for each in load_answers(before)} if before is not None else {}
    if not new:
        return None
    return dump_exactly(tuple((old | new if len(old) + len(new) <= _MOST else new).values()))


def _key(kept: KeptAnswer) -> _Key:
    return kept.function, kept.slot, kept.is_bound, kept.keywords


class Recall:
    """What is kept of functions, and what is to be kept."""

    def __init__(self, data: bytes | None, questions: Questions) -> None:
        self._questions = questions
        self._data = data
        self._kept: Mapping[_Key, KeptAnswer] | None = None
        self._new: list[KeptAnswer] = []

    def find(self, passing: Passing) -> Known | None:
        """Find what is kept of a function, if all that it took to tell is still so."""
        if self._kept is None:
            self._kept = {_key(each): each for each in load_answers(self._data)} if self._data is not None else {}
        found = self._kept.get((passing.function, passing.slot, passing.is_bound, passing.keywords))
        if found is None or any(self._questions.answer(question) != answer for question, answer in found.asked):
            return None
        effects = None if found.effects is None else tuple(_restore(found.effects))
        return Known(effects, tuple(question for question, _ in found.asked))

    def keep(self, passing: Passing, effects: tuple[Effect, ...] | None, asked: Iterable[Question]) -> None:
        """Keep what a function does to what it is given."""
        kept = None if effects is None else tuple(map(_keep_effect, effects))
        if kept is not None and None in kept:
            return
        answers = tuple((question, self._questions.answer(question)) for question in asked)
        known = None if kept is None else tuple(each for each in kept if each is not None)
        self._new.append(KeptAnswer(passing.function, passing.slot, passing.is_bound, passing.keywords, known, answers))

    def take_new(self) -> bytes | None:
        """Give what is to be kept since this was last asked."""
        new, self._new = self._new, []
        return dump_exactly(tuple(new)) if new else None


def _keep_effect(effect: Effect) -> KeptEffect | None:
    if isinstance(effect, Rebind):
        return KeptEffect(effect.path, None, is_inner=False, keys=effect.keys)
    return None if effect.refined is not None else KeptEffect(effect.path, effect.deep, effect.is_inner, effect.keys)


def _restore(effects: Iterable[KeptEffect]) -> Iterator[Effect]:
    for each in effects:
        if each.deep is None:
            yield Rebind(each.path, each.keys)
        else:
            yield Mutate(each.path, each.deep, None, each.is_inner, each.keys)
