"""What does a condition depend on, and what is each of these called as a parameter of a function?"""

import ast
import builtins
import keyword
import re
from collections.abc import Container, Iterable, Iterator

from catalog.notes.evaluation.calls import FUNCTIONS, NAMED_TYPES
from catalog.notes.words.names import Names
from catalog.notes.words.texts import list_parts, write_source

_METHODS = frozenset(
    "capitalize casefold endswith isalnum isalpha isdigit islower isupper lower lstrip removeprefix removesuffix "
    "rstrip split startswith strip upper".split()
)
"""Methods of text that are worked out, so that a condition depends on the text and not on the call."""
_LONGEST = 60


class Opaque(Exception):
    """A condition depends on something that can't be given as a value: an attribute of a loop's item, a lambda."""


def list_leaves(node: ast.expr, names: Names) -> tuple[ast.expr, ...]:
    """Give the smallest parts of a condition that have to be known to work it out, in the order in which it has them.

    These are options, names and paths, and the calls of whatever isn't a plain function of values. Raises `Opaque`
    where a part can't be known by itself.
    """
    bound = frozenset(part.target.id for part in list_parts(node) if isinstance(part, ast.NamedExpr))
    found = {write_source(leaf): leaf for leaf in _list(node, names, bound)}
    return tuple(found.values())


def _list(node: ast.expr, names: Names, bound: frozenset[str]) -> Iterator[ast.expr]:
    if names.find(node) is not None:
        yield node
        return
    match node:
        case ast.Constant():
            return
        case ast.Name(id=name):
            if name not in bound and name not in NAMED_TYPES:
                yield node
        case ast.Attribute() if _speaks_of(node, bound):
            raise Opaque(write_source(node))
        case ast.Subscript(value=value) if not _speaks_of(node, bound) and names.find(value) is None:
            yield node
        case ast.Attribute():
            yield node
        case ast.Call():
            yield from _list_call(node, names, bound)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            yield from _list_comprehension(node, names, bound)
        case ast.Lambda() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.JoinedStr():
            raise Opaque(write_source(node))
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield from _list(child, names, bound)


def is_computed(node: ast.Call) -> bool:
    """Tell whether a call is worked out from its arguments, rather than known by its outcome."""
    match node.func:
        case ast.Name(id="isinstance"):
            return len(node.args) == 2 and _is_builtin(node.args[1])
        case ast.Name(id=name):
            return name in FUNCTIONS
        case ast.Attribute(value=ast.Name(id="math"), attr=attr):
            return f"math.{attr}" in FUNCTIONS
        case ast.Attribute(attr=attr):
            return attr in _METHODS
    return False


def _list_call(node: ast.Call, names: Names, bound: frozenset[str]) -> Iterator[ast.expr]:
    if is_computed(node):
        subject = [node.func.value] if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS else []
        for part in (*subject, *node.args, *(named.value for named in node.keywords)):
            yield from _list(part, names, bound)
    elif _speaks_of(node, bound):
        raise Opaque(write_source(node))
    else:
        yield node


def _list_comprehension(
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, names: Names, bound: frozenset[str]
) -> Iterator[ast.expr]:
    for loop in node.generators:
        yield from _list(loop.iter, names, bound)
        bound |= {part.id for part in list_parts(loop.target) if isinstance(part, ast.Name)}
        for test in loop.ifs:
            yield from _list(test, names, bound)
    for element in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
        yield from _list(element, names, bound)


def _is_builtin(classes: ast.expr) -> bool:
    return all(part.id in NAMED_TYPES for part in list_parts(classes) if isinstance(part, ast.Name)) and not any(
        isinstance(part, ast.Attribute | ast.Call) for part in list_parts(classes)
    )


def _speaks_of(node: ast.expr, bound: frozenset[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in bound for part in list_parts(node))


def name_parameters(leaves: Iterable[ast.expr], names: Names, known: Container[str]) -> dict[str, str]:
    """Give each leaf's name as a parameter, by source text: a known option's own, else its text made an identifier."""
    given: dict[str, str] = {}
    for leaf in leaves:
        text = write_source(leaf)
        place = names.find(leaf)
        plain = make_identifier(place.option.name if place is not None and place.option.id in known else text)
        taken = [other for other, name in given.items() if name == plain and not _is_same_option(other, leaf, names)]
        if taken and place is not None and "." in place.option.id:
            plain = make_identifier(".".join(place.option.id.rsplit(".", 2)[-2:]).lower())
        name, number = plain, 2
        while any(name == used and not _is_same_option(other, leaf, names) for other, used in given.items()):
            name, number = f"{plain}_{number}", number + 1
        given[text] = name
    return given


def make_identifier(text: str) -> str:
    """Make an identifier of a source text: `self.sizes[0]` is `sizes_0`."""
    plain = re.sub(r"\W+", "_", re.sub(r"^(?:self|cls)\.", "", text)).strip("_")[:_LONGEST].rstrip("_")
    if not plain or plain[0].isdigit():
        plain = f"value_{plain}".rstrip("_")
    return f"{plain}_" if keyword.iskeyword(plain) or (hasattr(builtins, plain) and plain in FUNCTIONS) else plain


def _is_same_option(text: str, leaf: ast.expr, names: Names) -> bool:
    """Tell whether two leaves are the same option under two of the source's names."""
    one, other = names.find(ast.parse(text, mode="eval").body), names.find(leaf)
    return one is not None and other is not None and one.option.id == other.option.id
