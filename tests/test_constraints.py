"""Declared rules → entries of kind `constraint`: fields that a library checks, and command-line arguments."""

import pytest

from catalog.records import Entry
from miner.scan import mine_source

HEAD = """
from enum import Enum
from typing import Annotated, ClassVar, Literal, Optional
import annotated_types as at
import pydantic
from pydantic import BaseModel, Field, PositiveInt, conint, constr

Mode = Literal["a", "b"]

class Colour(str, Enum):
    RED = "red"
    BLUE = "blue"
"""


def mine_field(declaration: str, header: str = "class Config(BaseModel):") -> list[tuple[str, str]]:
    entries = mine_source(f"{HEAD}\n{header}\n    {declaration}\n")
    assert all(entry.kind == "constraint" and entry.site.qualname == "Config" for entry in entries)
    return [(entry.guard.condition, _read_text(entry)) for entry in entries]


def _read_text(entry: Entry) -> str:
    assert entry.message is not None
    return entry.message.template.partition("\n  ")[2].partition(" [type=")[0]


FIELDS = [
    ("n: int = Field(default=None, gt=0)", "n <= 0", "Input should be greater than 0"),
    ("n: int = Field(1, ge=-1)", "n < -1", "Input should be greater than or equal to -1"),
    ("n: float = Field(1, lt=0.5)", "not n < 0.5", "Input should be less than 0.5"),
    ("n: float = Field(1, gt=0.0)", "not n > 0.0", "Input should be greater than 0"),
    (
        "n: float | None = Field(1, le=1e-5)",
        "n is not None and not n <= 1e-5",
        "Input should be less than or equal to 0.00001",
    ),
    ("n: float = Field(1, ge=-1.50)", "not n >= -1.50", "Input should be greater than or equal to -1.5"),
    ("n: float = Field(1, le=1e3)", "not n <= 1e3", "Input should be less than or equal to 1000"),
    ("n: int = Field(1, ge=1_000)", "n < 1_000", "Input should be greater than or equal to 1000"),
    ("n: int = Field(1, ge=0x10)", "n < 0x10", "Input should be greater than or equal to 16"),
    ("n: int = pydantic.Field(1, le=LIMIT)", "n > LIMIT", "Input should be less than or equal to {LIMIT}"),
    ("n: int = Field(1, multiple_of=8)", "n % 8 != 0", "Input should be a multiple of 8"),
    ("n: int | None = Field(None, gt=0)", "n is not None and n <= 0", "Input should be greater than 0"),
    ("n: Optional[int] = Field(None, gt=0)", "n is not None and n <= 0", "Input should be greater than 0"),
    ("n: Annotated[int, Field(gt=0)] = 1", "n <= 0", "Input should be greater than 0"),
    ("n: Annotated[int, at.Ge(2)] = 2", "n < 2", "Input should be greater than or equal to 2"),
    ("n: conint(gt=3) = 4", "n <= 3", "Input should be greater than 3"),
    ("n: PositiveInt = 4", "n <= 0", "Input should be greater than 0"),
    ("s: str = Field(min_length=1)", "len(s) < 1", "String should have at least 1 character"),
    ("s: constr(max_length=9) = ''", "len(s) > 9", "String should have at most 9 characters"),
    (
        "s: list[int] = Field(min_length=2)",
        "len(s) < 2",
        "List should have at least 2 items after validation, not {len(s)}",
    ),
    ("s: str | None = Field(min_length=1)", "s is not None and len(s) < 1", "String should have at least 1 character"),
    ("s: bytes = Field(min_length=2)", "len(s) < 2", "Data should have at least 2 bytes"),
    (
        "s: tuple[int, ...] = Field(max_length=1)",
        "len(s) > 1",
        "Tuple should have at most 1 item after validation, not {len(s)}",
    ),
    ("s: set[int] = Field(max_length=1)", "len(s) > 1", "Set should have at most 1 item after validation, not more"),
    (
        "s: dict[str, int] = Field(max_length=0)",
        "len(s) > 0",
        "Dictionary should have at most 0 items after validation, not more",
    ),
    (
        "s: Dict[str, int] = Field(min_length=1)",
        "len(s) < 1",
        "Dictionary should have at least 1 item after validation, not {len(s)}",
    ),
    (
        "s: Sequence[int] = Field(min_length=1)",
        "len(s) < 1",
        "Value should have at least 1 item after validation, not {len(s)}",
    ),
    (
        "s: str | list[str] = Field(min_length=1)",
        "len(s) < 1",
        "Value should have at least 1 item after validation, not {len(s)}",
    ),
    ("s: str = Field(pattern=r'^a+$')", "not re.search(r'^a+$', s)", "String should match pattern '^a+$'"),
    ("m: Literal['x', 2] = 2", "m not in ('x', 2)", "Input should be 'x' or 2"),
    ("m: Literal['x'] = 'x'", "m not in ('x',)", "Input should be 'x'"),
    ("m: Mode = 'a'", "m not in ('a', 'b')", "Input should be 'a' or 'b'"),
    ("m: 'Mode' = 'a'", "m not in ('a', 'b')", "Input should be 'a' or 'b'"),
    ("m: Mode | None = None", "m is not None and m not in ('a', 'b')", "Input should be 'a' or 'b'"),
    ("c: Colour = Colour.RED", "c not in ('red', 'blue')", "Input should be 'red' or 'blue'"),
]


@pytest.mark.parametrize(("declaration", "condition", "text"), FIELDS)
def test_a_rule_on_a_field_is_violated_by_its_opposite(declaration: str, condition: str, text: str) -> None:
    assert mine_field(declaration) == [(condition, text)]


UNRULED = [
    "n: int = 1",
    "n: int = Field(default=1)",
    "n = Field(gt=0)",
    "m: ClassVar[Mode] = 'a'",
    "m: float | Literal['auto'] = 'auto'",
    "n: int = other(gt=0)",
    "def f(self, m: Mode = 'a'): pass",
]


@pytest.mark.parametrize("declaration", UNRULED)
def test_other_declarations_are_no_rules(declaration: str) -> None:
    assert mine_field(declaration) == []


HEADERS = [
    ("class Config(BaseModel):", True),
    ("class Config(pydantic.BaseModel):", True),
    ("@pydantic.dataclasses.dataclass\nclass Config:", True),
    ("@pydantic.dataclasses.dataclass(config=x)\nclass Config:", True),
    ("class Config:", False),
    ("@dataclass\nclass Config:", False),
]


@pytest.mark.parametrize(("header", "is_checked"), HEADERS)
def test_only_classes_whose_values_are_checked_have_rules(header: str, is_checked: bool) -> None:
    assert bool(mine_field("n: int = Field(gt=0)", header)) == is_checked


def test_a_field_is_named_in_the_message_and_the_clause_says_the_rule() -> None:
    (entry,) = mine_source(f"{HEAD}\nclass Config(BaseModel):\n    n: int = Field(gt=0)\n")
    assert entry.message is not None
    assert (
        entry.message.skeleton
        == "n\n  Input should be greater than 0 [type=greater_than, input_value={}, input_type={}]"
    )
    assert [(c.kind, c.test, c.negated) for c in entry.guard.clauses] == [("own", "n > 0", True)]
    assert entry.exception.name == "ValidationError" and entry.exception.bases[0] == "ValueError"


def mine_flags(*calls: str) -> list[tuple[str, str]]:
    body = "\n".join(f"    {call}" for call in calls)
    entries = mine_source(f"def build(p, g):\n{body}\n")
    assert all(entry.kind == "constraint" and entry.exception.name == "SystemExit" for entry in entries)
    return [(entry.guard.condition, entry.message.template) for entry in entries if entry.message is not None]


FLAGS = [
    (
        "p.add_argument('-m', '--my-mode', choices=['a', 'b'])",
        "my_mode not in ['a', 'b']",
        "argument -m/--my-mode: invalid choice: {my_mode!r} (choose from {', '.join(map(repr, ['a', 'b']))})",
    ),
    ("p.add_argument('--n', type=int)", "True", "argument --n: invalid int value: {n!r}"),
    ("p.add_argument('--n', nargs=2)", "len(n) != 2", "argument --n: expected 2 arguments"),
    ("p.add_argument('--n', nargs='+')", "len(n) < 1", "argument --n: expected at least one argument"),
    ("p.add_argument('--n', required=True, dest='m')", "m is None", "the following arguments are required: --n"),
    ("p.add_argument('--n', action='store_true', required=True)", "not n", "the following arguments are required: --n"),
    (
        "p.add_argument('file', nargs=argparse.ONE_OR_MORE)",
        "file is None",
        "the following arguments are required: file",
    ),
    ("p.add_argument('file')", "file is None", "the following arguments are required: file"),
    ("p.add_argument('file', nargs='+', metavar='F')", "file is None", "the following arguments are required: F"),
]


@pytest.mark.parametrize(("call", "condition", "template"), FLAGS)
def test_a_rule_on_an_argument_is_violated_by_its_opposite(call: str, condition: str, template: str) -> None:
    assert mine_flags(call) == [(condition, template)]


FREE = [
    "p.add_argument('--n')",
    "p.add_argument('--n', type=str)",
    "p.add_argument('--n', action='store_true')",
    "p.add_argument('rest', nargs='*')",
    "p.add_argument('rest', nargs='...')",
    "p.add_argument('rest', nargs=argparse.REMAINDER)",
    "p.add_argument('rest', nargs=count)",
    "p.add_argument('--n', type=pathlib.Path)",
    "p.add_argument('--n', type=None)",
    "p.add_argument('--n', nargs='?')",
    "p.add_argument(f'--{n}', type=int)",
    "p.add_argument(*names, required=True)",
    "x.add_arguments('--n', required=True)",
]


@pytest.mark.parametrize("call", FREE)
def test_other_arguments_have_no_rules(call: str) -> None:
    assert mine_flags(call) == []


def test_arguments_of_a_group_exclude_each_other() -> None:
    found = mine_flags(
        "g = p.add_mutually_exclusive_group(required=True)",
        "g.add_argument('--x')",
        "g.add_argument('--y')",
        "p.add_argument('--z')",
    )
    assert found == [
        ("x is None and y is None", "one of the arguments --x --y is required"),
        ("x is not None and y is not None", "argument --x: not allowed with argument {other}"),
        ("y is not None and x is not None", "argument --y: not allowed with argument {other}"),
    ]


def test_a_flag_or_a_default_tells_in_its_own_way_whether_it_was_given() -> None:
    found = mine_flags(
        "g = p.add_mutually_exclusive_group(required=True)",
        "g.add_argument('--x', action='store_true')",
        "g.add_argument('--y', action='store_false')",
        "g.add_argument('--z', default='q')",
    )
    assert [condition for condition, _ in found] == [
        "not x and y and z == 'q'",
        "x and (not y or z != 'q')",
        "not y and (x or z != 'q')",
        "z != 'q' and (x or not y)",
    ]
