"""A throw, or an assert's second half → the message: which argument carries the text, and how it will be printed."""

from collections.abc import Iterable, Sequence

import libcst as cst

from catalog.records import Alternative, Hole, Message, Part, Text
from miner.conditions import Formula, join, read_formula, write_formula
from miner.printing import write_skeleton, write_template
from miner.raising import Thrown
from miner.templates import Draft, Scope, combine, merge_text, read_drafts, read_tuple
from miner.wording import strip_parentheses, write_expression

_TEXT_KEYWORDS = ("message", "msg", "detail", "reason", "description", "text", "error", "content", "err_msg", "errmsg")
_CARRIES_DATA = frozenset(
    "KeyError IndexError AttributeError StopIteration StopAsyncIteration SystemExit GeneratorExit".split()
)
"""Thrown with a bare value, they carry that value and no text."""
GROUPS = frozenset(("ExceptionGroup", "BaseExceptionGroup"))
"""They print how many exceptions they hold; a class of this name stands in where the builtin one is missing."""
_OS_ERRORS = frozenset(
    """OSError IOError EnvironmentError FileNotFoundError FileExistsError PermissionError IsADirectoryError
    NotADirectoryError ConnectionError ConnectionRefusedError ConnectionResetError ConnectionAbortedError
    BrokenPipeError TimeoutError InterruptedError ProcessLookupError ChildProcessError BlockingIOError""".split()
)
_SYNTAX_ERRORS = frozenset("SyntaxError IndentationError TabError".split())
_FIRST_IS_TEXT = _SYNTAX_ERRORS | {"ImportError", "ModuleNotFoundError"}


def read_assert_message(node: cst.BaseExpression | None, scope: Scope) -> Message | None:
    """Read the message of an `assert`."""
    if node is None:
        return None
    drafts = read_drafts(node, scope)
    return make_message(drafts, explain_dynamic(node) if not any(draft.has_text for draft in drafts) else None)


def make_message(drafts: Sequence[Draft], reason: str | None) -> Message | None:
    """Make a message of the texts it may have; `None` of none."""
    if not drafts:
        return None
    parts = drafts[0].parts
    alternatives: tuple[Alternative, ...] = ()
    if len(drafts) > 1:
        alternatives = tuple(
            Alternative(
                write_template(draft.parts),
                write_skeleton(draft.parts),
                draft.parts,
                write_formula(join(draft.conditions)) if draft.conditions else None,
            )
            for draft in drafts
        )
    resolution = "dynamic" if reason is not None else drafts[0].resolution
    return Message(write_template(parts), write_skeleton(parts), parts, resolution, alternatives, reason)


def read_thrown(thrown: Thrown, builtin: str | None) -> tuple[tuple[Draft, ...], str | None]:
    """Read the texts of what is thrown, and why there is none to read.

    `builtin` is the nearest builtin class, where all classes in between are known to make no text of their own.
    """
    if thrown.arguments is None:
        if _is_class(thrown.target):
            return (), None
        return (Draft((Hole(f"str({write_expression(thrown.target)})", None, None, False),)),), "an exception object"
    arguments = [argument for argument in thrown.arguments if argument.star != "**"]
    if not arguments:
        return (), None
    positional = [argument for argument in arguments if argument.keyword is None]
    if any(argument.star for argument in positional):
        return (Draft((Hole(write_expression(positional[0].value), None, None, False),)),), "arguments are unpacked"
    if builtin in GROUPS and len(positional) == 2:
        return _read_group(positional, thrown.scope), None
    if builtin in _OS_ERRORS and len(positional) >= 2:
        return (_read_os_error(positional),), None
    if builtin in _SYNTAX_ERRORS and len(positional) == 2:
        return _read_syntax_error(positional, thrown.scope), None
    prints_all = builtin is not None and builtin not in _FIRST_IS_TEXT and builtin not in _OS_ERRORS
    if prints_all and len(positional) > 1 and not any(a.keyword for a in arguments):
        return (read_tuple([argument.value for argument in positional]),), None
    chosen, drafts = _choose_argument(arguments, thrown.scope)
    if builtin is None and not _is_class(thrown.target) and _is_collection(chosen, thrown.scope):
        made = write_expression(cst.Call(thrown.target, thrown.arguments))
        return (Draft((Hole(f"str({made})", None, None, False),)),), "an exception object"
    if any(draft.has_text for draft in drafts) or builtin in _CARRIES_DATA:
        return drafts, None
    return drafts, explain_dynamic(chosen)


def _is_collection(node: cst.BaseExpression, scope: Scope) -> bool:
    """Tell a key to look something up by from a text to print."""
    found = scope(node)
    return isinstance(found.node if found is not None else node, cst.Tuple | cst.List | cst.Dict | cst.Set)


def _is_class(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name.lstrip("_")[:1].isupper()
        case _:
            return False


def _choose_argument(arguments: Iterable[cst.Arg], scope: Scope) -> tuple[cst.BaseExpression, tuple[Draft, ...]]:
    """Choose the argument that carries the text: a keyword that says so, else the first with fixed text."""
    named = {a.keyword.value: a.value for a in arguments if a.keyword is not None}
    for keyword in _TEXT_KEYWORDS:
        if keyword in named:
            return named[keyword], read_drafts(named[keyword], scope)
    values = [a.value for a in arguments]
    first: tuple[cst.BaseExpression, tuple[Draft, ...]] | None = None
    for value in values:
        drafts = read_drafts(value, scope)
        if any(draft.has_text for draft in drafts):
            return value, drafts
        first = first or (value, drafts)
    assert first is not None
    return first


def _read_os_error(arguments: Sequence[cst.Arg]) -> Draft:
    """Read `OSError(errno, strerror, filename)` as it prints."""
    values = [argument.value for argument in arguments]
    parts: list[Part] = [Text("[Errno "), _hole(values[0]), Text("] "), *_plain(values[1])]
    if len(values) > 2:
        parts += [Text(": "), _hole(values[2], "r")]
    return Draft(merge_text(parts))


def _read_syntax_error(arguments: Sequence[cst.Arg], scope: Scope) -> tuple[Draft, ...]:
    """Read `SyntaxError(text, (file, line, …))` as it prints: with the file's last name and the line."""
    told = read_drafts(arguments[0].value, scope)
    place = strip_parentheses(arguments[1].value)
    if not isinstance(place, cst.Tuple) or len(place.elements) < 2:
        return told
    file, line = (element.value for element in place.elements[:2])
    if isinstance(file, cst.Name) and file.value == "None":
        return combine(told, (Draft((Text(" (line "), _hole(line), Text(")"))),))
    return combine(told, (Draft(merge_text((Text(" ("), *_plain(file), Text(", line "), _hole(line), Text(")")))),))


def _read_group(arguments: Sequence[cst.Arg], scope: Scope) -> tuple[Draft, ...]:
    """Read an exception group as it prints: its message, then how many exceptions it holds."""
    inner = arguments[1].value
    if isinstance(inner, cst.List | cst.Tuple) and not any(isinstance(e, cst.StarredElement) for e in inner.elements):
        count = len(inner.elements)
        return combine(read_drafts(arguments[0].value, scope), (Draft((Text(_write_count(count)),)),))
    size = f"len({write_expression(inner)})"
    several = Draft((Text(" ("), Hole(size, None, None, False), Text(" sub-exceptions)")), (_compare(size, "!="),))
    return combine(
        read_drafts(arguments[0].value, scope), (several, Draft((Text(_write_count(1)),), (_compare(size, "=="),)))
    )


def _write_count(count: int) -> str:
    return f" ({count} sub-exception{'' if count == 1 else 's'})"


def _compare(size: str, operator: str) -> Formula:
    return read_formula(cst.parse_expression(f"{size} {operator} 1"))


def _plain(node: cst.BaseExpression) -> tuple[Part, ...]:
    if isinstance(node, cst.SimpleString) and isinstance(node.evaluated_value, str):
        return (Text(node.evaluated_value),)
    return (_hole(node),)


def _hole(node: cst.BaseExpression, conversion: str | None = None) -> Hole:
    return Hole(write_expression(node), conversion, None, False)


def explain_dynamic(node: cst.BaseExpression) -> str | None:
    """Say why an expression without fixed text can't be read; `None` where its text is the value itself."""
    match node:
        case cst.Name():
            return f"the text is in `{node.value}`, which is not set here"
        case cst.Attribute():
            return "the text is in an attribute"
        case cst.Call():
            return "the text is the result of a call"
        case cst.Subscript():
            return "the text is an element of a container"
        case cst.FormattedString():
            return None
        case _:
            return "the text is computed"
