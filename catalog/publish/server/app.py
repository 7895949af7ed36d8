"""Which address gives which answer?"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp

from catalog.errors import QuestionError
from catalog.explain.stored import IndexedCatalog
from catalog.publish.server import contract
from catalog.publish.server.accesslog import AccessLog
from catalog.publish.server.desk import Bounds, BusyError, Desk, TooLongError
from catalog.publish.server.gate import Gate, Rules
from catalog.publish.server.headers import Headers
from catalog.publish.server.library import Library
from catalog.publish.server.pages import Pages
from catalog.publish.server.questions import Questions
from catalog.publish.server.respond import refuse
from catalog.publish.server.routes import API
from catalog.publish.site.site import Site

_SHORT = Bounds(workers=2, waiting=500, seconds=20.0)
_EXPLAIN = Bounds(workers=1, waiting=32, seconds=20.0)
_DIFF = Bounds(workers=1, waiting=16, seconds=30.0)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is taken on."""

    rules: Rules
    short: Bounds = _SHORT
    """Pages and lists. More workers would only take Python's one lock from each other, and from the clients' thread."""
    explain: Bounds = _EXPLAIN
    diff: Bounds = _DIFF
    body_seconds: float = 10.0
    """A body must be whole in this time."""


@dataclass(frozen=True, slots=True)
class Served:
    """What the routes answer from."""

    library: Library
    questions: Questions
    indexes: Sequence[IndexedCatalog]
    pages: Pages
    desk: Desk
    explaining: Desk
    comparing: Desk
    limits: Limits


def build_app(library: Library, indexes: Sequence[IndexedCatalog], site: Site, limits: Limits) -> ASGIApp:
    """Build the application: everything it answers from is ready."""
    desk = Desk("short", limits.short)
    served = Served(
        library=library,
        questions=Questions(library),
        indexes=indexes,
        pages=Pages(site, desk),
        desk=desk,
        explaining=Desk("explain", limits.explain),
        comparing=Desk("diff", limits.diff),
        limits=limits,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        for each in (served.desk, served.explaining, served.comparing):
            each.close()

    app = FastAPI(
        lifespan=lifespan,
        openapi_url=None,  # the routes have it: with the tags and headers of every other answer
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.served = served
    app.include_router(API)
    app.state.contract = contract.build_contract(app)
    app.add_api_route("/{path:path}", _send_page, methods=["GET"], include_in_schema=False)
    _explain_refusals(app)
    # around the application, not in it: its own mistakes are answered and told of like everything else
    return AccessLog(Headers(Gate(app, limits.rules)))


async def _send_page(request: Request) -> Response:
    for route in request.app.routes:
        match, _ = route.matches(request.scope)
        if match is Match.PARTIAL:  # an address of the API that isn't for GET
            raise HTTPException(405, "Method Not Allowed", {"Allow": "POST"})
    served: Served = request.app.state.served
    return await served.pages.send_page(request)


def _explain_refusals(app: FastAPI) -> None:
    """Say in a line of JSON why there is no answer."""
    app.add_exception_handler(QuestionError, _refuse_question)
    app.add_exception_handler(RequestValidationError, _refuse_invalid)
    app.add_exception_handler(HTTPException, _refuse_http)
    app.add_exception_handler(BusyError, _refuse_busy)
    app.add_exception_handler(TooLongError, _refuse_long)
    app.add_exception_handler(Exception, _admit_mistake)


def _refuse_question(_: Request, error: Exception) -> Response:
    return refuse(404, str(error))


def _refuse_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return refuse(422, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")


def _refuse_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refuse(error.status_code, error.detail, **(error.headers or {}))


def _refuse_busy(_: Request, error: Exception) -> Response:
    return refuse(429, "too much is asked at once; ask again in a moment", retry_after="1")


def _refuse_long(_: Request, error: Exception) -> Response:
    return refuse(429, "it takes long to work that out; ask again in a while, or for less", retry_after="10")


def _admit_mistake(_: Request, error: Exception) -> Response:
    return refuse(500, "a mistake of errmine's own; its log has the place")
