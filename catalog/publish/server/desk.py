"""How is work that takes a while kept off the event loop, and within bounds?"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

Answer = TypeVar("Answer")


class BusyError(Exception):
    """As much as there is room for is waiting already."""


class TooLongError(Exception):
    """The work wasn't done in time."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is taken on at once."""

    workers: int
    waiting: int
    """So many more may wait for a worker."""
    seconds: float
    """How long whoever asks waits, in the line and for the work."""


class Desk:
    """Takes on work for a few threads, and refuses what would have to wait behind too much."""

    def __init__(self, name: str, bounds: Bounds) -> None:
        self.bounds = bounds
        self._pool = ThreadPoolExecutor(bounds.workers, thread_name_prefix=name)
        self._taken = 0

    async def ask(self, work: Callable[[], Answer]) -> Answer:
        """Give what the work gives; of work that takes too long nothing is waited for, but its place stays taken."""
        if self._taken >= self.bounds.workers + self.bounds.waiting:
            raise BusyError
        self._taken += 1
        loop = asyncio.get_running_loop()
        future = self._pool.submit(work)
        future.add_done_callback(lambda _: self._free(loop))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self.bounds.seconds)
        except TimeoutError as error:
            if _is_from_work(future):
                raise
            raise TooLongError from error

    def _free(self, loop: asyncio.AbstractEventLoop) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._give_back)

    def _give_back(self) -> None:
        self._taken -= 1

    def close(self) -> None:
        """Take on nothing more; what is being worked on ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _is_from_work(future: Future[Answer]) -> bool:
    """Tell whether the work itself ran into a timeout of its own."""
    return future.done() and not future.cancelled() and isinstance(future.exception(), TimeoutError)
