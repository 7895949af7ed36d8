"""An entry → the options that it is about: what its guard and message lead to, and the flags its message names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from catalog.records import Entry, Hole, Message, OptionUse, Part, Text, UseSide
from miner.options.atlas import Place
from miner.options.frames import Frame
from miner.options.leaves import list_leaves
from miner.options.outline import parse
from miner.options.tracing import Hit, Tracer, count_shared_start
from miner.wording import write_expression

_FLAG = re.compile(r"(?<![\w/.-])--[A-Za-z][\w-]*(?:\.[A-Za-z_]\w*)*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_MAX_USES = 24


@dataclass(frozen=True, slots=True)
class Uses:
    """What an entry speaks of."""

    options: tuple[OptionUse, ...]
    unknown: tuple[str, ...]
    """Flags that its message names and no option has."""


def list_words(entry: Entry) -> frozenset[str]:
    """List the words of what an entry's guard and message compute with."""
    texts = [entry.guard.branch, *_list_holes(entry.message), *(binding.value for binding in entry.guard.bindings)]
    return frozenset(word for text in texts for word in _WORD.findall(text))


def find_uses(entry: Entry, tracer: Tracer, *, with_names: bool = True) -> Uses:
    """Find the options of an entry: those that its message and its branch speak of.

    The branch, not the whole condition: earlier exits that speak of other things are not what an error is about.
    """
    found: dict[tuple[str, str], tuple[Hit, list[UseSide]]] = {}
    frame = _make_frame(entry, tracer) if with_names else None
    if frame is not None:
        _collect(_list_holes(entry.message), "message", frame, tracer, found)
        _collect((entry.guard.branch,), "guard", frame, tracer, found)
    declared: UseSide = "message" if entry.guard.branch == "True" else "guard"
    for id_ in _find_declared(entry, tracer):
        found.setdefault((id_, id_.rpartition(".")[2]), (Hit(id_, ()), [declared]))
    known = {hit.id for hit, _ in found.values()}
    unknown: list[str] = []
    for flag in find_flags(entry.message):
        ids = _look_up(flag, tracer)
        if not ids:
            unknown.append(flag)
        chosen = next((id_ for id_ in ids if id_ in known), _find_nearest(ids, entry.site.path, tracer))
        if chosen is not None and chosen not in known:
            found[chosen, flag] = (Hit(chosen, ("named in the message",)), ["message"])
            known.add(chosen)
        elif chosen is not None:
            for (id_, _), (_, sides) in found.items():
                if id_ == chosen and "message" not in sides:
                    sides.append("message")
    uses = (OptionUse(hit.id, as_, tuple(sorted(sides)), hit.via) for (_, as_), (hit, sides) in found.items())
    return Uses(tuple(uses)[:_MAX_USES], tuple(unknown))


def _make_frame(entry: Entry, tracer: Tracer) -> Frame | None:
    outline = tracer.atlas.open(entry.site.module)
    if outline is None or outline.facts.path != entry.site.path:
        return None
    unit = outline.units.get(entry.site.qualname)
    if unit is None or (unit.header is not None and unit.header.line > entry.site.line):
        return None
    return Frame(Place(outline, unit), entry.site.line, None, entry.guard.bindings, entry.guard.closed)


def _collect(
    texts: Iterable[str],
    side: UseSide,
    frame: Frame,
    tracer: Tracer,
    found: dict[tuple[str, str], tuple[Hit, list[UseSide]]],
) -> None:
    for text in texts:
        node = parse(text)
        for leaf in list_leaves(node, loosely=True) if node is not None else ():
            for hit in tracer.trace_leaf(leaf, frame):
                known = found.setdefault((hit.id, write_expression(leaf)), (hit, []))
                if side not in known[1]:
                    known[1].append(side)


def _list_holes(message: Message | None) -> Iterator[str]:
    for part in _list_parts(message):
        if isinstance(part, Hole):
            yield part.expr.strip()


def _list_parts(message: Message | None) -> Iterator[Part]:
    if message is None:
        return
    yield from message.parts
    for alternative in message.alternatives[1:]:
        yield from alternative.parts


def _find_declared(entry: Entry, tracer: Tracer) -> Iterator[str]:
    """Find the field whose own declaration is the site: a bound or a pattern that a library checks."""
    if entry.kind != "constraint":
        return
    yield from tracer.inventory.at.get((entry.site.path, entry.site.line), ())


def find_flags(message: Message | None) -> tuple[str, ...]:
    """Find the flags that the fixed text of a message names."""
    found: dict[str, None] = {}
    parts = tuple(_list_parts(message))
    for index, part in enumerate(parts):
        if not isinstance(part, Text):
            continue
        for match in _FLAG.finditer(part.text):
            after = part.text[match.end() : match.end() + 1]
            is_cut = match.end() == len(part.text) and index + 1 < len(parts)
            if after in ("{", "*", "<") or (after == "-" or is_cut) or match[0].endswith("-"):
                continue
            found[match[0]] = None
    return tuple(found)


def _find_nearest(ids: Sequence[str], path: str, tracer: Tracer) -> str | None:
    """Find the option that is declared nearest to a file: two commands of a target may have a flag of one name."""

    def count(id_: str) -> int:
        return count_shared_start(tracer.inventory.places[id_].split("/"), path.split("/"))

    return max(ids, key=count, default=None)


def _look_up(flag: str, tracer: Tracer) -> tuple[str, ...]:
    """Find the options that a flag sets: also written with `_`, or with the key of a JSON value behind a dot."""
    flags = tracer.inventory.flags
    head, _, key = flag.partition(".")
    for name in (flag, head, head.replace("_", "-"), head.replace("-", "_").replace("__", "--", 1)):
        if name not in flags:
            continue
        if key:
            inner = [id_ for id_ in tracer.inventory.nested.get(name, ()) if id_.endswith(f".{key}")]
            return tuple(inner) or flags[name]
        return flags[name]
    return ()
