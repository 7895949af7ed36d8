"""`errmine explain`: a pasted log or traceback, and the entries it came from."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.commands import CatalogOption, JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from catalog.explain.answer import AnsweredFinding
    from catalog.explain.stored import IndexedCatalog
    from catalog.shelf import Found


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(explain)


def explain(
    context: typer.Context,
    log: Annotated[
        str | None, typer.Argument(metavar="[FILE|-]", help="The log; without it, what is piped in.")
    ] = None,
    catalog: CatalogOption = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as the log grows, until interrupted.")] = False,
    json: JsonOption = False,
    cache: Annotated[
        Path | None, typer.Option(metavar="FOLDER", envvar="ERRMINE_CACHE", help="Where indexes of catalogs are kept.")
    ] = None,
) -> None:
    """Tell which entries a log or traceback comes from, and why they were raised.

    Exit code 1 when nothing in it fits. Of the log nothing is kept.
    """
    from catalog import files, shelf, store
    from catalog.explain.gathering import Gathering
    from catalog.explain.passages import read_passages
    from catalog.explain.sources import open_log

    with ExitStack() as stack:
        read = stack.enter_context(open_log(log, follow))
        gathering = Gathering(_open_all(shelf.find_catalogs(catalog or (), context.obj), cache or _find_cache(), stack))
        for passage in read_passages(read, is_growing=follow):
            for finding in gathering.add(passage):
                if follow and json:
                    files.write_bytes(store.dump_answer(finding), "-")
                elif follow:
                    _tell([finding])
        answer = gathering.finish()
    if json and not follow:
        files.write_bytes(store.dump_answer(answer), "-")
    elif not follow:
        _tell(answer.findings, answer.remarks)
    if not any(finding.matches for finding in answer.findings):
        raise typer.Exit(1)


def _tell(findings: "Sequence[AnsweredFinding]", remarks: "Sequence[str]" = ()) -> None:
    from catalog import terminal
    from catalog.explain.telling import tell_finding, tell_remarks

    console = terminal.open_console()
    for finding in findings:
        console.print(tell_finding(finding), end="\n\n")
    for remark in tell_remarks(remarks):
        terminal.tell(remark)
    if not findings:
        terminal.tell("nothing in this log reads like an error")


def _open_all(found: "Sequence[Found]", cache: Path, stack: ExitStack) -> "list[IndexedCatalog]":
    """Open each catalog: a file by its kept index, a target's by one made now."""
    from catalog.explain.stored import index_catalog, open_catalog

    return [
        stack.enter_context(open_catalog(Path(each.name), cache))
        if Path(each.name).is_file()
        else index_catalog(each.load(), each.name)
        for each in found
    ]


def _find_cache() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("errmine")
