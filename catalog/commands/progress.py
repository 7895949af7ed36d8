"""How long work of the catalog's commands shows itself: a bar on stderr where that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from catalog.terminal import open_console


@contextmanager
def show_count(stage: str, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Give a function that shows how much of the work is done; the bar is gone when it ends."""
    if quiet or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import Progress

    with Progress(console=open_console(stderr=True), transient=True, auto_refresh=False) as bars:
        bar = bars.add_task(stage, total=None)

        def report(done: int, total: int) -> None:
            bars.update(bar, completed=done, total=total)
            bars.refresh()

        yield report
