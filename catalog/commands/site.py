"""`errmine site`: a reference site of one or several catalogs."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(site)


def site(
    context: typer.Context,
    catalogs: Annotated[
        list[str], typer.Argument(metavar="CATALOG...", help="Catalog files, folders of them, or targets.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder; replaced whole.")],
    title: Annotated[str, typer.Option(metavar="TEXT", help="What the site is called.")] = "Error reference",
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes.  [default: one per core]")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")] = False,
) -> None:
    """Write a reference site: a page an error, indexes, search, what changed between releases.

    Catalogs of one target are its releases; the newest is what the indexes show.
    """
    from catalog.commands.progress import show_count
    from catalog.errors import SiteError
    from catalog.folders import check_folder
    from catalog.terminal import complain, plural, safe, tell

    try:
        from catalog.publish.site import opening, writing
    except ModuleNotFoundError as error:
        raise SiteError(f"site needs {error.name}, which isn't installed: pip install 'errmine[site]'") from error
    check_folder(output, writing.KIND)
    made = opening.open_site(catalogs, context.obj, title)
    with show_count("writing pages", quiet) as report:
        count = writing.write_site(made, output, workers, report)
    for name in opening.list_unexplained(made):
        complain(f"{safe(name)}: has no notes; `errmine annotate` adds explanations")
    if not quiet:
        tell(f"{plural(len(made.library.leaves), 'error')}, {plural(count, 'file')}: {safe(str(output))}/index.html")
