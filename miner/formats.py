"""The three format languages → parts: f-strings, `str.format` and `%`."""

import ast
import re
import string
from collections.abc import Iterator, Sequence

import libcst as cst

from catalog.records import Hole, Part, Text
from miner.wording import fold_lines, write_expression

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+))?[hlL]?(?P<type>.)",
    re.DOTALL,
)
_EMPTY = cst.Module([])


def read_f_string(node: cst.FormattedString) -> tuple[Part, ...]:
    """Read an f-string."""
    raw = "r" in node.start.lower()
    quote = node.end
    parts: list[Part] = []
    for piece in node.parts:
        if isinstance(piece, cst.FormattedStringText):
            _add_text(parts, _unescape(piece.value, raw, quote))
        elif isinstance(piece, cst.FormattedStringExpression):
            _add_hole(parts, piece)
    return tuple(parts)


def _unescape(raw_text: str, raw: bool, quote: str) -> str:
    text = raw_text
    if "\\" in text and not raw:
        try:
            text = ast.literal_eval(f"{quote}{text}{quote}")
        except (SyntaxError, ValueError):
            text = raw_text
    return text.replace("{{", "{").replace("}}", "}")


def _add_text(parts: list[Part], text: str) -> None:
    text = text.encode("utf-8", "backslashreplace").decode()
    if not text:
        return
    if parts and isinstance(parts[-1], Text):
        parts[-1] = Text(parts[-1].text + text)
    else:
        parts.append(Text(text))


def _add_hole(parts: list[Part], piece: cst.FormattedStringExpression) -> None:
    spec = _write_spec(piece.format_spec) if piece.format_spec is not None else None
    if piece.equal is None:
        parts.append(Hole(write_expression(piece.expression), piece.conversion, spec, False))
        return
    shown = _EMPTY.code_for_node(piece.whitespace_before_expression) + _EMPTY.code_for_node(piece.expression)
    after = _EMPTY.code_for_node(piece.equal)
    before, _, behind = after.partition("=")
    if behind:
        # Blanks behind the `=` are printed too; no hole can carry them, so they and the name become fixed text.
        _add_text(parts, f"{shown}{before}={behind}")
        conversion = piece.conversion or ("r" if spec is None else None)
        parts.append(Hole(write_expression(piece.expression), conversion, spec, False))
        return
    parts.append(Hole(shown + before, piece.conversion, spec, True))


def _write_spec(spec: Sequence[cst.BaseFormattedStringContent]) -> str:
    return "".join(_EMPTY.code_for_node(piece) for piece in spec)


def read_format(text: str, arguments: Sequence[cst.Arg]) -> list[Part] | None:
    """Read `text.format(*arguments)`; `None` where the text is no valid format."""
    positional = [a.value for a in arguments if a.keyword is None and not a.star]
    named = {a.keyword.value: a.value for a in arguments if a.keyword is not None}
    parts: list[Part] = []
    counter = 0
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return None
    for fixed, field, spec, conversion in fields:
        _add_text(parts, fixed)
        if field is None:
            continue
        head, rest = re.match(r"([^.\[]*)(.*)", field, re.DOTALL).groups()  # type: ignore[union-attr]
        if head == "":
            head, counter = str(counter), counter + 1
        base: cst.BaseExpression | None = named.get(head)
        if head.isdigit() and int(head) < len(positional):
            base = positional[int(head)]
        expression = _write_operand(base) if base is not None and rest else (write_expression(base) if base else head)
        parts.append(Hole(expression + _quote_keys(rest), conversion, spec or None, False))
    return parts


def _quote_keys(rest: str) -> str:
    return re.sub(r"\[([^\]\d][^\]]*)\]", lambda found: f"[{found[1]!r}]", rest)


def _write_operand(node: cst.BaseExpression) -> str:
    text = write_expression(node)
    simple = isinstance(node, cst.Name | cst.Attribute | cst.Call | cst.Subscript)
    return text if simple else f"({text})"


def read_percent(text: str, values: cst.BaseExpression) -> Iterator[Part]:
    """Read `text % values`."""
    elements = list(_list_values(values))
    keyed = {
        key.evaluated_value: element.value
        for element in (values.elements if isinstance(values, cst.Dict) else ())
        if isinstance(element, cst.DictElement) and isinstance(key := element.key, cst.SimpleString)
    }
    position, taken = 0, 0
    for found in _PERCENT.finditer(text):
        if found.start() > position:
            yield Text(text[position : found.start()])
        position = found.end()
        if found["type"] == "%":
            yield Text("%")
            continue
        taken += (found["width"] == "*") + (found["precision"] == "*")
        if found["key"] is not None:
            value = keyed.get(found["key"])
            expression = write_expression(value) if value is not None else f"{_write_operand(values)}[{found['key']!r}]"
        elif isinstance(values, cst.Tuple):
            expression = elements[taken] if taken < len(elements) else "?"
        else:
            expression = write_expression(values) if taken == 0 else f"{_write_operand(values)}[{taken}]"
        taken += found["key"] is None
        yield _percent_hole(expression, found)
    if position < len(text):
        yield Text(text[position:])


def _list_values(values: cst.BaseExpression) -> Iterator[str]:
    if isinstance(values, cst.Tuple):
        for element in values.elements:
            yield fold_lines(_EMPTY.code_for_node(element.value))


def _percent_hole(expression: str, found: re.Match[str]) -> Hole:
    kind = found["type"]
    if kind in "rsa":
        width = found["width"] or ""
        align = "<" if "-" in found["flags"] else ">"
        spec = f"{align}{width}" if width and width != "*" else None
        return Hole(expression, kind if kind != "s" else None, spec, False)
    flags = found["flags"].replace("-", "")
    width = found["width"] if found["width"] not in (None, "*") else ""
    precision = f".{found['precision']}" if found["precision"] not in (None, "*") else ""
    kind = "d" if kind in "iu" else kind
    if kind == "d" and not (flags or width or precision):
        return Hole(expression, None, None, False)
    if kind == "d":
        precision = ""
    return Hole(expression, None, f"{flags}{width}{precision}{kind}", False)
