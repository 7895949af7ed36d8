"""A target → its catalog: the top rung. Chooses the files, reads what they need of others, mines, counts."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs

from catalog import __version__
from catalog.errors import CatalogError
from catalog.identity import digest
from catalog.records import SCHEMA_VERSION, Catalog, Entry, Reraise, Skipped, Stats, Target, Tool
from catalog.related import relate
from catalog.store import dump_catalog, load_catalog
from miner import pool
from miner.cache import RecordingTree, ResultCache
from miner.entries import SourceText
from miner.facts import ModuleFacts
from miner.keeping import KeptFiles
from miner.mine import Mined, find_facts, mine_text
from miner.names import World
from miner.options.atlas import Atlas
from miner.options.attach import attach_options
from miner.project import Project, module_of
from miner.scope import ScopeRequest, Selection, looks_like_config, select_files, select_skipped
from miner.sources import Origin, SourceFile, Tree
from miner.targets import open_tree, permalink, resolve_target, settle_project
from miner.tool import describe_tool

_MAX_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """How to scan."""

    commit: str | None = None
    ref: str | None = None
    scope: tuple[str, ...] = ("config",)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    workers: int | None = None
    """Processes; one per core when `None`. The result doesn't depend on it."""
    cache: Path | None = None
    """Where fetched sources are kept; the system's place for caches when `None`."""
    table: Path | None = None
    """The user's own targets, as TOML."""
    fresh: bool = False
    """Mine anew, whatever an earlier scan has left."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a scan has come."""

    stage: str
    done: int
    total: int


Report = Callable[[Progress], None]


def mine_source(text: str, path: str = "module.py", target: str = "source") -> tuple[Entry, ...]:
    """Mine one text as if it were a target of its own: the lowest rung, for tests and for callers with a buffer."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    source = SourceText(path, module, text)
    facts = find_facts(source)
    return tuple(relate(mine_text(source, World({module: facts}), target).entries))


def scan(
    target: str, options: ScanOptions, report: Report = lambda _: None, tell: Callable[[str], None] = lambda _: None
) -> Catalog:
    """Scan a target: a file that can't be read is recorded, never lost. `tell` gets what the user should know besides.

    Raises a `TargetError` where the target can't be had.
    """
    request = resolve_target(target, commit=options.commit, ref=options.ref, table=options.table)
    report(Progress("opening", 0, 0))
    cache = options.cache or platformdirs.user_cache_path("errmine")
    with open_tree(request, cache=cache) as tree:
        project = settle_project(request, tree)
        catalog = _scan_or_recall(tree, project, options, ResultCache(cache), report)
        for note in tree.notes:
            tell(note)
        return catalog


def _scan_or_recall(
    tree: Tree, project: Project, options: ScanOptions, results: ResultCache, report: Report
) -> Catalog:
    """Take what an earlier scan of the very same files gave, or scan, and keep what that gives."""
    asked = (
        describe_tool(),
        sys.version_info[:2],
        project,
        tree.origin,
        options.scope,
        options.include,
        options.exclude,
    )
    key = digest(repr(asked))
    report(Progress("looking for an earlier scan", 0, 0))
    found = None if options.fresh else results.find(key, tree)
    if found is not None:
        with suppress(CatalogError):
            return load_catalog(found, "the cache")
    recording = RecordingTree(tree)
    whose = digest(repr((describe_tool(), sys.version_info[:2], project.name)))
    kept = KeptFiles({} if options.fresh else results.find_files(whose))
    catalog = scan_tree(recording, project, options, report, kept)
    results.keep_files(whose, kept.list_new())
    results.keep(key, recording, dump_catalog(catalog))
    return catalog


def scan_tree(
    tree: Tree,
    project: Project,
    options: ScanOptions,
    report: Report = lambda _: None,
    kept: KeptFiles | None = None,
) -> Catalog:
    """Scan the files of a tree that are in scope; what earlier scans have kept of files is used where it holds."""
    request = ScopeRequest(options.scope, options.include, options.exclude)
    paths = tree.list_paths()
    selection = select_files(paths, project, request)
    files, skipped = _read_files(tree, project, selection, report)
    configuration = select_files(paths, project, ScopeRequest(("config",)))
    around = _read_around(tree, project, configuration, files)
    ground = _read_ground(tree, project, paths, (*files, *around), options.workers, report)
    ground = replace(ground, kept=kept.before, answers=kept.read_answers()) if kept is not None else ground
    mined: dict[str, Mined] = {}
    for result in pool.run_files(pool.mine_file, files, ground, options.workers):
        if isinstance(result, Skipped):
            skipped.append(result)
        elif isinstance(result, pool.MinedFile):
            mined[result.path] = result.mined
            if kept is not None:
                kept.add(result)
        report(Progress("mining", len(mined) + len(skipped), len(files)))
    skipped.extend(select_skipped(tree.list_unreadable(), project, request))
    report(Progress("tracing options", 0, 0))
    attached = attach_options(
        [entry for path in sorted(mined) for entry in mined[path].entries],
        Atlas(ground.world, ground.sources),
        [module_of(path, project) for path in configuration.paths],
        options.workers,
    )
    stats = count(attached.entries, len(mined), len(skipped), len(selection.excluded))
    return Catalog(
        schema_version=SCHEMA_VERSION,
        tool=Tool("errmine", __version__),
        target=_describe_target(tree.origin, project, options.scope),
        stats=replace(stats, unknown_flags=attached.unknown_flags),
        skipped=tuple(sorted(skipped, key=lambda each: (each.path, each.reason))),
        options=attached.options,
        entries=tuple(relate(tuple(_finish(attached.entries, tree.origin)))),
        reraises=tuple(_list_reraises(mined)),
    )


def _read_files(
    tree: Tree, project: Project, selection: Selection, report: Report
) -> tuple[list[pool.RawFile], list[Skipped]]:
    undecided = frozenset(selection.undecided)
    wanted = sorted({*selection.paths, *undecided})
    files: list[pool.RawFile] = []
    skipped: list[Skipped] = []
    for index, found in enumerate(tree.read(wanted)):
        if index % 50 == 0:
            report(Progress("reading", index, len(wanted)))
        if isinstance(found, Skipped):
            if found.path not in undecided:
                skipped.append(found)
        elif found.path not in undecided or looks_like_config(found.data):
            files.append(_make_raw(found, project, found.path in selection.vendored))
    return files, skipped


def _read_around(
    tree: Tree, project: Project, configuration: Selection, files: Sequence[pool.RawFile]
) -> list[pool.RawFile]:
    """Read the configuration modules outside the scope: they declare what users set, whatever is mined."""
    missing = sorted(set(configuration.paths) - {file.path for file in files})
    return [_make_raw(file, project) for file in tree.read(missing) if isinstance(file, SourceFile)]


def _make_raw(file: SourceFile, project: Project, vendored: bool = False) -> pool.RawFile:
    return pool.RawFile(file.path, module_of(file.path, project), file.data, vendored)


def _read_ground(
    tree: Tree,
    project: Project,
    paths: Sequence[str],
    files: Sequence[pool.RawFile],
    workers: int | None,
    report: Report,
) -> pool.Ground:
    """Read the facts of the files in scope, then of the modules that their names lead to, round by round."""
    report(Progress("reading names", 0, len(files)))
    modules: dict[str, ModuleFacts] = {}
    tried = {file.path for file in files}
    sources = {file.module: file.data for file in files}
    _add_facts(modules, pool.run_files(pool.find_facts_of, files, pool.Ground(), workers))
    places = {module_of(path, project): path for path in paths if path.endswith(".py")}
    wanted = {name for facts in modules.values() for name in facts.imports.values()}
    for _ in range(_MAX_ROUNDS):
        world = World(modules)
        missing = sorted({places[module] for module in world.find_missing(wanted, places)} - tried)
        if not missing:
            break
        tried.update(missing)
        found = [_make_raw(file, project) for file in tree.read(missing) if isinstance(file, SourceFile)]
        sources.update((file.module, file.data) for file in found)
        _add_facts(modules, pool.run_files(pool.find_facts_of, found, pool.Ground(), workers))
    return pool.Ground(project.name, World(modules), sources)


def _add_facts(modules: dict[str, ModuleFacts], results: Iterable[pool.Result]) -> None:
    found = [result for result in results if isinstance(result, ModuleFacts)]
    for facts in sorted(found, key=lambda facts: facts.path):
        modules.setdefault(facts.module, facts)


def _describe_target(origin: Origin, project: Project, scope: tuple[str, ...]) -> Target:
    return Target(
        name=project.name,
        repo=origin.repo or project.repo,
        url=origin.url or project.url,
        ref=origin.ref,
        commit=origin.commit,
        committed=origin.committed,
        release=origin.release,
        scope=scope,
        dirty=origin.dirty,
    )


def _finish(entries: Iterable[Entry], origin: Origin) -> Iterator[Entry]:
    """Add permalinks, and tell apart what two files with one module name would call the same."""
    seen: set[str] = set()
    for entry in entries:
        id_ = entry.id
        while id_ in seen:
            id_ = digest(id_, entry.site.path)
        seen.add(id_)
        link = permalink(origin, entry.site.path, entry.site.line)
        yield replace(entry, id=id_, permalink=link) if id_ != entry.id or link else entry


def _list_reraises(mined: Mapping[str, Mined]) -> Iterator[Reraise]:
    return (reraise for path in sorted(mined) for reraise in mined[path].reraises)


def count(entries: Sequence[Entry], scanned: int, skipped: int, excluded: int) -> Stats:
    """Count what a catalog holds."""
    guarded = [entry.guard for entry in entries if entry.kind in ("raise", "assert")]
    return Stats(
        files=scanned + skipped,
        files_scanned=scanned,
        files_skipped=skipped,
        entries=len(entries),
        by_kind=_rank(entry.kind for entry in entries),
        by_exception=_rank(entry.exception.name for entry in entries),
        files_excluded=excluded,
        exact=_share(guard.exact for guard in guarded),
        closed=_share(guard.closed for guard in guarded),
        dynamic=sum(entry.message is not None and entry.message.resolution == "dynamic" for entry in entries),
    )


def _rank(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))


def _share(flags: Iterable[bool]) -> float | None:
    values = list(flags)
    return round(sum(values) / len(values), 4) if values else None
