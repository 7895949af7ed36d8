"""Jobs → a folder of catalogs: done by an executor, here or on a cluster, politely to the hosts they come from."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from catalog.errors import TargetError
from catalog.files import write_bytes
from miner.batch.cluster import Workforce, join_cluster
from miner.batch.journal import Line, read_journal, write_journal
from miner.batch.listing import Job
from miner.batch.work import Failed, LostError, Order, Scanned, count_cores, do
from miner.targets import Place, ReleasePlace, RemotePlace, resolve_target
from miner.tool import describe_tool

PER_HOST = 2
"""Jobs at once that fetch from one host."""
_TRIES = 3
"""How often a job is begun whose process was killed."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How to work through a list."""

    folder: Path
    jobs: int | None = None
    """Jobs at once on this machine; one per core when `None`."""
    scheduler: str | None = None
    """The address of a Dask scheduler whose workers do them instead."""
    again: bool = False
    """Do also what an earlier run has done."""
    cache: Path | None = None
    table: Path | None = None
    seconds: int = 3600
    """How long one target may take."""


@dataclass(frozen=True, slots=True)
class Task:
    """A job that waits, with where it comes from."""

    order: Order
    host: str | None
    tries: int = 1


def run_batch(jobs: Iterable[Job], options: BatchOptions, report: Callable[[Line, int, int], None]) -> tuple[Line, ...]:
    """Do each job and give what became of it, in the order of the list; `report` hears of each as it ends.

    Each catalog is written when it is there, and the journal with it: a run that is cut short loses only what was in
    the making, and the next one goes on. Raises `TargetError` where the cluster can't be had or is lost.
    """
    jobs = tuple(jobs)
    before = {} if options.again else read_journal(options.folder)
    lines = {spec: line for spec, line in before.items() if _is_kept(line, options.folder)}
    waiting: list[Task] = []
    total = len(jobs)
    for job in jobs:
        if job.spec in lines:
            continue
        task = _plan(job, options)
        if isinstance(task, Task):
            waiting.append(task)
            continue
        lines[job.spec] = task
        report(task, sum(each.spec in lines for each in jobs), total)
    for line in _work(waiting, options) if waiting else ():
        lines[line.spec] = line
        write_journal(options.folder, _sort(lines, jobs))
        report(line, sum(each.spec in lines for each in jobs), total)
    write_journal(options.folder, _sort(lines, jobs))
    return tuple(lines[job.spec] for job in jobs)


def _is_kept(line: Line, folder: Path) -> bool:
    return (
        line.state == "done"
        and line.file is not None
        and line.tool == describe_tool()
        and (folder / line.file).is_file()
    )


def _sort(lines: dict[str, Line], jobs: Iterable[Job]) -> Iterator[Line]:
    """Sort by the order of the list; what other lists have left in the folder comes after."""
    wanted = [job.spec for job in jobs]
    yield from (lines[spec] for spec in wanted if spec in lines)
    yield from (lines[spec] for spec in sorted(lines.keys() - set(wanted)))


def _plan(job: Job, options: BatchOptions) -> Task | Line:
    try:
        request = resolve_target(job.target, commit=job.commit, ref=job.ref, table=options.table)
    except TargetError as error:
        return Line(job.spec, "failed", None, str(error), (), describe_tool())
    path = getattr(request.place, "path", None)
    order = Order(
        job,
        place=job.target if path is None else str(path.absolute()),
        table=options.table.read_text(encoding="utf-8") if options.table is not None else None,
        cache=str(options.cache.absolute()) if options.cache is not None else None,
        workers=1 if options.scheduler else max(1, count_cores() // (options.jobs or count_cores())),
        seconds=options.seconds,
        tool=describe_tool(),
    )
    return Task(order, _find_host(request.place))


def _find_host(place: Place) -> str | None:
    match place:
        case RemotePlace(address=address) if not address.url.startswith("file:"):
            return urlsplit(address.url).hostname or address.url.partition(":")[0]
        case ReleasePlace():
            return "the package index"
        case _:
            return None


def _work(waiting: list[Task], options: BatchOptions) -> Iterator[Line]:
    running: dict[Future[Scanned | Failed], Task] = {}
    with _open_workforce(options) as workforce:
        while waiting or running:
            for task in _choose(waiting, list(running.values()), workforce.count_hands()):
                waiting.remove(task)
                running[workforce.executor.submit(do, task.order)] = task
            done, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                found = _settle(future, task, workforce.lost)
                if isinstance(found, Task):
                    waiting.insert(0, found)
                else:
                    yield _keep(found, task.order.job, options.folder)


def _choose(waiting: list[Task], running: list[Task], hands: int) -> list[Task]:
    """Choose what to begin: in the order of the list, no more than there are hands for, and few from one host."""
    busy = Counter(task.host for task in running)
    chosen: list[Task] = []
    for task in waiting:
        if len(running) + len(chosen) >= max(1, hands):
            break
        if task.host is None or busy[task.host] < PER_HOST:
            busy[task.host] += 1
            chosen.append(task)
    return chosen


def _settle(
    future: "Future[Scanned | Failed]", task: Task, lost: tuple[type[Exception], ...]
) -> Scanned | Failed | Task:
    """Take what a job gave; one whose process was killed is begun again, but not for ever."""
    try:
        return future.result()
    except lost as error:
        if task.tries < _TRIES:
            return Task(task.order, task.host, task.tries + 1)
        reason = str(error) if isinstance(error, LostError) else "its worker was lost"
        return Failed(f"{reason}, {task.tries} times; is there enough memory for it?")


def _keep(found: Scanned | Failed, job: Job, folder: Path) -> Line:
    if isinstance(found, Failed):
        return Line(job.spec, "failed", None, found.reason, (), describe_tool())
    name = f"{job.name}.json"
    write_bytes(found.unpack(), folder / name)
    return Line(job.spec, "done", name, None, found.warnings, describe_tool())


def _open_workforce(options: BatchOptions) -> AbstractContextManager[Workforce]:
    return join_cluster(options.scheduler) if options.scheduler else _stay_here(options.jobs or count_cores())


@contextmanager
def _stay_here(jobs: int) -> Iterator[Workforce]:
    """Do the jobs on this machine: each thread waits for a process of its own."""
    executor = ThreadPoolExecutor(jobs)
    try:
        yield Workforce(executor, lambda: jobs)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
