"""A configuration class → the rules that its fields' annotations and defaults declare, for a library to enforce."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import libcst as cst

from miner.docstrings import read_decorators
from miner.effects import find_path
from miner.lexing import LogicalLine
from miner.locate import Unit
from miner.lookup import Context, parse_value
from miner.rules import Rule, bound_field, choose_field
from miner.wording import write_expression

_FIELD_ROW = re.compile(r"[A-Za-z]\w*\s*:(?!=)")
_MODELS = frozenset("BaseModel BaseSettings RootModel SQLModel".split())
_ALIASES = {
    "PositiveInt": ("gt", "0"),
    "NonNegativeInt": ("ge", "0"),
    "NegativeInt": ("lt", "0"),
    "NonPositiveInt": ("le", "0"),
    "PositiveFloat": ("gt", "0"),
    "NonNegativeFloat": ("ge", "0"),
    "NegativeFloat": ("lt", "0"),
    "NonPositiveFloat": ("le", "0"),
}
_ANNOTATED = {"Gt": "gt", "Ge": "ge", "Lt": "lt", "Le": "le", "MinLen": "min_length", "MaxLen": "max_length"}
_CONSTRAINED = {
    "conint": "int",
    "confloat": "float",
    "condecimal": "decimal",
    "constr": "str",
    "conbytes": "bytes",
    "conlist": "list",
    "conset": "set",
    "confrozenset": "frozenset",
    "StringConstraints": "str",
    "Field": "",
}
_WRAPPERS = ("Annotated", "Required", "NotRequired", "SkipValidation")
_NOT_FIELDS = ("ClassVar", "InitVar", "Final")


@dataclass(frozen=True, slots=True)
class _Type:
    """What an annotation says of a field's value."""

    optional: bool
    kind: str
    """`int`, `str`, `list` and their like, in small letters; empty for what is several."""
    bounds: tuple[tuple[str, cst.BaseExpression], ...]
    choices: tuple[str, ...]
    slug: str = "literal_error"


def list_field_rules(text: str, unit: Unit, context: Context) -> Iterator[tuple[LogicalLine, Rule]]:
    """List the rules of a class's fields, each with the line that declares it."""
    rows = [row for row in unit.rows if row.word and _FIELD_ROW.match(text, row.start) is not None]
    if not rows or not _is_validated(text, unit, context):
        return
    for row in rows:
        if row.start in unit.nested or row.indent != unit.rows[0].indent:
            continue
        try:
            statement = cst.parse_statement(text[row.start : row.end])
        except cst.ParserSyntaxError:
            continue
        match statement:
            case cst.SimpleStatementLine(body=[cst.AnnAssign(target=cst.Name(value=name)) as node]):
                for rule in _read_field(name, node, context):
                    yield row, rule
            case _:
                pass


def _is_validated(text: str, unit: Unit, context: Context) -> bool:
    """Tell whether values are checked against a class's annotations when it is made."""
    world, module = context.world, context.facts.module
    for _, class_ in world.list_ancestry(f"{module}.{unit.qualname}"):
        if any(base.rpartition(".")[2] in _MODELS for base in class_.bases):
            return True
    for decorator in read_decorators(text, unit):
        qualified = context.resolve(decorator) or ""
        found = world.split(qualified)
        if qualified.startswith("pydantic."):
            return True
        if found is not None and found[1] in found[0].functions:
            return any(source.startswith("pydantic.dataclasses") for source in found[0].imports.values())
    return False


def _read_field(name: str, node: cst.AnnAssign, context: Context) -> Iterator[Rule]:
    type_ = _read_type(node.annotation.annotation, context)
    if type_ is None:
        return
    bounds = [*type_.bounds, *_read_bounds(node.value, context)]
    for keyword, value in bounds:
        rule = bound_field(name, keyword, value, optional=type_.optional, kind=type_.kind)
        if rule is not None:
            yield rule
    if type_.choices:
        yield choose_field(name, type_.choices, optional=type_.optional, slug=type_.slug)


def _read_bounds(node: cst.BaseExpression | None, context: Context) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Read `Field(gt=0)`, `conint(gt=0)` and `Gt(0)`."""
    if not isinstance(node, cst.Call):
        return
    path = find_path(node.func)
    if path is None or "[]" in path:
        return
    if path[-1] in _ANNOTATED and node.args:
        yield _ANNOTATED[path[-1]], node.args[0].value
        return
    qualified = context.resolve(".".join(path)) or ""
    if path[-1] not in _CONSTRAINED or not qualified.startswith(("pydantic", "sqlmodel")):
        return
    for argument in node.args:
        if argument.keyword is not None:
            yield argument.keyword.value, argument.value


def _read_type(node: cst.BaseExpression, context: Context, depth: int = 0) -> _Type | None:
    """Read an annotation; `None` of what is no field, or of a union whose errors speak of its members."""
    if isinstance(node, cst.SimpleString) and isinstance(node.evaluated_value, str):
        quoted = parse_value(node.evaluated_value)
        return _read_type(quoted, context, depth + 1) if quoted is not None and depth < 4 else None
    members = list(_list_members(node))
    kept = [member for member in members if write_expression(member) != "None"]
    optional = len(kept) < len(members)
    if len(kept) != 1:
        kinds = {write_expression(member).rpartition(".")[2] for member in kept}
        return _Type(optional, kinds.pop() if len(kinds) == 1 else "", (), ())
    member = kept[0]
    if member is not node:
        inner = _read_type(member, context, depth)
        return None if inner is None else _Type(True, inner.kind, inner.bounds, inner.choices, inner.slug)
    return _read_plain_type(node, context, depth)


def _read_plain_type(node: cst.BaseExpression, context: Context, depth: int) -> _Type | None:
    match node:
        case cst.Subscript(value=base, slice=elements):
            head = write_expression(base).rpartition(".")[2]
            inner = [e.slice.value for e in elements if isinstance(e.slice, cst.Index)]
            if head in _NOT_FIELDS:
                return None
            if head in _WRAPPERS and inner:
                first = _read_type(inner[0], context, depth)
                more = tuple(bound for each in inner[1:] for bound in _read_bounds(each, context))
                return first and _Type(first.optional, first.kind, (*first.bounds, *more), first.choices, first.slug)
            if head == "Literal":
                return _Type(False, "", (), tuple(_list_literals(inner, context, depth)))
            return _Type(False, head.lower(), (), ())
        case cst.Call():
            head = write_expression(node.func).rpartition(".")[2]
            return _Type(False, _CONSTRAINED.get(head, ""), tuple(_read_bounds(node, context)), ())
        case cst.Name() | cst.Attribute():
            return _read_named_type(node, context, depth)
        case _:
            return _Type(False, "", (), ())


def _read_named_type(node: cst.BaseExpression, context: Context, depth: int) -> _Type | None:
    name = write_expression(node)
    short = name.rpartition(".")[2]
    if short in _ALIASES:
        keyword, limit = _ALIASES[short]
        return _Type(False, "int" if short.endswith("Int") else "float", ((keyword, cst.Integer(limit)),), ())
    qualified = context.resolve(name)
    if qualified is not None and depth < 4:
        alias = context.world.find_constant(qualified)
        value = parse_value(alias[1]) if alias is not None else None
        if value is not None and alias is not None and isinstance(value, cst.Subscript):
            return _read_type(value, Context(context.world, alias[0], {}, frozenset(), None), depth + 1)
        found = context.world.find_class(qualified)
        if found is not None and any(base.rpartition(".")[2] in ("Enum", "StrEnum") for base in found[1].bases):
            return _Type(False, "", (), tuple(_list_members_of(found[1].constants)), "enum")
    return _Type(False, short.lower(), (), ())


def _list_members_of(constants: Mapping[str, str]) -> Iterator[str]:
    """List the values of an enumeration of texts."""
    for value in constants.values():
        node = parse_value(value)
        if isinstance(node, cst.SimpleString):
            yield repr(node.evaluated_value)


def _list_literals(nodes: list[cst.BaseExpression], context: Context, depth: int) -> Iterator[str]:
    for node in nodes:
        match node:
            case cst.SimpleString():
                yield repr(node.evaluated_value)
            case cst.Name(value="None" | "True" | "False") | cst.Integer() | cst.UnaryOperation():
                yield write_expression(node)
            case cst.Name() | cst.Attribute() | cst.Subscript():
                inner = _read_type(node, context, depth + 1)
                yield from inner.choices if inner is not None else ()
            case _:
                return


def _list_members(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """List the members of a union."""
    match node:
        case cst.BinaryOperation(operator=cst.BitOr(), left=left, right=right):
            yield from _list_members(left)
            yield from _list_members(right)
        case cst.Subscript(value=base, slice=elements) if write_expression(base).endswith(("Optional", "Union")):
            for element in elements:
                if isinstance(element.slice, cst.Index):
                    yield from _list_members(element.slice.value)
            if write_expression(base).endswith("Optional"):
                yield cst.Name("None")
        case _:
            yield node
