"""Which page of the site stands at an address, and where has it gone?"""

import re
from collections import OrderedDict
from functools import partial
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from catalog.publish.server.desk import Desk
from catalog.publish.server.respond import Body, make_body, refuse, send
from catalog.publish.site.addresses import HOME, entry_data, entry_page
from catalog.publish.site.site import Site

_KEPT = 1024
"""So many pages are kept ready to go out: making one takes ten times as long as sending it."""
_LONGEST = 1_000
_OF_ENTRY = re.compile(r"(?P<api>api/)?errors/(?P<id>[0-9a-f]{16})(?:\.html|\.json|/index\.html)?")
_NOTHING = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Nothing is here</title><link rel="stylesheet" href="/assets/site.css"></head>
<body><main><h1>Nothing is here</h1><p>Nothing is at this address. <a href="/">Search for it</a>.</p></main></body>
</html>
"""


class Pages:
    """Sends pages of the site; what was rendered is kept for a while."""

    def __init__(self, site: Site, desk: Desk) -> None:
        self.site = site
        self.desk = desk
        self.count = len(site.indexes) + len(site.search_files)  # made now: whoever asks first would wait for them
        self._kept: OrderedDict[str, Body] = OrderedDict()

    async def send_page(self, request: Request) -> Response:
        """Send the page at the request's address, or say where it is."""
        path = request.scope["path"].removeprefix("/")
        if path == "" or path.endswith("/"):
            path += HOME
        goal = self._find_goal(path)
        if goal is not None and goal != path:
            return Response(status_code=308, headers={"location": f"/{quote(goal)}"})
        body = self._kept.get(path)
        if body is None and len(path) <= _LONGEST:
            body = await self.desk.ask(partial(self._make, path))
        if body is None:
            return _say_nothing_is_here(request)
        self._keep(path, body)
        return send(request, body)

    def send_entry(self, request: Request, entry_id: str) -> Response:
        """Send an entry's data, say under which id it is now, or that it is gone."""
        body = self._make(entry_data(entry_id))
        if body is not None:
            return send(request, body)
        library = self.site.library
        if entry_id in library.moved:
            return Response(status_code=308, headers={"location": f"/api/errors/{library.moved[entry_id]}"})
        if entry_id in library.gone:
            return refuse(410, f"the entry {entry_id} is gone from the versions here")
        return refuse(404, f"no entry has the id {entry_id}")

    def _keep(self, path: str, body: Body) -> None:
        """Keep a page, and drop the one that wasn't asked for longest."""
        self._kept[path] = body
        self._kept.move_to_end(path)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def _find_goal(self, path: str) -> str | None:
        """Find where an entry's page is, whatever id it is asked for by."""
        named = _OF_ENTRY.fullmatch(path)
        if named is None:
            return None
        id_ = self.site.library.moved.get(named["id"], named["id"])
        return entry_data(id_) if named["api"] else entry_page(id_)

    def _make(self, path: str) -> Body | None:
        page = self.site.render(path)
        return None if page is None else make_body(page.body, page.media_type)


def _say_nothing_is_here(request: Request) -> Response:
    """Say it as a page to who reads pages."""
    if "text/html" in request.headers.get("accept", ""):
        return Response(_NOTHING, 404, media_type="text/html")
    return refuse(404, "nothing is at this address")
