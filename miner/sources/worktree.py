"""Which files of a work tree git tracks or would track, and whether they differ from the commit."""

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from catalog.errors import SourceError
from miner.sources.command import Runner
from miner.sources.git import Repository
from miner.sources.objects import ObjectStore, make_empty_repository, quote_folder


@dataclass(frozen=True, slots=True)
class WorkTree:
    """What git says of a work tree."""

    paths: tuple[bytes, ...]
    """Tracked, and untracked but not ignored; from the work tree's root, sorted."""
    commit: str | None
    committed: str | None
    dirty: bool


def list_work_tree(repository: Repository, below: Path) -> WorkTree:
    """Ask git about the files below a folder, without letting the repository's settings say what git runs.

    A copy of the index is looked at from an empty repository of our own: filters, hooks and a file system monitor that
    the target configures don't exist there, and the target's index is never refreshed.
    """
    if repository.top is None:
        raise SourceError(f"{repository.folder} is bare: it has no work tree")
    store = ObjectStore(repository.common / "objects")
    try:
        commit = None if repository.head is None else store.peel(repository.head)
        committed = None if commit is None else store.read_time(commit)
    finally:
        store.close()
    with tempfile.TemporaryDirectory(prefix="errmine-") as home:
        runner = _make_runner(repository, Path(home))
        where = (
            ["--", f":(top,literal){below.relative_to(repository.top).as_posix()}"] if below != repository.top else []
        )
        listing = ("ls-files", "-z", "--full-name")
        tracked = runner.run(*listing, "--cached", *where)
        others = runner.run(*listing, "--others", "--exclude-standard", *where)
        changed = b"x"
        if commit is not None:
            runner.run("update-index", "-q", "--refresh", "--ignore-submodules")
            changed = runner.run("diff-index", "--name-only", "-z", "--ignore-submodules=all", commit, *where)
    paths = {path.rstrip(b"/") for path in (tracked + others).split(b"\0") if path}
    return WorkTree(tuple(sorted(paths)), commit, committed, dirty=bool(others or changed) and commit is not None)


def _make_runner(repository: Repository, home: Path) -> Runner:
    make_empty_repository(home)
    (home / "info").mkdir()
    for source in (repository.folder / "index", *repository.common.glob("sharedindex.*")):
        if source.is_file():
            shutil.copy2(source, home / source.name)
    exclude = repository.common / "info" / "exclude"
    if exclude.is_file():
        shutil.copy2(exclude, home / "info" / "exclude")
    variables = {
        "GIT_WORK_TREE": str(repository.top),
        "GIT_INDEX_FILE": str(home / "index"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": quote_folder(repository.common / "objects"),
        "GIT_CEILING_DIRECTORIES": os.sep,
    }
    return Runner(home, settings={"core.bare": "false", **repository.settings}, variables=variables)
