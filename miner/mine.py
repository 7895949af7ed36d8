"""One file's text → its entries and re-raises: the ladder's rung between a text and a tree."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import libcst as cst

from catalog.identity import mint_ids
from catalog.records import Entry, ExceptionType, Reraise
from miner.callees import Calls
from miner.callrows import find_call_rows
from miner.calls import list_departures
from miner.constraints import find_constraints
from miner.effects import find_path, find_reads
from miner.entries import Finding, SourceText, make_entry
from miner.facts import ModuleFacts, read_facts, read_imports
from miner.flow import Step
from miner.functions import mark_steps
from miner.holding import find_holders
from miner.kept import Keeper, make_key, restore
from miner.library import Library
from miner.lists import ListWorld, fills_lists, list_worlds
from miner.locate import SiteMark, Unit, locate_units
from miner.lookup import Context, make_scope
from miner.messages import read_assert_message
from miner.names import World
from miner.noreturn import Leaving, leaves_for_good
from miner.outcomes import Outcome, add_conditions, compose
from miner.raising import Caught, read_raise
from miner.slices import cut_slice
from miner.steps import StepReader, list_bound
from miner.templates import Scope
from miner.throws import Reading, follow_throws
from miner.visitor import read_flow
from miner.walk import walk_flow
from miner.walking import Arrival
from miner.wording import write_expression

_ALWAYS_TRUE = "this assert never fails: its test is a tuple with elements, which is always true"


@dataclass(frozen=True, slots=True)
class Mined:
    """What a file gave."""

    entries: tuple[Entry, ...]
    reraises: tuple[Reraise, ...]


def find_facts(source: SourceText) -> ModuleFacts:
    """Read what other modules may need to know of a file. Raises `LexError`."""
    return read_facts(source.text, locate_units(source.text), source.module, source.path)


def mine_text(
    source: SourceText, world: World, target: str, library: Library | None = None, keeper: Keeper | None = None
) -> Mined:
    """Mine one file: every `raise` and `assert`, as an entry or a re-raise, by place; a keeper knows earlier results.

    Raises `LexError` or `UnreadableError` where the file can't be read.
    """
    units = locate_units(source.text)
    facts = world.modules.get(source.module) or read_facts(source.text, units, source.module, source.path)
    library = library or Library(world, {source.module: source.text.encode("utf-8", "surrogatepass")})
    lines = source.text.split("\n")
    entries: list[Entry] = []
    reraises: list[Reraise] = []
    rows = find_call_rows(source.text, units, facts, library.leaving)
    for index, unit in enumerate(units):
        calls = rows.lines.get(index, {})
        if not unit.marks and not calls:
            continue
        for found in _find_or_mine(File(source, facts, library, lines, rows.pattern), unit, calls, keeper):
            if isinstance(found, Entry):
                entries.append(found)
            else:
                reraises.append(found)
    entries.extend(find_constraints(source, units, facts, world, lines))
    entries.sort(key=lambda entry: (entry.site.line, entry.site.column))
    reraises.sort(key=lambda reraise: reraise.line)
    return Mined(tuple(mint_ids(target, entries)), tuple(reraises))


def _mark_list(step: Step) -> SiteMark | None:
    """Mark a step that may fill a list, so that the trail to it is known too."""
    fills = isinstance(step.node, cst.Expr | cst.Assign | cst.AnnAssign | cst.AugAssign)
    return step.mark or (SiteMark("list", step.line, 0, step.line) if fills else None)


@dataclass(frozen=True, slots=True)
class File:
    """What the units of a file share while it is mined."""

    source: SourceText
    facts: ModuleFacts
    library: Library
    lines: Sequence[str]
    leaving: re.Pattern[str] | None
    """Finds calls of the target's functions that never return."""

    def list_leaving(self, unit: Unit) -> frozenset[str]:
        """List such calls in a unit."""
        if self.leaving is None:
            return frozenset()
        text = self.source.text
        return frozenset(found for row in unit.rows for found in self.leaving.findall(text, row.start, row.end))


def _find_or_mine(
    file: File, unit: Unit, calls: Mapping[int, SiteMark], keeper: Keeper | None
) -> Iterable[Entry | Reraise]:
    imports = _read_imports(file, unit)
    fills = bool(unit.marks and unit.rows) and fills_lists(file.source.text[unit.rows[0].start : unit.rows[-1].end])
    if keeper is None:
        return _mine_unit(file, unit, calls, imports, fills=fills)
    key = make_key(file.source, unit, imports, file.list_leaving(unit), calls, fills=fills)
    kept = keeper.find(key)
    if kept is not None:
        return restore(kept, file.source, unit, calls, file.lines)
    with file.library.ledger.listen() as asked:
        found = tuple(_mine_unit(file, unit, calls, imports, fills=fills))
    keeper.keep(key, unit, calls, found, asked)
    return found


def _mine_unit(
    file: File, unit: Unit, calls: Mapping[int, SiteMark], imports: Mapping[str, str], *, fills: bool
) -> Iterator[Entry | Reraise]:
    source, library = file.source, file.library
    piece = cut_slice(source.text, unit, file.leaving, frozenset(calls))
    flow = read_flow(piece, unit.marks, unit.kind)
    bound = frozenset(list_bound(flow.body))
    context = _make_context(file, unit, flow.parameters, bound, imports)
    known = Calls(library.bodies, context, flow.body)
    reading = Reading(context, known, library.functions, f"{source.module}.{unit.qualname}")
    if calls:
        flow = replace(flow, body=mark_steps(flow.body, lambda step: step.mark or calls.get(step.line)))
    if fills:
        flow = replace(flow, body=mark_steps(flow.body, _mark_list))
    holders = find_holders(flow.body, known)
    reader = StepReader(known, holders, may_yield="yield" in piece.code, fixed=flow.fixed - bound)
    arrivals = walk_flow(flow, partial(_leaves, reading, library.leaving), reader)
    if fills:
        reading = replace(reading, steps=arrivals)
    for arrival in arrivals:
        mark = arrival.step.mark
        assert mark is not None
        for finding in _read_arrival(unit, arrival, reading, library.leaving):
            if isinstance(finding, Finding):
                yield make_entry(source, unit, mark, finding, file.lines)
            else:
                yield Reraise(source.path, mark.line, unit.qualname)


def _leaves(reading: Reading, leaving: Leaving, call: cst.Call) -> bool:
    """Tell whether a call never returns, the target's own functions included."""
    if leaves_for_good(call):
        return True
    path = find_path(call.func)
    if path is None or not leaving.knows(path[-1], reading.context.find_import(path[-1])):
        return False
    name = reading.name_function(call.func)
    return name is not None and leaving.has(name)


def _read_imports(file: File, unit: Unit) -> dict[str, str]:
    """Read what a unit and the functions around it import."""
    imports: dict[str, str] = {}
    around: Unit | None = unit
    while around is not None and around.kind != "module":
        if around.kind == "function":
            own = read_imports(file.source.text, around.rows, file.source.module, file.facts.is_package)[0]
            imports = {**own, **imports}
        around = around.parent
    return imports


def _make_context(
    file: File, unit: Unit, parameters: Iterable[str], bound: Iterable[str], imports: Mapping[str, str]
) -> Context:
    local: set[str] = set()
    if unit.kind == "function":
        local.update(parameters)
        local.update(bound)
    owner = unit.parent
    while owner is not None and owner.kind == "function":
        owner = owner.parent
    is_method = owner is not None and owner.kind == "class"
    qualified = f"{file.source.module}.{owner.qualname}" if is_method and owner is not None else None
    return Context(file.library.world, file.facts, imports, frozenset(local), qualified)


def _read_arrival(unit: Unit, arrival: Arrival, reading: Reading, leaving: Leaving) -> Iterator[Finding | Caught]:
    node = arrival.step.node
    scope = make_scope(reading.context, arrival.trail, len(arrival.trail))
    match node:
        case cst.Assert():
            yield _read_assert(node, arrival, scope)
        case cst.Raise():
            yield _read_raise(node, unit, arrival, reading, scope)
        case _ if arrival.step.mark is not None and arrival.step.mark.keyword == "call":
            for found in list_departures(node, arrival.step.line, scope, reading, leaving):
                trail = (*arrival.trail, *found.around)
                reads = tuple(read for argument in found.call.args for read in find_reads(argument.value))
                title = write_expression(found.call)
                yield Finding(found.kind, found.exception, found.message, trail, reads, title, found.helper)
        case _:
            return


def _read_raise(node: cst.Raise, unit: Unit, arrival: Arrival, reading: Reading, scope: Scope) -> Finding | Caught:
    outcomes: list[Outcome] = []
    worlds = (
        list_worlds(node.exc, reading.steps, arrival, scope) if node.exc is not None else (ListWorld({}, (), scope),)
    )
    for world in worlds:
        throws = read_raise(node, world.scope, arrival.caught)
        if isinstance(throws, Caught):
            return throws
        outcomes.extend(add_conditions(outcome, world.conditions) for outcome in follow_throws(throws, reading))
    exception, message = compose(outcomes, arrival.trail)
    reads = find_reads(node.exc) if node.exc is not None else ()
    return Finding("raise", exception, message, arrival.trail, reads, f"{exception.name} in {unit.qualname}")


def _read_assert(node: cst.Assert, arrival: Arrival, scope: Scope) -> Finding:
    exception = ExceptionType("AssertionError", "builtins.AssertionError", ("Exception",))
    message = read_assert_message(node.msg, scope)
    reads = find_reads(node.msg) if node.msg is not None else ()
    remarks = (_ALWAYS_TRUE,) if isinstance(node.test, cst.Tuple) and node.test.elements else ()
    title = f"assert {write_expression(node.test)}"
    return Finding("assert", exception, message, arrival.trail, reads, title, remarks=remarks)
