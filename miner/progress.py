"""How long work shows itself to the person who waits: a bar on stderr when that is a terminal, else nothing."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from catalog.terminal import open_console, safe

if TYPE_CHECKING:
    from miner.scan import Progress

Report = Callable[["Progress"], None]


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
    with Bars(*columns, console=open_console(stderr=True), transient=True) as bars:
        bar = bars.add_task("starting", total=None)

        def report(progress: "Progress") -> None:
            bars.update(bar, description=safe(progress.stage), completed=progress.done, total=progress.total or None)

        yield report
