"""A function of the target → its parameters and the trail to each of its steps, read when a message leads into it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import libcst as cst

from miner.bodies import Bodies
from miner.docstrings import read_decorators
from miner.facts import read_imports
from miner.flow import Block, Flow, For, If, Match, Statement, Step, Try, While, With
from miner.ledger import Remembered
from miner.locate import SiteMark
from miner.lookup import Context
from miner.noreturn import leaves_for_good
from miner.slices import cut_slice
from miner.steps import list_bound
from miner.visitor import UnreadableError, read_flow
from miner.walk import walk_flow
from miner.walking import Arrival

_MAX_ROWS = 80
"""A longer function makes no message: it does something."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the target."""

    qualified: str
    parameters: cst.Parameters
    arrivals: tuple[Arrival, ...]
    """One for each simple statement, in source order."""
    context: Context
    is_bound: bool
    """Its first parameter is `self` or `cls`."""
    is_async: bool


class Functions:
    """The functions of the target, each parsed once."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._found: dict[str, Remembered[Function | None]] = {}

    def find(self, qualified: str) -> Function | None:
        """Find a function by its qualified name; `None` where the target has none that can be read."""
        return self._bodies.ledger.remember(self._found, qualified, lambda: self._read(qualified))

    def _read(self, qualified: str) -> Function | None:
        found = self._bodies.find_unit(qualified)
        if found is None or len(found[1].rows) > _MAX_ROWS:
            return None
        text, unit, module = found
        world = self._bodies.world
        facts = world.modules[module]
        piece = cut_slice(text, unit, whole=True)
        try:
            flow = read_flow(piece, unit.marks, unit.kind)
            definition = cst.parse_module(piece.code).body[0]
        except (UnreadableError, cst.ParserSyntaxError):
            return None
        if not isinstance(definition, cst.FunctionDef):
            return None
        marked = Flow(flow.parameters, mark_steps(flow.body, lambda step: step.mark or _mark(step)))
        imports = read_imports(text, unit.rows, module, facts.is_package)[0]
        is_method = unit.parent is not None and unit.parent.kind == "class"
        owner = f"{module}.{unit.parent.qualname}" if is_method and unit.parent is not None else None
        local = frozenset((*flow.parameters, *list_bound(flow.body)))
        return Function(
            qualified,
            definition.params,
            tuple(walk_flow(marked, leaves_for_good)),
            Context(world, facts, imports, local, owner),
            is_method and "staticmethod" not in read_decorators(text, unit),
            definition.asynchronous is not None,
        )


def _mark(step: Step) -> SiteMark:
    return SiteMark("step", step.line, 0, step.line)


def mark_steps(block: Block, choose: Callable[[Step], SiteMark | None]) -> Block:
    """Put marks on the simple statements of a block and of all blocks in it."""
    return tuple(_mark_statement(statement, choose) for statement in block)


def _mark_statement(statement: Statement, choose: Callable[[Step], SiteMark | None]) -> Statement:
    match statement:
        case Step():
            mark = choose(statement)
            return statement if mark is statement.mark else replace(statement, mark=mark)
        case If(body=body, orelse=orelse):
            return replace(statement, body=mark_steps(body, choose), orelse=mark_steps(orelse, choose))
        case For(body=body, orelse=orelse):
            return replace(statement, body=mark_steps(body, choose), orelse=mark_steps(orelse, choose))
        case While(body=body, orelse=orelse):
            return replace(statement, body=mark_steps(body, choose), orelse=mark_steps(orelse, choose))
        case With(body=body):
            return replace(statement, body=mark_steps(body, choose))
        case Match(cases=cases):
            return replace(statement, cases=tuple(replace(c, body=mark_steps(c.body, choose)) for c in cases))
        case Try(body=body, handlers=handlers, orelse=orelse, final=final):
            return replace(
                statement,
                body=mark_steps(body, choose),
                handlers=tuple(replace(h, body=mark_steps(h.body, choose)) for h in handlers),
                orelse=mark_steps(orelse, choose),
                final=mark_steps(final, choose),
            )
        case _:
            return statement
