"""How much does a word in a message tell?

Its rarity in the catalog says half of it. The other half is that some words are in every library's messages: a text
made of those alone could be anybody's.
"""

import math
from collections.abc import Iterable

_GLUE = frozenset(
    """
    a all also an and any are as at be been being both but by can cannot could did do does doesn don during each either
    else for from had has have here how if in into is isn it its just may might more most must neither no non nor not of
    off on one only or other our out over please same s should so some such t than that the their them then there these
    they this those to too under up us very was we were what when where whether which while who will with would yet you
    your
    """.split()
)
_PLAIN = frozenset(
    """
    able add algorithm allow allowed already argument arguments array attribute attributes available back bad base
    batch before between bool boolean bytes call callable called check class code column columns config configuration
    contain contains correct create current data decode default define defined device dict dictionary different dim
    dimension dimensions directory divisible don't dtype element elements empty encode end equal error errors exactly
    exception exist exists expected expects fail failed failure false field fields file files first float following
    format found function get give given got greater id implement implemented import index indices input inputs install
    installed instance instead int integer integers invalid item items json keep key keys keyword kind last layer
    layers least len length less level line list load longer make map mask match max maximum message method min minimum
    mismatch missing mode model models module modules name named names need needs negative new none null num number
    numbers object objects option options order output outputs pair parameter parameters parse pass passed path
    positive process property provide provided range read real request require required requires result return
    returned returns run sequence set setting shape shapes single size sizes specified specify start state str string
    strings subclass subclasses support supported supports sure tensor tensors text time torch true try tuple two type
    types unable undefined unexpected unknown unsupported use used user using valid value values variable version want
    wrong zero
    """.split()
)
_MOST_BITS = 11.0
_FEWEST_BITS = 1.0
_MOST_FOR_PLAIN = 4.0
_LIKE = 4_000
"""A smaller catalog is taken to be a part of one this large."""


def is_anybodys(words: Iterable[str]) -> bool:
    """Tell whether a text is made of words alone that are in every library's messages."""
    return all(word in _GLUE or word in _PLAIN or len(word) == 1 or word.isdigit() for word in words)


def weigh_word(word: str, having: int, count: int) -> float:
    """Give a word's bits, where `having` of `count` texts have it."""
    if word in _GLUE or len(word) == 1:
        return _FEWEST_BITS
    most = _MOST_FOR_PLAIN if word in _PLAIN or word.isdigit() else _MOST_BITS
    # In a catalog of a hundred texts one that has a word says nothing about how common that is elsewhere.
    return min(most, max(_FEWEST_BITS, math.log2(max(count, _LIKE) / having)))
