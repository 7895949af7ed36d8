"""The `errmine` command: the catalog's commands, `scan` and `targets`; errors become exit codes here and nowhere else.

Imports at the top are paid for by every command: mining is imported by the commands that mine.
"""

import gc
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.main import get_command

from catalog import __version__, commands
from catalog.errors import ErrmineError, QuestionError
from catalog.terminal import complain, prepare_streams, silence_stdout, tell, write_line

if TYPE_CHECKING:
    from catalog.records import Catalog
    from miner.scan import ScanOptions
    from miner.versions import Version

Target = Annotated[
    str | None, typer.Argument(metavar="TARGET", help="A name, owner/repo, a git URL, a folder, or name==version.")
]
From = Annotated[
    Path | None,
    typer.Option("--from", metavar="LIST", help="Scan every target of a file, one a line, into a folder of catalogs."),
]
Jobs = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="With --from: targets at once.  [default: one per core]")
]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="With --from: let the workers of a Dask scheduler do it.")
]
Again = Annotated[bool, typer.Option("--again", help="With --from: also what an earlier run has done.")]
Commit = Annotated[str | None, typer.Option(metavar="SHA", help="The commit, full or short.")]
Ref = Annotated[str | None, typer.Option(metavar="REF", help="The tag or branch.")]
Scope = Annotated[list[str], typer.Option(metavar="config|all|GLOB", help="What to mine; may be given again.")]
Include = Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Take in files left out by default.")]
Exclude = Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Leave files out.")]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE|-", help="Where it goes.  [default: catalogs/TARGET/VERSION.json]"),
]
Baseline = Annotated[
    str | None, typer.Option(metavar="CATALOG", help="An earlier catalog, whose ids are carried over.")
]
Workers = Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes to use.  [default: one per core]")]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 1 when a file was skipped.")]
Cache = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", envvar="ERRMINE_CACHE", help="Where what was fetched and mined is kept."),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Mine anew, whatever an earlier scan of the same has left.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")]
TRACEBACK = "ERRMINE_TRACEBACK"
"""The environment variable that asks for the traceback of an error nobody foresaw."""
TABLE = Path("errmine.toml")
"""The user's own table of targets, in the folder in which errmine runs."""

app = typer.Typer(
    name="errmine",
    help="Mine the errors of a Python project into a catalog, and put questions to catalogs.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> NoReturn:
    """Run the command line; exit with 0 (fine), 1 (the answer is none or different) or 2 (could not)."""
    prepare_streams()
    gc.disable()  # a question is answered before cycles could matter; walking a loaded catalog doubles its cost
    try:
        get_command(app)(prog_name="errmine", obj=OnDemand())
    except ErrmineError as error:
        complain(str(error))
        _leave(2)
    except KeyboardInterrupt:
        complain("interrupted")
        _leave(130)
    except SystemExit as end:
        if end.code == 130:  # typer's word for an interrupt inside a command
            complain("interrupted")
        _leave(end.code if isinstance(end.code, int) else 0)
    except OSError as error:
        complain(f"{error.filename or 'output'}: {error.strerror or error}")
        _leave(2)
    except Exception as error:  # noqa: BLE001 (the last resort: a mistake of errmine mustn't exit as "no match" does)
        _admit(error)
        _leave(2)
    _leave(0)


def _admit(error: Exception) -> None:
    """Say that errmine itself failed: in one line, or with the whole traceback where it was asked for."""
    if os.environ.get(TRACEBACK):
        import traceback

        for line in traceback.format_exc().splitlines():
            tell(line)
    told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    complain(f"a mistake in errmine itself, {told}; set {TRACEBACK}=1 to see where, and please report it")


def _leave(code: int) -> NoReturn:
    """Exit once everything written has arrived; a reader that went away is no error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        silence_stdout()
        complain(f"output: {error.strerror or error}")
        code = 2
    sys.exit(code)


def _print_version(wanted: bool) -> None:
    if wanted:
        write_line(f"errmine {__version__}")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Take what stands before the command's name."""


@app.command()
def scan(
    context: typer.Context,
    target: Target = None,
    commit: Commit = None,
    ref: Ref = None,
    scope: Scope = ["config"],  # noqa: B006 (typer copies it)
    include: Include = None,
    exclude: Exclude = None,
    output: Output = None,
    baseline: Baseline = None,
    workers: Workers = None,
    strict: Strict = False,
    cache: Cache = None,
    fresh: Fresh = False,
    quiet: Quiet = False,
    targets_from: From = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    again: Again = False,
) -> None:
    """Scan a target and write its catalog; with --from, many targets into a folder."""
    if targets_from is not None:
        given = (("TARGET", target), ("--commit", commit), ("--ref", ref), ("--baseline", baseline))
        _refuse("--from", (*given, ("--workers", workers), ("--strict", strict or None)))
        _scan_list(targets_from, (scope, include or [], exclude or []), output, (jobs, scheduler, again), cache, quiet)
        return
    _refuse("a single target", (("--jobs", jobs), ("--scheduler", scheduler), ("--again", again or None)))
    if target is None:
        raise typer.BadParameter("give one, or a list of them with --from", context, param_hint="TARGET")
    from catalog import files, shelf, store, terminal
    from miner.scan import ScanOptions
    from miner.summary import summarize

    if output is not None:
        files.check_place(output)
    options = ScanOptions(
        commit=commit,
        ref=ref,
        scope=tuple(scope),
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        workers=workers,
        cache=cache or find_cache(),
        table=find_table(),
        fresh=fresh,
    )
    earlier = store.read_catalog(baseline) if baseline is not None else None
    catalog = run_scan(target, options, quiet)
    if earlier is not None:
        from catalog import lineage

        catalog = lineage.carry_ids(catalog, earlier)
    place = output or str(shelf.choose_place(catalog.target))
    store.write_catalog(catalog, place)
    if not quiet:
        for line in summarize(catalog, place):
            terminal.tell(line)
    if strict and catalog.skipped:
        raise typer.Exit(1)


def _refuse(given: str, others: Iterable[tuple[str, object]]) -> None:
    """Refuse what makes no sense beside what was given."""
    found = next((name for name, value in others if value is not None), None)
    if found is not None:
        raise QuestionError(f"{found} doesn't go with {given}; leave one of them out")


def _scan_list(
    path: Path,
    files_wanted: tuple[list[str], list[str], list[str]],
    folder: str | None,
    work: tuple[int | None, str | None, bool],
    cache: Path | None,
    quiet: bool,
) -> None:
    from catalog import shelf, terminal
    from miner.batch import listing, run
    from miner.summary import summarize_batch, tell_of

    jobs = listing.read_list(path, listing.Job("", None, None, *map(tuple, files_wanted)))
    place = Path(folder) if folder is not None else shelf.FOLDER
    options = run.BatchOptions(place, *work, cache=cache or find_cache(), table=find_table())
    lines = run.run_batch(jobs, options, lambda *news: None if quiet else terminal.tell(tell_of(*news)))
    for text in summarize_batch(lines, str(place)):
        terminal.tell(text)
    if any(line.state == "failed" for line in lines):
        raise typer.Exit(2)


commands.register(app)


@app.command()
def targets(json: commands.JsonOption = False) -> None:
    """List the named targets: the package's own and those of errmine.toml."""
    from catalog import files, store, terminal
    from miner.targets import list_targets

    projects = list_targets(find_table())
    if json:
        files.write_bytes(store.dump_answer(projects), "-")
        return
    rows = [("NAME", "RELEASE", "SOURCE", "CONFIGURATION")]
    for project in projects:
        first, more = project.config[:1], len(project.config) - 1
        config = f"{first[0]}{f' and {more} more' if more else ''}" if first else "found by path and content"
        rows.append((project.name, project.release or "-", project.url or "-", config))
    for line in terminal.align(rows):
        terminal.write_line(line)


@app.command()
def cache(
    clear: Annotated[
        list[str] | None, typer.Option(metavar="results|releases|git|explain|all", help="Remove this; may be repeated.")
    ] = None,
    days: Annotated[
        int,
        typer.Option("--older-than", min=0, metavar="DAYS", help="Remove only sources that nobody used for so long."),
    ] = 0,
    folder: Annotated[
        Path | None, typer.Option("--cache", metavar="FOLDER", envvar="ERRMINE_CACHE", help="The folder meant.")
    ] = None,
    json: commands.JsonOption = False,
) -> None:
    """Show what is kept between runs, or clear it."""
    from catalog import files, store, terminal
    from miner import housekeeping

    place, kinds = folder or find_cache(), tuple(clear or ())
    unknown = next((kind for kind in kinds if kind not in (*housekeeping.KINDS, "all")), None)
    if unknown is not None:
        raise QuestionError(
            f"{unknown}: nothing of this kind is kept; there are {', '.join(housekeeping.KINDS)} and all"
        )
    if days and not kinds:
        raise QuestionError("--older-than says which to clear; add --clear releases, git, explain or all")
    if kinds:
        freed = housekeeping.clear(place, tuple(housekeeping.KINDS) if "all" in kinds else kinds, days)
        terminal.tell(f"{housekeeping.write_size(freed)} freed")
        return
    holdings = housekeeping.list_holdings(place)
    if json:
        files.write_bytes(store.dump_answer({"folder": str(place), "holdings": holdings}), "-")
        return
    rows = [(each.kind, f"{each.count:,}", housekeeping.write_size(each.bytes), each.what) for each in holdings]
    for line in terminal.align([("KEPT", "COUNT", "SIZE", "WHAT"), *rows]):
        terminal.write_line(line)
    terminal.write_line(f"\nin {place}")


def run_scan(target: str, options: "ScanOptions", quiet: bool = False) -> "Catalog":
    """Scan with a progress bar for the person who waits."""
    from miner.progress import show_progress
    from miner.scan import scan as scan_target

    gc.enable()
    notes: list[str] = []
    with show_progress(quiet) as report:
        catalog = scan_target(target, options, report, notes.append)
    for note in notes:
        complain(note)
    return catalog


class OnDemand:
    """What the catalog's commands may ask of the miner: the catalog of a target, and the versions it has."""

    def __call__(self, target: str, *, ref: str | None = None, scope: Sequence[str] = ("config",)) -> "Catalog":
        """Scan a target that stands where a command wants a catalog, at a tag, branch or commit."""
        from catalog.errors import SourceError
        from miner.scan import ScanOptions

        options = ScanOptions(ref=ref, scope=tuple(scope), cache=find_cache(), table=find_table())
        try:
            return run_scan(target, options)
        except SourceError:
            if ref is None or not re.fullmatch("[0-9a-f]{7,40}", ref):
                raise
        return run_scan(target, replace(options, ref=None, commit=ref))

    def list_versions(self, target: str) -> "tuple[Version, ...]":
        """List the tags or releases of a target, the oldest first."""
        from miner.targets import resolve_target
        from miner.versions import list_versions

        return list_versions(resolve_target(target, commit=None, ref=None, table=find_table()), find_cache())


def find_table() -> Path | None:
    """Give the user's own table of targets, when there is one."""
    return TABLE if TABLE.is_file() else None


def find_cache() -> Path:
    """Give the folder for what was fetched and mined: `$ERRMINE_CACHE`, else the system's place for caches."""
    import platformdirs

    return Path(os.environ.get("ERRMINE_CACHE") or platformdirs.user_cache_path("errmine"))
