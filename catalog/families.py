"""The class of failure that an entry belongs to, the same across libraries."""

from collections.abc import Mapping

from catalog.records import ExceptionType, Guard, Message
from catalog.shapes import read_shapes
from catalog.signs import list_signs

FAMILIES: Mapping[str, str] = {
    "out-of-range": "a number beyond a bound, a fixed one or another value",
    "not-a-choice": "a value that is none of those accepted",
    "mutually-exclusive": "options of which only one may be used",
    "requires-another": "an option that needs another set, on, or at a certain value",
    "missing": "something that must be given and isn't, or is empty",
    "wrong-type": "a value of another type than is taken",
    "wrong-length": "too many, too few or otherwise shaped items",
    "not-divisible": "a number that does not divide, or isn't a multiple",
    "mismatch": "two values that must agree and don't",
    "not-found": "a file, name or attribute that isn't there",
    "duplicate": "something that may be there only once",
    "malformed": "text or a structure that can't be read",
    "unsupported-combination": "a feature that isn't supported with another one, a value or a model",
    "unsupported-platform": "a device, operating system or driver that is not up to what is asked",
    "missing-dependency": "a package that isn't installed, or of another version",
    "wrong-state": "a call at the wrong time: too early, too late, twice",
    "not-implemented": "a method left to subclasses, or a way through the code not written yet",
    "resource-limit": "memory, time, ports or slots used up",
    "permission": "something not allowed to whoever asks",
    "internal": "what the code takes for granted; no setting is at fault by itself",
    "invalid": "refused for a reason that is none of these",
}
"""Each family, and what its entries have in common."""

_BY_EXCEPTION = {
    "NotImplementedError": ("not-implemented", 1),
    "ImportError": ("missing-dependency", 4),
    "ModuleNotFoundError": ("missing-dependency", 4),
    "PermissionError": ("permission", 6),
    "MemoryError": ("resource-limit", 6),
    "OutOfMemoryError": ("resource-limit", 6),
    "RecursionError": ("resource-limit", 6),
    "TimeoutError": ("resource-limit", 3),
    "FileNotFoundError": ("not-found", 6),
    "KeyError": ("not-found", 3),
    "AttributeError": ("not-found", 3),
    "FileExistsError": ("duplicate", 6),
    "JSONDecodeError": ("malformed", 6),
    "UnicodeDecodeError": ("malformed", 6),
    "SyntaxError": ("malformed", 4),
    "TypeError": ("wrong-type", 2),
    "IndexError": ("out-of-range", 2),
    "AssertionError": ("internal", 1),
}
"""What the class of the exception speaks for, and how strongly."""
_BY_SHAPE: Mapping[str, tuple[tuple[str, int], ...]] = {
    "ordering": (("out-of-range", 3),),
    "not among": (("not-a-choice", 3),),
    "remainder": (("not-divisible", 6),),
    "is none": (("missing", 2), ("requires-another", 1)),
    "empty": (("missing", 1), ("requires-another", 1)),
    "type": (("wrong-type", 3),),
    "length": (("wrong-length", 3), ("out-of-range", -2)),
    "unequal": (("mismatch", 2), ("requires-another", 1), ("unsupported-combination", 1)),
    "unequal to a constant": (("not-a-choice", 1), ("requires-another", 1), ("unsupported-combination", 1)),
    "equal": (("unsupported-combination", 1), ("duplicate", 1)),
    "in use": (("unsupported-combination", 1), ("mutually-exclusive", 1)),
    "platform": (("unsupported-platform", 3),),
    "no file": (("not-found", 4),),
    "no attribute": (("not-found", 2),),
    "read as": (("wrong-type", 9),),
    "handler": (("malformed", 1), ("not-found", 1)),
}
"""What the shape of the test that a statement stands under speaks for."""
_SILENT = 2
"""A shape or exception must say this much for an entry without a word to have its family."""


def classify(kind: str, exception: ExceptionType, message: Message | None, guard: Guard) -> str:
    """Name an entry's family: the one for which message, exception and guard speak most."""
    text = message.skeleton if message is not None else ""
    shapes = read_shapes(guard)
    weights = dict.fromkeys(FAMILIES, 0)
    for family, weight in list_signs(text):
        weights[family] = max(weights[family], weight)
    told = any(weights.values())
    for name in (exception.name, *exception.bases):
        if name in _BY_EXCEPTION:
            family, weight = _BY_EXCEPTION[name]
            weights[family] += weight
            break
    for shape in shapes:
        for family, weight in _BY_SHAPE.get(shape, ()):
            weights[family] += weight
    if not text and exception.name == "NotImplementedError":
        return "not-implemented"
    if not told and kind == "assert" and not shapes & {"not among", "type", "remainder", "length", "ordering"}:
        return "internal"
    best = max(weights, key=lambda family: weights[family])
    return best if weights[best] >= (1 if told else _SILENT) else "invalid"
