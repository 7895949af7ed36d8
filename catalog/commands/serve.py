"""`errmine serve`: the pages of a site and questions to its catalogs, over HTTP."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)


def serve(
    context: typer.Context,
    catalogs: Annotated[list[str], typer.Argument(metavar="CATALOG…", help="Files, folders of catalogs or targets.")],
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="PORT", help="0: any that is free.")] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A name under which this may be asked, as behind a proxy; may be given again."
        ),
    ] = None,
    max_body: Annotated[
        int, typer.Option(min=1_000, max=1 << 30, metavar="BYTES", help="The longest log to explain.")
    ] = 1 << 18,
    patience: Annotated[
        float,
        typer.Option(min=0.1, max=3600.0, metavar="SECONDS", help="How long a client may take to send a request."),
    ] = 10.0,
    title: Annotated[str, typer.Option(metavar="TEXT", help="What the pages are called.")] = "Error reference",
    cache: Annotated[
        Path | None, typer.Option(metavar="FOLDER", envvar="ERRMINE_CACHE", help="Where indexes of catalogs are kept.")
    ] = None,
) -> None:
    """Serve catalogs on this machine: pages for people, JSON for programs, until interrupted.

    Each request is a line of JSON on stderr. The contract is at /api/openapi.json.
    """
    from catalog import shelf
    from catalog.publish.serving import Wish, run_server

    wish = Wish(host, port, tuple(allow_host or ()), max_body, patience, cache, title)
    run_server(shelf.find_catalogs(catalogs, context.obj), wish)
