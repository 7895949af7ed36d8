"""A real server that speaks the chat-completions protocol, and can fail in every way that one does."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD: Mapping[str, Any] = {
    "meaning": "The value given can't be used.",
    "trigger": "The value is too small.",
    "solutions": ["Give a larger value."],
    "example": None,
    "check": None,
    "prevention": [],
    "situations": [],
}


@dataclass(frozen=True)
class Turn:
    """What the server does with one request."""

    status: int = 200
    content: str | None = None
    """The answer's text; the good one when `None`."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """What is sent instead of a completion."""
    refusal: str | None = None
    finish: str = "stop"
    wait: float = 0.0
    drops: bool = False
    """The connection breaks in the middle of the body."""


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    at: float

    @property
    def system(self) -> str:
        return "".join(each["content"] for each in self.body["messages"] if each["role"] == "system")

    @property
    def user(self) -> str:
        return "".join(each["content"] for each in self.body["messages"] if each["role"] == "user")

    @property
    def facts(self) -> Mapping[str, Any]:
        first, line, last = self.user.split("\n")
        assert (first, last) == ("<facts>", "</facts>")
        facts: Mapping[str, Any] = json.loads(line)
        return facts


Answer = Callable[[Asked, int], Turn]
"""What to do with a request, given how many came before it."""


class ChatServer:
    """Requests as they came, and how many were answered whole: what a provider would charge for."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self.paid = 0
        self.busiest = 0
        self._open = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._make_handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def _make_handler(self) -> type[BaseHTTPRequestHandler]:
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                """Keep the tests' output quiet."""

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                turn = chat.take(self.path, json.loads(raw), dict(self.headers))
                try:
                    chat.send(self, turn)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True
                finally:
                    chat.leave()

        return Handler

    def take(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Turn:
        assert path == "/v1/chat/completions", path
        with self._lock:
            asked = Asked(body, {name.lower(): value for name, value in headers.items()}, time.monotonic())
            number = len(self.asked)
            self.asked.append(asked)
            self._open += 1
            self.busiest = max(self.busiest, self._open)
        return self.answer(asked, number)

    def leave(self) -> None:
        with self._lock:
            self._open -= 1

    def send(self, handler: BaseHTTPRequestHandler, turn: Turn) -> None:
        time.sleep(turn.wait)
        body = turn.body if turn.body is not None else complete(turn)
        handler.send_response(turn.status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        for name, value in turn.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        if turn.drops:
            handler.wfile.write(body[: len(body) // 2])
            handler.wfile.flush()
            handler.close_connection = True
            return
        handler.wfile.write(body)
        if turn.status == 200:
            with self._lock:
                self.paid += 1

    def serve(self) -> None:
        self._server.serve_forever(poll_interval=0.05)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def complete(turn: Turn) -> bytes:
    """Write a completion as a server does."""
    content = json.dumps(GOOD) if turn.content is None else turn.content
    message = {"role": "assistant", "content": content, "refusal": turn.refusal}
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "small",
            "choices": [{"index": 0, "message": message, "finish_reason": turn.finish, "logprobs": None}],
            "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100},
        }
    ).encode()


@contextmanager
def run_server(answer: Answer | None = None) -> Iterator[ChatServer]:
    """Run a server on the loopback as long as it is needed."""
    server = ChatServer(answer or (lambda _asked, _number: Turn()))
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
