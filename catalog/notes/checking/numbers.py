"""Does a number stand somewhere in a text?"""

import re

_NUMBER = re.compile(r"\d[\d_,]*(?:\.\d+)?(?:e-?\d+)?")


def has_number(text: str, number: int | float) -> bool:
    """Tell whether a text has a number, however it writes it: `65_536`, `65,536`."""
    return any(_read(match) == abs(number) for match in _NUMBER.findall(text))


def _read(text: str) -> float:
    return float(text.replace("_", "").replace(",", "").rstrip("."))
