"""Which logical lines of a unit bear on its sites: the rest need not be parsed.

A line bears on a site when it is one, when it may leave before one or says how a loop ended, when it stands around
such a line, or when it may
bind or change a name that those lines read, and so on inward. Judged by words alone, always on the side of keeping.
"""

import builtins
import keyword
import re
from collections.abc import Sequence

from miner.lexing import LogicalLine
from miner.locate import Unit

_WORD = re.compile(r"[^\W\d]\w*")
_LEAVES = re.compile(
    r"\b(?:return|raise|assert|continue|break|yield)\b|\b(?:exit|_exit|abort|fail|skip|quit)\s*\(|\b\w*parser\.error\s*\("
)
_ON_SELF = re.compile(r"\bself\s*(?:\.\s*\w+\s*\(|[,)])|\bsuper\s*\(|\*\*?self\b")
_LOOPS = ("for", "while", "async")
_CONTINUES = ("elif", "else", "except", "finally", "case")
_BUILTINS = frozenset(dir(builtins))
_IGNORED = frozenset([*keyword.kwlist, "self", "cls"])
_REBINDABLE = _BUILTINS | {"self", "cls"}
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_PARAMETER = re.compile(r"[(,*]\s*(\w+)")
_TARGETS = re.compile(r"(?:del\b[^\n]*|(?:[^=\n#'\"]*?[^=\n#'\"!<>]=(?!=))+)")
_BARE = re.compile(r"\b[^\W\d]\w*\b(?!\s*[.\[(])")


def choose_rows(
    text: str, unit: Unit, never_return: re.Pattern[str] | None = None, also: frozenset[int] = frozenset()
) -> list[bool]:
    """Choose the rows of a unit that bear on its sites; `never_return` finds calls of helpers that always leave.

    `also` are lines that are taken for sites without a mark.
    """
    return _Chooser(text, unit, never_return, also).choose()


class _Chooser:
    def __init__(
        self, text: str, unit: Unit, never_return: re.Pattern[str] | None, also: frozenset[int] = frozenset()
    ) -> None:
        self._text = text
        self._rows = unit.rows
        self._unit = unit
        self._never_return = never_return
        self._also = also
        self._kept = [False] * len(self._rows)
        self._names: set[str] = set()
        self._ignored = (_IGNORED | _BUILTINS) - _find_bound(text, unit)
        self._sees_all_of_self = False
        self._parents, self._heads = _find_structure(self._rows)

    def choose(self) -> list[bool]:
        limit = self._find_limit()
        for index in range(min(limit + 1, len(self._rows))):
            if self._leaves(index):
                self._keep(index)
        words = [self._read_words(index) for index in range(min(limit + 1, len(self._rows)))]
        changed = True
        while changed:
            changed = False
            for index in range(len(words) - 1, -1, -1):
                if not self._kept[index] and self._matters(index, words[index]):
                    self._keep(index)
                    changed = True
        return self._kept

    def _find_limit(self) -> int:
        """Find the last row that can matter: the last site, or the end of a loop around a site."""
        rows, limit = self._rows, -1
        index = 0
        lines = sorted({*(mark.line for mark in self._unit.marks), *self._also})
        for line in lines if rows else ():
            while index + 1 < len(rows) and rows[index + 1].line <= line:
                index += 1
            limit = max(limit, index)
            above = self._parents[index]
            while above >= 0:
                if rows[above].word in _LOOPS:
                    limit = max(limit, _find_end(rows, above))
                above = self._parents[above]
        return limit

    def _leaves(self, index: int) -> bool:
        row = self._rows[index]
        if row.line in self._also:
            return True
        if self._text.startswith(("'", '"'), row.start):
            return False
        if row.word == "while" or _LEAVES.search(self._text, row.start, row.end) is not None:
            return True
        return self._never_return is not None and self._never_return.search(self._text, row.start, row.end) is not None

    def _read_words(self, index: int) -> frozenset[str]:
        row = self._rows[index]
        if self._text.startswith(("'", '"', "@"), row.start):
            return frozenset()
        return frozenset(_WORD.findall(self._text, row.start, row.end))

    def _matters(self, index: int, words: frozenset[str]) -> bool:
        row = self._rows[index]
        if row.start in self._unit.nested:
            return self._unit.nested[row.start].name in self._names
        if not self._names.isdisjoint(words):
            return True
        if "self" not in words and "super" not in words:
            return False
        return self._sees_all_of_self or _ON_SELF.search(self._text, row.start, row.end) is not None

    def _keep(self, index: int) -> None:
        """Keep a row, what it reads, the headers around it and the ones before it in its chain."""
        if self._kept[index]:
            return
        self._kept[index] = True
        row = self._rows[index]
        if (row.word != "return" or row.line in self._also) and row.start not in self._unit.nested:
            text = self._text[row.start : row.end]
            self._names.update(word for word in _WORD.findall(text) if word not in self._ignored)
            self._sees_all_of_self = self._sees_all_of_self or _ON_SELF.search(text) is not None
        if self._parents[index] >= 0:
            self._keep(self._parents[index])
        for other in self._heads.get(index, ()):
            self._keep(other)


def _find_bound(text: str, unit: Unit) -> set[str]:
    """Find the names, of builtins and `self` and `cls`, that a unit may give a meaning of its own."""
    bound: set[str] = set()
    if unit.header is not None:
        header = _BRACKETS.sub("", _BRACKETS.sub("", text[unit.header.start : unit.header.end]))
        bound.update(_BUILTINS.intersection(_PARAMETER.findall(header)))
    for row in unit.rows:
        if row.word in ("for", "with", "async", "import", "from"):
            bound.update(_BUILTINS.intersection(_WORD.findall(text, row.start, row.end)))
        elif (found := _TARGETS.match(text, row.start, row.end)) is not None:
            bound.update(_REBINDABLE.intersection(_BARE.findall(found[0])))
    return bound


def _find_structure(rows: Sequence[LogicalLine]) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """Find for each row the header it stands under (-1: none), and for each header the chain it belongs to."""
    parents: list[int] = []
    stack: list[int] = []
    chains: dict[int, list[int]] = {}
    chain_of: dict[tuple[int, int], int] = {}
    for index, row in enumerate(rows):
        while stack and rows[stack[-1]].indent >= row.indent:
            stack.pop()
        parent = stack[-1] if stack else -1
        parents.append(parent)
        stack.append(index)
        key = (parent, row.indent)
        if row.word in _CONTINUES and key in chain_of:
            chains[chain_of[key]].append(index)
        elif row.word in ("if", "for", "while", "try", "with", "async"):
            chain_of[key] = index
            chains[index] = [index]
        else:
            chain_of.pop(key, None)
            if row.word == "case" and parent >= 0:
                chains.setdefault(parent, [parent]).append(index)
    links: dict[int, tuple[int, ...]] = {}
    for head, members in chains.items():
        whole = rows[head].word in ("try", "match")
        for place, member in enumerate(members):
            links[member] = tuple(members) if whole else tuple(members[:place])
    return parents, links


def _find_end(rows: Sequence[LogicalLine], head: int) -> int:
    index = head + 1
    while index < len(rows) and rows[index].indent > rows[head].indent:
        index += 1
    return index - 1
