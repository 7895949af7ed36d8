"""How is a value named in a sentence?"""

import ast
from collections.abc import Sequence

from catalog.notes.places import Place
from catalog.notes.words.computed import work_out
from catalog.notes.words.names import Names
from catalog.notes.words.rewriting import replace
from catalog.notes.words.texts import list_parts, write_source

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.Div: "divided by",
    ast.FloorDiv: "divided (rounded down) by",
}
_SAME_VALUE = ("int", "float", "str", "set", "tuple", "list", "sorted")
_OF = {
    "bool": "whether there is",
    "len": "the length of",
    "sum": "the sum of",
    "abs": "the absolute value of",
    "type": "the type of",
}
_CASES = {"upper": "case", "lower": "case", "casefold": "case", "strip": "blanks around it"}
_LONGEST_CALL = 80
_MOST_ORIGINS = 3
_EXTREMES = {"min": "smallest", "max": "largest"}


def say_noun(node: ast.expr, names: Names) -> str:
    """Name what an expression stands for: an option as users know it, a value, or the source's own text."""
    place = names.find(node)
    if place is not None:
        return name_place(place)
    origins = names.trace(node)
    if origins:
        named = [name_place(origin) for origin in dict.fromkeys(origins)]
        return f"the value computed from {join_nouns(named[:_MOST_ORIGINS])}"
    match node:
        case ast.Attribute(value=value, attr=attr) if names.trace(value) or _is_held(value, names):
            return f"`{attr}` of {say_noun(value, names)}"
        case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return _say_constant(node)
        case ast.NamedExpr(value=value) | ast.Starred(value=value):
            return say_noun(value, names)
        case ast.Call():
            return _say_call(node, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS and mentions_option(node, names):
            return f"{_say_operand(left, names)} {_OPERATORS[type(op)]} {_say_operand(right, names)}"
        case ast.BinOp(left=left, op=ast.Mod(), right=right) if mentions_option(node, names):
            return f"the rest of {_say_operand(left, names)} divided by {_say_operand(right, names)}"
        case ast.BinOp() if (number := work_out(node)) is not None:
            return str(number)
        case ast.BoolOp(op=ast.Or(), values=[value, otherwise]) if names.find(value) is not None:
            return f"{say_noun(value, names)} (or {say_noun(otherwise, names)} when that is not set)"
        case ast.Tuple(elts=elements) | ast.List(elts=elements) if elements and mentions_option(node, names):
            return f"({', '.join(say_noun(element, names) for element in elements)})"
    return f"`{shorten_code(node, names)}`"


def _is_held(node: ast.expr, names: Names) -> bool:
    """Tell whether a plain name is an option, so that an attribute of it reads as a part of that."""
    return isinstance(node, ast.Name) and names.find(node) is not None


def shorten_code(node: ast.expr, names: Names) -> str:
    """Write an expression as source; a call that is too long to read without its arguments."""
    text = write_code(replace(node, lambda part: _rename(part, names)))
    if isinstance(node, ast.Call) and len(text) > _LONGEST_CALL:
        return f"{write_code(node.func)}(…)"
    return text


def _rename(part: ast.expr, names: Names) -> ast.expr | None:
    """Call plain names by those of their options, as users know them."""
    if not isinstance(part, ast.Name):
        return None
    origins = {origin.option.id: origin for origin in names.trace(part)}
    place = names.find(part) or (next(iter(origins.values())) if len(origins) == 1 else None)
    return ast.Name(place.option.name, ast.Load()) if place is not None and place.option.name.isidentifier() else None


def name_place(place: Place) -> str:
    """Name an option in full, with the flag that its key stands in, or the class whose field it is."""
    if place.keys:
        return f"`{place.name}` (in `{place.flag}`)"
    if place.flag is None and place.option.kind == "field":
        return f"`{'.'.join(place.option.id.rsplit('.', 2)[-2:])}`"
    return f"`{place.name}`"


def shorten_repeats(text: str, places: Sequence[Place]) -> str:
    """Name each option in full only where a text first speaks of it, and each flag that holds several only once."""
    for full, brief in dict.fromkeys((name_place(place), f"`{place.name}`") for place in places):
        text = _keep_first(text, full, brief)
    for flag in dict.fromkeys(place.flag for place in places if place.keys):
        text = _keep_first(text, f" (in `{flag}`)", "")
    return text


def _keep_first(text: str, full: str, brief: str) -> str:
    end = text.find(full) + len(full)
    return text if full not in text or full == brief else text[:end] + text[end:].replace(full, brief)


def write_code(node: ast.expr) -> str:
    """Write an expression as source on one line, with double quotes where that is no different."""
    text = " ".join(write_source(node).split())
    for part in list_parts(node):
        if isinstance(part, ast.Call) and len(part.args) == 1 and isinstance(part.args[0], ast.GeneratorExp):
            alone = " ".join(write_source(part.args[0]).split())
            text = text.replace(f"({alone})", alone)
    return text if '"' in text or "\\" in text else text.replace("'", '"')


def mentions_option(node: ast.expr, names: Names) -> bool:
    """Tell whether an option is part of an expression."""
    return any(isinstance(part, ast.expr) and names.find(part) is not None for part in list_parts(node))


def _say_constant(node: ast.expr) -> str:
    """Numbers stand as they are; whatever else is source text."""
    text = write_code(node)
    match node:
        case ast.Constant(value=str() as value) if "\\" in text and '"' not in value:
            text = f'"{repr(value)[1:-1]}"'
    return text if text.lstrip("-")[:1].isdigit() else f"`{text}`"


def _say_operand(node: ast.expr, names: Names) -> str:
    text = say_noun(node, names)
    compound = isinstance(node, ast.BinOp) and not text.startswith("`")
    return f"({text})" if compound else text


def _say_call(node: ast.Call, names: Names) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _SAME_VALUE:
            if not isinstance(argument, ast.GeneratorExp | ast.ListComp | ast.SetComp):
                return say_noun(argument, names)
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _OF:
            return f"{_OF[name]} {say_noun(argument, names)}"
        case ast.Call(func=ast.Name(id=name), args=[_, _, *_] as arguments, keywords=[]) if name in _EXTREMES:
            if mentions_option(node, names):
                return f"the {_EXTREMES[name]} of {join_nouns([say_noun(each, names) for each in arguments])}"
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name)), *_]):
            return f"`{write_code(owner)}.{name}`"
        case ast.Call(func=ast.Attribute(attr=attr), args=[], keywords=[]) if attr in _CASES:
            bare, aside = strip_case(node)
            said = "in any case" if aside == ("case",) else f"{' and '.join(aside)} aside"
            return f"{say_noun(bare, names)} ({said})"
        case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[ast.Constant(value=str(key)), *_]):
            return f'`"{key}"` of {say_noun(value, names)}'
    return f"`{shorten_code(node, names)}`"


def strip_case(node: ast.expr) -> tuple[ast.expr, tuple[str, ...]]:
    """Give a text without `.lower()`, `.strip()` and the like around it, and what they leave aside."""
    aside: set[str] = set()
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=attr), args=[], keywords=[]) if attr in _CASES:
                aside.add(_CASES[attr])
                node = value
            case _:
                return node, tuple(sorted(aside, reverse=True))


def list_origins(node: ast.expr, names: Names) -> tuple[str, ...]:
    """Name the options that an expression comes down to; the expression itself where there are none."""
    places: list[Place] = []
    for part in list_parts(node):
        place = names.find(part) if isinstance(part, ast.expr) else None
        if place is not None:
            places.append(place)
        elif isinstance(part, ast.expr):
            places += names.trace(part)
    return tuple(dict.fromkeys(map(name_place, places))) or (say_noun(node, names),)


def join_nouns(nouns: list[str], word: str = "and") -> str:
    """Join nouns as a list is read out."""
    if len(nouns) <= 2:
        return f" {word} ".join(nouns)
    return f"{', '.join(nouns[:-1])} {word} {nouns[-1]}"
