"""Which entries does each report of a log come from?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import re2

from catalog.explain.commonness import is_anybodys
from catalog.explain.evidence import ENOUGH, THIN, Evidence, weigh_class, weigh_frames, weigh_text
from catalog.explain.logs import Log, Report
from catalog.explain.overlay import Laid, Overlay
from catalog.explain.shapes import list_texts, read_fixed
from catalog.explain.similar import SIMILAR_ENOUGH, find_similar
from catalog.explain.squeeze import squeeze
from catalog.explain.statements import is_telling
from catalog.explain.stored import IndexedCatalog
from catalog.explain.values import is_exact
from catalog.explain.words import list_words
from catalog.records import Entry

_HIDING = frozenset({"wrapped", "body", "error", "repr", "loose", "quoted"})
"""Reports whose last frame need not be the one that raised."""
_LEFT_OUT = re2.compile(
    r"(?m)^\s*(?:\.{3}\s*$|\x{2026}\s*$|\[\.{3}|[\[<(](?:snip|truncated|omitted|skipp)|Traceback omitted)"
)
_FRAMES_ABOVE = 5
_OTHER_MESSAGE, _SPOKEN_OF = -20.0, 1.5
_LETTERS = 4.0
_IN_THE_RUNNING = 12.0
CLOSE = 1.0
"""Candidates nearer to each other than this are as good as each other."""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that a report may come from, and why."""

    catalog: IndexedCatalog
    number: int
    """The entry's place in its catalog."""
    entry: Entry
    laid: Laid | None
    """How one of the entry's texts lay over the message."""
    points: float
    evidence: tuple[Evidence, ...]
    is_similar: bool = False
    """The wording is only like the entry's: a hint, and no more."""

    @property
    def circumstances(self) -> float:
        """Give the points for all but how rare the fixed text is, which differs from catalog to catalog."""
        return self.points - (self.evidence[0].points if self.laid is not None and self.evidence else 0.0)

    @property
    def is_enough(self) -> bool:
        """Tell a match from a mere candidate."""
        return self.points >= ENOUGH


@dataclass(frozen=True, slots=True)
class _Ending:
    """What is known of the end of a report's traceback."""

    is_known: bool
    """The catalog has the last frame's file."""
    is_hidden: bool
    """Frames may be missing there."""


def match_report(overlay: Overlay, report: Report) -> list[Match]:
    """Give the candidates for a report, best first."""
    laid = overlay.lay_over(report)
    numbers = dict.fromkeys([*laid, *_list_by_surroundings(overlay.catalog, report)])
    ending = _read_ending(overlay, report)
    matches = [_weigh(overlay, report, number, laid.get(number), ending) for number in numbers]
    best = max((match.points for match in matches), default=0.0)
    compared = (_compare_letters(overlay, report, match, best) for match in matches)
    return sorted(compared, key=lambda match: (-match.points, match.number))


def match_similar(overlay: Overlay, report: Report) -> list[Match]:
    """Give entries with wording like a report's, for when none has its wording."""
    log, catalog = overlay.log, overlay.catalog
    found = []
    ending = _read_ending(overlay, report)
    for text, likeness in find_similar(catalog, log.text[report.message_start : report.message_end]):
        number = catalog.index.owners[text]
        entry = catalog.entries[number]
        evidence = [likeness, *_weigh_surroundings(overlay, report, entry, ending)]
        points = sum(piece.points for piece in evidence)
        if points >= SIMILAR_ENOUGH:
            found.append(Match(catalog, number, entry, None, round(points, 3), tuple(evidence), is_similar=True))
    return sorted(found, key=lambda match: (-match.points, match.number))


def is_tied(matches: Sequence[Match]) -> bool:
    """Tell whether nothing decides between the first matches."""
    return len(matches) > 1 and matches[0].points - matches[1].points < CLOSE


def _list_by_surroundings(catalog: IndexedCatalog, report: Report) -> Iterator[int]:
    """List the entries to which the class, a frame or a line of source leads."""
    index = catalog.index
    if report.exception is not None and "." in report.exception:
        yield from index.find_by_class(report.exception.rsplit(".", 1)[-1])
    for frame in reversed(report.frames[-_FRAMES_ABOVE:]):
        if frame.path and frame.function is not None:
            yield from index.find_in_function(frame.path, frame.function)
        if frame.path and (frame.function is None or frame.function.startswith("<")):
            in_file = index.find_in_file(frame.path)
            yield from (number for number in in_file if _has_line(catalog.entries[number], frame.line))
    source = report.frames[-1].source if report.frames else None
    if source and is_telling(squeeze(source)):
        yield from index.find_by_line(source)


def _has_line(entry: Entry, line: int | None) -> bool:
    return line is not None and entry.site.line <= line <= entry.site.end_line


def _weigh(overlay: Overlay, report: Report, number: int, laid: Laid | None, ending: _Ending) -> Match:
    catalog = overlay.catalog
    entry = catalog.entries[number]
    laid = laid or overlay.lay_entry(report, number)
    evidence: list[Evidence] = []
    if laid is not None:
        fit = overlay.measure(report, number, laid)
        if fit is not None:
            evidence += weigh_text(catalog.index.weigh_text(number, laid.which), fit)
    elif report.kind != "statement" and _says_otherwise(overlay, report, number):
        evidence.append(Evidence(_OTHER_MESSAGE, "the message isn't the entry's"))
    evidence += _weigh_surroundings(overlay, report, entry, ending)
    points = sum(piece.points for piece in evidence)
    return Match(catalog, number, entry, laid, round(points, 3), tuple(evidence))


def _compare_letters(overlay: Overlay, report: Report, match: Match, best: float) -> Match:
    """Credit a match in the running with what squeezing left out of account: that every letter is as it should be."""
    if (
        match.laid is None
        or report.kind == "statement"
        or match.points < max(ENOUGH, best - _IN_THE_RUNNING) - _LETTERS
    ):
        return match
    parts = list_texts(match.entry)[match.laid.which]
    if match.laid.alignment.matched < THIN or is_anybodys(list_words(read_fixed(parts))):
        return match  # others say the same, letter by letter
    if not is_exact(overlay.log, report, parts, match.laid.alignment):
        return match
    exact = Evidence(_LETTERS, "it is the entry's text letter by letter")
    return replace(match, points=round(match.points + _LETTERS, 3), evidence=(*match.evidence, exact))


def _read_ending(overlay: Overlay, report: Report) -> _Ending:
    last = report.frames[-1].path if report.frames else ""
    is_known = bool(last and overlay.catalog.index.find_in_file(last))
    return _Ending(is_known, report.kind in _HIDING or _leaves_out(overlay.log, report))


def _weigh_surroundings(overlay: Overlay, report: Report, entry: Entry, ending: _Ending) -> list[Evidence]:
    """Weigh what a report says besides its message: the class, the frames, names."""
    is_wrapped = report.kind in ("wrapped", "repr")
    named = weigh_class(report.exception, entry, is_wrapped, overlay.catalog.index.weigh_class(entry.exception.name))
    framed = weigh_frames(report.frames, entry, ending.is_known, ending.is_hidden)
    evidence = [piece for piece in (named, framed) if piece is not None]
    if framed is None and overlay.is_spoken_of(entry):
        evidence.append(Evidence(_SPOKEN_OF, f"the log speaks of {entry.site.module}"))
    return evidence


def _says_otherwise(overlay: Overlay, report: Report, number: int) -> bool:
    """Tell whether the report has a message that speaks against the entry."""
    log = overlay.log
    message = log.text[report.message_start : report.message_end].strip()
    if message:
        return not (message.startswith("assert ") and overlay.catalog.entries[number].message is None)
    head = log.text[report.start : report.message_start].rstrip(" *_`")
    # A class alone has no message; one with a colon may have had one that was cut off.
    is_whole = report.kind == "class" and bool(head) and not head.endswith(":")
    return is_whole and any(shape.fragments for shape in overlay.catalog.list_shapes(number))


def _leaves_out(log: Log, report: Report) -> bool:
    """Tell whether the log says that it leaves frames out at the end of a traceback."""
    return bool(report.frames) and bool(_LEFT_OUT.search(log.text[report.frames[-1].start : report.start]))
