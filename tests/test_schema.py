import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from factories import make_catalog, make_entry
from jsonschema import Draft202012Validator, ValidationError

from catalog.records import OptionUse
from catalog.store import dump_answer, dump_catalog, load_catalog
from miner.scan import ScanOptions, scan

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "catalog" / "schema" / "catalog-1.json").read_bytes())
FULL = make_catalog(
    [
        make_entry(options=(OptionUse("Cart.size", "size", ("guard",), ("size → Cart.size",)),)),
        make_entry(message="{name!r:>{width}} of {count=}", site__line=40),
        make_entry(message=None, kind="assert", site__line=50),
    ]
)


def close(schema: Any) -> Any:
    """Forbid every key that the schema doesn't name, so that a test sees what the schema forgot."""
    if isinstance(schema, dict):
        closed = {key: close(value) for key, value in schema.items()}
        return {**closed, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else closed
    return [close(item) for item in schema] if isinstance(schema, list) else schema


def test_the_published_schema_is_the_one_the_records_give() -> None:
    build_schema = runpy.run_path(str(ROOT / "scripts" / "schema.py"))["build_schema"]
    published = (ROOT / "catalog" / "schema" / "catalog-1.json").read_bytes()
    assert dump_answer(build_schema()) == published, "the records changed: run scripts/schema.py"


def test_the_schema_is_one_and_knows_every_key_of_a_written_catalog() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(close(SCHEMA)).validate(json.loads(dump_catalog(FULL)))


def test_the_catalog_of_this_project_keeps_to_the_schema_and_comes_back_equal(tmp_path: Path) -> None:
    catalog = scan(str(ROOT), ScanOptions(scope=("all",), cache=tmp_path))
    assert catalog.stats.by_kind["raise"] > 50
    assert not catalog.skipped
    data = dump_catalog(catalog)
    Draft202012Validator(close(SCHEMA)).validate(json.loads(data))
    assert load_catalog(data, "catalog.json") == catalog


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["schema_version"], 2),
        (["entries", 0, "kind"], "throw"),
        (["entries", 0, "site", "line"], "12"),
        (["entries", 1, "message", "parts", 0], {"words": "x"}),
        (["entries", 0, "options", 0, "in"], ["title"]),
        (["entries", 0, "guard"], None),
    ],
)
def test_the_schema_refuses_what_breaks_the_contract(path: list[str | int], value: object) -> None:
    document = json.loads(dump_catalog(FULL))
    place = document
    for step in path[:-1]:
        place = place[step]
    assert place[path[-1]] != value
    place[path[-1]] = value
    with pytest.raises(ValidationError):
        Draft202012Validator(SCHEMA).validate(document)


def test_the_schema_describes_fields_in_the_words_of_the_records() -> None:
    site = SCHEMA["$defs"]["Site"]
    assert site["properties"]["line"] == {"description": "First line of the statement.", "type": "integer"}
    assert set(SCHEMA["$defs"]["OptionUse"]["properties"]) == {"id", "as", "in", "via"}
