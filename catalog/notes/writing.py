"""How what a model answers becomes note files: each checked, and on the disk as soon as it is there."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from catalog.notes.asking import Asker, Estimate, Failed, estimate, find_needy
from catalog.notes.files import FOLDER, NoteFile, make_slug, write_note
from catalog.notes.journal import open_journal, read_journal
from catalog.notes.model import Model
from catalog.notes.opening import Desk
from catalog.notes.selecting import Selection, make_filter
from catalog.records import Entry, Note, Target, Verification
from catalog.waiting import show_progress


@dataclass(frozen=True, slots=True)
class Order:
    """Which model is asked, where, and about what."""

    model: str
    base_url: str | None
    selection: Selection
    limit: int | None
    jobs: int
    anew: bool = False
    """Ask again where a kept answer was of no use or its draft fails a check."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How asking went."""

    calls: int
    """Answers that were paid for in this run."""
    tokens: int
    written: int
    failing: tuple[tuple[Entry, Verification], ...]
    """Entries whose note is kept as a draft, with the first check that failed."""
    failed: tuple[tuple[Entry, str], ...]
    """Entries without a note, and why."""


def name_folder(target: Target) -> Path:
    """Name the folder in which a target's notes are written when none is given."""
    return FOLDER / make_slug(target.name)


def estimate_order(desk: Desk, order: Order, folder: Path) -> Estimate:
    """Estimate what an order would cost, without asking and without writing."""
    return estimate(
        _choose(desk, order), desk.catalog, desk.derive, order.model, {} if order.anew else read_journal(folder)
    )


def write_asked(desk: Desk, order: Order, folder: Path, model: Model, today: str) -> Outcome:
    """Ask about every entry that is wanted and needs it, and write each note as it comes."""
    entries = _choose(desk, order)
    written = 0
    failing: list[tuple[Entry, Verification]] = []
    failed: list[tuple[Entry, str]] = []
    with open_journal(folder) as journal, show_progress("asking", len(entries)) as tick:
        asker = Asker(desk.catalog, desk.derive, model, journal, today, order.anew)
        for outcome in asker.ask_all(entries, order.jobs):
            tick()
            if isinstance(outcome, Failed):
                failed.append((outcome.entry, outcome.reason))
                continue
            failures = tuple(each for each in desk.verify(outcome.note, outcome.entry) if not each.passed)
            note = replace(outcome.note, verified=failures)
            write_note(note, folder, outcome.entry, _find_draft(desk, note))
            written += 1
            failing += [(outcome.entry, failure) for failure in failures[:1]]
    failing.sort(key=_place)
    failed.sort(key=_place)
    return Outcome(journal.calls, journal.tokens, written, tuple(failing), tuple(failed))


def _choose(desk: Desk, order: Order) -> list[Entry]:
    """Choose the entries to ask about; anew, a draft that fails a check is as good as none."""
    files: Iterable[NoteFile] = desk.folder.files if desk.folder is not None else ()
    if order.anew:
        files = [judged.file for judged in desk.judge() if judged.is_sound or judged.file.note.status == "reviewed"]
    return find_needy(desk.catalog, files, make_filter(order.selection, desk.catalog))[: order.limit]


def _find_draft(desk: Desk, note: Note) -> Path | None:
    """Find the draft of a model that a new one replaces; what a person wrote or reviewed is never written over."""
    for file in desk.folder.files if desk.folder is not None else ():
        if (file.note.entry, file.note.status) == (note.entry, "drafted") and file.note.model is not None:
            return file.path
    return None


def _place(told: tuple[Entry, object]) -> tuple[str, int, int]:
    site = told[0].site
    return site.path, site.line, site.column
