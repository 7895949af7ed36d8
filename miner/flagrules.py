"""Calls of `add_argument` → the rules that the parser enforces on what a user types."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from miner.lexing import LogicalLine
from miner.locate import Unit
from miner.rules import (
    Rule,
    choose_argument,
    convert_argument,
    count_argument,
    exclude_arguments,
    require_argument,
    require_one,
)
from miner.wording import write_expression

FLAG_ROW = re.compile(r"\.\s*add_(?:argument|mutually_exclusive_group)\s*\(")
_NEVER_FAIL = frozenset("str bool repr Path PurePath pathlib.Path pathlib.PurePath os.path.expanduser".split())
_NARGS = {"OPTIONAL": "?", "ZERO_OR_MORE": "*", "ONE_OR_MORE": "+", "REMAINDER": "...", "PARSER": "A...", "None": ""}
_MAY_BE_EMPTY = ("?", "*", "...")
_WITHOUT_VALUE = frozenset("store_true store_false store_const count append_const help version".split())


@dataclass(frozen=True, slots=True)
class _Flag:
    """One command-line argument."""

    row: LogicalLine
    parser: str
    label: str
    """As the parser calls it in its errors: `-q/--quick`."""
    name: str
    """Where its value goes."""
    is_positional: bool
    options: dict[str, cst.BaseExpression]

    @property
    def given(self) -> str:
        """How to tell from its value that it was given."""
        return self._compare("is not", "!=")

    @property
    def missing(self) -> str:
        """How to tell from its value that it was not given."""
        return self._compare("is", "==")

    def _compare(self, word: str, operator: str) -> str:
        action = _read_text(self.options.get("action"))
        if action in ("store_true", "store_false"):
            return self.name if (action == "store_true") == (operator == "!=") else f"not {self.name}"
        node = self.options.get("default")
        default = "None" if node is None else write_expression(node)
        if default == "None":
            return f"{self.name} {word} None"
        is_loose = isinstance(node, cst.IfExp | cst.Lambda | cst.BooleanOperation | cst.Comparison | cst.UnaryOperation)
        return f"{self.name} {operator} ({default})" if is_loose else f"{self.name} {operator} {default}"


@dataclass(frozen=True, slots=True)
class _Group:
    """Arguments that exclude each other."""

    row: LogicalLine
    name: str
    is_required: bool


def list_flag_rules(text: str, unit: Unit) -> Iterator[tuple[LogicalLine, Rule]]:
    """List the rules of a unit's command-line arguments, each with the line that declares it."""
    flags: list[_Flag] = []
    groups: list[_Group] = []
    for row in unit.rows:
        if FLAG_ROW.search(text, row.start, row.end) is None or row.start in unit.nested:
            continue
        match _parse(text, row):
            case _Flag() as flag:
                flags.append(flag)
                yield from ((row, rule) for rule in _list_rules(flag))
            case _Group() as group:
                groups.append(group)
            case None:
                pass
    for group in groups:
        members = [flag for flag in flags if flag.parser == group.name]
        yield from _list_group_rules(group, members)


def _parse(text: str, row: LogicalLine) -> _Flag | _Group | None:
    try:
        statement = cst.parse_statement(text[row.start : row.end])
    except cst.ParserSyntaxError:
        return None
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
            return _read_flag(row, call)
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as call)]
        ):
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "add_mutually_exclusive_group":
                options = _read_options(call)
                return _Group(row, write_expression(target), _is_true(options.get("required")))
            return _read_flag(row, call)
        case _:
            return None


def _read_flag(row: LogicalLine, call: cst.Call) -> _Flag | None:
    if not (isinstance(call.func, cst.Attribute) and call.func.attr.value == "add_argument"):
        return None
    names: list[str] = []
    for argument in call.args:
        if argument.keyword is None and not argument.star:
            value = argument.value
            if not (isinstance(value, cst.SimpleString) and isinstance(value.evaluated_value, str)):
                return None
            names.append(value.evaluated_value)
    if not names or any(argument.star for argument in call.args):
        return None
    options = _read_options(call)
    is_positional = not names[0].startswith("-")
    long = next((name for name in names if name.startswith("--")), names[0])
    target = _read_text(options.get("dest")) or long.lstrip("-").replace("-", "_")
    if not target.isidentifier():
        return None
    label = (_read_text(options.get("metavar")) or names[0]) if is_positional else "/".join(names)
    return _Flag(row, write_expression(call.func.value), label, target, is_positional, options)


def _read_options(call: cst.Call) -> dict[str, cst.BaseExpression]:
    return {argument.keyword.value: argument.value for argument in call.args if argument.keyword is not None}


def _read_text(node: cst.BaseExpression | None) -> str | None:
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else None
    return value if isinstance(value, str) else None


def _is_true(node: cst.BaseExpression | None) -> bool:
    return isinstance(node, cst.Name) and node.value == "True"


def _list_rules(flag: _Flag) -> Iterator[Rule]:
    options = flag.options
    nargs = _read_nargs(options.get("nargs"))
    if _read_text(options.get("action")) not in _WITHOUT_VALUE:
        yield from _list_value_rules(flag, nargs)
    if _is_true(options.get("required")):
        yield require_argument(flag.label, flag.given, flag.missing)
    elif flag.is_positional and nargs is not None and nargs not in _MAY_BE_EMPTY:
        yield require_argument(flag.label, f"{flag.name} is not None", f"{flag.name} is None")


def _list_value_rules(flag: _Flag, nargs: str | None) -> Iterator[Rule]:
    choices = flag.options.get("choices")
    if choices is not None and write_expression(choices) != "None":
        yield choose_argument(flag.label, flag.name, choices)
    kind = flag.options.get("type")
    if isinstance(kind, cst.Name | cst.Attribute) and write_expression(kind) not in _NEVER_FAIL | {"None"}:
        yield convert_argument(flag.label, flag.name, write_expression(kind))
    if not flag.is_positional and nargs is not None:
        yield from count_argument(flag.label, flag.name, nargs)


def _read_nargs(node: cst.BaseExpression | None) -> str | None:
    """Read how many values an argument takes: empty for one, `None` for what can't be told."""
    match node:
        case None:
            return ""
        case cst.Integer():
            return node.value
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return _NARGS.get(name)
        case _:
            return _read_text(node)


def _list_group_rules(group: _Group, members: Sequence[_Flag]) -> Iterator[tuple[LogicalLine, Rule]]:
    for flag in members:
        others = [other.given for other in members if other is not flag]
        if others:
            yield flag.row, exclude_arguments(flag.label, flag.given, others)
    if group.is_required and members:
        yield group.row, require_one([flag.label for flag in members], [flag.missing for flag in members])
