"""`errmine notes`: written notes, as a team keeps them: which still hold, which pass, and that a person looked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.commands import CatalogOption, JsonOption
from catalog.commands.annotate import NotesOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from catalog.notes.joining import Judged
    from catalog.notes.opening import Desk

CatalogArgument = Annotated[
    str | None,
    typer.Argument(metavar="[CATALOG]", help="A catalog file or a target.  [default: the newest below catalogs/]"),
]
_app = typer.Typer(help="Keep written notes: see which still hold, check them, accept and begin them.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(_app, name="notes")


@_app.command()
def status(
    context: typer.Context,
    catalog: CatalogArgument = None,
    notes: NotesOption = None,
    whole: Annotated[bool, typer.Option("--all", help="List those that are fine, too.")] = False,
    json: JsonOption = False,
) -> None:
    """List notes whose error was changed since.

    A note is fresh, moved, reworded, guard changed or orphaned: by what it was written for and what is there now.
    Exit code 1 when one is stale (anything but fresh or moved), or there is none.
    """
    from catalog import files, store, terminal
    from catalog.notes.account import count_states, describe, list_states
    from catalog.notes.joining import judge

    desk = _open(context, catalog, notes)
    folder = desk.folder.files if desk.folder is not None else ()
    judged = list(judge(folder, desk.catalog, lambda _note, _entry: ()))
    if json:
        files.write_bytes(store.dump_answer([describe(each) for each in judged]), "-")
    else:
        for row in terminal.align(list_states(judged, whole)):
            terminal.write_line(row)
        terminal.write_line(count_states(judged))
    _complain_of_none(desk, judged)
    if not judged or any(each.state.is_stale for each in judged):
        raise typer.Exit(1)


@_app.command()
def verify(
    context: typer.Context, catalog: CatalogArgument = None, notes: NotesOption = None, json: JsonOption = False
) -> None:
    """Check every note against what was mined.

    Names, code, example, check, bounds and links are checked; nothing of the target is run.
    Exit code 1 when a check fails, or there is no note.
    """
    from catalog import files, store, terminal
    from catalog.notes.account import describe, say_failure

    desk = _open(context, catalog, notes)
    judged = desk.judge()
    failing = [each for each in judged if not each.is_sound]
    if json:
        files.write_bytes(store.dump_answer([describe(each) for each in judged]), "-")
    else:
        for each in failing:
            for failure in each.failures:
                terminal.write_line(terminal.safe(f"{each.file.path}: {say_failure(failure)}"))
            if each.state.entry is None:
                terminal.write_line(terminal.safe(f"{each.file.path}: orphaned: {each.state.detail}"))
        passed = len(judged) - len(failing)
        terminal.write_line(f"{terminal.plural(len(judged), 'note')}: {passed:,} passed, {len(failing):,} failed")
    _complain_of_none(desk, judged)
    if not judged or failing:
        raise typer.Exit(1)


@_app.command()
def accept(
    context: typer.Context,
    questions: Annotated[
        list[str], typer.Argument(metavar="ENTRY|FILE...", help="The entry, or the note's file; several if you like.")
    ],
    catalog: CatalogOption = None,
    notes: NotesOption = None,
) -> None:
    """Record that a person looked and a note holds.

    The note becomes reviewed, for the error as it is now; its text stays to the letter.
    Exit code 1 when a check of a note fails: that one stays as it is.
    """
    import datetime

    from catalog import terminal
    from catalog.notes.account import say_failure
    from catalog.notes.review import accept_note, find_notes

    desk = _open(context, _choose(catalog), notes)
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    found = find_notes(desk, questions)
    for judged in found:
        for failure in judged.failures:
            terminal.write_line(terminal.safe(f"{judged.file.path}: {say_failure(failure)}"))
        if not judged.failures:
            terminal.tell(f"{accept_note(desk, judged, today)}: reviewed")
    if any(judged.failures for judged in found):
        terminal.complain("not accepted where a check fails: mend the note first")
        raise typer.Exit(1)


@_app.command()
def new(
    context: typer.Context,
    question: Annotated[str, typer.Argument(metavar="ENTRY", help="The entry to explain, as `show` takes it.")],
    catalog: CatalogOption = None,
    notes: NotesOption = None,
    author: Annotated[
        str, typer.Option(metavar="NAME", envvar=["GIT_AUTHOR_NAME", "USER"], help="Who writes it.")
    ] = "unknown",
) -> None:
    """Begin a note with what can be derived.

    Its path goes to stdout. It is a draft until it is accepted.
    """
    from catalog import terminal
    from catalog.notes.review import begin_note
    from catalog.notes.writing import name_folder

    desk = _open(context, _choose(catalog), notes, is_made=True)
    folder = notes or (desk.folder.path if desk.folder is not None else name_folder(desk.catalog.target))
    path = begin_note(desk, question, folder, author)
    terminal.write_line(str(path))


def _open(context: typer.Context, catalog: str | None, notes: Path | None, is_made: bool = False) -> "Desk":
    from catalog import shelf
    from catalog.errors import NoteError
    from catalog.notes.opening import open_desk

    found = shelf.find_catalogs((catalog,) if catalog is not None else (), context.obj)
    desk = open_desk(found[0].load(), notes, is_made)
    if desk.folder is None and not is_made:
        raise NoteError("no folder of notes: name one with --notes, or begin a note with `errmine notes new ENTRY`")
    return desk


def _complain_of_none(desk: "Desk", judged: "Sequence[Judged]") -> None:
    """Say it when nothing was looked at: a silent pass would be mistaken for one."""
    from catalog import terminal

    if not judged and desk.folder is not None:
        terminal.complain(f"no note in {desk.folder.path} is about {desk.catalog.target.name}")


def _choose(catalogs: list[str] | None) -> str | None:
    from catalog.errors import QuestionError

    if catalogs is not None and len(catalogs) > 1:
        raise QuestionError("one --catalog at a time")
    return catalogs[0] if catalogs else None
