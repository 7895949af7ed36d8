"""How much speaks for two entries being the same error?

Evidence is counted in points. What a message and a test say counts for most, in proportion to how much they say: an
empty message or `not ok` proves nothing. Unlike messages and tests count against. The points each scope asks for are
stated in `catalog.compare.pairing`.
"""

import builtins
import keyword
import re
from collections import Counter
from functools import lru_cache

from rapidfuzz.distance import Indel

from catalog.compare.clauses import split_alternatives, split_test
from catalog.compare.traits import Traits, list_words

_MESSAGE = 4.0
_TEST = 4.0
_SURROUNDINGS = 2.0
_SAME_EXCEPTION = 0.5
_OTHER_EXCEPTION = -1.0
_ONE_SIDED = -0.5
_MOST_AGAINST = -1.0
_SURROUNDINGS_EDITED = 4.0
_TELLING_LETTERS = 24
_TELLING_TOKENS = 4
_TELLING_LINES = 4
_ANOTHER_CLAUSE = 0.8
_NEUTRAL = 0.5
"""What two messages or tests that have nothing to do with each other come to, more or less."""
_SAY_NOTHING = frozenset(keyword.kwlist) | frozenset(dir(builtins)) | {"self", "cls"}


def weigh(old: Traits, new: Traits) -> float:
    """Give the points for two entries being the same error, wherever they stand."""
    content = weigh_message(old, new) + weigh_test(old, new) + weigh_exception(old, new)
    return content + weigh_surroundings(old, new)


def weigh_edited(old: Traits, new: Traits) -> float:
    """Give the points for two entries being the same where an edit is to be expected.

    A new test under an old message, or the other way round, is what editing looks like, and the lines around are much
    the same anyway.
    """
    content = (weigh_message(old, new), weigh_test(old, new), weigh_exception(old, new))
    return sum(max(_MOST_AGAINST, each) for each in content) + weigh_surroundings(old, new) / _SURROUNDINGS_EDITED


def weigh_exception(old: Traits, new: Traits) -> float:
    """Give the points for what the two raise."""
    return _SAME_EXCEPTION if old.exception == new.exception else _OTHER_EXCEPTION


def weigh_message(old: Traits, new: Traits) -> float:
    """Give the points for what the two say, against them when they say different things."""
    if not old.letters or not new.letters:
        return 0.0 if old.letters == new.letters else _ONE_SIDED
    telling = min(1.0, min(old.letters, new.letters) / _TELLING_LETTERS)
    return _MESSAGE * telling * _lean(_compare_words(old.words, new.words), _NEUTRAL)


def weigh_test(old: Traits, new: Traits) -> float:
    """Give the points for what the two check, against them when they check different things."""
    first, second = old.own_guard.innermost, new.own_guard.innermost
    if not first or not second:
        return 0.0 if first == second else _ONE_SIDED
    one, two = _list_tokens(first), _list_tokens(second)
    telling = min(1.0, min(len(one), len(two)) / _TELLING_TOKENS)
    return _TEST * telling * _lean(_compare_tests(first, second), _NEUTRAL)


def _compare_tests(first: str, second: str) -> float:
    """Give the likeness of two tests; a test with another clause added to it is still much the same."""
    if first == second:
        return 1.0
    one, two = _list_tokens(first), _list_tokens(second)
    alike = (Indel.normalized_similarity(one, two) + measure_overlap(_count_names(first), _count_names(second))) / 2
    for split in (split_test, split_alternatives):
        few, many = sorted((frozenset(split(first)), frozenset(split(second))), key=len)
        if few <= many:
            return max(alike, _ANOTHER_CLAUSE)
    return alike if _share_subject(first, second) else min(alike, _NEUTRAL)


def _share_subject(first: str, second: str) -> bool:
    """Tell whether what one test speaks of first is in the other, too: two `isinstance` of two values aren't alike."""
    one, two = _count_names(first), _count_names(second)
    return next(iter(one), "") in two or next(iter(two), "") in one


def _compare_words(one: tuple[str, ...], two: tuple[str, ...]) -> float:
    return max(Indel.normalized_similarity(one, two), measure_overlap(Counter(one), Counter(two)))


def measure_overlap(one: Counter[str], two: Counter[str]) -> float:
    """Give the share that two bags have in common, 0 to 1."""
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if total else 0.0


def weigh_surroundings(old: Traits, new: Traits) -> float:
    """Give the points for the lines around the two."""
    one, two = old.surroundings, new.surroundings
    telling = min(1.0, min(one.total(), two.total()) / _TELLING_LINES)
    return _SURROUNDINGS * telling * _lean(measure_overlap(one, two), 0.4)


def _lean(similarity: float, neutral: float) -> float:
    """Stretch a similarity to -1 (nothing alike) over 0 (says nothing) to 1 (the same)."""
    return (similarity - neutral) / (1 - neutral if similarity > neutral else neutral)


@lru_cache(maxsize=65536)
def _list_tokens(test: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+|[^\w\s]+", test))


@lru_cache(maxsize=65536)
def _count_names(test: str) -> Counter[str]:
    names = (word for word in re.findall(r"\w+", test) if word not in _SAY_NOTHING)
    return Counter(part for name in names for part in list_words(name))
