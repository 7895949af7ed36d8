"""How does an answer go out: with a tag to ask again by, and compressed for who takes it so?"""

import gzip
import hashlib
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from catalog import store
from catalog.publish.server.answers import Refusal

JSON = "application/json"
_WORTH = 1_000
"""Less isn't worth compressing."""


@dataclass(frozen=True, slots=True)
class Body:
    """An answer ready to go out."""

    data: bytes
    """Compressed where that is worth it: that is how nearly everyone takes it."""
    is_zipped: bool
    tag: str
    media_type: str


def make_body(data: bytes, media_type: str) -> Body:
    """Make an answer ready."""
    tag = f'W/"{hashlib.blake2b(data, digest_size=12).hexdigest()}"'
    if len(data) < _WORTH or not _is_text(media_type):
        return Body(data, False, tag, media_type)
    return Body(gzip.compress(data, 6, mtime=0), True, tag, media_type)


def prepare(value: object) -> Body:
    """Make a record ready as JSON; of a big one that takes a while."""
    return make_body(store.dump_answer(value), JSON)


def answer(request: Request, value: object) -> Response:
    """Answer with a small record as JSON."""
    return send(request, prepare(value))


def refuse(status: int, reason: str, **headers: str) -> Response:
    """Say in a line why there is no answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(store.dump_answer(Refusal(reason)), status, named, JSON)


def send(request: Request, body: Body) -> Response:
    """Send an answer, or only say that it is what the client has already."""
    headers = {"etag": body.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if _has(request.headers.get("if-none-match"), body.tag):
        return Response(status_code=304, headers=headers)
    if body.is_zipped and _takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(body.data, headers={**headers, "content-encoding": "gzip"}, media_type=body.media_type)
    data = gzip.decompress(body.data) if body.is_zipped else body.data
    return Response(data, headers=headers, media_type=body.media_type)


def _has(asked: str | None, tag: str) -> bool:
    """Compare tags weakly, as is right for a GET."""
    known = [each.strip().removeprefix("W/") for each in (asked or "").split(",")]
    return "*" in known or tag.removeprefix("W/") in known


def _takes_gzip(accepted: str) -> bool:
    for each in accepted.lower().split(","):
        coding, _, weight = (part.strip() for part in each.partition(";"))
        if coding in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _is_text(media_type: str) -> bool:
    return media_type.startswith("text/") or media_type.partition(";")[0] in (
        JSON,
        "text/javascript",
        "application/javascript",
        "application/xml",
        "image/svg+xml",
    )
