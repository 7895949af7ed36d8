"""How long work shows itself to the person who waits: a bar on stderr when that is a terminal, else nothing."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from catalog.terminal import open_console, safe

if TYPE_CHECKING:
    from miner.scan import Progress

Report = Callable[["Progress"], None]
_PAUSE = 0.1
"""Seconds between two drawings."""


@contextmanager
def show_progress(quiet: bool) -> Iterator[Report]:
    """Give a function that shows each report; the bar is gone when the work ends, however it ends."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    stage = TextColumn("{task.description}", markup=False)
    columns = (stage, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Drawn when there is news, by this thread: a second one would be copied, half-way through a line, into the workers.
    with Bars(*columns, console=open_console(stderr=True), transient=True, auto_refresh=False) as bars:
        bar = bars.add_task("", total=None)
        drawn = 0.0

        def report(progress: "Progress") -> None:
            nonlocal drawn
            is_new = bars.tasks[0].description != progress.stage
            bars.update(bar, description=safe(progress.stage), completed=progress.done, total=progress.total or None)
            if is_new or time.monotonic() - drawn > _PAUSE:
                bars.refresh()
                drawn = time.monotonic()

        yield report
