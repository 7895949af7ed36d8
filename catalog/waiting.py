"""How long work on a catalog shows itself to the person who waits: a bar on stderr when that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from catalog.terminal import open_console

Tick = Callable[[], None]
"""Called for each piece that is done."""


@contextmanager
def show_progress(what: str, total: int) -> Iterator[Tick]:
    """Give a function that moves the bar on by one; the bar is gone when the work ends, however it ends."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress(console=open_console(stderr=True), transient=True) as bars:
        bar = bars.add_task(what, total=total)
        yield lambda: bars.advance(bar)
