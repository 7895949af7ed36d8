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
_BY_TEXT = tuple(
    (family, re.compile(pattern, re.IGNORECASE))
    for family, pattern in (
        ("mutually-exclusive", r"mutually exclusive|cannot (?:both|be (?:used|set|specified) (?:together|with))|only one of|cannot use both|both .* and .* (?:are|were) (?:set|given|specified)|not (?:both|allowed (?:together|with))"),
        ("requires-another", r"\brequires?\b.*\b(?:to be|--|enable|set|when|with)\b|must (?:also )?be (?:set|specified|provided|enabled) (?:when|if|for|with)|only (?:valid|supported|allowed|works?|available) (?:when|with|if)|\bis required (?:when|if|for|with)"),
        ("missing-dependency", r"not installed|pip install|please install|could not import|failed to import|is required (?:to use|for)"),
        ("not-divisible", r"divisible|multiple of|evenly|power of (?:2|two)"),
        ("duplicate", r"duplicate|already (?:exists?|registered|defined|in use|been (?:registered|added|defined))|more than once|must be unique|not unique"),
        ("wrong-length", r"\b(?:length|shape|dimensions?|ndim|number of|size of|rank)\b.*(?:match|must|expected|should|same|equal|mismatch|!=|got)|shape mismatch|\bsame (?:length|shape|size)"),
        ("wrong-type", r"\b(?:must|should) be (?:an? )?(?:instance|str(?:ing)?|int(?:eger)?|float|bool(?:ean)?|list|dict(?:ionary)?|tuple|callable|sequence|mapping|type|tensor|class)\b|expected .* (?:type|instance|got <class)|\binvalid type|\bof type\b|unexpected type|wrong type|not (?:a|an) (?:str|int|float|list|dict|instance)"),
        ("not-a-choice", r"\bone of\b|\bmust be in\b|valid (?:options|values|choices)|\bchoices?\b|supported (?:values|options|types|formats)|\bunknown\b|unrecognized|unrecognised|\binvalid (?:value|choice|option|mode|method|name)\b|must be either"),
        ("out-of-range", r"greater|less than|larger|smaller|exceeds?|at least|at most|between|out of (?:range|bounds)|non-?negative|positive|must be (?:>|<|>=|<=)|too (?:large|small|big|long|short|many|few)|\bmaximum\b|\bminimum\b|\brange\b"),
        ("unsupported-platform", r"\b(?:cuda|rocm|gpu|cpu|tpu|xpu|hpu|windows|linux|macos|platform|device|compute capability|driver)\b.*(?:not supported|unsupported|only|require)|only supported on"),
        ("unsupported-combination", r"not (?:yet )?(?:supported|compatible|allowed|implemented)|unsupported|incompatible|does(?:n't| not) support|do not support|cannot be used|is not available"),
        ("not-found", r"not found|no such|does(?:n't| not) exist|cannot find|could not find|can't find|\bmissing (?:file|key|module)|unable to find|failed to find"),
        ("missing", r"\bmust (?:be )?(?:provide|set|specif|given|pass)|\bmissing\b|\bis required\b|\bare required\b|cannot be (?:none|empty)|must not be (?:none|empty)|is (?:none|empty)\b|required (?:argument|parameter|field)|no .* (?:provided|specified|given)|not (?:provided|specified|set)\b"),
        ("mismatch", r"mismatch|does(?:n't| not) match|do not match|inconsistent|must (?:match|equal|be equal)|should (?:match|be equal)|not equal|expected .* got|different from"),
        ("malformed", r"\bpars(?:e|ing)\b|malformed|invalid (?:json|syntax|format|url|regex|character|config|header|input)|decode|failed to load|corrupt"),
        ("wrong-state", r"\balready\b|not (?:been )?(?:initiali[sz]ed|started|ready|running|open|loaded|connected|registered)|before (?:calling|using)|closed|finished|must be called|called (?:twice|before|after)|is not running|has been"),
        ("resource-limit", r"out of memory|\bOOM\b|no (?:free|available)|not enough|insufficient|exhausted|timed? ?out|limit"),
        ("permission", r"permission|not permitted|forbidden|unauthori[sz]ed|access denied|not trusted|trust_remote_code"),
        ("internal", r"should (?:not|never)|unreachable|internal error|\bbug\b|please (?:report|file)|unexpected(?:ly)?\b"),
    )
)
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
    return "internal" if kind == "assert" else "unsupported-combination" if "Unsupported" in exception.name else "invalid"
