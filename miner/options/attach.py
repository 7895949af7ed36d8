"""Entries and the source around them → the same entries with their options, and all options there are."""

import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

from catalog.records import Entry, Option
from miner.options.atlas import Atlas
from miner.options.inventory import take_inventory
from miner.options.tracing import Tracer
from miner.options.uses import Uses, find_uses
from miner.pool import run_deep

_CHUNK = 64
_tracer: Tracer | None = None


@dataclass(frozen=True, slots=True)
class Attached:
    """What a target's options are, and which of them each entry is about."""

    entries: tuple[Entry, ...]
    options: tuple[Option, ...]
    unknown_flags: tuple[str, ...]
    """Flags that messages name and no option has, most frequent first."""


def attach_options(
    entries: Sequence[Entry],
    atlas: Atlas,
    configuration: Iterable[str],
    workers: int | None = None,
) -> Attached:
    """Find the options of a target and of each entry; `configuration` names the modules that check what users set."""
    tracer = run_deep(lambda: Tracer(atlas, take_inventory(atlas, configuration)))
    found = list(_find_all(entries, tracer, workers))
    unknown = Counter(flag for uses in found for flag in uses.unknown)
    return Attached(
        tuple(replace(entry, options=uses.options) for entry, uses in zip(entries, found, strict=True)),
        tracer.inventory.options,
        tuple(sorted(unknown, key=lambda flag: (-unknown[flag], flag))),
    )


def _find_all(entries: Sequence[Entry], tracer: Tracer, workers: int | None) -> Iterator[Uses]:
    """Find the uses of each entry, in order, on several processes where they share what is read."""
    count = workers or os.cpu_count() or 1
    if count == 1 or sys.platform != "linux" or len(entries) < 4 * _CHUNK:
        yield from run_deep(lambda: [find_uses(entry, tracer) for entry in entries])
        return
    chunks = [entries[start : start + _CHUNK] for start in range(0, len(entries), _CHUNK)]
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(min(count, len(chunks)), context, _start_worker, (tracer,)) as pool:
        for uses in pool.map(_find_chunk, chunks):
            yield from uses


def _start_worker(tracer: Tracer) -> None:
    global _tracer
    _tracer = tracer


def _find_chunk(entries: Sequence[Entry]) -> list[Uses]:
    tracer = _tracer
    assert tracer is not None
    return run_deep(lambda: [find_uses(entry, tracer) for entry in entries])
