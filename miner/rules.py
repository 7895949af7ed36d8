"""A rule that a library enforces → when it is violated, and what the library prints then."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import libcst as cst

from catalog.records import Clause, ExceptionType, Guard, Hole, Message, Part, Text
from miner.messages import make_message
from miner.templates import Draft, merge_text
from miner.wording import write_expression

VALIDATION_ERROR = ExceptionType("ValidationError", "pydantic_core.ValidationError", ("ValueError", "Exception"))
PARSER_EXIT = ExceptionType("SystemExit", "builtins.SystemExit", ("BaseException",))
_BOUNDS = {
    "gt": (">", "<=", "greater than", "greater_than"),
    "ge": (">=", "<", "greater than or equal to", "greater_than_equal"),
    "lt": ("<", ">=", "less than", "less_than"),
    "le": ("<=", ">", "less than or equal to", "less_than_equal"),
}
_LENGTHS = {
    "min_length": (">=", "<", "at least", "too_short"),
    "max_length": ("<=", ">", "at most", "too_long"),
}
_CONTAINERS = {
    "list": "List",
    "tuple": "Tuple",
    "set": "Set",
    "frozenset": "Frozenset",
    "dict": "Dictionary",
    "mapping": "Dictionary",
    "deque": "Deque",
}
"""What a validator calls a value of these types when its length is wrong; of others it says `Value`."""
_NOT_COUNTED = ("Set", "Frozenset", "Dictionary")
"""Filling one stops at the first item too many, so the message doesn't say how many there were."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule on one value."""

    holds: str
    """What must hold, as an expression; words where none says it."""
    violated: str
    """The opposite, as a condition."""
    parts: tuple[Part, ...]
    exception: ExceptionType
    inexact_because: tuple[str, ...] = ()

    def make_guard(self, line: int) -> Guard:
        """Make the guard of the rule's violation."""
        exact = not self.inexact_because
        return Guard(
            branch=self.violated,
            condition=self.violated,
            clauses=(Clause("own", self.holds, True, line, ()),),
            bindings=(),
            exact=exact,
            closed=exact,
            inexact_because=self.inexact_because,
        )

    def make_message(self) -> Message | None:
        """Make the message that the library prints."""
        return make_message((Draft(merge_text(self.parts)),), None)


def bound_field(name: str, keyword: str, value: cst.BaseExpression, *, optional: bool, kind: str) -> Rule | None:
    """Give the rule of a keyword that bounds a field of some kind (`int`, `str`, `list`): `gt`, `max_length`, …"""
    limit = write_expression(value)
    shown = _show_limit(value)
    if keyword in _BOUNDS:
        holds, violated, words, slug = _BOUNDS[keyword]
        test = f"{name} {holds} {limit}"
        opposite = f"not {test}" if kind == "float" else f"{name} {violated} {limit}"
        return _make_field_rule(name, test, opposite, (Text(f"Input should be {words} "), shown), slug, optional)
    if keyword in _LENGTHS:
        return _bound_length(name, keyword, limit, shown, optional=optional, kind=kind)
    if keyword == "multiple_of":
        parts: tuple[Part, ...] = (Text("Input should be a multiple of "), shown)
        return _make_field_rule(name, f"{name} % {limit} == 0", f"{name} % {limit} != 0", parts, keyword, optional)
    if keyword in ("pattern", "regex") and isinstance(value, cst.SimpleString):
        test = f"re.search({limit}, {name})"
        parts = (Text(f"String should match pattern '{_read_text(value)}'"),)
        return _make_field_rule(name, test, f"not {test}", parts, "string_pattern_mismatch", optional)
    return None


def _bound_length(name: str, keyword: str, limit: str, shown: Part, *, optional: bool, kind: str) -> Rule:
    holds, violated, words, slug = _LENGTHS[keyword]
    size = f"len({name})"
    subject, unit = {"str": ("String", "character"), "bytes": ("Data", "byte")}.get(
        kind, (_CONTAINERS.get(kind, "Value"), "item")
    )
    parts: tuple[Part, ...] = (Text(f"{subject} should have {words} "), shown, Text(f" {_plural(unit, limit)}"))
    if unit != "item":
        slug = f"{'string' if kind == 'str' else 'bytes'}_{slug}"
    elif keyword == "max_length" and subject in _NOT_COUNTED:
        parts = (*parts, Text(" after validation, not more"))
    else:
        parts = (*parts, Text(" after validation, not "), Hole(size, None, None, False))
    return _make_field_rule(name, f"{size} {holds} {limit}", f"{size} {violated} {limit}", parts, slug, optional)


def _show_limit(value: cst.BaseExpression) -> Part:
    """Show a limit as the validator prints it: without an exponent, and a whole number without a fraction."""
    match value:
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer() | cst.Float() as inside):
            shown = _show_limit(inside)
            return Text(f"-{shown.text}") if isinstance(shown, Text) else shown
        case cst.Integer():
            return Text(str(int(value.value.replace("_", ""), 0)))
        case cst.Float():
            digits = format(Decimal(repr(float(value.value))), "f")
            return Text(digits.rstrip("0").rstrip(".") if "." in digits else digits)
        case cst.SimpleString():
            return Text(write_expression(value))
        case _:
            return Hole(write_expression(value), None, None, False)


def choose_field(name: str, values: Sequence[str], *, optional: bool, slug: str) -> Rule:
    """Give the rule of a field that takes one of several values, each as the source writes it."""
    listed = f"({', '.join(values)}{',' if len(values) == 1 else ''})"
    said = ", ".join(values[:-1]) + f" or {values[-1]}" if len(values) > 1 else values[0]
    parts = (Text(f"Input should be {said}"),)
    return _make_field_rule(name, f"{name} in {listed}", f"{name} not in {listed}", parts, slug, optional)


def _make_field_rule(name: str, holds: str, violated: str, parts: tuple[Part, ...], slug: str, optional: bool) -> Rule:
    tail = (
        Text(f" [type={slug}, input_value="),
        Hole(name, "r", None, False),
        Text(", input_type="),
        Hole(f"type({name}).__name__", None, None, False),
        Text("]"),
    )
    if optional:
        holds, violated = f"{name} is None or {holds}", f"{name} is not None and {violated}"
    return Rule(holds, violated, (Text(f"{name}\n  "), *parts, *tail), VALIDATION_ERROR)


def _plural(noun: str, count: str) -> str:
    return noun if count == "1" else f"{noun}s"


def _read_text(node: cst.SimpleString) -> str:
    value = node.evaluated_value
    return value if isinstance(value, str) else ""


def choose_argument(label: str, name: str, choices: cst.BaseExpression) -> Rule:
    """Give the rule of a command-line argument with `choices`."""
    listed = write_expression(choices)
    parts = (
        Text(f"argument {label}: invalid choice: "),
        Hole(name, "r", None, False),
        Text(" (choose from "),
        Hole(f"', '.join(map(repr, {listed}))", None, None, False),
        Text(")"),
    )
    operand = (
        listed if isinstance(choices, cst.Name | cst.Attribute | cst.Call | cst.List | cst.Tuple) else f"({listed})"
    )
    return Rule(f"{name} in {operand}", f"{name} not in {operand}", parts, PARSER_EXIT)


def convert_argument(label: str, name: str, function: str) -> Rule:
    """Give the rule of a command-line argument with a `type`."""
    parts = (Text(f"argument {label}: invalid {function.rpartition('.')[2]} value: "), Hole(name, "r", None, False))
    reason = f"whether `{function}` takes the value is not said by an expression"
    return Rule(f"{function} takes the value of {label}", "True", parts, PARSER_EXIT, (reason,))


def count_argument(label: str, name: str, nargs: str) -> Iterator[Rule]:
    """Give the rule of a command-line argument with a fixed or least number of values."""
    if nargs == "+":
        parts: tuple[Part, ...] = (Text(f"argument {label}: expected at least one argument"),)
        yield Rule(f"len({name}) >= 1", f"len({name}) < 1", parts, PARSER_EXIT)
    elif nargs.isdigit():
        parts = (Text(f"argument {label}: expected {nargs} {_plural('argument', nargs)}"),)
        yield Rule(f"len({name}) == {nargs}", f"len({name}) != {nargs}", parts, PARSER_EXIT)


def require_argument(label: str, given: str, missing: str) -> Rule:
    """Give the rule of a command-line argument that must be given; how to tell that it was, and that it wasn't."""
    parts = (Text(f"the following arguments are required: {label}"),)
    return Rule(given, missing, parts, PARSER_EXIT)


def exclude_arguments(label: str, given: str, others: Sequence[str]) -> Rule:
    """Give the rule of a command-line argument that goes with none of some others, each as how to tell it was given."""
    parts = (Text(f"argument {label}: not allowed with argument "), Hole("other", None, None, False))
    taken = " or ".join(others)
    taken = f"({taken})" if len(others) > 1 else taken
    violated = f"{given} and {taken}"
    return Rule(f"not ({violated})", violated, parts, PARSER_EXIT)


def require_one(labels: Sequence[str], missing: Sequence[str]) -> Rule:
    """Give the rule of a group of command-line arguments one of which must be given."""
    parts = (Text(f"one of the arguments {' '.join(labels)} is required"),)
    violated = " and ".join(missing)
    return Rule(f"not ({violated})", violated, parts, PARSER_EXIT)
