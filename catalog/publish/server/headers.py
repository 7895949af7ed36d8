"""What does every answer say about how it may be used?"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from catalog.publish.site.rendering import POLICY

_PAGES = f"{POLICY}; frame-ancestors 'none'"
_DATA = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
_ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Headers:
    """Adds the headers, and answers HEAD as GET without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_head = scope["method"] == "HEAD"

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *_choose_headers(message)]}
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app({**scope, "method": "GET"} if is_head else scope, receive, send_on)


def _choose_headers(start: Message) -> list[tuple[bytes, bytes]]:
    if start["status"] == 304:  # what the client has keeps the policy that came with it
        return list(_ALWAYS)
    media_type = next((value for name, value in start["headers"] if name.lower() == b"content-type"), b"")
    policy = _PAGES if media_type.startswith(b"text/html") else _DATA
    return [*_ALWAYS, (b"content-security-policy", policy.encode())]
