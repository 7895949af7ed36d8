"""Which words does a text have?"""

import re

# A capital opens a word, several make one up to the last, which opens the next: `HTTPServer` is `http server`.
# One letter is the most to backtrack over.
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def list_words(text: str) -> list[str]:
    """List a text's words in order, names split into theirs."""
    return [word.lower() for word in _WORD.findall(text)]
