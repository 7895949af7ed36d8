"""A rule that a library enforces → when it is violated, and what the library prints then."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


def bound_field(name: str, keyword: str, value: cst.BaseExpression, *, optional: bool, is_text: bool) -> Rule | None:
    """Give the rule of a keyword that bounds a field: `gt`, `max_length`, `pattern` and their like."""
    limit = write_expression(value)
    shown: Part = Text(limit) if _is_literal(value) else Hole(limit, None, None, False)
    parts: tuple[Part, ...]
    if keyword in _BOUNDS:
        holds, violated, words, slug = _BOUNDS[keyword]
        parts = (Text(f"Input should be {words} "), shown)
        return _make_field_rule(name, f"{name} {holds} {limit}", f"{name} {violated} {limit}", parts, slug, optional)
    if keyword in _LENGTHS:
        holds, violated, words, slug = _LENGTHS[keyword]
        size = f"len({name})"
        noun = "character" if is_text else "item"
        parts = (
            Text(f"{'String' if is_text else 'List'} should have {words} "),
            shown,
            Text(f" {_plural(noun, limit)}"),
        )
        if not is_text:
            parts = (*parts, Text(" after validation, not "), Hole(size, None, None, False))
        slug = f"string_{slug}" if is_text else slug
        return _make_field_rule(name, f"{size} {holds} {limit}", f"{size} {violated} {limit}", parts, slug, optional)
    if keyword == "multiple_of":
        parts = (Text("Input should be a multiple of "), shown)
        return _make_field_rule(name, f"{name} % {limit} == 0", f"{name} % {limit} != 0", parts, keyword, optional)
    if keyword in ("pattern", "regex") and isinstance(value, cst.SimpleString):
        test = f"re.search({limit}, {name})"
        parts = (Text(f"String should match pattern '{_read_text(value)}'"),)
        return _make_field_rule(name, test, f"not {test}", parts, "string_pattern_mismatch", optional)
    return None


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


def _is_literal(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Integer() | cst.Float() | cst.SimpleString():
            return True
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer() | cst.Float()):
            return True
        case _:
            return False


def choose_argument(label: str, name: str, choices: cst.BaseExpression) -> Rule:
    """Give the rule of a command-line argument with `choices`."""
    listed = write_expression(choices)
    parts = (
        Text(f"argument {label}: invalid choice: "),
        Hole(name, "r", None, False),
        Text(" (choose from "),
        Hole(listed, None, None, False),
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


def require_argument(label: str, name: str) -> Rule:
    """Give the rule of a command-line argument that must be given."""
    parts = (Text(f"the following arguments are required: {label}"),)
    return Rule(f"{name} is not None", f"{name} is None", parts, PARSER_EXIT)


def exclude_arguments(label: str, name: str, others: Sequence[str]) -> Rule:
    """Give the rule of a command-line argument that goes with none of some others."""
    parts = (Text(f"argument {label}: not allowed with argument "), Hole("other", None, None, False))
    taken = " or ".join(f"{other} is not None" for other in others)
    taken = f"({taken})" if len(others) > 1 else taken
    violated = f"{name} is not None and {taken}"
    return Rule(f"not ({violated})", violated, parts, PARSER_EXIT)


def require_one(labels: Sequence[str], names: Sequence[str]) -> Rule:
    """Give the rule of a group of command-line arguments one of which must be given."""
    parts = (Text(f"one of the arguments {' '.join(labels)} is required"),)
    violated = " and ".join(f"{name} is None" for name in names)
    return Rule(f"not ({violated})", violated, parts, PARSER_EXIT)
