"""A site → a folder: made by several processes beside its place, and put there when it is whole."""

import gc
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from catalog.folders import replace_folder
from catalog.publish.site.site import Site

KIND = "site"
_CHUNK = 400
_site: Site | None = None
_place = Path()


def write_site(
    site: Site, place: Path, workers: int | None = None, report: Callable[[int, int], None] = lambda *_: None
) -> int:
    """Write a site and give how many files it has; one that was there before is replaced whole, or not at all.

    Raises `CatalogError` where the folder is something else or can't be written.
    """
    return replace_folder(place, KIND, lambda folder: _fill(site, folder, workers, report))


def _fill(site: Site, folder: Path, workers: int | None, report: Callable[[int, int], None]) -> int:
    global _site, _place
    paths = list(site.paths())
    for parent in {Path(path).parent for path in paths}:
        (folder / parent).mkdir(parents=True, exist_ok=True)
    chunks = [paths[start : start + _CHUNK] for start in range(0, len(paths), _CHUNK)]
    count = min(workers or os.cpu_count() or 1, len(chunks))
    _site, _place = site, folder
    done = 0
    for written in _run(chunks, count):
        done += written
        report(done, len(paths))
    _site = None
    return done


def _run(chunks: Sequence[Sequence[str]], count: int) -> Iterator[int]:
    """Write chunk by chunk, on processes that share what was read; where those can't be forked, on this one."""
    if count == 1 or sys.platform != "linux":
        yield from map(_write, chunks)
        return
    gc.freeze()  # what the workers share is not looked through for cycles, which would copy it
    try:
        with ProcessPoolExecutor(count, multiprocessing.get_context("fork")) as pool:
            yield from pool.map(_write, chunks)
    finally:
        gc.unfreeze()


def _write(paths: Sequence[str]) -> int:
    site = _site
    assert site is not None
    for path in paths:
        page = site.render(path)
        assert page is not None, path
        with (_place / path).open("wb", buffering=0) as stream:
            stream.write(page.body)
    return len(paths)
