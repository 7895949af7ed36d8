"""What is told of each request: a line of JSON on stderr, with nothing in it of what was sent or asked for."""

import asyncio
import logging
import sys
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from catalog import store
from catalog.terminal import safe

_SECONDS = 120.0
"""After so long a client that doesn't take its answer is let go."""


class AccessLog:
    """Tells of each request when it is done."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and watch its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        seen = {"status": 0, "bytes": 0}

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen["status"] = message["status"]
            elif message["type"] == "http.response.body":
                seen["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(_SECONDS):
                    await self.app(scope, receive, watch)
        finally:
            took = round(1000 * (time.perf_counter() - started), 1)
            client = scope.get("client")
            asked = {"method": safe(scope["method"]), "path": safe(scope["path"])[:500]}
            write_event({**asked, **seen, "ms": took, "client": client[0] if client else None})


class EventHandler(logging.Handler):
    """Writes what the server has to say as lines of the same kind."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record's first line; of a mistake its kind and place: the rest may quote what was sent."""
        event: dict[str, object] = {
            "level": record.levelname.lower(),
            "event": safe(str(record.msg).strip().split("\n")[0]),
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            last = traceback.extract_tb(error.__traceback__)[-1:]
            place = next((f"{frame.filename}:{frame.lineno}" for frame in last), None)
            event |= {"exception": type(error).__name__, "place": place}
        write_event(event)


def write_event(event: Mapping[str, object]) -> None:
    """Write a line; a log that nobody takes is no reason to stop."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    with suppress(OSError, ValueError):
        sys.stderr.buffer.write(store.dump_line({"time": now, **event}))
        sys.stderr.buffer.flush()
