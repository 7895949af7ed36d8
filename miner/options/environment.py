"""A module's text → the environment variables that it reads, one by one or in a table."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from miner.options.atlas import Place
from miner.options.flags import read_call
from miner.options.outline import Outline, parse, read_assignment
from miner.options.wording import read_comments, read_text
from miner.wording import write_expression

NAME = r"[A-Z_][A-Z0-9_]*"
READ = re.compile(
    rf"env(?:iron(?:\.(?:get|pop|setdefault))?|_\w+)?\s*(?:(?P<call>\()|\[)\s*[\"'](?P<name>{NAME})[\"'](?!\s*\]\s*=[^=])"
)
_MEMBER = re.compile(rf"[\"'](?P<name>{NAME})[\"']\s+(?:not\s+)?in\s+(?:os\.)?environ\b")
MENTION = re.compile(r"env", re.IGNORECASE)
_TABLE = re.compile(rf"\{{\s*(?:#[^\n]*\s*)*[\"']{NAME}[\"']\s*:")
_DECLARED = re.compile(rf"({NAME})\s*=\s*(?:\w+\.)?Env\w*\s*\(")


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable where the target reads it."""

    name: str
    type: str | None
    default: str | None
    help: str | None
    outline: Outline
    line: int
    rank: int
    """0: an entry of a table of variables; 1: a read with a default; 2: any other read."""


def find_variables(outline: Outline) -> Iterator[Variable]:
    """Find the variables that a module reads or lists."""
    if MENTION.search(outline.text) is None:
        return
    yield from _find_declared(outline)
    yield from _find_tables(outline)
    text = outline.text
    members = _MEMBER.finditer(text) if "environ" in text else ()
    for found in (*READ.finditer(text), *members):
        if outline.locate(found.start() if found.re is READ else found.end() - 1) is None:
            continue
        default = None
        if found.groupdict().get("call") is not None:
            call = read_call(text, found.start(), min(len(text), found.start() + 2000))
            default = _read_default(call) if call is not None else None
        line = text.count("\n", 0, found.start()) + 1
        yield Variable(found["name"], None, default, None, outline, line, 2 if default is None else 1)


def _find_declared(outline: Outline) -> Iterator[Variable]:
    """Find the entries of a class that lists variables as `NAME = EnvInt(3)`."""
    text = outline.text
    for unit in outline.units.values():
        if unit.kind != "class":
            continue
        for row in unit.rows:
            found = _DECLARED.match(text, row.start, row.end)
            assigned = read_assignment(text, row) if found is not None else None
            call = parse(assigned.value) if assigned is not None and assigned.value is not None else None
            if assigned is None or not isinstance(call, cst.Call):
                continue
            first = next((each.value for each in call.args if each.keyword is None), None)
            made = write_expression(call.func).rpartition(".")[2]
            type_ = made.removeprefix("Env").removesuffix("WithAlias").lower() or None
            default = write_expression(first) if first is not None else None
            yield Variable(assigned.name, type_, default, read_comments(text, row.start), outline, row.line, 0)


def _find_tables(outline: Outline) -> Iterator[Variable]:
    """Find the entries of a dictionary from names of variables to how they are read."""
    text = outline.text
    for each in outline.globals.values():
        if each.value is None or _TABLE.match(each.value) is None or MENTION.search(each.value) is None:
            continue
        table = parse(each.value)
        if not isinstance(table, cst.Dict):
            continue
        start = _find_line(text, each.line)
        for element in table.elements:
            name = read_text(element.key) if isinstance(element, cst.DictElement) else None
            if name is None or not isinstance(element, cst.DictElement) or re.fullmatch(NAME, name) is None:
                continue
            key = re.compile(rf"[\"']{name}[\"']\s*:").search(text, start)
            if key is None:
                continue
            start = key.end()
            line = text.count("\n", 0, key.start()) + 1
            default = _find_default(element.value, name)
            yield Variable(name, None, default, read_comments(text, key.start()), outline, line, 0)


def _find_line(text: str, line: int) -> int:
    position = 0
    for _ in range(line - 1):
        position = text.find("\n", position) + 1
    return position


def _find_default(node: cst.BaseExpression, name: str) -> str | None:
    code = write_expression(node)
    for found in READ.finditer(code):
        if found["name"] == name and found["call"] is not None:
            call = read_call(code, found.start(), len(code))
            return _read_default(call) if call is not None else None
    return None


def _read_default(call: cst.Call) -> str | None:
    if len(call.args) > 1 and call.args[1].keyword is None and not call.args[1].star:
        return write_expression(call.args[1].value)
    named = next((each.value for each in call.args if each.keyword and each.keyword.value == "default"), None)
    return write_expression(named) if named is not None else None


def find_declarer(place: Place, name: str) -> bool:
    """Tell whether a class lists a variable of that name."""
    text = place.outline.text
    return any(
        (found := _DECLARED.match(text, row.start, row.end)) is not None and found[1] == name for row in place.unit.rows
    )
