"""A function's decorators and parameters → the flags that click and typer make of them."""

import re
from collections.abc import Iterator

import libcst as cst

from miner.options.atlas import Place
from miner.options.flags import FLAG, Flag
from miner.options.outline import parse
from miner.options.wording import read_text
from miner.wording import write_expression

_OPTION = re.compile(r"(?:[\w.]+\.)?option\s*\(")


def find_command_flags(place: Place) -> Iterator[Flag]:
    """Find the flags of a function that is a command."""
    line = place.unit.header.line if place.unit.header is not None else 0
    parameters = {each.name: each for each in place.outline.read_parameters(place.unit)} if _has_options(place) else {}
    for row in place.outline.list_decorator_rows(place.unit):
        decorator = place.outline.text[row.start + 1 : row.end].strip()
        call = parse(decorator) if _OPTION.match(decorator) else None
        if isinstance(call, cst.Call):
            yield from _read_click(call, place, row.line, frozenset(parameters))
    for parameter in parameters.values():
        declared = _find_typer(parameter.annotation, parameter.default)
        if declared is not None:
            annotated = write_expression(parameter.annotation) if parameter.annotation is not None else ""
            yield _read_typer(declared, parameter.name, annotated, place, line)


def _has_options(place: Place) -> bool:
    header = place.unit.header
    text = place.outline.text
    return header is not None and (
        "Option" in text[header.start : header.end]
        or any(map(_OPTION.match, place.outline.read_decorators(place.unit)))
    )


def _read_click(call: cst.Call, place: Place, line: int, parameters: frozenset[str]) -> Iterator[Flag]:
    given = {each.keyword.value: each.value for each in call.args if each.keyword is not None}
    texts = [text for each in call.args if each.keyword is None and (text := read_text(each.value))]
    names = [name.strip() for text in texts for name in text.split("/") if FLAG.match(name.strip())]
    own = next((text for text in texts if text.isidentifier()), None)
    first = next((text.split("/")[0].strip() for text in texts if text.startswith("--")), names[0] if names else "")
    if names:
        dest = own or first.lstrip("-").replace("-", "_").lower()
        if not parameters or dest in parameters or own is None:
            yield Flag(tuple(dict.fromkeys(names)), dest, place, line, None, given)


def _find_typer(annotation: cst.BaseExpression | None, default: cst.BaseExpression | None) -> cst.Call | None:
    candidates = [default]
    if isinstance(annotation, cst.Subscript) and write_expression(annotation.value).endswith("Annotated"):
        candidates += [each.slice.value for each in annotation.slice if isinstance(each.slice, cst.Index)]
    for node in candidates:
        if isinstance(node, cst.Call) and write_expression(node.func) in ("typer.Option", "Option"):
            return node
    return None


def _read_typer(call: cst.Call, name: str, annotated: str, place: Place, line: int) -> Flag:
    given = {each.keyword.value: each.value for each in call.args if each.keyword is not None}
    texts = [text for each in call.args if each.keyword is None and (text := read_text(each.value))]
    names = [part.strip() for text in texts for part in text.split("/") if FLAG.match(part.strip())]
    if not names:
        dashed = name.replace("_", "-")
        names = [f"--{dashed}"]
        if re.search(r"\bbool\b", annotated):
            names.append(f"--no-{dashed}")
    return Flag(tuple(dict.fromkeys(names)), name, place, line, None, given)
