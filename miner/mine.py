"""One file's text → its entries and re-raises: the ladder's rung between a text and a tree."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from catalog.families import classify
from catalog.identity import make_title, mint_ids, take_fingerprint
from catalog.records import Entry, ExceptionType, Excerpt, Fingerprint, Guard, Message, Reraise, Site
from catalog.related import relate
from miner.bodies import Bodies, Calls
from miner.docstrings import read_docstring, read_signature
from miner.effects import Read, find_reads
from miner.facts import ModuleFacts, read_facts, read_imports
from miner.guards import build_guard
from miner.locate import Unit, locate_units
from miner.lookup import Context, make_scope
from miner.messages import read_assert_message, read_message
from miner.names import World, is_builtin_exception
from miner.noreturn import leaves_for_good
from miner.raising import Caught, Thrown, name_class, read_raise
from miner.slices import cut_slice
from miner.steps import StepReader, list_bound
from miner.templates import read_holes
from miner.visitor import read_flow
from miner.walk import walk_flow
from miner.walking import Arrival
from miner.wording import write_expression

EXCERPT_BEFORE = 18
EXCERPT_AFTER = 20


@dataclass(frozen=True, slots=True)
class SourceText:
    """A decoded file of the target."""

    path: str
    module: str
    text: str
    vendored: bool = False


@dataclass(frozen=True, slots=True)
class Mined:
    """What a file gave."""

    entries: tuple[Entry, ...]
    reraises: tuple[Reraise, ...]


def find_facts(source: SourceText) -> ModuleFacts:
    """Read what other modules may need to know of a file. Raises `LexError`."""
    return read_facts(source.text, locate_units(source.text), source.module, source.path)


def mine_text(source: SourceText, world: World, target: str, bodies: Bodies | None = None) -> Mined:
    """Mine one file: every `raise` and `assert`, as an entry or a re-raise, by place.

    Raises `LexError` or `UnreadableError` where the file can't be read.
    """
    units = locate_units(source.text)
    facts = world.modules.get(source.module) or read_facts(source.text, units, source.module, source.path)
    bodies = bodies or Bodies(world, {source.module: source.text.encode("utf-8", "surrogatepass")})
    lines = source.text.split("\n")
    entries: list[Entry] = []
    reraises: list[Reraise] = []
    for unit in units:
        if not unit.marks:
            continue
        for found in _mine_unit(source, unit, facts, bodies, lines):
            if isinstance(found, Entry):
                entries.append(found)
            else:
                reraises.append(found)
    entries.sort(key=lambda entry: (entry.site.line, entry.site.column))
    reraises.sort(key=lambda reraise: reraise.line)
    return Mined(tuple(relate(tuple(mint_ids(target, entries)))), tuple(reraises))


def _mine_unit(
    source: SourceText, unit: Unit, facts: ModuleFacts, bodies: Bodies, lines: Sequence[str]
) -> Iterator[Entry | Reraise]:
    flow = read_flow(cut_slice(source.text, unit), unit.marks, unit.kind)
    context = _make_context(source, unit, flow.parameters, list_bound(flow.body), facts, bodies.world)
    reader = StepReader(Calls(bodies, context))
    for arrival in walk_flow(flow, leaves_for_good, reader):
        yield _read_arrival(source, unit, arrival, context, lines)


def _make_context(
    source: SourceText,
    unit: Unit,
    parameters: Iterable[str],
    bound: Iterable[str],
    facts: ModuleFacts,
    world: World,
) -> Context:
    local: set[str] = set()
    imports: dict[str, str] = {}
    around: Unit | None = unit
    while around is not None and around.kind != "module":
        if around.kind == "function":
            imports = {**read_imports(source.text, around.rows, source.module, facts.is_package)[0], **imports}
        around = around.parent
    if unit.kind == "function":
        local.update(parameters)
        local.update(bound)
    owner = unit.parent
    while owner is not None and owner.kind == "function":
        owner = owner.parent
    is_method = owner is not None and owner.kind == "class"
    qualified = f"{source.module}.{owner.qualname}" if is_method and owner is not None else None
    return Context(world, facts, imports, frozenset(local), qualified)


def _read_arrival(
    source: SourceText, unit: Unit, arrival: Arrival, context: Context, lines: Sequence[str]
) -> Entry | Reraise:
    mark = arrival.step.mark
    assert mark is not None
    scope = make_scope(context, arrival.trail, len(arrival.trail))
    node = arrival.step.node
    remarks: tuple[str, ...] = ()
    if isinstance(node, cst.Assert):
        exception = ExceptionType("AssertionError", "builtins.AssertionError", ("Exception",))
        message = read_assert_message(node.msg, scope)
        reads = find_reads(node.msg) if node.msg is not None else ()
        title = message.template if message else f"assert {write_expression(node.test)}"
        if isinstance(node.test, cst.Tuple) and node.test.elements:
            remarks = ("this assert never fails: its test is a tuple with elements, which is always true",)
    else:
        assert isinstance(node, cst.Raise)
        throws = read_raise(node, scope, arrival.caught)
        if isinstance(throws, Caught):
            return Reraise(source.path, mark.line, unit.qualname)
        exception = name_exception(throws, context)
        message = read_message(throws, _nearest_builtin(exception))
        reads = find_reads(node.exc) if node.exc is not None else ()
        title = message.template if message else f"{exception.name} in {unit.qualname}"
    if message is not None:
        reads = (*reads, *_read_more(message))
    site = Site(
        source.path,
        source.module,
        mark.line,
        mark.end_line,
        mark.column,
        unit.qualname,
        read_signature(source.text, unit),
        read_docstring(source.text, unit),
        source.vendored,
    )
    guard = build_guard(arrival.trail, reads)
    kind = "assert" if isinstance(node, cst.Assert) else "raise"
    return Entry(
        id="",
        kind=kind,
        title=make_title(title),
        exception=exception,
        message=message,
        guard=guard,
        site=site,
        excerpt=_cut_excerpt(lines, mark.line),
        permalink=None,
        options=(),
        family=classify(kind, exception, message, guard),
        related=(),
        fingerprint=take_fingerprint(message, guard),
        remarks=remarks,
    )


def _read_more(message: Message) -> Iterator[Read]:
    """Give the reads of holes that came out of a variable or constant."""
    if message.resolution == "literal" and not message.alternatives:
        return
    groups = [message.parts, *(alternative.parts for alternative in message.alternatives)]
    for expression in dict.fromkeys(text for parts in groups for text in read_holes(parts)):
        try:
            yield from find_reads(cst.parse_expression(expression))
        except cst.ParserSyntaxError:
            continue


def name_exception(throws: Sequence[Thrown], context: Context) -> ExceptionType:
    """Name the class that is thrown; several, when the statement chooses between them, are joined by `|`."""
    found = list(dict.fromkeys(_name_one(thrown, context) for thrown in throws))
    if len(found) == 1:
        return found[0]
    shared = [base for base in found[0].bases if all(base in other.bases for other in found[1:])]
    return ExceptionType(" | ".join(exception.name for exception in found), None, tuple(shared))


def _name_one(thrown: Thrown, context: Context) -> ExceptionType:
    dotted = name_class(thrown.target)
    if dotted is None:
        return ExceptionType(write_expression(thrown.target), None, ())
    qualified = context.resolve(dotted)
    name = dotted.rpartition(".")[2]
    if qualified is not None and context.world.find_class(qualified) is not None:
        name = qualified.rpartition(".")[2]
    return ExceptionType(name, qualified, context.world.list_bases(qualified))


def _nearest_builtin(exception: ExceptionType) -> str | None:
    if exception.qualified is not None and exception.qualified.startswith("builtins."):
        return exception.name
    return None


def _cut_excerpt(lines: Sequence[str], line: int) -> Excerpt:
    start = max(1, line - EXCERPT_BEFORE)
    return Excerpt(start, "\n".join(lines[start - 1 : line + EXCERPT_AFTER]))


__all__ = ["Fingerprint", "Guard", "Mined", "SourceText", "find_facts", "is_builtin_exception", "mine_text"]
