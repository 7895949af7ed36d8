"""Which words does a text have?"""

import re

# Two classes of characters, repeated: nothing to backtrack over.
_WORD = re.compile(r"[a-z]+|[0-9]+")


def list_words(text: str) -> list[str]:
    """List a text's words in order, names split into theirs."""
    return _WORD.findall(text.lower())
