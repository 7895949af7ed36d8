"""Which words does a text have?"""

import re2

_WORD = re2.compile(r"[a-z]+|[0-9]+")


def list_words(text: str) -> list[str]:
    """List a text's words in order, names split into theirs."""
    words: list[str] = _WORD.findall(text.lower())
    return words
