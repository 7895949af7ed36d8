"""Which bounds does a sentence claim, and of what: "`x` must be at least 1 when `y` is greater than 3"?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from catalog.notes.checking.comparisons import OPPOSITES

_CODE = re.compile(r"``(.+?)``|`([^`\n]+)`")
_NUMBER = r"(?<![\d.])-?\d{1,18}(?:[,_]\d{3}){0,5}(?:\.\d{1,18})?(?!\d)(?![\w.]{0,40}[A-Za-z%])"
_BOUND = rf"(?:the\s+|that\s+of\s+|a\s+)?(?P<bound>{_NUMBER}|⟦\d+⟧)"
_PHRASES: tuple[tuple[str, str], ...] = (
    (
        ">=",
        r"at least|no (?:less|fewer|smaller|lower|shorter) than|not (?:be )?(?:less|fewer|smaller|lower|shorter) than"
        r"|(?:greater|more|larger|higher) than or equal to|equal to or (?:greater|more|larger|higher) than"
        r"|a minimum of|not (?:be )?below|>=|≥",
    ),
    (
        "<=",
        r"at most|no (?:more|greater|larger|higher|longer|bigger) than"
        r"|not (?:be )?(?:more|greater|larger|higher|longer|bigger) than"
        r"|(?:less|fewer|smaller|lower) than or equal to|equal to or (?:less|fewer|smaller|lower) than"
        r"|a maximum of|not (?:to )?exceed(?:ing)?|up to|not (?:be )?above|<=|≤",
    ),
    (">", r"(?:greater|more|larger|higher|longer|bigger) than|above|exceed(?:s|ing|ed)?|>"),
    ("<", r"(?:less|fewer|smaller|lower|shorter) than|below|<"),
)
_CLAIM = re.compile(
    "(?:" + "|".join(rf"(?P<p{i}>(?<![\w⟦])(?:{words}))" for i, (_, words) in enumerate(_PHRASES)) + rf")\s*{_BOUND}",
    re.IGNORECASE,
)
_OR_MORE = re.compile(
    rf"(?P<bound>{_NUMBER}|⟦\d+⟧) or "
    r"(?:(?P<more>more|greater|above|higher|larger)|less|fewer|below|lower|smaller)\b(?! (?:than\b|[-\d⟦]))"
)
_END = rf"(?:{_NUMBER}|⟦\d+⟧)"
_BETWEEN = re.compile(
    rf"(?P<outside>outside (?:of )?(?:the )?(?:range )?)?"
    rf"(?:between (?P<low>{_END}) and|(?:from|range) (?P<from>{_END}) to) "
    rf"(?P<high>{_END})(?P<open> \(excluded\)| \(exclusive\))?"
)
_EQUAL = re.compile(
    rf"\b(?:is|be|are|equals?|equal to)\s+(?P<not>not (?:equal to )?)?(?P<bound>{_NUMBER}|⟦\d+⟧)"
    r"(?! (?:or|nor|plus|minus|times|divided|when|items?)\b)(?!,? or\b)(?!, [-\d⟦])"
)
_SIGN = re.compile(r"(?P<not>non-|not (?:be )?)?(?P<sign>positive|negative)\b")
_TURN = re.compile(r"\b(when(?:ever)?|if|unless|while|because|since|where|as long as|until)\b", re.IGNORECASE)
_DEMAND = re.compile(
    r"\b(?:must|should|needs?|ha(?:s|ve) to|can(?:not|'t)?|may|only|requires?|required|allowed|expects?|expected)\b"
)
_DENIAL = re.compile(r"\b(?:not|never|cannot|can't|mustn't|nor)\b(?!.*(?:,|\b(?:but|and|or)\b))", re.IGNORECASE)
_ASIDE = re.compile(r"\s?\((?!excluded|exclusive)([^()]*)\)")
_LITERAL = re.compile(r"""None|True|False|null|-?[\d_.]+|"[^"]*"|'[^']*'|[\[({].*""")
_EXAMPLE = re.compile(r"(?:for example|e\.g\.|such as|like|say|about|with|of)[^.;]{0,40}$", re.IGNORECASE)
_JOINING = frozenset("and or nor when if unless plus minus times divided instead to is while because".split())
_WINDOW = 28


@dataclass(frozen=True, slots=True)
class Claim:
    """A bound that a sentence claims."""

    subject: str | None
    """The code or word that it is said of."""
    op: str
    bound: str | int | float
    """A number, or code."""
    of_failure: bool | None
    """It is said of values that fail; None when the sentence leaves that open."""
    text: str
    """As the sentence has it: `at least 1`."""


def list_claims(sentence: str, place: str) -> Iterator[Claim]:
    """Give the bounds that a sentence claims; its place tells whether it speaks of what fails or of what works."""
    codes: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        codes.append((match[1] or match[2]).strip())
        return f"⟦{len(codes) - 1}⟧"

    plain = _CODE.sub(put_aside, sentence.replace("\u2019", "'"))
    for segment, of_failure in _split(plain, place):
        for claim in _read_segment(segment, codes):
            yield replace(claim, of_failure=of_failure)


def list_numbers(sentence: str) -> Iterator[int | float]:
    """Give the numbers that a sentence says outright, but for those that it calls examples."""
    plain = _CODE.sub(" ", sentence)
    for match in re.finditer(rf"(?<![\w.-])(?P<bound>{_NUMBER})", plain):
        number = _read_bound(match["bound"], ())
        after = re.match(r" ([A-Za-z]+)", plain[match.end() :])
        lead = plain[max(0, match.start() - 2 * _WINDOW) : match.start()]
        is_counted = after is not None and after[1] not in _JOINING  # `9 others`, `2 hosts`
        if not isinstance(number, str) and not is_counted and not _EXAMPLE.search(lead):
            yield number


def _split(text: str, place: str) -> Iterator[tuple[str, bool | None]]:
    """Cut sentences at their conditions, and tell of each part whether it speaks of what fails.

    What stands in brackets is read by itself, since it would part a subject from what is said of it.
    """
    while match := _ASIDE.search(text):
        yield match[1], None
        text = text[: match.start()] + text[match.end() :]
    for sentence in re.split(r"(?<=[.;!?])\s+", text):
        parts = _TURN.split(sentence)
        yield parts[0], _speaks_of_failure(parts[0], place)
        for word, part in zip(parts[1::2], parts[2::2], strict=True):
            yield part, None if word.lower() == "where" else word.lower() not in ("unless", "until")


def _speaks_of_failure(main: str, place: str) -> bool | None:
    if _DEMAND.search(main):
        return False
    if place.startswith(("solution", "prevention")):
        return False
    return True if place.startswith(("trigger", "situation")) else None


def _read_segment(segment: str, codes: Sequence[str]) -> Iterator[Claim]:
    for match in _CLAIM.finditer(segment):
        op = next(op for index, (op, _) in enumerate(_PHRASES) if match[f"p{index}"])
        lead = segment[max(0, match.start() - _WINDOW) : match.start()]
        if _DENIAL.search(lead.rpartition("⟧")[2]):
            op = OPPOSITES[op]
        yield _make(segment, match, op, match["bound"], codes)
    for match in _OR_MORE.finditer(segment):
        yield _make(segment, match, ">=" if match["more"] else "<=", match["bound"], codes)
    for match in _BETWEEN.finditer(segment):
        lowest, highest = ">=", "<" if match["open"] else "<="
        if match["outside"]:
            lowest, highest = OPPOSITES[lowest], OPPOSITES[highest]
        yield _make(segment, match, lowest, match["low"] or match["from"], codes)
        yield _make(segment, match, highest, match["high"], codes)
    for match in _EQUAL.finditer(segment):
        lead = segment[max(0, match.start() - _WINDOW) : match.start()].rpartition("⟧")[2]
        is_denied = bool(match["not"]) != bool(_DENIAL.search(lead))
        claim = _make(segment, match, "!=" if is_denied else "==", match["bound"], codes)
        if not isinstance(claim.bound, str):  # of names, that they are equal is said in too many ways
            yield claim
    for match in _SIGN.finditer(segment):
        op = ">" if match["sign"] == "positive" else "<"
        yield _make(segment, match, OPPOSITES[op] if match["not"] else op, "0", codes)


def _make(segment: str, match: re.Match[str], op: str, bound: str, codes: Sequence[str]) -> Claim:
    lead = segment[: match.start()]
    bounds = {code for claim in _CLAIM.finditer(lead) for code in re.findall(r"⟦(\d+)⟧", claim["bound"])}
    said = [code for code in re.findall(r"⟦(\d+)⟧", lead) if not _LITERAL.fullmatch(codes[int(code)])]
    subjects = [code for code in said if code not in bounds] or said  # what bounds another is rarely bounded itself
    subject = codes[int(subjects[-1])] if subjects else None
    text = re.sub(r"⟦(\d+)⟧", lambda code: codes[int(code[1])], match[0]).strip()
    return Claim(subject, op, _read_bound(bound, codes), None, text)


def _read_bound(bound: str, codes: Sequence[str]) -> str | int | float:
    text = codes[int(bound[1:-1])] if bound.startswith("⟦") else bound
    plain = text.replace(",", "").replace("_", "")
    for type_ in (int, float):
        try:
            return type_(plain)
        except ValueError:
            continue
    return text
