"""`errmine diff`: what changed between two catalogs, or between two versions of a target."""

from typing import Annotated, Literal

import typer

from catalog.commands import JsonOption

Format = Literal["text", "md", "github", "json"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(diff)


def diff(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="A catalog file or a target.")],
    new: Annotated[str | None, typer.Argument(metavar="[NEW]", help="Another one; not with --ref or --to.")] = None,
    ref: Annotated[
        str | None,
        typer.Option(metavar="REF", help="With one target: what to compare with.  [default: the version before]"),
    ] = None,
    to: Annotated[
        str | None, typer.Option(metavar="REF", help="With one target: what is compared.  [default: as it is now]")
    ] = None,
    scope: Annotated[
        list[str] | None, typer.Option(metavar="config|all|GLOB", help="What to compare; may be given again.")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(metavar="KIND,…", help="Only these kinds: added, reguarded, tightened, ….")
    ] = None,
    path: Annotated[
        list[str] | None, typer.Option(metavar="FILE|FOLDER|GLOB", help="Only what stands here; may be given again.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only what is about this option; may be given again.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="github: annotations in a workflow.")] = "text",
    json: JsonOption = False,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE|-", help="Where it goes.")] = "-",
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="At most so many changes of a kind.")] = None,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 when anything changed.")] = False,
    fail_on: Annotated[
        list[str] | None, typer.Option(metavar="KIND,…", help="Exit with 1 when such a change is found.")
    ] = None,
) -> None:
    """Tell what changed between two catalogs, or between two versions of a target."""
    from catalog import terminal
    from catalog.changes import filters, report, sides
    from catalog.diff import find_changes, find_unknown, list_kinds

    failing, kinds = filters.read_kinds(fail_on or ()), filters.read_kinds(kind or ())
    before, after = sides.open_sides(sides.Sides(old, new, ref, to, tuple(scope or ())), context.obj)
    wanted = filters.Filter(kinds, tuple(path or ()), filters.find_options(option or (), (before, after)))
    changes = list(filters.select_changes(find_changes(before, after), wanted))
    report.write_report(before, after, changes, report.Report("json" if json else form, output, limit, failing))
    unknown = find_unknown(before, after)
    if unknown:
        terminal.complain(f"not compared, since one scan had to skip them: {terminal.plural(len(unknown), 'file')}")
    if (exit_code and changes) or any(failing.intersection(list_kinds(change)) for change in changes):
        raise typer.Exit(1)
