"""Which errors does a log report, the likely cause first, and which entries do they come from?"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import re2

from catalog.explain.kin import find_kin
from catalog.explain.logs import Log, Report
from catalog.explain.loose import find_loose
from catalog.explain.match import CLOSE, Match, is_tied, match_report, match_similar
from catalog.explain.overlay import Overlay
from catalog.explain.stored import IndexedCatalog

_ECHO = re2.compile(
    r"(?i)root cause|see (?:the )?(?:stack )?(?:trace|error|log)s? above|(?:trace|log|error)s? above for|"
    r"check the (?:stack trace|logs?|worker)|above for more"
)
"""What a message says when another one has the cause."""
# One class of characters, repeated: nothing to backtrack over.
_HEX, _DIGITS = re.compile(r"[0-9a-fA-F]{6,}"), re.compile(r"\d+")
_SURE, _LIKELY = 45.0, 28.0
_RUNNERS_UP = 12.0
_MOST_MATCHES, _MOST_TIED = 5, 12
_MOST_INNER = 3
_MOST_SIMILAR = 3
_SAID = frozenset({"class", "wrapped", "line", "repr"})
"""Reports that say they are one, so that likeness may be looked for."""
_TOLD = frozenset({"class", "wrapped", "repr", "frames"})
"""Reports that are told of even when nothing fits: of the others nobody said that they are errors."""
_MOST_SEARCHES = 24
"""Likeness is looked for so often in a passage: it takes far longer than a match."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An error in a log, and the entries it may come from."""

    log: Log
    report: Report
    matches: tuple[Match, ...]
    """Best first; empty when nothing in the catalogs fits."""
    is_tied: bool
    times: int = 1
    """How often the log reports it."""

    @property
    def message(self) -> str:
        """The message as the log has it, without what follows it."""
        return self.log.text[self.report.message_start : self.report.message_end].strip()


@dataclass(frozen=True, slots=True)
class Group:
    """Reports of a log that look alike, so that one of them needs looking at."""

    look: Hashable
    report: Report
    """The first of them."""
    times: int


def find_all(log: Log, catalogs: Sequence[IndexedCatalog]) -> list[Finding]:
    """Find every error of a log in the catalogs: matched ones first, the likely cause before the others."""
    overlays = [Overlay(log, catalog) for catalog in catalogs]
    return settle_findings(find_groups(log, overlays, group_reports(log, overlays)))


def group_reports(log: Log, overlays: Sequence[Overlay]) -> list[Group]:
    """Group a log's reports by what they look like, those included that no head announces."""
    loose = {(report.start, report.message_end): report for overlay in overlays for report in find_loose(overlay)}
    times: Counter[Hashable] = Counter()
    firsts: dict[Hashable, Report] = {}
    for report in [*log.reports, *loose.values()]:
        look = print_report(report, overlays)
        firsts.setdefault(look, report)
        times[look] += 1
    return [Group(look, report, times[look]) for look, report in firsts.items()]


def find_groups(log: Log, overlays: Sequence[Overlay], groups: Iterable[Group]) -> list[tuple[Group, Finding]]:
    """Look each group's first report up; what nothing fits and nobody called an error gives no finding."""
    found: list[tuple[Group, Finding]] = []
    searches = 0
    for group in groups:
        finding = replace(_find(log, group.report, overlays), times=group.times)
        if not finding.matches and group.report.kind in _SAID and searches < _MOST_SEARCHES:
            searches += 1
            finding = _find_similar(finding, overlays)
        if finding.matches or group.report.kind in _TOLD:
            found += [(group, each) for each in (*_find_inner(finding, overlays), finding)]
    return found


def settle_findings(found: Iterable[tuple[Group, Finding]]) -> list[Finding]:
    """Order the findings, leave out what only leads into another one, and tell each error once."""
    return _merge_repeated(sorted(_drop_shadowed([finding for _, finding in found]), key=order_finding))


def print_report(report: Report, overlays: Sequence[Overlay]) -> Hashable:
    """Give a report's fingerprint: two that share it differ at most in numbers that no template fixes."""
    log = overlays[0].log
    frames = tuple((frame.path, frame.line, frame.function, frame.source) for frame in report.frames[-2:])
    message = log.text[report.message_start : report.message_end].strip()
    texts = [sorted(overlay.list_texts(report)) for overlay in overlays]
    if not any(
        overlay.fixes_numbers(text) for overlay, numbers in zip(overlays, texts, strict=True) for text in numbers
    ):
        message = _DIGITS.sub("0", _HEX.sub(_fold_hex, message))
    return hash((report.kind, report.exception, message, frames, tuple(map(tuple, texts))))


def _fold_hex(found: re.Match[str]) -> str:
    """Give an id for what looks like one, a word like `defaced` as it is."""
    return found.group() if found.group().isalpha() else "0"


def order_finding(finding: Finding) -> tuple[tuple[bool, bool, bool], tuple[int, int, int]]:
    """Rank a finding, and give its place in the log.

    Matched before unmatched, likely before possible, causes before echoes; what is quoted before what quotes it.
    """
    report = finding.report
    rank = (
        not finding.matches,
        bool(finding.matches) and finding.matches[0].points < _LIKELY,
        bool(_ECHO.search(finding.message[:2_000])),
    )
    if report.inside is None:
        return rank, (report.order, report.start, 1)
    return rank, (report.order, report.inside, -report.start)


def describe_sureness(match: Match) -> str:
    """Say in a word how sure a match is."""
    if match.is_similar:
        return "similar"
    return "certain" if match.points >= _SURE else "likely" if match.points >= _LIKELY else "possible"


def _find(log: Log, report: Report, overlays: Sequence[Overlay]) -> Finding:
    """Give a report's matches over all catalogs."""
    candidates = [match for overlay in overlays for match in match_report(overlay, report) if match.is_enough]
    ranked = sorted(candidates, key=lambda match: -match.points)
    return Finding(log, report, *_choose(ranked, [overlay.catalog for overlay in overlays]))


def _find_similar(finding: Finding, overlays: Sequence[Overlay]) -> Finding:
    """Give the entries that are worded like a report without a match."""
    similar = [match for overlay in overlays for match in match_similar(overlay, finding.report)]
    ranked = sorted(similar, key=lambda match: -match.points)[:_MOST_SIMILAR]
    matches, is_tied = _choose(ranked, [overlay.catalog for overlay in overlays])
    return replace(finding, matches=matches, is_tied=is_tied)


def _choose(candidates: list[Match], catalogs: Sequence[IndexedCatalog]) -> tuple[tuple[Match, ...], bool]:
    """Keep the best, what is as good, and the runners-up."""
    if not candidates:
        return (), False
    kept: list[Match] = []
    for match in candidates:
        same = next((at for at, known in enumerate(kept) if _is_same_entry(known, match, catalogs)), None)
        if same is not None:
            kept[same] = _choose_version(kept[same], match, catalogs)
        elif len(kept) < _MOST_TIED:
            kept.append(match)
    kept.sort(key=lambda match: -match.points)
    tied = is_tied(kept)
    near = [match for match in kept if kept[0].points - match.points < _RUNNERS_UP]
    return tuple(near[: _MOST_TIED if tied else _MOST_MATCHES]), tied


def _is_same_entry(one: Match, other: Match, catalogs: Sequence[IndexedCatalog]) -> bool:
    """Tell whether two matches are one entry in two versions of its target."""
    if one.catalog is other.catalog or one.catalog.target.name != other.catalog.target.name:
        return False
    return one.entry.id == other.entry.id or find_kin(one.catalog, one.number, other.catalog, catalogs) == other.number


def _choose_version(one: Match, other: Match, catalogs: Sequence[IndexedCatalog]) -> Match:
    """Choose the version that the log speaks for, and where nothing tells them apart the first catalog's."""
    if abs(one.circumstances - other.circumstances) >= CLOSE:
        return max(one, other, key=lambda match: match.circumstances)
    return min(one, other, key=lambda match: catalogs.index(match.catalog))


def _find_inner(finding: Finding, overlays: Sequence[Overlay]) -> list[Finding]:
    """Find errors that stand as values in a matched message: a wrapper quotes them, and they are its cause."""
    inner: list[Finding] = []
    if not finding.matches or finding.matches[0].laid is None or finding.report.kind == "statement":
        return inner
    log, offsets = finding.log, finding.log.squeezed.offsets
    for low, high in finding.matches[0].laid.alignment.gaps:
        if high - low < 24 or (high >= len(offsets) and low >= len(offsets) - 1):
            continue
        start, end = offsets[low], min(offsets[high], finding.report.limit)
        quoted = replace(
            finding.report,
            kind="quoted",
            exception=None,
            start=start,
            message_start=start,
            message_end=end,
            limit=end,
            frames=(),
            inside=finding.report.start,
        )
        found = _find(log, quoted, overlays)
        if found.matches and found.matches[0].entry.id != finding.matches[0].entry.id:
            inner.append(found)
    return inner[:_MOST_INNER]


def _drop_shadowed(findings: list[Finding]) -> list[Finding]:
    """Drop a report without a match that only leads into a matched one, as a validation error into its errors."""
    matched = [finding.report for finding in findings if finding.matches]
    return [
        finding
        for finding in findings
        if finding.matches
        or not any(
            (finding.report.start <= other.start and other.start <= finding.report.message_end)
            or finding.report.inside == other.start
            or (finding.report.kind == "frames" and finding.report.frames == other.frames)
            for other in matched
        )
    ]


def _merge_repeated(findings: list[Finding]) -> list[Finding]:
    """Tell an error once, with how often it came: every rank reports the same one."""
    merged: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        key = identify(finding)
        known = merged.get(key)
        merged[key] = finding if known is None else replace(known, times=known.times + finding.times)
    return list(merged.values())


def identify(finding: Finding) -> tuple[object, ...]:
    """Give what two reports of one error have in common."""
    if finding.matches:
        return tuple((match.catalog.name, match.number) for match in finding.matches)
    return finding.report.exception, finding.message[:200], finding.report.frames[-1:]
