"""What can be asked under `/api`, and with which words?"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query
from pydantic import StringConstraints
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from catalog.choosing import Choice
from catalog.diff import list_known_kinds
from catalog.publish.server.answers import answer_catalogs, answer_families
from catalog.publish.server.contract import say_answers
from catalog.publish.server.explaining import explain
from catalog.publish.server.questions import Page, Sides, Wanted
from catalog.publish.server.respond import answer, prepare, refuse, send
from catalog.records import EntryKind

if TYPE_CHECKING:
    from catalog.publish.server.app import Served

API = APIRouter(prefix="/api", default_response_class=Response, generate_unique_id_function=lambda route: route.name)
_Name = Annotated[str | None, Query(min_length=1, max_length=200)]
_Names = Annotated[list[Annotated[str, StringConstraints(min_length=1, max_length=500)]], Query(max_length=20)]
_Target = Annotated[str | None, Query(max_length=200, description="The target; without it, all.")]
_Version = Annotated[str | None, Query(max_length=200, description="A release, tag or commit; without it, the newest.")]
_Offset = Annotated[int, Query(ge=0, le=10_000_000, description="So many are left out before.")]
_Limit = Annotated[int, Query(ge=1, le=200, description="At most so many are given.")]
_Kinds = Annotated[list[EntryKind], Query(max_length=5)]
_ChangeKinds = Annotated[list[str], Query(max_length=20, json_schema_extra={"items": {"enum": [*list_known_kinds()]}})]
_Id = Annotated[str, Path(pattern=r"^[0-9a-f]{16}(\.json)?$")]
_Option = Annotated[str, Path(pattern=r"^[^\x00-\x1f\x7f\\/.][^\x00-\x1f\x7f\\/]*$", max_length=200)]
_LOG = {"required": True, "content": {"text/plain": {"schema": {"type": "string", "minLength": 1, "pattern": r"\S"}}}}


@API.get("", responses=say_answers("CatalogsAnswer"))
async def list_catalogs(request: Request) -> Response:
    """List what is served."""
    return answer(request, answer_catalogs(each.catalog for each in _served(request).library.catalogs))


@API.get("/errors", responses=say_answers("ErrorsAnswer"))
async def list_errors(
    request: Request,
    target: _Target = None,
    version: _Version = None,
    kind: _Kinds = [],  # noqa: B006 (FastAPI gives each request a list of its own)
    path: _Names = [],  # noqa: B006
    option: _Names = [],  # noqa: B006
    exception: _Names = [],  # noqa: B006
    family: _Names = [],  # noqa: B006
    q: Annotated[str, Query(max_length=500, description="Words that the entry has, all of them.")] = "",
    offset: _Offset = 0,
    limit: _Limit = 50,
) -> Response:
    """List errors by what they are, where they are raised and what they are about."""
    choice = Choice(tuple(kind), tuple(path), tuple(option), tuple(exception), tuple(family), tuple(q.split()))
    served, page = _served(request), _read_page(request, offset, limit)
    ask = partial(served.questions.list_errors, target, version, choice, page)
    return send(request, await served.desk.ask(lambda: prepare(ask())))


@API.get(
    "/errors/{entry_id}",
    responses={308: {"description": "The entry has another id now."}, **say_answers("ErrorAnswer")},
)
async def show_error(request: Request, entry_id: _Id) -> Response:
    """Give one entry whole, with its note, its life over the versions here and what is related."""
    return _served(request).pages.send_entry(request, entry_id.removesuffix(".json"))


@API.get("/options/{name}", responses=say_answers("OptionsAnswer"))
async def show_options(request: Request, name: _Option, target: _Target = None, version: _Version = None) -> Response:
    """Give the options that an id, a field, a flag, a variable or a part of one means, each with its errors."""
    served = _served(request)
    ask = partial(served.questions.find_options, target, version, name)
    return send(request, await served.desk.ask(lambda: prepare(ask())))


@API.get("/families", responses=say_answers("FamiliesAnswer"))
async def list_families(request: Request, target: _Target = None, version: _Version = None) -> Response:
    """List the families of errors, the biggest first."""
    return answer(request, answer_families(_served(request).library.choose(target, version)))


@API.get("/diff", responses=say_answers("DiffAnswer"))
async def show_diff(
    request: Request,
    target: _Target = None,
    old: _Name = None,
    new: _Name = None,
    kind: _ChangeKinds = [],  # noqa: B006
    path: _Names = [],  # noqa: B006
    option: _Names = [],  # noqa: B006
    offset: _Offset = 0,
    limit: _Limit = 50,
) -> Response:
    """Tell what changed between two versions: by default between the newest and the one before."""
    served = _served(request)
    wanted = Wanted(tuple(kind), tuple(path), tuple(option))
    page = _read_page(request, offset, limit)
    ask = partial(served.questions.compare, Sides(target, old, new), wanted, page)
    return send(request, await served.comparing.ask(lambda: prepare(ask())))


@API.post("/explain", responses=say_answers("Answer"), openapi_extra={"requestBody": _LOG})
async def explain_log(request: Request) -> Response:
    """Tell which entries a log or traceback comes from, and why they were raised. Of the log nothing is kept."""
    served = _served(request)
    log = await _read_body(request, served)
    if not log.strip():
        return refuse(400, "nothing to explain: send the log as the body")
    return send(request, await served.explaining.ask(lambda: prepare(explain(log, served.indexes))))


@API.get("/openapi.json", include_in_schema=False)
async def show_contract(request: Request) -> Response:
    """Give this contract."""
    return answer(request, request.app.state.contract)


async def _read_body(request: Request, served: "Served") -> bytes:
    """Read a body that is neither too long nor too slow, and UTF-8."""
    body = bytearray()
    try:
        async with asyncio.timeout(served.limits.body_seconds):
            async for piece in request.stream():
                body += piece
                if len(body) > served.limits.rules.most_bytes:
                    raise HTTPException(413, f"the body is longer than {served.limits.rules.most_bytes:,} bytes")
    except TimeoutError as error:
        raise HTTPException(408, "the body came too slowly", {"connection": "close"}) from error
    try:
        body.decode()
    except UnicodeDecodeError as error:
        raise HTTPException(400, f"the body is not UTF-8 from byte {error.start:,} on") from error
    return bytes(body)


def _read_page(request: Request, offset: int, limit: int) -> Page:
    others = tuple(
        (name, value) for name, value in request.query_params.multi_items() if name not in ("offset", "limit")
    )
    return Page(offset, limit, request.url.path, others)


def _served(request: Request) -> "Served":
    served: Served = request.app.state.served
    return served
