#!/usr/bin/env python3
"""Write the JSON Schema of the contract from the records: run it after a change, in the environment of scripts/test."""

import ast
import inspect
import sys
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from catalog import records  # noqa: E402
from catalog.store import dump_answer  # noqa: E402


def build_schema() -> dict[str, Any]:
    """Build the schema of a catalog, with the records' own words as descriptions."""
    types = [records.Catalog, records.Text, records.Hole]
    _, definitions = msgspec.json.schema_components(types, schema_hook=_describe_part, ref_template="#/$defs/{name}")
    definitions.pop("Part", None)
    notes = read_field_notes()
    for name, definition in definitions.items():
        for field, schema in definition.get("properties", {}).items():
            note = notes.get((name, field))
            if note:
                definition["properties"][field] = {"description": note, **schema}
    catalog = definitions.pop("Catalog")
    catalog["properties"]["schema_version"] = {"const": records.SCHEMA_VERSION}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:errmine:catalog-{records.SCHEMA_VERSION}",
        **catalog,
        "$defs": dict(sorted(definitions.items())),
    }


def _describe_part(type_: type) -> dict[str, Any]:
    if type_ is not records.Part:
        raise NotImplementedError(f"{type_} has no schema")
    return {"anyOf": [{"$ref": "#/$defs/Text"}, {"$ref": "#/$defs/Hole"}]}


def read_field_notes() -> dict[tuple[str, str], str]:
    """Read the line beneath each field, by class and key."""
    notes = {}
    for record in ast.parse(inspect.getsource(records)).body:
        if not isinstance(record, ast.ClassDef):
            continue
        for field, note in zip(record.body, record.body[1:], strict=False):
            match field, note:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    notes[record.name, name.removesuffix("_")] = text
    return notes


if __name__ == "__main__":
    path = ROOT / "catalog" / "schema" / f"catalog-{records.SCHEMA_VERSION}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(dump_answer(build_schema()))
    print(path.relative_to(ROOT))
