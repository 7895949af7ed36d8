"""`errmine families`: the classes of failure, and the entries of each across catalogs."""

from typing import TYPE_CHECKING, Annotated

import typer

from catalog.commands import CatalogOption, JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from catalog.kinship import Kin


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(families)


def families(
    context: typer.Context,
    family: Annotated[
        str | None, typer.Argument(metavar="[FAMILY]", help="List the entries of this one: out-of-range, ….")
    ] = None,
    catalog: CatalogOption = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="At most so many entries a catalog.")] = None,
    json: JsonOption = False,
) -> None:
    """List the classes of failure, the same for every project, or the entries of one.

    Exit code 1 when there is no entry.
    """
    from catalog import files, shelf, store
    from catalog.kinship import find_kin, list_kin

    catalogs = [found.load() for found in shelf.find_catalogs(catalog or (), context.obj)]
    kin = (find_kin(family, catalogs),) if family is not None else list_kin(catalogs)
    if json:
        files.write_bytes(store.dump_answer([_describe(each, limit) for each in kin]), "-")
    elif family is not None:
        _write_family(kin[0], limit)
    else:
        _write_table(kin)
    if not any(each.size for each in kin):
        raise typer.Exit(1)


def _describe(kin: "Kin", limit: int | None) -> dict[str, object]:
    members = [
        {
            "catalog": each.catalog,
            "count": len(each.entries),
            "entries": [
                {"id": entry.id, "title": entry.title, "path": entry.site.path, "line": entry.site.line}
                for entry in each.entries[:limit]
            ],
        }
        for each in kin.members
    ]
    return {"family": kin.family, "about": kin.about, "members": members}


def _write_table(kin: "Sequence[Kin]") -> None:
    from catalog import terminal

    if not kin:
        return
    names = [each.catalog for each in kin[0].members]
    rows = [("FAMILY", *names, "ABOUT")]
    rows += [(each.family, *(f"{len(one.entries):,}" for one in each.members), each.about) for each in kin]
    for line in terminal.align(rows):
        terminal.write_line(line)


def _write_family(kin: "Kin", limit: int | None) -> None:
    from catalog import terminal

    terminal.write_line(terminal.safe(f"{kin.family}: {kin.about}" if kin.about else kin.family))
    for each in kin.members:
        terminal.write_line()
        terminal.write_line(terminal.safe(f"{each.catalog}: {terminal.plural(len(each.entries), 'entry')}"))
        shown = each.entries[:limit]
        rows = [(entry.id, f"{entry.site.path}:{entry.site.line}", entry.title) for entry in shown]
        for line in terminal.align(rows) if rows else ():
            terminal.write_line(f"  {line}")
        if len(shown) < len(each.entries):
            terminal.write_line(f"  and {len(each.entries) - len(shown):,} more")
