"""The statements of one unit, as guards read them: a small tree over libcst's expressions, each with its line."""

from dataclasses import dataclass

import libcst as cst

from miner.locate import SiteMark


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A simple statement; a site when it carries a mark."""

    line: int
    node: cst.BaseSmallStatement
    mark: SiteMark | None


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """`if`, with an `elif` as the only statement of `orelse`."""

    line: int
    test: cst.BaseExpression
    body: "Block"
    orelse: "Block"


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """`for`, also `async for`."""

    line: int
    target: cst.BaseExpression
    items: cst.BaseExpression
    is_async: bool
    body: "Block"
    orelse: "Block"


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """`while`."""

    line: int
    test: cst.BaseExpression
    body: "Block"
    orelse: "Block"


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """An `except` clause."""

    line: int
    types: cst.BaseExpression | None
    name: str | None
    body: "Block"


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """`try`, also with `except*`."""

    line: int
    body: "Block"
    handlers: tuple[Handler, ...]
    orelse: "Block"
    final: "Block"


@dataclass(frozen=True, slots=True, eq=False)
class With:
    """`with`, also `async with`: the managers and what they are bound to."""

    line: int
    items: tuple[tuple[cst.BaseExpression, cst.BaseExpression | None], ...]
    body: "Block"


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A `case` clause."""

    line: int
    pattern: cst.MatchPattern
    test: cst.BaseExpression | None
    body: "Block"


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """`match`."""

    line: int
    subject: cst.BaseExpression
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Nested:
    """A definition inside the unit: here it only binds its name."""

    line: int
    name: str


Statement = Step | If | For | While | Try | With | Match | Nested
Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """The statements of one unit, and the parameters when it is a function."""

    parameters: tuple[str, ...]
    body: Block
    fixed: frozenset[str] = frozenset()
    """Parameters declared as numbers or texts, which nothing can change inside."""


def list_blocks(statement: Statement) -> tuple[Block, ...]:
    """List the blocks of statements inside a statement."""
    match statement:
        case If(body=body, orelse=orelse) | While(body=body, orelse=orelse) | For(body=body, orelse=orelse):
            return body, orelse
        case With(body=body):
            return (body,)
        case Match(cases=cases):
            return tuple(case.body for case in cases)
        case Try(body=body, handlers=handlers, orelse=orelse, final=final):
            return body, *(handler.body for handler in handlers), orelse, final
        case _:
            return ()
