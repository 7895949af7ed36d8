"""Real git servers on the loopback address: git's own HTTP backend behind a small server, and git's daemon."""

import contextlib
import hashlib
import http.server
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import IO


@dataclass
class HttpServer:
    """Serves the repositories below a folder with `git http-backend`, and counts what goes over the wire."""

    root: Path
    old_protocol: bool = False
    """Ignore the client's wish for protocol 2: bare shas are then only given as the repository's settings say."""
    wants_password: bool = False
    takes_filters: bool = True
    """Whether a client may ask for a part only; git's own default is no, that of the forges is yes."""
    url: str = ""
    requests: list[str] = field(default_factory=list)
    sent: int = 0
    authorized: bool = False
    """Some request brought credentials."""
    delay: float = 0.0
    """Seconds to wait in the middle of each answer."""

    def forget(self) -> None:
        """Start counting anew."""
        self.requests.clear()
        self.sent = 0


@contextlib.contextmanager
def serve_http(
    root: Path, *, old_protocol: bool = False, wants_password: bool = False, takes_filters: bool = True
) -> Iterator[HttpServer]:
    """Run the HTTP server until the block is left."""
    state = HttpServer(root, old_protocol, wants_password, takes_filters)

    class Handler(_Handler):
        served = state

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def serve_daemon(root: Path) -> Iterator[str]:
    """Run git's own daemon until the block is left; gives the URL below which the repositories are."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["git", "daemon", "--reuseaddr", "--export-all", "--listen=127.0.0.1", f"--port={port}"]
    process = subprocess.Popen([*command, f"--base-path={root}", str(root)], stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield f"git://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def make_twins(repository: Path, commit: str, digits: int) -> tuple[str, str]:
    """Write two commits of one tree whose shas begin with the same digits."""
    tree = _git(repository, "rev-parse", f"{commit}^{{tree}}")
    seen: dict[str, bytes] = {}
    for number in range(1 << (4 * digits + 2)):
        text = f"tree {tree}\nauthor A <a@example.org> {number} +0000\ncommitter A <a@example.org> 0 +0000\n\ntwin\n"
        content = text.encode()
        sha = hashlib.sha1(b"commit %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
        if (earlier := seen.setdefault(sha[:digits], content)) is not content:
            write = ("hash-object", "-t", "commit", "-w", "--stdin")
            return _git(repository, *write, content=earlier), _git(repository, *write, content=content)
    raise ValueError(f"no two commits share {digits} digits")


def _git(repository: Path, *arguments: str, content: bytes = b"") -> str:
    done = subprocess.run(["git", *arguments], cwd=repository, input=content, capture_output=True, check=True)
    return done.stdout.decode().strip()


def _wait_for(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on port {port}")


class _Handler(http.server.BaseHTTPRequestHandler):
    served: HttpServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._read_body())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests read `requests`."""

    def _read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _answer(self, body: bytes) -> None:
        self.served.requests.append(f"{self.command} {self.path}")
        self.served.authorized |= "Authorization" in self.headers
        if self.served.wants_password and "Authorization" not in self.headers:
            self.send_response(HTTPStatus.UNAUTHORIZED)
            self.send_header("WWW-Authenticate", 'Basic realm="closed"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        process = subprocess.Popen(
            ["git", "http-backend"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._make_environment(len(body)),
        )
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("git was started without pipes")
        feeder = threading.Thread(target=_feed, args=(process.stdin, body))
        feeder.start()
        self._pass_on(process.stdout)
        feeder.join()
        process.stdout.close()
        process.wait()

    def _make_environment(self, size: int) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        protocol = "" if self.served.old_protocol else self.headers.get("Git-Protocol", "")
        return {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.served.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_COUNT": "2",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "GIT_CONFIG_KEY_1": "uploadpack.allowFilter",
            "GIT_CONFIG_VALUE_1": str(self.served.takes_filters).lower(),
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(size),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "REMOTE_ADDR": "127.0.0.1",
            "REMOTE_USER": "",
            **({"GIT_PROTOCOL": protocol} if protocol else {}),
        }

    def _pass_on(self, output: IO[bytes]) -> None:
        """Pass on what the backend says: its headers, then its body in chunks."""
        headers = []
        status = HTTPStatus.OK.value
        while line := output.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            if name == "Status":
                status = int(value.split()[0])
            else:
                headers.append((name, value.strip()))
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        time.sleep(self.served.delay)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            while chunk := output.read(1 << 16):
                self.wfile.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                self.served.sent += len(chunk)
            self.wfile.write(b"0\r\n\r\n")


def _feed(pipe: IO[bytes], body: bytes) -> None:
    with contextlib.suppress(BrokenPipeError):
        pipe.write(body)
        pipe.close()
