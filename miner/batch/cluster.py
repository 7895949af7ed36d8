"""A Dask cluster as an executor: the only module that knows `distributed`, an extra of its own."""

import logging
import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from catalog.errors import TargetError
from miner.batch.work import LostError
from miner.tool import describe_tool

_SECONDS = 10
"""How long to wait for a scheduler that doesn't answer."""


@dataclass(frozen=True, slots=True)
class Workforce:
    """Who does the jobs."""

    executor: Executor
    count_hands: Callable[[], int]
    """How many jobs are done at once; workers come and go."""
    lost: tuple[type[Exception], ...] = (LostError,)
    """What a job raises whose process or worker was killed."""


@contextmanager
def join_cluster(address: str) -> Iterator[Workforce]:
    """Join the cluster of a scheduler, `tcp://host:8786`; its workers must have this very errmine.

    Raises `TargetError` where there is no scheduler, no worker, or another errmine, and where the scheduler is lost.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError as error:
        raise TargetError("--scheduler needs the extra errmine[cluster]; install it here and on the workers") from error
    _knock(address)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is told in one line
    try:
        connect: Callable[..., Any] = Client
        client = connect(address, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise TargetError(f"{address}: no scheduler answers ({reason}); start one with `dask scheduler`") from error
    with client:
        _check_workers(address, client.run(describe_tool, on_error="return"))
        executor = client.get_executor(pure=False, retries=2)
        try:
            yield Workforce(executor, lambda: sum(client.nthreads().values()), (LostError, KilledWorker))
        except (CommClosedError, CancelledError) as error:
            raise TargetError(f"{address}: the scheduler is lost; what was done is kept: run the same again") from error
        finally:
            executor.shutdown(wait=False)


def _knock(address: str) -> None:
    """Refuse at once an address at which nobody listens; the client itself would try for long."""
    place = re.fullmatch(r"(?:tcp|tls)://(?P<host>[^:/]+|\[[0-9a-f:]+\]):(?P<port>\d{1,5})/?", address)
    if place is None:
        raise TargetError(f"{address!r} is no scheduler's address; write tcp://host:8786")
    try:
        socket.create_connection((place["host"].strip("[]"), int(place["port"])), _SECONDS).close()
    except (OSError, OverflowError) as error:
        raise TargetError(f"{address}: no scheduler answers ({error}); start one with `dask scheduler`") from error


def _check_workers(address: str, found: dict[str, object]) -> None:
    if not found:
        raise TargetError(f"{address}: the scheduler has no worker; start some with `dask worker {address}`")
    for worker, tool in sorted(found.items()):
        if isinstance(tool, BaseException):
            raise TargetError(
                f"{worker}: has no errmine to work with ({tool}); install errmine[cluster] on every worker"
            )
        if tool != describe_tool():
            raise TargetError(f"{worker}: has {tool}, this is {describe_tool()}; install the same on both")
