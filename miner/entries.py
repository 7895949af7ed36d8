"""What was found at a site → its entry."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from catalog.families import classify
from catalog.identity import make_title, take_fingerprint
from catalog.records import Entry, EntryKind, ExceptionType, Excerpt, Guard, Message, Site
from miner.docstrings import read_docstring, read_signature
from miner.effects import Read, find_reads
from miner.guards import build_guard
from miner.locate import SiteMark, Unit
from miner.printing import read_holes
from miner.trail import Trail

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
class Finding:
    """What throws at a site, and when."""

    kind: EntryKind
    exception: ExceptionType
    message: Message | None
    trail: Trail
    reads: tuple[Read, ...]
    """What the statement itself reads."""
    title: str
    """For want of a message."""
    helper: str | None = None
    remarks: tuple[str, ...] = ()


def make_entry(source: SourceText, unit: Unit, mark: SiteMark, finding: Finding, lines: Sequence[str]) -> Entry:
    """Make the entry of a site, without an id."""
    message = finding.message
    reads = (*finding.reads, *(_read_more(message) if message is not None else ()))
    guard = build_guard(finding.trail, reads)
    return make_bare_entry(source, unit, mark, finding, guard, lines)


def make_bare_entry(
    source: SourceText, unit: Unit, mark: SiteMark, finding: Finding, guard: Guard, lines: Sequence[str]
) -> Entry:
    """Make the entry of a site whose guard is known."""
    message = finding.message
    return Entry(
        id="",
        kind=finding.kind,
        title=make_title(message.template if message is not None else finding.title),
        exception=finding.exception,
        message=message,
        guard=guard,
        site=Site(
            source.path,
            source.module,
            mark.line,
            mark.end_line,
            mark.column,
            unit.qualname,
            read_signature(source.text, unit),
            read_docstring(source.text, unit),
            source.vendored,
        ),
        excerpt=cut_excerpt(lines, mark.line),
        permalink=None,
        options=(),
        family=classify(finding.kind, finding.exception, message, guard),
        related=(),
        fingerprint=take_fingerprint(message, guard),
        helper=finding.helper,
        remarks=finding.remarks,
    )


def _read_more(message: Message) -> Iterator[Read]:
    """Give the reads of holes that came out of a variable, a constant or a call."""
    if message.resolution == "literal" and not message.alternatives:
        return
    groups = [message.parts, *(alternative.parts for alternative in message.alternatives)]
    for expression in dict.fromkeys(text for parts in groups for text in read_holes(parts)):
        try:
            yield from find_reads(cst.parse_expression(expression))
        except cst.ParserSyntaxError:
            continue


def cut_excerpt(lines: Sequence[str], line: int) -> Excerpt:
    """Cut out the lines around a site."""
    start = max(1, line - EXCERPT_BEFORE)
    return Excerpt(start, "\n".join(lines[start - 1 : line + EXCERPT_AFTER]))
