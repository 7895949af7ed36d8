"""What is told of a log: its errors, each with the entries it may come from and all that follows from them?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from catalog.explain.conditions import put_values
from catalog.explain.findings import Finding, describe_sureness
from catalog.explain.lives import tell_lives
from catalog.explain.match import Match
from catalog.explain.shapes import list_texts
from catalog.explain.stored import IndexedCatalog
from catalog.explain.values import Recovered, Value, recover_values
from catalog.explain.versions import is_same_version, name_version
from catalog.notes.places import find_place
from catalog.records import Clause, Note, Option

_LONGEST_MESSAGE = 4_000
_SCALE = 15.0
"""So many points halve the doubt."""


@dataclass(frozen=True, slots=True)
class AnsweredFrame:
    """A frame as the log shows it."""

    path: str
    line: int | None
    function: str | None


@dataclass(frozen=True, slots=True)
class AnsweredSite:
    """Where the entry stands."""

    path: str
    line: int
    qualname: str


@dataclass(frozen=True, slots=True)
class AnsweredOption:
    """An option that the entry speaks of, and the value seen."""

    id: str
    name: str
    """As the source uses it."""
    flags: tuple[str, ...]
    keys: tuple[str, ...]
    """The way to it inside the value that the first flag takes; empty when the flag sets the option itself."""
    value: str | None


@dataclass(frozen=True, slots=True)
class AnsweredMatch:
    """An entry that an error may come from."""

    id: str
    catalog: str
    """`vllm 0.28.0`."""
    score: float
    """0 to 1."""
    exact: bool
    """The message is the entry's letter by letter, with values in its holes."""
    site: AnsweredSite
    values: tuple[Value, ...]
    reasons: tuple[str, ...]
    sure: str
    """`certain`, `likely`, `possible`; `similar` is a hint and no match."""
    exception: str
    template: str | None
    branch: str
    filled: str | None
    """The branch with the values in their places; None when no value has a place in it."""
    because: str | None
    """The part of it that explains: `65536 > 32768`."""
    clause: Clause | None
    options: tuple[AnsweredOption, ...]
    note: Note | None
    is_note_stale: bool
    permalink: str | None
    helper: str | None
    remarks: tuple[str, ...]
    lives: tuple[str, ...]
    """`removed in 0.33.0`."""


@dataclass(frozen=True, slots=True)
class AnsweredFinding:
    """An error of the log."""

    exception: str | None
    message: str | None
    frames: tuple[AnsweredFrame, ...]
    matches: tuple[AnsweredMatch, ...]
    tied: bool
    times: int


@dataclass(frozen=True, slots=True)
class Answer:
    """All that is told of a log."""

    findings: tuple[AnsweredFinding, ...]
    remarks: tuple[str, ...]


def answer_finding(finding: Finding, catalogs: Sequence[IndexedCatalog]) -> AnsweredFinding:
    """Answer one error."""
    recovered = [_recover(finding, match) for match in finding.matches]
    message = recovered[0].message if recovered and recovered[0].message else finding.message
    return AnsweredFinding(
        finding.report.exception,
        message[:_LONGEST_MESSAGE] or None,
        tuple(AnsweredFrame(frame.path, frame.line, frame.function) for frame in finding.report.frames if frame.path),
        tuple(_answer_match(match, read, catalogs) for match, read in zip(finding.matches, recovered, strict=True)),
        finding.is_tied,
        finding.times,
    )


def compare_version(name: str, version: str, catalogs: Sequence[IndexedCatalog]) -> str | None:
    """Say that a log is of another version than every catalog of that target, if it is."""
    targets = [catalog.target for catalog in catalogs if catalog.target.name == name]
    if any(is_same_version(version, target) for target in targets):
        return None
    known = ", ".join(filter(None, map(name_version, targets)))
    return f"the log is of {name} {version}, the catalog of {known}: lines, wording and conditions may differ"


def name_catalog(catalog: IndexedCatalog) -> str:
    """Name a catalog by what it is of."""
    version = name_version(catalog.target)
    return f"{catalog.target.name} {version}" if version else catalog.target.name


def _recover(finding: Finding, match: Match) -> Recovered:
    """Read the values out of a message; a line of source has none."""
    if match.laid is None or finding.report.kind == "statement":
        return Recovered((), is_exact=False, message=None)
    return recover_values(finding.log, finding.report, list_texts(match.entry)[match.laid.which], match.laid.alignment)


def _answer_match(match: Match, recovered: Recovered, catalogs: Sequence[IndexedCatalog]) -> AnsweredMatch:
    entry = match.entry
    tripped = put_values(entry.guard, recovered.values)
    note = match.catalog.find_note(entry.id)
    texts = entry.message.alternatives if entry.message is not None else ()
    template = entry.message.template if entry.message is not None else None
    return AnsweredMatch(
        id=entry.id,
        catalog=name_catalog(match.catalog),
        score=round(1 - 0.5 ** (max(match.points, 0.0) / _SCALE), 3),
        exact=recovered.is_exact,
        site=AnsweredSite(entry.site.path, entry.site.line, entry.site.qualname),
        values=recovered.values,
        reasons=tuple(piece.reason for piece in match.evidence),
        sure=describe_sureness(match),
        exception=entry.exception.name,
        template=texts[match.laid.which].template if texts and match.laid is not None else template,
        branch=entry.guard.branch,
        filled=tripped.branch if tripped.branch != entry.guard.branch else None,
        because=tripped.because,
        clause=tripped.clause,
        options=tuple(_answer_options(match, recovered.values)),
        note=note,
        is_note_stale=note is not None and note.fingerprint != entry.fingerprint,
        permalink=entry.permalink,
        helper=entry.helper,
        remarks=entry.remarks,
        lives=tuple(tell_lives(match.catalog, match.number, catalogs)),
    )


def _answer_options(match: Match, values: Sequence[Value]) -> list[AnsweredOption]:
    seen = {value.expr.strip(): value.text for value in values}
    answered = []
    for use in match.entry.options:
        option = match.catalog.find_option(use.id)
        flags = option.flags if option is not None else ()
        keys = _find_keys(option, match.catalog, use.as_) if option is not None else ()
        answered.append(AnsweredOption(use.id, use.as_, flags, keys, seen.get(use.as_)))
    return answered


def _find_keys(option: Option, catalog: IndexedCatalog, name: str) -> tuple[str, ...]:
    """Give the way to an option inside a flag's value; none when a flag sets the option itself."""
    ways = [find_place(replace(option, flags=(flag,)), catalog.facts, name).keys for flag in option.flags]
    return ways[0] if ways and all(ways) else ()
