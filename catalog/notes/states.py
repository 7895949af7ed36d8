"""Whether a written note still speaks of its entry: fresh, moved, reworded, guard changed or orphaned."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from catalog.records import Catalog, Entry, Note, Target, Tombstone

State = Literal["fresh", "moved", "reworded", "guard changed", "orphaned"]
STALE: frozenset[State] = frozenset({"reworded", "guard changed", "orphaned"})
"""What a person should look at; where only the place changed, a note holds."""


@dataclass(frozen=True, slots=True)
class NoteState:
    """What became of the entry since a note was written for it."""

    state: State
    detail: str
    """For people: `was vllm/config/parallel.py:310`; empty when there is nothing to say."""
    entry: Entry | None
    """The entry as it is now; `None` for an orphan."""

    @property
    def is_stale(self) -> bool:
        """Tell whether a person should look."""
        return self.state in STALE


class Registry:
    """The entries of a catalog by every id they have or had."""

    def __init__(self, catalog: Catalog) -> None:
        self.target = catalog.target
        self._entries = _index_entries(catalog.entries)
        self._gone = {stone.id: stone for stone in catalog.tombstones}

    def find(self, entry_id: str) -> Entry | None:
        """Give the entry that has this id, or had it in an earlier catalog."""
        return self._entries.get(entry_id)

    def bury(self, entry_id: str) -> Tombstone | None:
        """Give what is left of an entry that an earlier catalog had."""
        return self._gone.get(entry_id)


def is_about(note: Note, target: Target) -> bool:
    """Tell whether a note is one of this target's; one that names no target may be."""
    return note.basis is None or note.basis.target == target.name


def find_state(note: Note, registry: Registry) -> NoteState:
    """Tell the state of a note by its fingerprint and its place."""
    entry = registry.find(note.entry)
    if entry is None:
        stone = registry.bury(note.entry)
        since = f", last seen in {stone.last_release or (stone.last_commit or '?')[:12]}" if stone else ""
        return NoteState("orphaned", f"no entry of this catalog has the id {note.entry}{since}", None)
    is_reworded = note.fingerprint.template != entry.fingerprint.template
    if note.fingerprint.guard != entry.fingerprint.guard:
        return NoteState("guard changed", "and its message was reworded" if is_reworded else "", entry)
    if is_reworded:
        return NoteState("reworded", "", entry)
    before = note.basis.place if note.basis is not None else None
    if note.entry != entry.id:
        return NoteState("moved", f"its id was {note.entry}", entry)
    if before is not None and before != name_place(entry):
        return NoteState("moved", f"was {before}", entry)
    return NoteState("fresh", "", entry)


def name_place(entry: Entry) -> str:
    """Name where an entry stands: `vllm/config/speculative.py:1202`."""
    return f"{entry.site.path}:{entry.site.line}"


def pin_target(target: Target) -> str | None:
    """Give what pins a target for good: its release, else its whole commit."""
    return target.release or target.commit


def _index_entries(entries: Iterable[Entry]) -> Mapping[str, Entry]:
    """Index entries by id; an id that one has wins over one that another had."""
    entries = tuple(entries)
    former = {earlier: entry for entry in reversed(entries) for earlier in entry.previous}
    return former | {entry.id: entry for entry in entries}
