"""What a person is told of the notes of a catalog: how many, in which state, and what is wrong with which."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from catalog.notes.joining import Joined, Judged
from catalog.records import Verification
from catalog.terminal import plural

_MOST = 10


def tell_joined(joined: Joined, judged: Sequence[Judged]) -> Iterator[str]:
    """Say what was joined, and of what was not published why."""
    catalog = joined.catalog
    derived = len(catalog.notes) - len(joined.written)
    yield (
        f"{plural(len(catalog.notes), 'note')} for {plural(len(catalog.entries), 'entry')}: "
        f"{len(joined.written):,} written, {derived:,} derived"
    )
    stale = [each for each in judged if each.state.is_stale]
    yield from _tell_some("stale", [f"{each.file.path}: {say_state(each)}" for each in stale])
    failing = [each for each in judged if each.failures]
    lines = [f"{each.file.path}: {say_failure(each.failures[0])}" for each in failing]
    yield from _tell_some("kept back, since a check failed", lines)
    withheld = [f"{note.entry}: {say_failure(_find_failure(note.verified))}" for note in joined.withheld]
    yield from _tell_some("derived but kept back, since a check failed", withheld)


def list_states(judged: Iterable[Judged], whole: bool) -> list[tuple[str, ...]]:
    """List the notes to look at, as rows of a table; `whole` adds those that are fine below them."""
    return [
        (each.state.state, each.file.note.entry, str(each.file.path), each.state.detail)
        for each in sorted(judged, key=lambda each: not each.state.is_stale)
        if whole or each.state.is_stale
    ]


def count_states(judged: Iterable[Judged]) -> str:
    """Count notes by state: `30 notes: 28 fresh, 2 reworded`."""
    counts = Counter(each.state.state for each in judged)
    parts = ", ".join(f"{count:,} {state}" for state, count in counts.most_common())
    return f"{plural(counts.total(), 'note')}{f': {parts}' if parts else ''}"


def say_state(judged: Judged) -> str:
    """Say a note's state with its detail."""
    return f"{judged.state.state}{f' ({judged.state.detail})' if judged.state.detail else ''}"


def say_failure(failure: Verification) -> str:
    """Say what failed: the check and its detail, on one line."""
    return f"{failure.check}: {' '.join(failure.detail.split())}"


def describe(judged: Judged) -> dict[str, Any]:
    """Describe a judged note as data, for `--json`."""
    note, state = judged.file.note, judged.state
    return {
        "path": judged.file.path.as_posix(),
        "entry": state.entry.id if state.entry is not None else note.entry,
        "status": note.status,
        "state": state.state,
        "detail": state.detail,
        "verified": judged.verified,
    }


def _tell_some(what: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"  {len(lines):,} {what}:"
        yield from (f"    {line}" for line in lines[:_MOST])
        if len(lines) > _MOST:
            yield f"    and {len(lines) - _MOST:,} more"


def _find_failure(verified: Iterable[Verification]) -> Verification:
    return next(each for each in verified if not each.passed)
