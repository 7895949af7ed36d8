"""Does a number stand somewhere in a text?"""

import re

_NUMBER = re.compile(r"0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_,]*(?:\.\d+)?(?:e-?\d+)?")


def has_number(text: str, number: int | float) -> bool:
    """Tell whether a text has a number, however it writes it: `65_536`, `65,536`, `0x10000`."""
    return any(_read(match) == abs(number) for match in _NUMBER.findall(text))


def _read(text: str) -> float:
    plain = text.replace("_", "").replace(",", "").lower()
    return int(plain, 0) if plain[:2] in ("0x", "0o", "0b") else float(plain)
