"""Does a function only look at what it is given? Told from its text at a glance, which saves parsing many that do."""

import re

from miner.effects import QUERY_METHODS, QUERY_PREFIXES
from miner.locate import Unit

_ASSIGNS = re.compile(r"[^=!<>]*=(?!=)")


def only_looks(text: str, unit: Unit, name: str) -> bool:
    """Tell whether every mention of a parameter is plainly a look at it; `False` where that takes more to know.

    A value that is passed on, called, indexed, kept under another name or assigned to is more than looked at.
    """
    mention = re.compile(rf"(?<![\w.]){re.escape(name)}\b((?:\s*\.\s*\w+)*)\s*(.?)(.?)", re.DOTALL)
    for row in unit.rows:
        line = text[row.start : row.end]
        if name in line and (row.word == "del" or not all(_is_look(line, found) for found in mention.finditer(line))):
            return False
    return True


def _is_look(line: str, found: re.Match[str]) -> bool:
    before, after, more = line[: found.start()].rstrip(), found[2], found[3]
    if after == "(":
        method = found[1].rpartition(".")[2].strip()
        return method in QUERY_METHODS or method.startswith(QUERY_PREFIXES)
    if after == "[" or (after == "=" and more != "=") or (more == "=" and after in "+-*/|&^%@:"):
        return False
    is_kept = before.endswith("=") and before[-2:-1] not in ("=", "!", "<", ">")
    is_chosen = before.endswith(("or", "and", "else")) and _ASSIGNS.match(line) is not None
    return not (is_kept or is_chosen or before.endswith(("(", ",", "[", "{", "*")))
