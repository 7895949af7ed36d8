"""`errmine show`: one entry as a page in the terminal."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.commands import CatalogOption, JsonOption

if TYPE_CHECKING:
    from catalog.records import Catalog, Entry
    from catalog.shelf import Found


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(show)


def show(
    context: typer.Context,
    question: Annotated[
        str,
        typer.Argument(
            metavar="ENTRY|PATH:LINE",
            help="An id or the start of one, a place, a function's name, or words of the message.",
        ),
    ],
    catalog: CatalogOption = None,
    json: JsonOption = False,
) -> None:
    """Show one entry as a page: what is raised, when, and where.

    Exit code 1 when nothing fits, or more than one entry does: these are listed.
    """
    from catalog import files, page, shelf, store, terminal

    found = list(_search(shelf.find_catalogs(catalog or (), context.obj), question))
    if not found:
        raise typer.Exit(1)
    places = {(entry.site.path, entry.site.line) for _, entry in found}
    if len(found) > 1 and (json or len(places) > 1):
        _list_matches(question, [entry for _, entry in found], terminal.tell if json else terminal.write_line)
        raise typer.Exit(1)
    if json:
        files.write_bytes(store.dump_answer(found[0][1]), "-")
        return
    console = terminal.open_console()
    for number, (source, entry) in enumerate(found):
        console.print(page.build_page(entry, source), end="\n\n" if number < len(found) - 1 else "\n")


def _search(catalogs: "Iterable[Found]", question: str) -> "Iterable[tuple[Catalog, Entry]]":
    """Give every entry meant, once, from the first catalog that has it; say where nothing is."""
    from catalog import terminal
    from catalog.selection import find_entries, find_neighbours

    seen: set[str] = set()
    near: list[Entry] = []
    names = []
    for found in catalogs:
        source = found.load()
        names.append(found.name)
        for entry in find_entries(source.entries, question):
            if entry.id not in seen:
                seen.add(entry.id)
                yield source, entry
        near += find_neighbours(source.entries, question)
        for stone in source.tombstones:
            if stone.id == question:
                last = stone.last_release or (stone.last_commit or "")[:12]
                terminal.complain(f"{question} is gone since {last}: {stone.title}")
    if not seen:
        terminal.complain(f"nothing in {', '.join(names)} fits {question!r}")
        for entry in near[:3]:
            terminal.tell(f"  near: {entry.site.path}:{entry.site.line}  {entry.id}  {entry.title}")


def _list_matches(question: str, entries: "list[Entry]", write: Callable[[str], None]) -> None:
    from catalog import terminal

    terminal.complain(f"{question!r} fits {terminal.plural(len(entries), 'entry')}; name one by its id")
    rows = [(entry.id, f"{entry.site.path}:{entry.site.line}", entry.title) for entry in entries[:50]]
    for row in terminal.align(rows):
        write(row)
    if len(entries) > len(rows):
        terminal.complain(f"and {len(entries) - len(rows):,} more")
