"""The class of failure that an entry belongs to, the same across libraries."""

import re

from catalog.records import ExceptionType, Guard, Message

_BY_EXCEPTION = {
    "NotImplementedError": "not-implemented",
    "ImportError": "missing-dependency",
    "ModuleNotFoundError": "missing-dependency",
    "PermissionError": "permission",
    "MemoryError": "resource-limit",
    "RecursionError": "resource-limit",
    "FileNotFoundError": "not-found",
    "KeyError": "not-found",
    "AttributeError": "not-found",
    "FileExistsError": "duplicate",
    "JSONDecodeError": "malformed",
    "SyntaxError": "malformed",
}
_PHRASES: dict[str, tuple[str, ...]] = {
    "mutually-exclusive": (
        r"mutually exclusive",
        r"cannot (?:both|be (?:used|set|specified) (?:together|with))",
        r"only one of",
        r"cannot use both",
        r"both .* and .* (?:are|were) (?:set|given|specified)",
        r"not (?:both|allowed (?:together|with))",
    ),
    "requires-another": (
        r"\brequires?\b.*\b(?:to be|--|enable|set|when|with)\b",
        r"must (?:also )?be (?:set|specified|provided|enabled) (?:when|if|for|with)",
        r"only (?:valid|supported|allowed|works?|available) (?:when|with|if)",
        r"\bis required (?:when|if|for|with)",
    ),
    "missing-dependency": (
        r"not installed",
        r"pip install",
        r"please install",
        r"could not import",
        r"failed to import",
        r"is required (?:to use|for)",
    ),
    "not-divisible": (
        r"divisible",
        r"multiple of",
        r"evenly",
        r"power of (?:2|two)",
    ),
    "duplicate": (
        r"duplicate",
        r"already (?:exists?|registered|defined|in use|been (?:registered|added|defined))",
        r"more than once",
        r"must be unique",
        r"not unique",
    ),
    "wrong-length": (
        r"\b(?:length|shape|dimensions?|ndim|number of|size of|rank)\b.*"
        r"(?:match|must|expected|should|same|equal|mismatch|!=|got)",
        r"shape mismatch",
        r"\bsame (?:length|shape|size)",
    ),
    "wrong-type": (
        r"\b(?:must|should) be (?:an? )?(?:instance|str(?:ing)?|int(?:eger)?|float|bool(?:ean)?|list|dict(?:ionary)?"
        r"|tuple|callable|sequence|mapping|type|tensor|class)\b",
        r"expected .* (?:type|instance|got <class)",
        r"\binvalid type",
        r"\bof type\b",
        r"unexpected type",
        r"wrong type",
        r"not (?:a|an) (?:str|int|float|list|dict|instance)",
    ),
    "not-a-choice": (
        r"\bone of\b",
        r"\bmust be in\b",
        r"valid (?:options|values|choices)",
        r"\bchoices?\b",
        r"supported (?:values|options|types|formats)",
        r"\bunknown\b",
        r"unrecognized",
        r"unrecognised",
        r"\binvalid (?:value|choice|option|mode|method|name)\b",
        r"must be either",
    ),
    "out-of-range": (
        r"greater",
        r"less than",
        r"larger",
        r"smaller",
        r"exceeds?",
        r"at least",
        r"at most",
        r"between",
        r"out of (?:range|bounds)",
        r"non-?negative",
        r"positive",
        r"must be (?:>|<|>=|<=)",
        r"too (?:large|small|big|long|short|many|few)",
        r"\bmaximum\b",
        r"\bminimum\b",
        r"\brange\b",
    ),
    "unsupported-platform": (
        r"\b(?:cuda|rocm|gpu|cpu|tpu|xpu|hpu|windows|linux|macos|platform|device|compute capability|driver)\b.*"
        r"(?:not supported|unsupported|only|require)",
        r"only supported on",
    ),
    "unsupported-combination": (
        r"not (?:yet )?(?:supported|compatible|allowed|implemented)",
        r"unsupported",
        r"incompatible",
        r"does(?:n't| not) support",
        r"do not support",
        r"cannot be used",
        r"is not available",
    ),
    "not-found": (
        r"not found",
        r"no such",
        r"does(?:n't| not) exist",
        r"cannot find",
        r"could not find",
        r"can't find",
        r"\bmissing (?:file|key|module)",
        r"unable to find",
        r"failed to find",
    ),
    "missing": (
        r"\bmust (?:be )?(?:provide|set|specif|given|pass)",
        r"\bmissing\b",
        r"\bis required\b",
        r"\bare required\b",
        r"cannot be (?:none|empty)",
        r"must not be (?:none|empty)",
        r"is (?:none|empty)\b",
        r"required (?:argument|parameter|field)",
        r"no .* (?:provided|specified|given)",
        r"not (?:provided|specified|set)\b",
    ),
    "mismatch": (
        r"mismatch",
        r"does(?:n't| not) match",
        r"do not match",
        r"inconsistent",
        r"must (?:match|equal|be equal)",
        r"should (?:match|be equal)",
        r"not equal",
        r"expected .* got",
        r"different from",
    ),
    "malformed": (
        r"\bpars(?:e|ing)\b",
        r"malformed",
        r"invalid (?:json|syntax|format|url|regex|character|config|header|input)",
        r"decode",
        r"failed to load",
        r"corrupt",
    ),
    "wrong-state": (
        r"\balready\b",
        r"not (?:been )?(?:initiali[sz]ed|started|ready|running|open|loaded|connected|registered)",
        r"before (?:calling|using)",
        r"closed",
        r"finished",
        r"must be called",
        r"called (?:twice|before|after)",
        r"is not running",
        r"has been",
    ),
    "resource-limit": (
        r"out of memory",
        r"\bOOM\b",
        r"no (?:free|available)",
        r"not enough",
        r"insufficient",
        r"exhausted",
        r"timed? ?out",
        r"limit",
    ),
    "permission": (
        r"permission",
        r"not permitted",
        r"forbidden",
        r"unauthori[sz]ed",
        r"access denied",
        r"not trusted",
        r"trust_remote_code",
    ),
    "internal": (
        r"should (?:not|never)",
        r"unreachable",
        r"internal error",
        r"\bbug\b",
        r"please (?:report|file)",
        r"unexpected(?:ly)?\b",
    ),
}
"""What messages of a family say, as regular expressions; families in the order in which they are tried."""
_BY_TEXT = tuple((family, re.compile("|".join(phrases), re.IGNORECASE)) for family, phrases in _PHRASES.items())
_RANGE = re.compile(r"[^=!<>](?:<|>|<=|>=)(?!=)\s")


def classify(kind: str, exception: ExceptionType, message: Message | None, guard: Guard) -> str:
    """Name an entry's family: by what the message says, else by the exception, else by the shape of the guard."""
    text = message.skeleton if message is not None else ""
    if exception.name == "NotImplementedError" and not _says(text, "unsupported-combination"):
        return "not-implemented"
    for family, pattern in _BY_TEXT:
        if pattern.search(text):
            return family
    for name in (exception.name, *exception.bases):
        if name in _BY_EXCEPTION:
            return _BY_EXCEPTION[name]
    return _classify_guard(kind, exception, guard)


def _says(text: str, family: str) -> bool:
    return any(name == family and pattern.search(text) for name, pattern in _BY_TEXT)


def _classify_guard(kind: str, exception: ExceptionType, guard: Guard) -> str:
    branch = guard.branch
    if "isinstance(" in branch or exception.name == "TypeError":
        return "wrong-type"
    if " % " in branch:
        return "not-divisible"
    if ".shape" in branch or "len(" in branch or ".dim()" in branch or ".ndim" in branch:
        return "wrong-length"
    if " not in " in branch:
        return "not-a-choice"
    if _RANGE.search(branch):
        return "out-of-range"
    if " is None" in branch:
        return "missing"
    if " != " in branch:
        return "mismatch"
    if kind == "assert":
        return "internal"
    return "unsupported-combination" if "Unsupported" in exception.name else "invalid"
