"""`errmine export`: entries in everyone's format."""

from typing import Annotated, Literal

import typer

from catalog.commands import JsonOption

Format = Literal["jsonl", "csv", "md", "sarif", "raises"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(export)


def export(
    context: typer.Context,
    catalog: Annotated[str, typer.Argument(metavar="CATALOG", help="A catalog file or a target.")],
    to: Annotated[
        Format,
        typer.Option(
            metavar="jsonl|csv|md|sarif|raises",
            help="jsonl: an entry a line; csv: for a spreadsheet; md: pages for MkDocs or Sphinx; "
            "sarif: for code scanning; raises: per function, for docstrings.",
        ),
    ],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE|FOLDER|-", help="Where it goes.")] = "-",
    kind: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="Only raise, assert, call, exit or constraint.")
    ] = None,
    path: Annotated[
        list[str] | None, typer.Option(metavar="FILE|FOLDER|GLOB", help="Only what stands here; may be given again.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only what is about this option; may be given again.")
    ] = None,
    exception: Annotated[
        list[str] | None, typer.Option(metavar="CLASS", help="Only this class and its children; may be given again.")
    ] = None,
    family: Annotated[
        list[str] | None, typer.Option(metavar="FAMILY", help="Only this family; may be given again.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write the errors of a catalog in a format that other tools read.

    Exit code 1 when there are none: what is written then says so in its format.
    """
    from catalog import shelf, terminal
    from catalog.choosing import Choice, choose_entries
    from catalog.publish.export import report, sarif

    wanted = report.Export(to, output, json)
    report.check_export(wanted)
    opened = shelf.open_catalog(catalog, context.obj)
    chosen = [tuple(names or ()) for names in (kind, path, option, exception, family)]
    entries = tuple(choose_entries(opened, Choice(*chosen)))
    place = report.write_export(opened, entries, wanted)
    if place != "-":
        terminal.tell(f"{terminal.plural(len(entries), 'entry')} written to {place}")
    if to == "sarif" and len(entries) > sarif.MOST_RESULTS:
        terminal.complain(
            f"an upload to GitHub takes {sarif.MOST_RESULTS:,} results: choose some with --path or --kind"
        )
    if not entries:
        terminal.complain("no entry fits")
        raise typer.Exit(1)
