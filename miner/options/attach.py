"""Entries and the source around them → the same entries with their options, and all options there are."""

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from catalog.records import Entry, Option
from miner.options.atlas import Atlas
from miner.options.inventory import take_inventory
from miner.options.tracing import Tracer
from miner.options.uses import Uses, find_uses, list_words
from miner.pool import open_pool, run_deep

_CHUNK = 64
_work: "_Work | None" = None


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
    modules = frozenset(configuration)
    tracer = run_deep(lambda: Tracer(atlas, take_inventory(atlas, modules)))
    names = frozenset(option.name for option in tracer.inventory.options)
    found = list(_find_all(_Work(entries, tracer, modules, names), workers))
    unknown = Counter(flag for uses in found for flag in uses.unknown)
    return Attached(
        tuple(replace(entry, options=uses.options) for entry, uses in zip(entries, found, strict=True)),
        tracer.inventory.options,
        tuple(sorted(unknown, key=lambda flag: (-unknown[flag], flag))),
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """What the workers share: they are forked from the process that has read it all."""

    entries: Sequence[Entry]
    tracer: Tracer
    configuration: frozenset[str]
    names: frozenset[str]

    def find(self, start: int, end: int) -> list[Uses]:
        """Find the uses of some entries.

        Outside the modules that check what users set, only an entry that uses an option's own name is traced: most of
        a project's errors are about no option, and following each of their names to all callers takes longest.
        """
        return [
            find_uses(
                entry,
                self.tracer,
                with_names=entry.site.module in self.configuration or not self.names.isdisjoint(list_words(entry)),
            )
            for entry in self.entries[start:end]
        ]


def _find_all(work: _Work, workers: int | None) -> Iterator[Uses]:
    """Find the uses of each entry, in order, on several processes where they share what is read."""
    count, total = workers or os.cpu_count() or 1, len(work.entries)
    if count == 1 or sys.platform != "linux" or total < 4 * _CHUNK:
        yield from run_deep(lambda: work.find(0, total))
        return
    starts = range(0, total, _CHUNK)
    gc.freeze()  # what the workers share is not looked through for cycles, which would copy it
    try:
        with open_pool(min(count, len(starts)), _start_worker, work) as pool:
            for uses in pool.map(_find_chunk, starts):
                yield from uses
    finally:
        gc.unfreeze()


def _start_worker(work: _Work) -> None:
    global _work
    _work = work


def _find_chunk(start: int) -> list[Uses]:
    work = _work
    assert work is not None
    return run_deep(lambda: work.find(start, start + _CHUNK))
