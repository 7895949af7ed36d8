"""How does the server start, listen and stop?"""

import logging
import signal
import socket
import sys
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp

from catalog.errors import ServeError
from catalog.publish.server.accesslog import EventHandler
from catalog.publish.server.connection import limit_connections

_GRACE = 10
"""Seconds that requests have to end when the server stops."""
_MOST_CONNECTIONS = 500
"""Each is an open file, of which a process may often have a thousand."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens."""

    host: str
    port: int
    """0 is any that is free."""


def listen(address: Address) -> socket.socket:
    """Take the port, before anything that takes time; refuse in a line when that can't be."""
    try:
        family, kind, protocol, _, name = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(name)
            listener.listen(512)
        except OSError:
            listener.close()
            raise
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ServeError(
            f"{address.host}:{address.port}: can't listen there ({reason}); give another --port"
        ) from error
    return listener


def name_address(listener: socket.socket) -> str:
    """Give the address to open."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(app: ASGIApp, listener: socket.socket, patience: float) -> None:
    """Serve until interrupted or terminated; what is being answered then is answered first."""
    _route_events()
    sys.setswitchinterval(0.001)  # whoever talks to clients waits so long for the lock, each time; 5 ms add up to 0.3 s
    config = uvicorn.Config(
        app,
        http=limit_connections(patience),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=_GRACE,
    )
    # uvicorn stops at a signal and then raises it once more for whoever had the handler before: that is the way to stop
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: None)
    uvicorn.Server(config).run(sockets=[listener])


def _route_events() -> None:
    """Let the server's own remarks be lines of the log."""
    for name in ("uvicorn", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers = [EventHandler()]
        logger.setLevel(logging.WARNING)
        logger.propagate = False
