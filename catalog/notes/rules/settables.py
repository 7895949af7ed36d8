"""Which parts of a branch can a reader set: options, else the arguments of the function that raises?"""

import ast
from collections.abc import Mapping
from functools import lru_cache

from catalog.notes.places import Place
from catalog.notes.rules.cases import Case
from catalog.notes.words.texts import write_source
from catalog.records import Option

_MAKERS = ("__init__", "__post_init__", "__new__", "__attrs_post_init__")


def find_settables(case: Case, leaves: tuple[ast.expr, ...]) -> Mapping[str, Place]:
    """Give the leaves that can be set, by source text, and where."""
    options = {write_source(leaf): place for leaf in leaves if (place := case.terms.find(leaf)) is not None}
    return options or _find_arguments(case, leaves)


def _find_arguments(case: Case, leaves: tuple[ast.expr, ...]) -> dict[str, Place]:
    """Take what a public function or class is called with for what its caller can set."""
    site = case.entry.site
    if case.entry.kind == "constraint" or site.qualname == "<module>":
        return {}
    *owners, function = site.qualname.split(".")
    makes = bool(owners) and function in _MAKERS
    called = owners[-1] if makes else function
    if called.startswith("_"):
        return {}
    parameters = read_parameters(site.signature or "")
    found = {}
    for leaf in leaves:
        text = write_source(leaf)
        name = text.removeprefix("self.") if makes else text
        is_own = text in parameters or (makes and text.startswith("self."))
        if is_own and name.isidentifier() and text not in case.terms.computed:
            found[text] = _make_place(called, name, parameters.get(name), case)
    return found


def _make_place(called: str, name: str, type_: str | None, case: Case) -> Place:
    site = case.entry.site
    id_ = f"{called}.{name}"
    return Place(Option(id_, "field", name, (), called, type_, None, (), None, site.path, site.line), None, ())


@lru_cache(maxsize=4096)
def read_parameters(signature: str) -> Mapping[str, str | None]:
    """Give the parameters of a function with their types, without `self` and `cls`."""
    try:
        (function,) = ast.parse(f"def f{signature}: ...").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return {}
    if not isinstance(function, ast.FunctionDef):
        return {}
    arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return {
        one.arg: ast.unparse(one.annotation) if one.annotation is not None else None
        for one in arguments
        if one.arg not in ("self", "cls")
    }
