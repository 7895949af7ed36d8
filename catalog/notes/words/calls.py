"""How does a call read that is asked whether it holds?"""

import ast

from catalog.notes.words.names import Names
from catalog.notes.words.nouns import join_nouns, say_noun, write_code
from catalog.notes.words.phrases import Phrase
from catalog.notes.words.texts import write_source

_ENDS = {"startswith": ("starts with", "does not start with"), "endswith": ("ends with", "does not end with")}
_QUESTIONS = {
    "isfinite": ("is finite", "is not finite"),
    "isnan": ("is not a number", "is a number"),
    "isinf": ("is infinite", "is not infinite"),
    "callable": ("can be called", "cannot be called"),
    "is_dataclass": ("is a dataclass", "is not a dataclass"),
}
_PATHS = {
    "exists": ("exists", "does not exist"),
    "is_file": ("is a file", "is not a file"),
    "isfile": ("is a file", "is not a file"),
    "is_dir": ("is a folder", "is not a folder"),
    "isdir": ("is a folder", "is not a folder"),
    "isdigit": ("consists of digits", "does not consist of digits"),
    "is_integer": ("is a whole number", "is not a whole number"),
}
_VOWELS = "aeiouAEIOU"
_AT_FIRST = ("uni", "use", "eu")


def say_call(node: ast.Call, names: Names, wanted: bool) -> Phrase | None:
    """Say that a call gives something true, or doesn't; None for a call without words of its own."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, classes], keywords=[]):
            return Phrase(say_noun(subject, names), f"is {'' if wanted else 'not '}{_name_classes(classes)}")
        case ast.Call(func=ast.Name(id="issubclass"), args=[subject, classes], keywords=[]):
            kinds = join_nouns([f"`{each}`" for each in list_classes(classes)], "or")
            return Phrase(say_noun(subject, names), f"is {'' if wanted else 'not '}a subclass of {kinds}")
        case ast.Call(func=ast.Name(id="hasattr"), args=[subject, ast.Constant(value=str(name))], keywords=[]):
            return Phrase(say_noun(subject, names), f"has {'an' if wanted else 'no'} attribute `{name}`")
        case ast.Call(func=ast.Attribute(value=subject, attr=attr), args=[end], keywords=[]) if attr in _ENDS:
            ends = end.elts if isinstance(end, ast.Tuple) else [end]
            said = join_nouns([say_noun(each, names) for each in ends], "or")
            return Phrase(say_noun(subject, names), f"{_ENDS[attr][not wanted]} {said}")
        case ast.Call(func=func, args=[subject], keywords=[]):
            return _say_question(func, subject, names, wanted)
        case ast.Call(func=ast.Attribute(value=subject, attr=attr), args=[], keywords=[]) if attr in _PATHS:
            return Phrase(say_noun(subject, names), _PATHS[attr][not wanted])
    return None


def _say_question(func: ast.expr, subject: ast.expr, names: Names, wanted: bool) -> Phrase | None:
    asked = write_source(func).rpartition(".")[2]
    words = _QUESTIONS.get(asked) or (_PATHS.get(asked) if write_source(func).startswith("os.path.") else None)
    return Phrase(say_noun(subject, names), words[not wanted]) if words else None


def list_classes(classes: ast.expr) -> list[str]:
    """Give the names of the classes that `isinstance` is asked about."""
    match classes:
        case ast.Tuple(elts=elements):
            return [name for element in elements for name in list_classes(element)]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*list_classes(left), *list_classes(right)]
        case ast.Call(func=ast.Name(id="type"), args=[ast.Constant(value=None)]):
            return ["None"]
    return [write_code(classes)]


def _name_classes(classes: ast.expr) -> str:
    names = list_classes(classes)
    return f"{choose_article(names[0])} {join_nouns([f'`{name}`' for name in names], 'or')}"


def choose_article(name: str) -> str:
    """Give the article that a name is read with."""
    word = name.rpartition(".")[2]
    return "an" if word[:1] in _VOWELS and word and not word.lower().startswith(_AT_FIRST) else "a"
