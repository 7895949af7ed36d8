"""`errmine annotate`: a catalog with its notes, derived, from files, and asked of a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from catalog.notes.opening import Desk
    from catalog.notes.writing import Order

NotesOption = Annotated[
    Path | None,
    typer.Option("--notes", metavar="FOLDER", help="The note files.  [default: notes/TARGET or notes, when there]"),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(annotate)


def annotate(
    context: typer.Context,
    catalog: Annotated[str, typer.Argument(metavar="CATALOG", help="A catalog file, a folder of them or a target.")],
    notes: NotesOption = None,
    derive: Annotated[bool, typer.Option(help="Derive a note where there is no written one.")] = True,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE|-", help="Where it goes.  [default: where it was]")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Ask this model for the notes that are missing or stale.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The model's server: any that speaks chat completions.")
    ] = None,
    path: Annotated[
        list[str] | None, typer.Option(metavar="FILE|FOLDER|GLOB", help="Ask only about what stands here.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Ask only about this option.")] = None,
    family: Annotated[list[str] | None, typer.Option(metavar="FAMILY", help="Ask only about this family.")] = None,
    entry: Annotated[list[str] | None, typer.Option(metavar="ENTRY", help="Ask only about this entry.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Ask about so many entries at most.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Ask about so many at once.")] = 8,
    anew: Annotated[
        bool, typer.Option("--anew", help="Ask again where an answer was of no use or its draft fails a check.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what asking would cost.")] = False,
) -> None:
    """Join notes to a catalog: written ones that still hold, derived ones elsewhere. Every note is checked first.

    With --model, notes that are missing or stale are asked for and written to the folder as they come; a run that
    was broken off goes on where it stopped. The key comes from OPENAI_API_KEY. Exit code 1 when the model gave no
    usable note for an entry.
    """
    from catalog import files, shelf
    from catalog.choosing import Choice
    from catalog.errors import QuestionError
    from catalog.notes.opening import open_desk
    from catalog.notes.selecting import Selection
    from catalog.notes.writing import Order, name_folder

    if model is None and (base_url or path or option or family or entry or limit or anew or dry_run):
        raise QuestionError("what says whom to ask about what, and --dry-run, goes with --model")
    if output is not None:
        files.check_place(output)
    found = shelf.find_catalogs((catalog,), context.obj)[0]
    opened = found.load()
    failed = 0
    if model is not None:
        choice = Choice(paths=tuple(path or ()), options=tuple(option or ()), families=tuple(family or ()))
        order = Order(model, base_url, Selection(choice, tuple(entry or ())), limit, jobs, anew)
        notes = notes or name_folder(opened.target)
        desk = open_desk(opened, notes, is_made=True)
        if dry_run:
            _tell_cost(desk, order, notes)
            return
        failed = _ask(desk, order, notes)
    was_file = catalog == "-" or Path(found.name).is_file()
    place = output or (found.name if was_file else str(shelf.choose_place(opened.target)))
    _join(open_desk(opened, notes, is_made=model is not None), place, derive)
    if failed:
        raise typer.Exit(1)


def _join(desk: "Desk", place: str, derive: bool) -> None:
    from catalog import store, terminal
    from catalog.notes.account import tell_joined
    from catalog.notes.joining import join_notes
    from catalog.waiting import show_progress

    judged = desk.judge()
    with show_progress("deriving", len(desk.catalog.entries)) as tick:
        joined = join_notes(desk.catalog, judged, desk.verify, desk.derive if derive else None, tick)
    store.write_catalog(joined.catalog, place)
    for line in tell_joined(joined, judged):
        terminal.tell(line)
    if place != "-":
        terminal.tell(f"written to {place}")


def _tell_cost(desk: "Desk", order: "Order", folder: Path) -> None:
    from catalog import terminal
    from catalog.notes.writing import estimate_order

    cost = estimate_order(desk, order, folder)
    terminal.write_line(f"{terminal.plural(cost.calls, 'call')}, about {cost.tokens_in:,} tokens in")
    terminal.write_line(f"and about {cost.tokens_out:,} out; an answer that can't be used is asked for once more")
    if cost.kept:
        terminal.write_line(f"{terminal.plural(cost.kept, 'answer')} kept from earlier runs, not asked for again")


def _ask(desk: "Desk", order: "Order", folder: Path) -> int:
    """Ask, write what comes, and say how it went; gives how many entries got no note."""
    import datetime
    import os

    from catalog import terminal
    from catalog.notes.account import say_failure
    from catalog.notes.model import KEY, Model, ModelChoice
    from catalog.notes.writing import write_asked

    model = Model(ModelChoice(order.model, order.base_url), os.environ.get(KEY))
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    outcome = write_asked(desk, order, folder, model, today)
    terminal.tell(
        f"asked {order.model}: {terminal.plural(outcome.calls, 'call')}, {outcome.tokens:,} tokens, "
        f"{terminal.plural(outcome.written, 'note')} written to {folder}"
    )
    for entry, failure in outcome.failing:
        terminal.tell(f"  {entry.id} is a draft that fails a check: {say_failure(failure)}")
    for entry, reason in outcome.failed:
        terminal.tell(f"  {entry.id} got no note: {reason}")
    return len(outcome.failed)
