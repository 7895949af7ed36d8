"""What mining a unit gave, kept for a later scan of a target in which the unit and all it depends on are the same.

A result is a verifying trace: beside it stands what was asked of the rest of the target, and a digest of each answer.
Lines are kept as places among the unit's own rows, so that a unit that has moved is still the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from catalog.errors import CatalogError
from catalog.identity import digest
from catalog.records import Binding, Clause, Entry, Excerpt, Guard, Reraise
from catalog.store import dump_exactly, load_record
from miner.entries import SourceText, cut_excerpt
from miner.ledger import Question
from miner.locate import SiteMark, Unit
from miner.questions import Questions, describe_unit

_NOWHERE = Excerpt(0, "")


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """An entry whose lines are places among the rows of its unit."""

    place: int
    """Of its mark among the unit's."""
    entry: Entry


@dataclass(frozen=True, slots=True)
class KeptUnit:
    """What mining a unit gave."""

    key: str
    asked: tuple[int, ...]
    """Places of its questions among the file's."""
    entries: tuple[KeptEntry, ...]
    reraises: tuple[int, ...]
    """Places of their marks."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """What mining the units of a file gave."""

    questions: tuple[Question, ...] = ()
    answers: tuple[str, ...] = ()
    units: tuple[KeptUnit, ...] = ()


def load_file(data: bytes) -> KeptFile:
    """Load what is kept of a file; nothing where that can't be read."""
    try:
        return load_record(data, KeptFile, "the cache")
    except CatalogError:
        return KeptFile()


def make_key(
    source: SourceText,
    unit: Unit,
    imports: Mapping[str, str],
    leaving: Iterable[str],
    calls: Mapping[int, SiteMark],
    *,
    fills: bool,
) -> str:
    """Make the key of a unit: all that mining it reads of its own file, whatever lines it stands on."""
    around = [f"{name} {qualified}" for name, qualified in sorted(imports.items())]
    owners: list[str] = []
    outer = unit.parent
    while outer is not None:
        owners.append(outer.kind)
        outer = outer.parent
    rows = (str(index) for index, row in enumerate(unit.rows) if row.line in calls)
    parts = (source.module, *owners, "", *around, "", *sorted(leaving), "", *rows, str(fills))
    return digest(describe_unit(source.text, unit), *parts)


class Keeper:
    """What is kept of one file, and what is to be kept of it."""

    def __init__(self, data: bytes | None, questions: Questions) -> None:
        self._kept = load_file(data) if data is not None else KeptFile()
        self._answers = questions
        self._by_key = {unit.key: unit for unit in self._kept.units}
        self._holds: dict[int, bool] = {}
        self._places: dict[Question, int] = {}
        self._units: dict[str, KeptUnit] = {}

    def find(self, key: str) -> KeptUnit | None:
        """Find what mining the very same unit gave, if all that it has asked is still answered so."""
        found = self._by_key.get(key)
        if found is None or not all(map(self._is_same, found.asked)):
            return None
        if key not in self._units:
            asked = tuple(self._place(self._kept.questions[index]) for index in found.asked)
            self._units[key] = replace(found, asked=asked)
        return found

    def _is_same(self, index: int) -> bool:
        if index not in self._holds:
            self._holds[index] = self._answers.answer(self._kept.questions[index]) == self._kept.answers[index]
        return self._holds[index]

    def _place(self, question: Question) -> int:
        return self._places.setdefault(question, len(self._places))

    def keep(
        self,
        key: str,
        unit: Unit,
        calls: Mapping[int, SiteMark],
        found: Sequence[Entry | Reraise],
        asked: Iterable[Question],
    ) -> None:
        """Keep what mining a unit gave."""
        places = {row.line: index for index, row in enumerate(unit.rows)}
        if unit.header is not None:
            places.setdefault(unit.header.line, -1)
        marks = {(mark.line, mark.column): index for index, mark in enumerate(_list_marks(unit, calls))}
        try:
            entries = tuple(_loosen(each, places, marks) for each in found if isinstance(each, Entry))
            lines = {mark.line: index for index, mark in enumerate(unit.marks)}
            reraises = tuple(lines[each.line] for each in found if isinstance(each, Reraise))
        except KeyError:  # a line that is no row's own: such a unit is mined each time
            return
        self._units[key] = KeptUnit(key, tuple(map(self._place, asked)), entries, reraises)

    def dump(self) -> bytes | None:
        """Give what is to be kept; nothing where it would not come back as it is."""
        answers = tuple(map(self._answers.answer, self._places))
        return dump_exactly(KeptFile(tuple(self._places), answers, tuple(self._units.values())))


def _list_marks(unit: Unit, calls: Mapping[int, SiteMark]) -> list[SiteMark]:
    return [*unit.marks, *(calls[line] for line in sorted(calls))]


def _loosen(entry: Entry, places: Mapping[int, int], marks: Mapping[tuple[int, int], int]) -> KeptEntry:
    guard = _move(entry.guard, places)
    return KeptEntry(
        marks[entry.site.line, entry.site.column], replace(entry, guard=guard, excerpt=_NOWHERE, permalink=None)
    )


def _move(guard: Guard, lines: Mapping[int, int] | Sequence[int]) -> Guard:
    return replace(
        guard,
        clauses=tuple(Clause(c.kind, c.test, c.negated, lines[c.line], c.rebound) for c in guard.clauses),
        bindings=tuple(Binding(b.name, b.value, lines[b.line]) for b in guard.bindings),
    )


def restore(
    kept: KeptUnit, source: SourceText, unit: Unit, calls: Mapping[int, SiteMark], lines: Sequence[str]
) -> list[Entry | Reraise]:
    """Put what is kept where the unit stands now."""
    rows = [row.line for row in (*unit.rows, *([unit.header] if unit.header is not None else ()))]
    marks = _list_marks(unit, calls)
    found: list[Entry | Reraise] = []
    for each in kept.entries:
        entry, mark = each.entry, marks[each.place]
        site = replace(
            entry.site,
            path=source.path,
            line=mark.line,
            end_line=mark.end_line,
            column=mark.column,
            vendored=source.vendored,
        )
        found.append(replace(entry, site=site, guard=_move(entry.guard, rows), excerpt=cut_excerpt(lines, mark.line)))
    found += [Reraise(source.path, marks[place].line, unit.qualname) for place in kept.reraises]
    return found
