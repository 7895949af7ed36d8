"""`errmine schema`: the contract as a JSON Schema."""

from importlib import resources

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(schema)


def schema() -> None:
    """Print the JSON Schema of a catalog."""
    from catalog.files import write_bytes
    from catalog.records import SCHEMA_VERSION

    write_bytes(resources.files("catalog").joinpath("schema", f"catalog-{SCHEMA_VERSION}.json").read_bytes(), "-")
