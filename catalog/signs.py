"""What in a message's words speaks for a family of failures, and how strongly?"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_NAMES = re.compile(r"--[\w-]+|\b\w+_\w+\b")
_TABLE = Path(__file__).with_name("signs.toml")


def list_signs(text: str) -> Iterator[tuple[str, int]]:
    """Give what a message's words speak for, each with its weight."""
    plain = _NAMES.sub("OPTION", text)
    for family, weight, pattern in _read_table():
        if pattern.search(plain):
            yield family, weight


@cache
def _read_table() -> tuple[tuple[str, int, re.Pattern[str]], ...]:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    devices = rf"\b(?:{'|'.join(table['devices'])})\b"
    return tuple(
        (
            sign["family"],
            sign["weight"],
            re.compile("|".join(sign["phrases"]).replace("DEVICES", devices), re.IGNORECASE),
        )
        for sign in table["sign"]
    )
