"""What do requests and answers look like, as OpenAPI says it?"""

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from catalog import __version__, records
from catalog.diff import list_known_kinds
from catalog.explain.answer import Answer
from catalog.publish.server import answers
from catalog.publish.server.respond import JSON

_REF = "#/components/schemas/{name}"
_ANSWERS = (
    answers.CatalogsAnswer,
    answers.ErrorAnswer,
    answers.ErrorsAnswer,
    answers.OptionsAnswer,
    answers.FamiliesAnswer,
    answers.Refusal,
    Answer,
)
_CHANGED = {
    "type": ["object", "null"],
    "required": ["id", "title", "exception", "template", "condition", "site", "permalink"],
}
_COUNTED = {"type": "integer", "minimum": 0}
_DIFF: dict[str, Any] = {
    "title": "DiffAnswer",
    "description": "A page of what changed between two versions; the numbers in `stats` are over all pages.",
    "type": "object",
    "required": ["total", "offset", "next", "old", "new", "changes", "stats"],
    "properties": {
        "total": _COUNTED,
        "offset": _COUNTED,
        "next": {"type": ["string", "null"]},
        "old": {"type": "object", "required": ["name", "release", "ref", "commit", "scope"]},
        "new": {"type": "object", "required": ["name", "release", "ref", "commit", "scope"]},
        "stats": {"type": "object", "additionalProperties": _COUNTED},
        "changes": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["kinds", "old", "new", "guard_change"],
                "properties": {
                    "kinds": {"type": "array", "items": {"enum": list(list_known_kinds())}},
                    "old": _CHANGED,
                    "new": _CHANGED,
                    "guard_change": {"enum": ["tightened", "loosened", "equivalent", "changed", None]},
                },
            },
        },
    },
}


def say_answers(name: str) -> dict[int | str, dict[str, Any]]:
    """Say what a route answers: this when it can, a reason when it can't."""
    return {
        200: {"description": "The answer.", "content": _refer(name)},
        304: {"description": "It is what the client has already."},
        "4XX": {"description": "Why there is no answer.", "content": _refer("Refusal")},
    }


def _refer(name: str) -> dict[str, Any]:
    return {JSON: {"schema": {"$ref": _REF.format(name=name)}}}


def build_contract(app: FastAPI) -> dict[str, Any]:
    """Build the OpenAPI document: the routes as they are, the answers as their records are."""
    about = "Questions to catalogs of errors. What a target says is data: nothing of it is markup."
    document = get_openapi(title="errmine", version=__version__, description=about, routes=app.routes)
    types = [*_ANSWERS, records.Text, records.Hole]
    _, schemas = msgspec.json.schema_components(types, schema_hook=_describe_part, ref_template=_REF)
    schemas = {name: schema for name, schema in schemas.items() if name != "Part"} | {"DiffAnswer": _DIFF}
    document["components"] = {"schemas": dict(sorted(schemas.items()))}
    return document


def _describe_part(type_: type) -> dict[str, Any]:
    if type_ is not records.Part:
        raise NotImplementedError(f"{type_} has no schema")
    return {"anyOf": [{"$ref": _REF.format(name=name)} for name in ("Text", "Hole")]}
