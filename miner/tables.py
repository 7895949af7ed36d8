"""A table of functions that is asked at run time, like `FACTORIES.get(kind)` → the functions of the target it may hold.

A table's own literal says which, and so do the statements that fill it. Where a function fills it with what it is
given, nothing is known as soon as something in the target calls that function; what other projects would register is
taken to be as harmless as all that they do.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

import libcst as cst

from miner.effects import Path, find_path, find_targets
from miner.flow import Block, For, Step, list_blocks
from miner.locate import Unit

_FILLERS = "append|extend|insert|add|update|setdefault"
_READERS = ("get", "items", "values")


def find_choices(block: Block) -> Mapping[str, str]:
    """Find the names of a unit that are only ever bound to what one table holds: name → table."""
    found: dict[str, set[str | None]] = {}
    for name, table in _list_bound(block):
        found.setdefault(name, set()).add(table)
    return {name: table for name, (table, *more) in found.items() if table is not None and not more}


def _list_bound(block: Block) -> Iterator[tuple[str, str | None]]:
    for statement in block:
        match statement:
            case Step(node=cst.Assign(targets=targets, value=value)):
                for target in targets:
                    yield from _bind(target.target, _name_table(value))
            case Step(node=cst.AnnAssign(target=target, value=cst.BaseExpression() as value)):
                yield from _bind(target, _name_table(value))
            case For(target=target, items=items):
                yield from _bind(target, _name_table(items))
            case _:
                pass
        for inner in list_blocks(statement):
            yield from _list_bound(inner)


def _bind(target: cst.CSTNode, table: str | None) -> Iterator[tuple[str, str | None]]:
    return ((path[0], table) for path in find_targets(target) if len(path) == 1)


def _name_table(value: cst.BaseExpression) -> str | None:
    """Name the table in `TABLE[key]`, `TABLE.get(key)`, `TABLE.items()` or `TABLE`."""
    match value:
        case cst.Subscript(value=cst.Name(value=name)) | cst.Name(value=name):
            return name if name.isupper() else None
        case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=method))):
            return name if name.isupper() and method in _READERS else None
        case _:
            return None


def list_literal(node: cst.BaseExpression) -> tuple[Path, ...] | None:
    """List the functions that a literal table names; `None` where it holds anything else."""
    values: list[cst.BaseExpression]
    match node:
        case cst.Dict(elements=elements) if all(isinstance(e, cst.DictElement) for e in elements):
            values = [element.value for element in elements]
        case cst.List(elements=elements) | cst.Tuple(elements=elements) | cst.Set(elements=elements):
            values = [element.value for element in elements]
        case cst.Call(func=cst.Name(value="dict" | "list" | "set"), args=()):
            values = []
        case _:
            return None
    found = [path for value in values for path in _list_functions(value)]
    return None if None in found else tuple(path for path in found if path is not None)


def _list_functions(value: cst.BaseExpression) -> Iterator[Path | None]:
    if isinstance(value, cst.Tuple | cst.List):
        for element in value.elements:
            yield from _list_functions(element.value)
    elif not isinstance(value, cst.SimpleString | cst.Integer):
        yield find_path(value)


def find_fillers(text: str, units: Iterable[Unit], table: str) -> Iterator[str | None]:
    """Name the functions of a module that fill a table; `None` for a statement outside any, or a use not understood."""
    fills = re.compile(rf"\b{table}\b(?:\[[^\n]*\]\s*=(?!=)|\.(?:{_FILLERS})\()|[(,]\s*{table}\s*[,)]|=\s*{table}\s*\Z")
    for unit in units:
        for row in unit.rows:
            if fills.search(text[row.start : row.end]) is not None:
                outer = unit
                while outer.parent is not None and outer.parent.kind != "module":
                    outer = outer.parent
                yield outer.name if outer.kind == "function" else None


def is_used(name: str, sources: Mapping[str, bytes]) -> bool:
    """Tell whether a function is used anywhere but where it is defined and imported."""
    word = name.encode()
    if not any(word in data for data in sources.values()):
        return False
    use = re.compile(rb"(?<!def )\b" + word + rb"\s*\(|=\s*" + word + rb"\b|\(" + word + rb"[,)]")
    return any(use.search(data) is not None for data in sources.values() if word in data)


def find_foreign_fills(table: str, module: str, sources: Mapping[str, bytes]) -> bool:
    """Tell whether another module fills a table."""
    word = table.encode()
    fills = re.compile(rb"\b" + word + rb"\b(?:\[[^\n]*\]\s*=(?!=)|\.(?:" + _FILLERS.encode() + rb")\()")
    return any(name != module and word in data and fills.search(data) is not None for name, data in sources.items())
