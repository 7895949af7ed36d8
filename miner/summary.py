"""What a person is told after a scan."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from catalog.records import Catalog, Option, Stats, Target
from catalog.terminal import plural, safe
from miner.batch.journal import Line

_SHOWN = 5


def summarize(catalog: Catalog, place: str) -> Iterator[str]:
    """Give the summary's lines: what was scanned, what was found, what was left out and why, where the catalog is."""
    stats = catalog.stats
    scope = " ".join(catalog.target.scope)
    yield f"{name_target(catalog.target)}, scope {scope}: {plural(stats.files_scanned, 'file')} scanned"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in stats.by_kind.items())
    reraises = f"; {plural(len(catalog.reraises), 're-raise')} besides" if catalog.reraises else ""
    yield f"  found: {plural(stats.entries, 'entry')}{f' ({kinds})' if kinds else ''}{reraises}"
    if stats.exact is not None and stats.closed is not None:
        yield f"  guards: {_percent(stats.exact)} exact, {_percent(stats.closed)} closed"
    if stats.dynamic:
        yield f"  messages that can't be read from the source: {stats.dynamic:,}"
    if catalog.options:
        traced = sum(bool(entry.options) for entry in catalog.entries)
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in count_kinds(catalog.options).items())
        yield f"  options: {len(catalog.options):,} ({kinds}), part of {plural(traced, 'entry')}"
    if stats.unknown_flags:
        yield f"  flags in messages that no option has: {_shorten(stats.unknown_flags)}"
    yield from _list_left_out(catalog, stats)
    if place != "-":
        yield f"written to {place}"


def count_kinds(options: Iterable[Option]) -> dict[str, int]:
    """Count options by kind, most frequent first."""
    counted = Counter(option.kind for option in options)
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def name_target(target: Target) -> str:
    """Name what was scanned, pinned: `vllm 0.28.0`, `vllm c794754062 (main)`."""
    if target.release is not None:
        return f"{target.name} {target.release}"
    if target.commit is None:
        return f"{target.name} (a folder)"
    changed = ", with local changes" if target.dirty else ""
    return f"{target.name} {target.commit[:10]}{f' ({target.ref})' if target.ref else ''}{changed}"


def _list_left_out(catalog: Catalog, stats: Stats) -> Iterator[str]:
    if stats.files_excluded:
        left_out = plural(stats.files_excluded, "file")
        yield f"  left out: {left_out} (the project's own tests and examples, and --exclude; --include takes them in)"
    if not catalog.skipped:
        return
    yield f"  skipped: {plural(len(catalog.skipped), 'file')}"
    for skipped in catalog.skipped[:_SHOWN]:
        yield f"    {skipped.path}: {skipped.reason}"
    if len(catalog.skipped) > _SHOWN:
        yield f"    and {len(catalog.skipped) - _SHOWN:,} more, listed in the catalog under `skipped`"


def tell_of(line: Line, done: int, total: int) -> str:
    """Say what became of one target of a list, when it has ended."""
    width = len(str(total))
    what = f"written to {line.file}" if line.state == "done" else f"failed: {line.reason}"
    return safe(f"[{done:>{width}}/{total}] {line.spec}: {what}")


def summarize_batch(lines: Sequence[Line], folder: str) -> Iterator[str]:
    """Give the summary's lines for a list of targets: how many are there, and which are not and why."""
    failed = [line for line in lines if line.state == "failed"]
    warned = [line for line in lines if line.warnings]
    yield f"{len(lines) - len(failed):,} of {plural(len(lines), 'target')} in {safe(folder)}"
    for line in failed:
        yield safe(f"  failed: {line.spec}: {line.reason}")
    for line in warned:
        yield from (safe(f"  {line.spec}: {warning}") for warning in line.warnings)
    if failed:
        yield f"run the same command again to try {'it' if len(failed) == 1 else 'them'} once more; the rest is kept"


def _percent(share: float) -> str:
    """Round down, so that 100 % means all."""
    return f"{int(share * 1000) / 10:g} %"


def _shorten(words: tuple[str, ...]) -> str:
    more = f" and {len(words) - _SHOWN:,} more" if len(words) > _SHOWN else ""
    return ", ".join(words[:_SHOWN]) + more
