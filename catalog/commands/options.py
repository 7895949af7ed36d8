"""`errmine options`: what users can set, and the errors each is part of."""

from typing import TYPE_CHECKING, Annotated

import typer

from catalog.commands import CatalogOption, JsonOption

if TYPE_CHECKING:
    from catalog.options import OptionAnswer


def register(app: typer.Typer) -> None:
    """Add the command; a flag to look for may stand as it is."""
    app.command(context_settings={"ignore_unknown_options": True})(options)


def options(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A field, a flag or an environment variable, or a part of one."),
    ] = None,
    catalog: CatalogOption = None,
    json: JsonOption = False,
) -> None:
    """List what users can set, and the errors that each is part of.

    Exit code 1 when no option has the name.
    """
    from catalog import files, shelf, store, terminal
    from catalog.options import build_options_answer, find_options

    answers: list[OptionAnswer] = []
    names = []
    for found in shelf.find_catalogs(catalog or (), context.obj):
        names.append(found.name)
        answers += find_options(found.load(), name)
    if json:
        files.write_bytes(store.dump_answer(build_options_answer(answers)), "-")
    elif answers:
        _write(answers, whole=name is not None)
    if not answers:
        wanted = f"fits {name!r}" if name is not None else "is listed"
        terminal.complain(f"no option in {', '.join(names)} {wanted}")
        raise typer.Exit(1)


def _write(answers: "list[OptionAnswer]", whole: bool) -> None:
    """Write a few options as pages, many as a table."""
    from catalog import terminal
    from catalog.optionpage import PAGES, build_option_page, list_rows

    if whole and len(answers) <= PAGES:
        console = terminal.open_console()
        for number, answer in enumerate(answers):
            console.print(build_option_page(answer), end="\n\n" if number < len(answers) - 1 else "\n")
        return
    for row in terminal.align(list_rows(answers)):
        terminal.write_line(row)
