"""The server keeps to the contract it publishes, whatever it is asked: schemathesis against a real one."""

import dataclasses
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from exporting import make_hostile, make_shop
from factories import make_catalog
from serving import ROOT, Server, run_server
from test_serve import LOG, make_versions

from catalog import store

SETTINGS = """
[checks.negative_data_rejection]
expected-statuses = ["400", "404", "405", "413", "414", "422"]
"""
"""What is longer than any address or body may be is refused as such."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("catalogs")
    for name, catalog in zip(("old", "new"), make_versions(), strict=True):
        store.write_catalog(catalog, folder / f"{name}.json")
    with run_server([folder / "old.json", folder / "new.json"]) as running:
        yield running


@pytest.mark.parametrize("phases", ["examples,coverage", "fuzzing"])
def test_whatever_is_asked_is_answered_as_the_contract_says(phases: str, server: Server, tmp_path: Path) -> None:
    (tmp_path / "schemathesis.toml").write_text(SETTINGS, encoding="utf-8")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.address}api/openapi.json"]
    command += ["--checks", "all", "--phases", phases, "--max-examples", "25", "--no-color"]
    command += ["--seed", "1", "--continue-on-failure", "--warnings", "off"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=180
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    statuses = {event["status"] for event in server.events if "status" in event}
    assert 200 in statuses
    assert max(statuses) < 500


def read_contract(http: httpx.Client) -> dict[str, Any]:
    contract: dict[str, Any] = http.get("/api/openapi.json").json()
    return contract


def make_validator(contract: dict[str, Any], name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/components/schemas/{name}", **contract})


@pytest.mark.parametrize("make", [make_shop, make_hostile])
def test_answers_full_of_facts_keep_to_their_schemas(make: Any, tmp_path: Path) -> None:
    catalog = make()
    store.write_catalog(catalog, tmp_path / "c.json")
    with run_server([tmp_path / "c.json"]) as server, httpx.Client(base_url=server.address, trust_env=False) as http:
        contract = read_contract(http)
        asked = {"/api": "CatalogsAnswer", "/api/families": "FamiliesAnswer", "/api/errors?limit=200": "ErrorsAnswer"}
        asked |= {f"/api/errors/{entry.id}": "ErrorAnswer" for entry in catalog.entries}
        asked |= {"/api/options/size": "OptionsAnswer", "/api/options/SHOP_DEBUG": "OptionsAnswer", "/x": "Refusal"}
        for address, name in asked.items():
            answer = http.get(address).json()
            schema = "Refusal" if set(answer) == {"error"} else name
            assert [error.message for error in make_validator(contract, schema).iter_errors(answer)] == [], address
        explained = http.post("/api/explain", content=LOG).json()
        assert list(make_validator(contract, "Answer").iter_errors(explained)) == []
        assert list(make_validator(contract, "ErrorAnswer").iter_errors({"entry": {}})), "the schema must refuse"


def test_the_contract_names_all_that_it_refers_to(server: Server) -> None:
    with httpx.Client(base_url=server.address, trust_env=False) as http:
        contract = read_contract(http)
        named = set(contract["components"]["schemas"])
        referred = set()

        def walk(value: Any) -> None:
            if isinstance(value, dict):
                if isinstance(value.get("$ref"), str):
                    referred.add(value["$ref"].rpartition("/")[2])
                for inner in value.values():
                    walk(inner)
            elif isinstance(value, list):
                for inner in value:
                    walk(inner)

        walk(contract)
        assert referred <= named
        assert set(contract["paths"]) == {
            "/api",
            "/api/errors",
            "/api/errors/{entry_id}",
            "/api/options/{name}",
            "/api/families",
            "/api/diff",
            "/api/explain",
        }
        assert json.dumps(contract)


def test_the_readme_names_every_address_with_what_it_takes(server: Server) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(?:GET|POST) (/api[\w/]*)(?:\?([\w=&]+))?` \|", readme, re.MULTILINE))
    with httpx.Client(base_url=server.address, trust_env=False) as http:
        paths = read_contract(http)["paths"]
    known = {}
    for path, methods in paths.items():
        (operation,) = methods.values()
        named = [each["name"] for each in operation.get("parameters", []) if each["in"] == "query"]
        known[re.sub(r"\{(?:\w+_)?(\w+)\}", lambda match: match[1].upper(), path)] = named
    assert set(told) == set(known)
    for path, query in told.items():
        if query:
            assert [each.rstrip("=") for each in query.split("&")] == known[path], path


def test_a_diff_of_options_alone_keeps_to_its_schema(tmp_path: Path) -> None:
    older, newer = make_versions()
    (resize, *_) = older.entries
    bare = dataclasses.replace(resize, options=())
    for name, entry in (("old", resize), ("new", bare)):
        catalog = make_catalog([entry], target__release={"old": "1.0", "new": "1.1"}[name], options=newer.options)
        store.write_catalog(catalog, tmp_path / f"{name}.json")
    with run_server([tmp_path / "old.json", tmp_path / "new.json"]) as server:
        contract = httpx.get(f"{server.address}api/openapi.json", trust_env=False).json()
        answer = httpx.get(f"{server.address}api/diff", trust_env=False).json()
    assert [change["options"]["lost"] for change in answer["changes"]] == [["CartConfig.size"]]
    assert list(make_validator(contract, "DiffAnswer").iter_errors(answer)) == []
