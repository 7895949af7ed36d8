"""The commands that need nothing but catalogs: each a module that adds itself to the command line."""

from importlib import import_module
from typing import Annotated

import typer

MODULES = (
    "show",
    "explain",
    "options",
    "diff",
    "history",
    "families",
    "annotate",
    "notes",
    "site",
    "serve",
    "export",
    "schema",
)
"""In the order in which the help lists them."""

CatalogOption = Annotated[
    list[str] | None,
    typer.Option(
        "--catalog",
        metavar="FILE|FOLDER|TARGET",
        help="The catalog to use; may be given again. [default: the newest below catalogs/]",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write the answer as JSON.")]


def register(app: typer.Typer) -> None:
    """Add every command to the app. The modules are small: what a command needs it imports when it runs."""
    for name in MODULES:
        import_module(f"{__name__}.{name}").register(app)
