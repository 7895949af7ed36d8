"""The tools for agents that the README offers, against a real server."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agenttools
import jsonschema
import pytest
from serving import Server, run_server
from test_serve import LOG, make_versions

from catalog import store


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("catalogs")
    for name, catalog in zip(("old", "new"), make_versions(), strict=True):
        store.write_catalog(catalog, folder / f"{name}.json")
    with run_server([folder / "old.json", folder / "new.json"]) as running:
        yield running


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("list_catalogs", {}, '"release": "1.1"'),
        ("list_errors", {"q": "coupon", "kind": ["raise", "call"]}, '"id": "4444444444444444"'),
        ("show_error", {"entry_id": "1" * 16}, '"id": "5555555555555555"'),
        ("show_options", {"name": "--size"}, '"id": "CartConfig.size"'),
        ("list_families", {"target": "shop"}, '"family": "out-of-range"'),
        ("show_diff", {"kind": ["added"], "limit": 1}, '"kinds": ['),
        ("explain_log", {"body": LOG}, '"sure": '),
        ("list_errors", {"family": ["typo"]}, "typo: no entry is of this family; there are"),
        ("show_error", {"entry_id": "../x"}, '"error":'),
    ],
)
def test_a_tool_answers_from_the_server(name: str, arguments: dict[str, Any], told: str, server: Server) -> None:
    contract = agenttools.read_contract(server.address)
    tools = {tool["name"]: tool for tool in agenttools.list_tools(contract)}
    assert tools[name]["description"]
    jsonschema.Draft202012Validator.check_schema(tools[name]["input_schema"])
    if told != '"error":':
        jsonschema.validate(arguments, tools[name]["input_schema"])
    answer = agenttools.call_tool(server.address, contract, name, arguments)
    assert told in answer
    assert json.loads(answer)


def test_it_runs_by_itself(server: Server) -> None:
    command = [sys.executable, str(Path(agenttools.__file__)), server.address]
    listed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert len(json.loads(listed)) == 7
    asked = [*command, "show_options", '{"name": "--size"}']
    found = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60).stdout
    assert json.loads(found)["options"][0]["option"]["flags"] == ["--size"]
