"""Which entries are worded like a message, when none is worded as it is?

For messages of other versions, retyped ones, translated quotes: a hint for the person who asks, always said to be one.
"""

from collections.abc import Iterator

from rapidfuzz.distance import LCSseq

from catalog.explain.evidence import Evidence
from catalog.explain.shapes import list_texts, read_fixed
from catalog.explain.stored import IndexedCatalog
from catalog.explain.words import list_words

SIMILAR_ENOUGH = 24.0
_CANDIDATES = 40
_FEWEST_WORDS = 6
_LEAST_SHARE = 0.75
_LONGEST_MESSAGE = 3_000
_WORTH = 0.6
"""What a similar word is worth of a found one."""


def find_similar(catalog: IndexedCatalog, message: str) -> Iterator[tuple[int, Evidence]]:
    """Give texts most of whose words a message has, in their order, with what that says."""
    index = catalog.index
    message = message[:_LONGEST_MESSAGE]
    spoken = list_words(message)
    if len(spoken) < _FEWEST_WORDS:
        return
    for text in index.find_similar(message, _CANDIDATES):
        words = list_words(read_fixed(list_texts(catalog.entries[index.owners[text]])[index.numbers[text]]))
        if len(words) < _FEWEST_WORDS:
            continue
        shared = LCSseq.similarity(words, spoken)
        share = shared / len(words)
        if share >= _LEAST_SHARE and shared * 2 >= len(spoken):
            points = min(60.0, index.bits[text]) * share * share * _WORTH
            yield text, Evidence(points, f"only similar: {shared} of the {len(words)} fixed words, in order")
