"""libcst expressions → text on one line, as the source has it."""

import libcst as cst

from miner.lexing import read_tokens
from miner.writing import write_bare, write_source

_BRACKETED = frozenset([cst.Tuple, cst.GeneratorExp, cst.MatchTuple])
"""What their parentheses belong to."""


def write_expression(node: cst.CSTNode) -> str:
    """Write an expression on one line: the source's own text without comments, line breaks and outer parentheses."""
    return fold_lines(write_source(node) if type(node) in _BRACKETED else write_bare(node))


def strip_parentheses(node: cst.CSTNode) -> cst.CSTNode:
    """Give the expression without the parentheses around it (those of a tuple or generator stay)."""
    if not getattr(node, "lpar", ()) or type(node) in _BRACKETED:
        return node
    return node.with_changes(lpar=(), rpar=())


def fold_lines(text: str) -> str:
    """Fold an expression onto one line; the commas that only end a line go, those that make a tuple stay."""
    text = text.strip()
    if "\n" not in text and "#" not in text:
        return text
    pieces: list[str] = []
    openers: list[tuple[bool, int]] = []
    blank = False
    for token in read_tokens(text, 0, len(text)):
        if token.kind in ("space", "newline", "comment"):
            blank = True
            continue
        piece = text[token.start : token.end]
        if token.kind == "close":
            keeps, commas = openers.pop()
            if pieces[-1] == "," and (commas > 1 or not keeps):
                pieces.pop()
        elif blank and pieces and not _opens(pieces[-1]):
            pieces.append(" ")
        if token.kind == "open":
            openers.append((_keeps_comma(piece, pieces), 0))
        elif piece == "," and openers:
            openers[-1] = (openers[-1][0], openers[-1][1] + 1)
        pieces.append(piece)
        blank = False
    return "".join(pieces)


def _opens(piece: str) -> bool:
    return piece in ("(", "[", "{")


def _keeps_comma(bracket: str, before: list[str]) -> bool:
    """Tell whether a single comma inside this bracket makes a tuple: `(a,)` and `x[a,]`, but not `f(a,)` or `[a,]`."""
    last = before[-1] if before else ""
    after_operand = bool(last) and (last[-1].isalnum() or last[-1] in "_)]}\"'")
    return (bracket == "(" and not after_operand) or (bracket == "[" and after_operand)
