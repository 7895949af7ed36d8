"""How does one check values before they are used: a branch turned round, as a function?"""

import ast
import re
import textwrap
from collections.abc import Mapping

from catalog.notes.parameters import name_parameters
from catalog.notes.rules.candidates import Value
from catalog.notes.rules.cases import Case, list_places
from catalog.notes.words.names import find_sort, may_be_unset
from catalog.notes.words.nouns import join_nouns, write_code
from catalog.notes.words.rewriting import rename
from catalog.notes.words.texts import list_parts, write_source
from catalog.records import Check

_WIDTH = 88
_LONGEST_LIST = 60
_PLAIN_TYPES = frozenset("int float str bool list dict tuple set None".split())
_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
_STRATEGIES = {"unsupported-platform": "environment", "missing-dependency": "environment", "wrong-state": "state"}


def build_check(case: Case, leaves: tuple[ast.expr, ...], values: Mapping[str, Value]) -> Check | None:
    """Build the function that tells whether values are fine; None for a branch that depends on nothing.

    `values` are some that were found for the leaves, by source text: what they are tells the types.
    """
    if not leaves:
        return None
    names = name_parameters(leaves, case.terms, {use.id for use in case.entry.options})
    hints = _list_hints(case, leaves, names, values)
    body = make_boolean(negate(rename(case.branch, names), hints), hints)
    about = name_check(case, names)
    parameters = ", ".join(f"{name}: {hint}" for name, hint in hints.items())
    first = f"def check_{about}({parameters}) -> bool:"
    if len(first) > _WIDTH:
        lines = "".join(f"    {name}: {hint},\n" for name, hint in hints.items())
        first = f"def check_{about}(\n{lines}) -> bool:"
    code = f'{first}\n    """{_say_what(case, names)}"""\n{_write_return(body)}\n'
    return Check(_STRATEGIES.get(case.entry.family, "validation"), code)


def name_check(case: Case, names: Mapping[str, str]) -> str:
    """Name what a check is about: the option to change, else what else the culprit speaks of."""
    spoken = list_parts(case.culprit.node) if case.culprit is not None else ()
    parts = (write_source(part) for part in spoken if isinstance(part, ast.expr))
    return next((names[text].lower() for text in parts if text in names), "values")


def make_boolean(node: ast.expr, hints: Mapping[str, str]) -> ast.expr:
    """Give the condition as one that is True or False, not a value that counts as such."""
    match node:
        case ast.BoolOp(op=op, values=values):
            return ast.BoolOp(op, [make_boolean(value, hints) for value in values])
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
            return node
        case ast.Call(func=ast.Name(id="isinstance" | "any" | "all" | "bool" | "callable")):
            return node
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith" | "isfinite" | "isdigit")):
            return node
        case ast.Name(id=name) if hints.get(name) == "bool":
            return node
    return ast.Call(ast.Name("bool", ast.Load()), [node], [])


def negate(node: ast.expr, hints: Mapping[str, str]) -> ast.expr:
    """Turn a condition round, as far as that is the same for every value: an ordering only of whole numbers."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.BoolOp(op=op, values=values):
            turned = ast.Or() if isinstance(op, ast.And) else ast.And()
            return ast.BoolOp(turned, [negate(value, hints) for value in values])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPPOSITES:
            return ast.Compare(left, [_OPPOSITES[type(op)]()], [right])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _TURNED:
            if _is_whole(left, hints) and _is_whole(right, hints):
                return ast.Compare(left, [_TURNED[type(op)]()], [right])
    return ast.UnaryOp(ast.Not(), node)


def _is_whole(node: ast.expr, hints: Mapping[str, str]) -> bool:
    """Tell whether a side is a whole number, by the types of the parameters."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.Name(id=name):
            return hints.get(name) in ("int", "int | None")
        case ast.Call(func=ast.Name(id="len" | "int")):
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Mod(), right=right):
            return _is_whole(left, hints) and _is_whole(right, hints)
    return False


def _list_hints(
    case: Case, leaves: tuple[ast.expr, ...], names: Mapping[str, str], values: Mapping[str, Value]
) -> dict[str, str]:
    hints: dict[str, str] = {}
    for leaf in leaves:
        text = write_source(leaf)
        place = case.terms.find(leaf)
        declared = _read_type(place.option.type) if place is not None else None
        if declared is None:
            declared = _guess_type(values[text]) if text in values else read_use(text, case.branch)
            if place is not None and find_sort(place.option) == "text":
                declared = "str"
            optional = (place is not None and may_be_unset(place.option)) or _is_compared_to_none(text, case.branch)
            if optional and declared not in ("object", "None"):
                declared = f"{declared} | None"
        hints.setdefault(names[text], declared)
    return hints


def _read_type(declared: str | None) -> str | None:
    """Give a declared type that any Python knows, or None."""
    text = declared or ""
    inner = re.fullmatch(r"Optional\[(.+)\]", text)
    text = f"{inner[1]} | None" if inner else text
    return text if text and set(re.findall(r"\w+", text)) <= _PLAIN_TYPES else None


def _guess_type(value: Value) -> str:
    match value:
        case None:
            return "object"
        case list() if value and all(isinstance(item, str) for item in value):
            return "list[str]"
    return type(value).__name__


def read_use(text: str, branch: ast.expr) -> str:
    """Tell the type of a leaf from the tests that it is part of, as far as these show it."""
    for node in list_parts(branch):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, other = (left, right) if write_source(left) == text else (right, left)
                if write_source(one) != text:
                    continue
                if isinstance(other, ast.Constant) and other.value is not None:
                    return type(other.value).__name__
                if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                    return "float"
            case ast.Call(func=ast.Attribute(value=value, attr="startswith" | "endswith" | "lower" | "upper")) if (
                write_source(value) == text
            ):
                return "str"
            case ast.BoolOp(values=values) if any(write_source(value) == text for value in values):
                return "bool"
            case ast.UnaryOp(op=ast.Not(), operand=operand) if write_source(operand) == text:
                return "bool"
    return "bool" if write_source(branch) == text else "object"


def _is_compared_to_none(text: str, branch: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Compare)
        and write_source(node.left) == text
        and any(isinstance(side, ast.Constant) and side.value is None for side in node.comparators)
        for node in list_parts(branch)
    )


def _say_what(case: Case, names: Mapping[str, str]) -> str:
    places = list_places(case.branch, case.terms)
    known = [f"`{names[text]}`" for text in names if any(case.terms.places.get(text) == place for place in places)]
    known = list(dict.fromkeys(known))
    if not known or len(join_nouns(known)) > _LONGEST_LIST:
        return "Tell whether these values are fine together."
    return f"Tell whether {join_nouns(known)} {'is' if len(known) == 1 else 'are'} fine."


def _write_return(body: ast.expr) -> str:
    line = f"    return {write_code(body)}"
    if len(line) <= _WIDTH:
        return line
    if not isinstance(body, ast.BoolOp):
        inner = _break_tuple(body, "    ")
        return f"    return {inner}" if inner else line
    word = "or" if isinstance(body.op, ast.Or) else "and"
    parts = [_write_part(value, body) for value in body.values]
    return "    return (\n        " + f"\n        {word} ".join(parts) + "\n    )"


def _write_part(value: ast.expr, body: ast.BoolOp) -> str:
    nested = isinstance(value, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr)
    text = f"({write_code(value)})" if nested else write_code(value)
    return text if len(text) + 12 <= _WIDTH else _break_tuple(value, "        ") or text


def _break_tuple(node: ast.expr, indent: str) -> str | None:
    """Write a membership in many constants over several lines."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Tuple(elts=members) | ast.List(elts=members)]):
            word = "not in" if isinstance(op, ast.NotIn) else "in"
            listed = textwrap.fill(
                ", ".join(map(write_code, members)) + ",",
                _WIDTH,
                initial_indent=f"{indent}    ",
                subsequent_indent=f"{indent}    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            return f"{write_code(left)} {word} (\n{listed}\n{indent})"
    return None
