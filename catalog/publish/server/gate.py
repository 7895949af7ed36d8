"""Which requests are let in?"""

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Receive, Scope, Send

from catalog.publish.server.respond import refuse

_LONGEST = 32_000
_REFUSED_STEPS = frozenset({"", ".", ".."})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True, slots=True)
class Rules:
    """What a request must keep to."""

    most_bytes: int
    """Of a body."""
    hosts: frozenset[str] | None
    """The names under which this may be asked; None is all."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a request isn't let in."""

    status: int
    reason: str


def choose_hosts(bound: str, allowed: tuple[str, ...]) -> frozenset[str] | None:
    """Choose the names for a server on this address: on loopback none but those that lead there.

    A page of anybody's site could otherwise have its name lead to the reader's own machine, and read from here.
    """
    if bound not in ("localhost", "::1") and not bound.startswith("127."):
        return frozenset(map(str.lower, allowed)) if allowed else None
    return _LOOPBACK | {bound.lower(), *map(str.lower, allowed)}


class Gate:
    """Lets requests in that keep to the rules, and answers the others."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self.app = app
        self.rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        refused = find_fault(scope, self.rules) if scope["type"] == "http" else None
        if refused is None:
            await self.app(scope, receive, send)
        else:
            await refuse(refused.status, refused.reason)(scope, receive, send)


def find_fault(scope: Scope, rules: Rules) -> Refused | None:
    """Find what is wrong with a request's address or size."""
    headers = {name.lower(): value for name, value in scope["headers"]}
    path, query = scope["raw_path"], scope["query_string"]
    if len(path) + len(query) > _LONGEST:
        return Refused(414, f"the address is longer than {_LONGEST:,} bytes")
    if not _is_text(path) or not _is_text(query.replace(b"+", b" ")):
        return Refused(400, "the address is not UTF-8")
    if not _is_plain(unquote_to_bytes(path).decode()):
        return Refused(400, "the path has empty or relative steps, or control characters")
    if rules.hosts is not None and _name_host(headers.get(b"host", b"")) not in rules.hosts:
        return Refused(421, "this server isn't asked under that name; allow it with --allow-host")
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length[:20]) > rules.most_bytes:
        return Refused(413, f"the body is longer than {rules.most_bytes:,} bytes")
    return None


def _is_text(data: bytes) -> bool:
    try:
        unquote_to_bytes(data).decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_plain(path: str) -> bool:
    """Tell whether a path names one place, whoever reads it."""
    steps = path.removeprefix("/").split("/")
    if path.startswith("//") or "\\" in path or not re.fullmatch(r"[^\x00-\x1f\x7f]*", path):
        return False
    return path.startswith("/") and _REFUSED_STEPS.isdisjoint(steps[:-1]) and steps[-1] not in (".", "..")


def _name_host(host: bytes) -> str:
    return re.sub(r":\d{1,5}\Z", "", host.decode("latin-1").lower())
