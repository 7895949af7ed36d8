"""A module's logical lines → its functions that never return.

A function never returns when it is annotated so, or when its last statement leaves by every branch and nothing in it
returns. A method that only says it must be overridden is none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from miner.lexing import LogicalLine
from miner.locate import Unit

_ANNOTATED = re.compile(r"->\s*[\"']?(?:\w+\.)*(?:NoReturn|Never)\b")
_QUITS = re.compile(r"(?:sys\.exit|os\._exit|os\.abort|exit|quit|(?:\w+\.)*\w*parser\.(?:error|exit))\s*\(")
_RETURNS = re.compile(r"\b(?:return|yield)\b")
_SAYS_SO = re.compile(
    r"fail|rais|err|abort|die|exit|reject|unsupported|unavailable|invalid|unexpected|panic|bail|throw|refuse|deny|not_"
)
"""A method may be overridden in a file that isn't read: only one named for what it does is taken never to return."""
_PLAIN_DECORATORS = ("staticmethod", "classmethod")


def find_leaving(text: str, units: Iterable[Unit]) -> Iterator[str]:
    """Name the functions of a module that never return, by their qualified names inside it."""
    taken: set[str] = set()
    for unit in units:
        if unit.kind == "function" and unit.header is not None and unit.qualname not in taken and _leaves(text, unit):
            yield unit.qualname
        taken.add(unit.qualname)


def _leaves(text: str, unit: Unit) -> bool:
    header, rows = unit.header, unit.rows
    assert header is not None
    if unit.name.startswith("__") or not _is_plain(text, unit):
        return False
    if _ANNOTATED.search(text, header.start, header.end) is not None:
        return True
    if unit.parent is not None and unit.parent.kind == "class" and _SAYS_SO.search(unit.name) is None:
        return False
    if not rows or not (rows[-1].word == "raise" or _QUITS.match(text, rows[-1].start)):
        return False
    if any("NotImplementedError" in text[row.start : row.end] for row in rows if row.word == "raise"):
        return False
    if any(_RETURNS.search(text, row.start, row.end) for row in rows if not text.startswith(("'", '"'), row.start)):
        return False
    return _block_leaves(text, rows)


def _is_plain(text: str, unit: Unit) -> bool:
    """Tell whether a definition stands straight in its module, class or function, and only once."""
    assert unit.header is not None and unit.parent is not None
    rows = unit.parent.rows
    first = rows[0].indent if rows else 0
    if unit.header.indent != first:
        return False
    decorators: list[str] = []
    for row in rows:
        if row.start == unit.header.start:
            break
        if text.startswith("@", row.start):
            decorators.append(text[row.start + 1 : row.end].strip())
        else:
            decorators.clear()
    same = sum(nested.name == unit.name for nested in unit.parent.nested.values())
    return same == 1 and all(name in _PLAIN_DECORATORS for name in decorators)


def _block_leaves(text: str, rows: Sequence[LogicalLine]) -> bool:
    """Tell whether control never comes out at the end of a block of logical lines."""
    tops = [index for index, row in enumerate(rows) if row.indent == rows[0].indent]
    last = tops[-1]
    row = rows[last]
    if row.word == "raise" or _QUITS.match(text, row.start) is not None:
        return last == len(rows) - 1
    if row.word == "with":
        return (
            last + 1 < len(rows)
            and "suppress" not in text[row.start : row.end]
            and _block_leaves(text, rows[last + 1 :])
        )
    if row.word not in ("else", "except"):
        return False
    chain = [last]
    for index in reversed(tops[:-1]):
        chain.append(index)
        if rows[index].word in ("if", "try"):
            break
        if rows[index].word not in ("elif", "except"):
            return False
    chain.reverse()
    if rows[chain[0]].word == "if" and row.word != "else":
        return False
    ends = [*chain[1:], len(rows)]
    if rows[chain[0]].word == "try" and row.word == "else":
        chain, ends = chain[1:], ends[1:]
    return all(
        start + 1 < end and _block_leaves(text, rows[start + 1 : end]) for start, end in zip(chain, ends, strict=True)
    )
