"""`errmine history`: one error across versions."""

from typing import Annotated

import typer

from catalog.commands import CatalogOption, JsonOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(history)


def history(
    context: typer.Context,
    entry: Annotated[
        str, typer.Argument(metavar="ENTRY|PATH:LINE", help="An id or the start of one, a place or a function's name.")
    ],
    target: Annotated[
        str | None, typer.Argument(metavar="[TARGET]", help="Whose tags or releases to walk; not with --catalog.")
    ] = None,
    catalog: CatalogOption = None,
    since: Annotated[str | None, typer.Option(metavar="VERSION", help="The oldest version to look at.")] = None,
    until: Annotated[str | None, typer.Option(metavar="VERSION", help="The newest version to look at.")] = None,
    scope: Annotated[
        list[str] | None, typer.Option(metavar="config|all|GLOB", help="What to mine of a target; may be given again.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Tell the life of one error: first seen, each change, last seen.

    Versions are looked at from the newest back, until the error isn't there any more.
    """
    from catalog import files, store, terminal
    from catalog.changes import life, versions
    from catalog.history import trace_life

    walk = versions.Walk(target, tuple(catalog or ()), since, until, tuple(scope or ()))
    told = trace_life(entry, versions.list_versions(walk, context.obj))
    if json:
        files.write_bytes(store.dump_answer(life.build_life_answer(told)), "-")
    else:
        terminal.open_console().print(life.build_picture(told))
