"""Which note each entry of a catalog gets: a written one that holds, else the derived one, and none that fails."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from catalog.notes.files import NoteFile
from catalog.notes.states import NoteState, Registry, find_state, is_about
from catalog.records import Catalog, Entry, Note, Verification

Derive = Callable[[Entry], Note]
Verify = Callable[[Note, Entry], tuple[Verification, ...]]


@dataclass(frozen=True, slots=True)
class Judged:
    """A written note, what became of its entry, and what checking it gave."""

    file: NoteFile
    state: NoteState
    verified: tuple[Verification, ...]
    """Empty for an orphan: there is nothing to check it against."""

    @property
    def failures(self) -> tuple[Verification, ...]:
        """List what failed."""
        return tuple(each for each in self.verified if not each.passed)

    @property
    def is_sound(self) -> bool:
        """Tell whether the note may be published: it has an entry, and every check of it passed."""
        return self.state.entry is not None and not self.failures


@dataclass(frozen=True, slots=True)
class Joined:
    """A catalog with its notes, and what was not published."""

    catalog: Catalog
    written: tuple[Judged, ...]
    """The notes that were published from files."""
    withheld: tuple[Note, ...]
    """Derived notes that failed a check."""


def judge(files: Iterable[NoteFile], catalog: Catalog, verify: Verify) -> Iterator[Judged]:
    """Judge every note of a folder that is about this catalog's target."""
    registry = Registry(catalog)
    for file in files:
        if not is_about(file.note, catalog.target):
            continue
        state = find_state(file.note, registry)
        verified = verify(file.note, state.entry) if state.entry is not None else ()
        yield Judged(file, state, verified)


def join_notes(
    catalog: Catalog,
    judged: Iterable[Judged],
    verify: Verify,
    derive: Derive | None,
    tick: Callable[[], None] = lambda: None,
) -> Joined:
    """Give each entry its note; without `derive`, only those that have a written one.

    Notes that a catalog already has are replaced: the same catalog and folder always give the same notes.
    """
    best = _choose_best(judged)
    notes: list[Note] = []
    withheld: list[Note] = []
    for entry in catalog.entries:
        tick()
        if entry.id in best:
            chosen = best[entry.id]
            notes.append(replace(chosen.file.note, entry=entry.id, verified=chosen.verified))
        elif derive is not None:
            note = _derive(entry, derive, verify)
            (notes if _passes(note) else withheld).append(note)
    written = tuple(best[entry.id] for entry in catalog.entries if entry.id in best)
    return Joined(replace(catalog, notes=tuple(notes)), written, tuple(withheld))


def _derive(entry: Entry, derive: Derive, verify: Verify) -> Note:
    """Derive a note with what checking it gave; what it shows goes when only that doesn't hold."""
    note = derive(entry)
    whole = replace(note, verified=verify(note, entry))
    if _passes(whole) or (note.example is None and note.check is None):
        return whole
    bare = replace(note, example=None, check=None)
    bare = replace(bare, verified=verify(bare, entry))
    return bare if _passes(bare) else whole


def _passes(note: Note) -> bool:
    return all(each.passed for each in note.verified)


def _choose_best(judged: Iterable[Judged]) -> Mapping[str, Judged]:
    """Choose, by entry, among written notes that pass: one that still fits, then a person's."""
    best: dict[str, Judged] = {}
    for each in judged:
        if each.is_sound and each.state.entry is not None:
            best[each.state.entry.id] = min(best.get(each.state.entry.id, each), each, key=_rank)
    return best


def _rank(judged: Judged) -> tuple[bool, bool, bool, str]:
    note = judged.file.note
    return judged.state.is_stale, note.status != "reviewed", note.model is not None, str(judged.file.path)
