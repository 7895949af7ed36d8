"""Which entries stand near an entry: the ones a reader of it would look at next.

Near is what shares its function or class, its options, the shape of its guard or the rare words of its message; the
rarer what two entries share, the more it says.
"""

import heapq
import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log

from catalog.records import Entry

MAX_RELATED = 5
_AROUND = 4
"""So many of those that share something are looked at on either side: the nearest by place, so that work is linear."""
_WORDS = 3
_WEIGHTS: Mapping[str, float] = {"function": 4.0, "option": 3.0, "word": 1.2, "class": 1.0, "shape": 1.2, "file": 0.5}
_ENOUGH = 1.0
_SMALL = 1_000
"""In a catalog of fewer entries, what a few share is as rare as in one of so many."""
_NAME = re.compile(r"[^\W\d][\w.]*|\d[\w.]*|'[^']*'|\"[^\"]*\"")
_PLAIN_SHAPES = frozenset({"_", "not _", "_ is None", "_ is not None", "_ == _", "_ != _", "_ in _", "_ not in _"})
_LONG_WORD = re.compile(r"[^\W\d]{4,}")

Trait = tuple[str, str]


def relate(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Give each entry its nearest neighbours among all, the nearest first; `entries` are sorted by place."""
    traits = _list_all_traits(entries)
    members: dict[Trait, list[int]] = defaultdict(list)
    for position, mine in enumerate(traits):
        for trait in mine:
            members[trait].append(position)
    worth = {trait: _weigh(trait, len(sharing), len(entries)) for trait, sharing in members.items()}
    ranks: Counter[Trait] = Counter()
    for position, (entry, mine) in enumerate(zip(entries, traits, strict=True)):
        scores: dict[int, float] = defaultdict(float)
        for trait in mine:
            rank = ranks[trait]
            ranks[trait] += 1
            for other in members[trait][max(0, rank - _AROUND) : rank + _AROUND + 1]:
                scores[other] += worth[trait]
        scores.pop(position, None)
        near = ((-round(score, 6), abs(other - position), other) for other, score in scores.items() if score >= _ENOUGH)
        yield replace(entry, related=tuple(entries[other].id for _, _, other in heapq.nsmallest(MAX_RELATED, near)))


def read_shape(condition: str) -> str:
    """Read the shape of a condition: what is asked, whatever is asked about; `n > limits.max` and `a > 5` are one."""
    return _NAME.sub(_blank, condition)


def _blank(found: re.Match[str]) -> str:
    return found[0] if keyword.iskeyword(found[0]) else "_"


def _list_all_traits(entries: Sequence[Entry]) -> list[tuple[Trait, ...]]:
    words = [frozenset(_LONG_WORD.findall(_read_text(entry).lower())) for entry in entries]
    spread = Counter(word for mine in words for word in mine)
    return [
        (*_list_traits(entry), *(("word", word) for word in _choose_rarest(mine, spread)))
        for entry, mine in zip(entries, words, strict=True)
    ]


def _list_traits(entry: Entry) -> Iterator[Trait]:
    site = entry.site
    yield "file", site.path
    if site.qualname != "<module>":
        yield "function", f"{site.module}:{site.qualname}"
        outer = site.qualname.rpartition(".")[0]
        if outer:
            yield "class", f"{site.module}:{outer}"
    for option in dict.fromkeys(use.id for use in entry.options):
        yield "option", option
    shape = read_shape(entry.guard.branch)
    if shape not in _PLAIN_SHAPES:
        yield "shape", shape


def _choose_rarest(words: Iterable[str], spread: Mapping[str, int]) -> list[str]:
    """Choose the words that say most about which errors are alike: the rarest of those that another one has too."""
    shared = sorted((spread[word], word) for word in words if spread[word] > 1)
    return [word for _, word in shared[:_WORDS]]


def _weigh(trait: Trait, sharing: int, total: int) -> float:
    """Weigh what is shared: all of its kind's weight when two share it, hardly any when everybody does."""
    return _WEIGHTS[trait[0]] * max(0.05, 1 - log(sharing) / log(max(total, _SMALL) + 1))


def _read_text(entry: Entry) -> str:
    return entry.message.skeleton if entry.message is not None else entry.title
