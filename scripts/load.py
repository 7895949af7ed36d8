#!/usr/bin/env python3
"""Put a load on `errmine serve`, bounded in requests and in time, and tell how it bears it.

Requests are sent at their times whether or not earlier ones were answered, and are counted from those times, so that a
server that stalls can't hide it.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_MOST = 60_000
"""Requests in one run."""
_CONNECTIONS = 40
_SECONDS = 10.0
"""An answer that takes longer counts as none."""
_FRESH = 5.0
_EXPLAINED = 0.05
"""The share of logs to explain."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request."""

    what: str
    head: bytes
    body: bytes = b""


@dataclass(slots=True)
class Outcome:
    """How the requests fared."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    """Kilobytes, once a second."""
    late: list[float] = field(default_factory=list)
    """How late this process was woken, in seconds: what a busy machine adds to every answer."""


class Client:
    """Keeps connections, each used by one request at a time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.idle: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []
        self.slots = asyncio.Semaphore(_CONNECTIONS)

    async def ask(self, asked: Asked) -> int:
        """Send a request, read the answer whole and give its status."""
        async with self.slots:
            reader, writer = await self._connect()
            try:
                writer.write(asked.head + asked.body)
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: (\d+)", head)
                await reader.readexactly(int(length[1]) if length else 0)
            except BaseException:
                writer.close()
                raise
            self.idle.append((time.monotonic(), reader, writer))
            return int(head.split(b" ", 2)[1])

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Take a connection, but none that the server may be closing since it was idle for long."""
        while self.idle:
            since, reader, writer = self.idle.pop()
            if time.monotonic() - since < _FRESH:
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self.port)

    def close(self) -> None:
        """Let go of all connections."""
        for _, _, writer in self.idle:
            writer.close()


def plan(contracts: Sequence[dict[str, Any]], count: int) -> list[Asked]:
    """Plan what is asked of the first catalog of each target, in an order that is the same every time."""
    chance = random.Random(1)
    contracts = list({contract["target"]["name"]: contract for contract in reversed(contracts)}.values())
    entries = [(contract["target"]["name"], entry) for contract in contracts for entry in contract["entries"]]
    chance.shuffle(entries)
    options = [option["id"] for contract in contracts for option in contract["options"]] or ["none"]
    planned = []
    for _ in range(count):
        name, entry = entries[
            int(len(entries) * chance.random() ** 4)
        ]  # some errors are asked for far more than others
        dice = chance.random()
        if dice < _EXPLAINED:
            planned.append(write_log(entry, chance))
        elif dice < 0.45:
            planned.append(get("error", f"/api/errors/{entry['id']}"))
        elif dice < 0.75:
            planned.append(get("page", f"/errors/{entry['id']}.html"))
        elif dice < 0.85:
            planned.append(get("list", f"/api/errors?target={name}&family={entry['family']}&limit=20"))
        elif dice < 0.95:
            planned.append(get("option", f"/api/options/{chance.choice(options)}"))
        else:
            planned.append(get("families", "/api/families"))
    return planned


def get(what: str, path: str) -> Asked:
    """Make a request for an address."""
    return Asked(what, f"GET {path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n\r\n".encode())


def write_log(entry: dict[str, Any], chance: random.Random) -> Asked:
    """Write a log in which an entry's error is reported, among lines that mean nothing."""
    message = (entry["message"] or {"skeleton": ""})["skeleton"].replace("{}", str(chance.randrange(10_000)))
    noise = "".join(f"INFO {number} step took {chance.random():.3f} s\n" for number in range(40))
    site = entry["site"]
    log = (
        f'{noise}Traceback (most recent call last):\n  File "/opt/lib/{site["path"]}", line {site["line"]}, in '
        f"{site['qualname'].rpartition('.')[2]}\n    raise\n{entry['exception']['name']}: {message}\n"
    )
    body = log.encode("utf-8", "replace")
    head = f"POST /api/explain HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n\r\n"
    return Asked("explain", head.encode(), body)


async def run(planned: Sequence[Asked], rate: float, port: int, process: int) -> Outcome:
    """Send the requests at their times, and watch the server's memory."""
    outcome, client = Outcome(), Client(port)
    started = time.perf_counter()

    async def send(number: int, asked: Asked) -> None:
        due = started + number / rate
        try:
            async with asyncio.timeout(_SECONDS):
                status = await client.ask(asked)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            outcome.failed.append(f"{asked.what}: {type(error).__name__}")
            return
        outcome.seconds.setdefault(asked.what, []).append(time.perf_counter() - due)
        if status not in (200, 308):
            outcome.failed.append(f"{asked.what}: {status}")

    async with asyncio.TaskGroup() as tasks:
        for number, asked in enumerate(planned):
            if number % max(1, int(rate)) == 0:
                outcome.memory.append(read_memory(process))
            due = started + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            outcome.late.append(time.perf_counter() - due)
            tasks.create_task(send(number, asked))
    outcome.memory.append(read_memory(process))
    client.close()
    return outcome


def read_memory(process: int) -> int:
    """Read how much memory a process has, in kilobytes."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0])


def read_processor(process: int) -> float:
    """Read how many seconds of a core a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(outcome: Outcome, busy: float, most_ms: float) -> bool:
    """Print how it went, and tell whether it went well."""
    everything = sorted(second for seconds in outcome.seconds.values() for second in seconds)
    for what, seconds in [*sorted(outcome.seconds.items()), ("all", everything)]:
        ordered = sorted(seconds)
        marks = [
            f"{name} {1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]:7.1f}"
            for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
        ]
        print(f"{what:9} {len(seconds):6}  {'  '.join(marks)}  ms")
    settled = outcome.memory[len(outcome.memory) // 4 :]
    grown = (settled[-1] - settled[0]) / settled[0]
    print(
        f"memory    {outcome.memory[0] // 1024} MB at first, {settled[0] // 1024} after a quarter, "
        f"{settled[-1] // 1024} at the end ({grown:+.1%} since the quarter)"
    )
    late = sorted(outcome.late)
    print(
        f"processor {busy:.0%} of a core; "
        f"this process was woken late by {1000 * late[int(0.99 * len(late))]:.1f} ms (p99)"
    )
    for reason in sorted(set(outcome.failed)):
        print(f"failed    {outcome.failed.count(reason)} times {reason}")
    p99 = 1000 * everything[int(0.99 * len(everything))] if everything else float("inf")
    return not outcome.failed and p99 < most_ms and grown < 0.05


def main() -> int:
    """Start a server on the catalogs, put the load on it and stop it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogs", nargs="+", metavar="CATALOG")
    parser.add_argument("--rate", type=float, default=200, help="requests a second (default: 200)")
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--p99", type=float, default=100, help="exit with 1 beyond so many milliseconds (default: 100)")
    options = parser.parse_args()
    planned = plan(
        [json.loads(Path(each).read_bytes()) for each in options.catalogs],
        min(_MOST, int(options.rate * options.seconds)),
    )
    command = [sys.executable, "-c", "from miner.cli import main; main()", "serve", "--port", "0", *options.catalogs]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        try:
            first = server.stderr.readline().decode()
            named = re.search(r" at http://\S+:(\d+)/ ", first)
            if named is None:
                print(first, end="", file=sys.stderr)
                return 2
            threading.Thread(target=server.stderr.read, daemon=True).start()
            used = read_processor(server.pid)
            began = time.perf_counter()
            outcome = asyncio.run(run(planned, options.rate, int(named[1]), server.pid))
            busy = (read_processor(server.pid) - used) / (time.perf_counter() - began)
        finally:
            server.terminate()
    return 0 if report(outcome, busy, options.p99) else 1


if __name__ == "__main__":
    sys.exit(main())
