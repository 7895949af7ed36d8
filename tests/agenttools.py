#!/usr/bin/env python3
"""Tools for an agent, made of the contract of `errmine serve`, on a page: nothing but the standard library.

    python agenttools.py http://127.0.0.1:8000/                          the tools, as models take them
    python agenttools.py http://127.0.0.1:8000/ NAME '{"q": "…"}'        what one of them answers

Give a model the tools, and what it calls to `call_tool`; what comes back is JSON for it to read.
"""

import json
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urljoin
from urllib.request import Request, urlopen

LONGEST = 20_000
"""A model gets no more of an answer: long lists have pages (`offset`, `limit`)."""


def read_contract(server: str) -> dict[str, Any]:
    """Read the contract of a server."""
    with urlopen(urljoin(server, "api/openapi.json"), timeout=30) as answer:
        contract: dict[str, Any] = json.load(answer)
        return contract


def list_tools(contract: dict[str, Any]) -> list[dict[str, Any]]:
    """List a tool for each question that can be asked."""
    return [
        {
            "name": operation["operationId"],
            "description": operation["description"],
            "input_schema": describe_input(operation),
        }
        for methods in contract["paths"].values()
        for operation in methods.values()
    ]


def describe_input(operation: dict[str, Any]) -> dict[str, Any]:
    """Describe what a tool takes, as JSON Schema."""
    given = {each["name"]: each["schema"] for each in operation.get("parameters", [])}
    required = [each["name"] for each in operation.get("parameters", []) if each["required"]]
    if "requestBody" in operation:
        given["body"] = operation["requestBody"]["content"]["text/plain"]["schema"]
        required.append("body")
    return {"type": "object", "properties": given, "required": required, "additionalProperties": False}


def call_tool(server: str, contract: dict[str, Any], name: str, arguments: dict[str, Any]) -> str:
    """Ask the server; a refusal says why, so that a model can ask better."""
    path, method = next(
        (path, method)
        for path, methods in contract["paths"].items()
        for method, operation in methods.items()
        if operation["operationId"] == name
    )
    rest = dict(arguments)
    body = rest.pop("body", None)
    for key in [key for key in rest if f"{{{key}}}" in path]:
        path = path.replace(f"{{{key}}}", quote(str(rest.pop(key)), safe=""))
    address = urljoin(server, path) + (f"?{urlencode(rest, doseq=True)}" if rest else "")
    data = body.encode() if body is not None else None
    request = Request(address, data, {"content-type": "text/plain"}, method=method.upper())
    try:
        with urlopen(request, timeout=60) as answer:
            return str(answer.read(LONGEST).decode("utf-8", "replace"))
    except HTTPError as error:
        return error.read(LONGEST).decode("utf-8", "replace")


if __name__ == "__main__":
    known = read_contract(sys.argv[1])
    if len(sys.argv) == 2:
        sys.stdout.write(json.dumps(list_tools(known), indent=2) + "\n")
    else:
        sys.stdout.write(call_tool(sys.argv[1], known, sys.argv[2], json.loads(sys.argv[3])))
