"""What stands in a folder right now; in a git work tree, what git tracks or would, with the commit it differs from."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from catalog.errors import SourceError
from catalog.records import Skipped
from miner.sources import MAX_FILE_BYTES, Origin, SourceFile, Tree
from miner.sources.objects import show_path

_MAX_FILES = 2_000_000
_NOT_SOURCE = frozenset({".git", ".hg", ".svn", "__pycache__"})
_LINK = "a symbolic link: only files are read, not what links lead to"


class FolderTree(Tree):
    """The files of a folder."""

    def __init__(self, origin: Origin, root: Path, files: Mapping[str, Path], unreadable: Iterable[Skipped]) -> None:
        self.origin = origin
        self._root = root
        self._files = files
        self._unreadable = tuple(sorted(unreadable, key=lambda each: (each.path, each.reason)))

    def list_paths(self) -> tuple[str, ...]:
        """List every regular file, sorted."""
        return tuple(sorted(self._files))

    def list_unreadable(self) -> tuple[Skipped, ...]:
        """List links, devices, and folders that may not be read."""
        return self._unreadable

    def read(self, paths: Sequence[str]) -> Iterator[SourceFile | Skipped]:
        """Read these files as they are now."""
        for path in paths:
            place = self._files.get(path)
            yield Skipped(path, "no such file") if place is None else _read_file(path, place)


def open_folder(path: Path) -> FolderTree:
    """Open a folder. In a git work tree: tracked files, and untracked ones that aren't ignored.

    Below the root of a work tree, paths are still the repository's, so that places and modules are the same.
    """
    root = path.resolve()
    try:
        if (tracked := _open_work_tree(root)) is not None:
            return tracked
        files, unreadable = _sort_out(_walk(root), root)
    except OSError as error:
        raise SourceError(f"{path} can't be read: {error.strerror or error}") from error
    return FolderTree(Origin(), root, files, unreadable)


def _open_work_tree(root: Path) -> FolderTree | None:
    """Open a folder as part of a work tree; `None` if git neither tracks nor would track anything in it."""
    from miner.sources.git import find_repository, make_origin
    from miner.sources.worktree import list_work_tree

    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return None
    repository = find_repository(root)
    if repository is None or repository.top is None or not root.is_relative_to(repository.top):
        return None
    work = list_work_tree(repository, root)
    if not work.paths:
        return None
    places: Iterator[Path | Skipped] = (repository.top / os.fsdecode(raw) for raw in work.paths)
    files, unreadable = _sort_out(places, repository.top)
    origin = make_origin(repository.address, work.commit, work.committed, repository.branch)
    return FolderTree(replace(origin, dirty=work.dirty), repository.top, files, unreadable)


def _walk(root: Path) -> Iterator[Path | Skipped]:
    """Walk a folder without following links; virtual environments and version control folders are left out."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            if folder == root:
                raise
            yield Skipped(_show(folder, root), f"can't be read: {error.strerror}")
            continue
        if folder != root and any(entry.name == "pyvenv.cfg" for entry in entries):
            yield Skipped(_show(folder, root), "a virtual environment")
            continue
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)
            elif entry.name not in _NOT_SOURCE:
                waiting.append(Path(entry.path))


def _sort_out(places: Iterable[Path | Skipped], root: Path) -> tuple[dict[str, Path], list[Skipped]]:
    """Tell regular files from what can't be read."""
    files: dict[str, Path] = {}
    unreadable: list[Skipped] = []
    for place in places:
        if isinstance(place, Skipped):
            unreadable.append(place)
            continue
        path = _show(place, root)
        reason = _explain_kind(place)
        if reason is None and path in files:
            reason = "two files have this path"
        if reason is None:
            files[path] = place
        elif reason:
            unreadable.append(Skipped(path, reason))
        if len(files) > _MAX_FILES:
            raise SourceError(f"{root} holds more than {_MAX_FILES:,} files; name the project's own folder")
    return files, unreadable


def _explain_kind(place: Path) -> str | None:
    """Say why something is no readable file: `None` if it is one, nothing if it's gone."""
    try:
        mode = place.lstat().st_mode
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"can't be read: {error.strerror}"
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISLNK(mode):
        return _LINK
    return "another repository: its files are not this one's" if stat.S_ISDIR(mode) else "a device, pipe or socket"


def _read_file(path: str, place: Path) -> SourceFile | Skipped:
    try:
        number = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(number, "rb") as file:
            facts = os.fstat(number)
            if not stat.S_ISREG(facts.st_mode):
                return Skipped(path, "no longer a file")
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        return Skipped(path, f"can't be read: {error.strerror}")
    return (
        Skipped(path, f"larger than {MAX_FILE_BYTES >> 20} MiB")
        if len(data) > MAX_FILE_BYTES
        else SourceFile(path, data)
    )


def _show(place: Path, root: Path) -> str:
    return show_path(os.fsencode(place.relative_to(root).as_posix()))
