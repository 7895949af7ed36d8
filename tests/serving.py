"""A real server in a process of its own, on a port of loopback that is free."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-c", "from miner.cli import main; main()", "serve"]


@dataclass
class Server:
    """A server that is running."""

    process: subprocess.Popen[bytes]
    address: str = ""
    said: list[str] = field(default_factory=list)
    """What stood on stderr that is no line of the log."""
    events: list[dict[str, Any]] = field(default_factory=list)
    """The lines of the log."""

    @property
    def port(self) -> int:
        return int(self.address.rstrip("/").rpartition(":")[2])

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop, and give the exit code."""
        self.process.send_signal(sign)
        return self.process.wait(timeout=20)


@contextmanager
def run_server(catalogs: Sequence[Path], *options: str, folder: Path = ROOT) -> Iterator[Server]:
    """Start a server on these catalogs; it is stopped whatever happens."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(catalogs[0].parent / "cache")}
    command = [*COMMAND, *map(str, catalogs), "--port", "0", *options]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    server = Server(process)
    ready = threading.Event()
    reader = threading.Thread(target=_read, args=(server, ready), daemon=True)
    reader.start()
    try:
        assert ready.wait(60), server.said
        assert server.address, server.said
        yield server
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join(timeout=5)


def _read(server: Server, ready: threading.Event) -> None:
    """Take in all that is said, so that the server never waits for a reader."""
    assert server.process.stderr is not None
    for line in server.process.stderr:
        text = line.decode().rstrip("\n")
        named = re.search(r" at (http://\S+/) ", text)
        if text.startswith("{"):
            server.events.append(json.loads(text))
        elif named:
            server.address = named[1]
            ready.set()
        else:
            server.said.append(text)
    ready.set()
