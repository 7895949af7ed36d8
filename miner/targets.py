"""Which project a TARGET on the command line means, and where its files are."""

import difflib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from catalog.errors import TargetError
from miner.project import Project, settle_packages
from miner.scope import has_config
from miner.sources import Origin, Tree
from miner.sources import address as addresses
from miner.sources.address import Address, check_commit, check_ref, forge_address, is_address, make_name, parse_address

_RELEASE = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*==\s*(?P<version>[A-Za-z0-9.!+_-]+)")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_FIELDS = frozenset({"url", "packages", "release", "config", "vendored", "tracker"})


@dataclass(frozen=True, slots=True)
class RemotePlace:
    """A repository elsewhere, fetched into the cache."""

    address: Address
    commit: str | None
    ref: str | None


@dataclass(frozen=True, slots=True)
class RepositoryPlace:
    """A repository on this machine, read at a commit and never touched."""

    path: Path
    commit: str | None
    ref: str | None


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """A folder, with its files as they are now."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReleasePlace:
    """A release on the package index."""

    name: str
    version: str


Place = RemotePlace | RepositoryPlace | FolderPlace | ReleasePlace


@dataclass(frozen=True, slots=True)
class Request:
    """A target that was understood and not yet opened."""

    text: str
    """As it was typed, without credentials."""
    project: Project
    place: Place
    known: tuple[Project, ...] = ()
    """The table of named targets: a fork or a folder may turn out to be one of them."""


def list_targets(table: Path | None = None) -> tuple[Project, ...]:
    """List the named targets, the user's own added to or overriding the package's, by name."""
    builtin = tomllib.loads(resources.files("miner").joinpath("targets.toml").read_text(encoding="utf-8"))
    projects = {project.name: project for project in _read_table(builtin, "targets.toml", {})}
    if table is not None:
        projects |= {project.name: project for project in _read_table(_load(table), str(table), projects)}
    return tuple(projects[name] for name in sorted(projects))


def resolve_target(text: str, *, commit: str | None, ref: str | None, table: Path | None) -> Request:
    """Understand a TARGET: a name, `owner/repo`, a git URL, a folder, or `name==version`.

    A folder that exists wins over `owner/repo`, a known name over a folder of that name (write `./name` for that).
    """
    if commit is not None and ref is not None:
        raise TargetError("--commit and --ref exclude each other; give one of them")
    commit = None if commit is None else check_commit(commit)
    ref = None if ref is None else check_ref(ref)
    known = list_targets(table)
    project, place = _find_place(text.strip(), commit, ref, {each.name: each for each in known})
    return Request(addresses.redact(text.strip()), project, place, known)


def _find_place(text: str, commit: str | None, ref: str | None, known: dict[str, Project]) -> tuple[Project, Place]:
    if not text or text.startswith("-") or not text.isprintable():
        raise TargetError(f"{text!r} is no target; try a name (`errmine targets`), owner/repo, a URL or a folder")
    if re.search(r"[=<>~!]=", text):
        return _find_release(text, commit, ref, known)
    path = _as_path(text)
    if is_address(text) and not _exists(path):
        return _find_remote(parse_address(text), commit, ref, known)
    if text in known:
        return _find_named(known[text], commit, ref)
    if _exists(path) or text.startswith((".", "/", "~")):
        return _find_folder(path, commit, ref)
    if text.startswith(addresses.FORGES):
        return _find_remote(parse_address(f"https://{text}"), commit, ref, known)
    if addresses.is_slug(text):
        return _find_remote(forge_address(text), commit, ref, known)
    raise TargetError(_explain_unknown(text, known))


def _find_named(project: Project, commit: str | None, ref: str | None) -> tuple[Project, Place]:
    if project.url is None:
        raise TargetError(f"{project.name} has no url in its table; scan a release: {project.release}==VERSION")
    return project, RemotePlace(parse_address(project.url), commit, ref)


def _find_remote(
    address: Address, commit: str | None, ref: str | None, known: dict[str, Project]
) -> tuple[Project, Place]:
    project = _find_by_repo(address.repo, known.values()) or Project(
        name=address.name, repo=address.repo, url=address.public, tracker=_guess_tracker(address)
    )
    return project, RemotePlace(address, commit, ref)


def _find_folder(path: Path, commit: str | None, ref: str | None) -> tuple[Project, Place]:
    if not _exists(path):
        raise TargetError(f"no such folder: {path}")
    try:
        if not path.is_dir():
            raise TargetError(f"{path} is a file; give the folder or repository that holds the project")
        bare = (path / "HEAD").is_file() and (path / "objects").is_dir() and not (path / ".git").exists()
        project = Project(name=make_name(path.resolve().name))
    except OSError as error:
        raise TargetError(f"{path} can't be read: {error.strerror}") from error
    if bare or commit is not None or ref is not None:
        return project, RepositoryPlace(path, commit, ref)
    return project, FolderPlace(path)


def _as_path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def _exists(path: Path) -> bool:
    """Tell whether something is there; a text too long for a name, or a folder that may not be entered, is not."""
    try:
        return path.exists()
    except OSError:
        return False


def _find_release(text: str, commit: str | None, ref: str | None, known: dict[str, Project]) -> tuple[Project, Place]:
    match = _RELEASE.fullmatch(text)
    if match is None or match["version"].lower() in ("latest", "stable", "newest"):
        raise TargetError(f"{text!r} pins no release; write name==version with one exact version: vllm==0.28.0")
    if commit is not None or ref is not None:
        raise TargetError(f"{text} is a release: --commit and --ref are for repositories")
    name = re.sub(r"[-_.]+", "-", match["name"]).lower()
    project = next((each for each in known.values() if name in (each.release, each.name)), Project(name, release=name))
    return project, ReleasePlace(project.release or name, match["version"])


def open_tree(request: Request, *, cache: Path, scope_hint: object = None) -> Tree:
    """Open the pinned tree of files that a request means; what is fetched is kept below the cache folder.

    Raises `SourceError` where it can't be had. Sources are imported here, so that asking what a target means is cheap.
    """
    match request.place:
        case RemotePlace(address, commit, ref):
            from miner.sources.remote import open_remote

            return open_remote(address, commit, ref, cache)
        case RepositoryPlace(path, commit, ref):
            from miner.sources.git import open_repository

            return open_repository(path, commit, ref)
        case FolderPlace(path):
            from miner.sources.folder import open_folder

            return open_folder(path)
        case ReleasePlace(name, version):
            from miner.sources.release import open_release

            return open_release(name, version, cache)


def settle_project(request: Request, tree: Tree) -> Project:
    """Say what project the opened tree is, with its package folders as they stand in this tree.

    A clone of a named target's repository is that target. Any other tree that holds just one named target's package,
    with modules that its table calls configuration (a fork, an unpacked archive), borrows the table but not the name.
    """
    paths = tree.list_paths()
    project = request.project
    origin = tree.origin
    if not isinstance(request.place, ReleasePlace | RemotePlace) and origin.repo is not None:
        named = _find_by_repo(origin.repo, request.known)
        project = named or replace(
            project, name=make_name(origin.repo.rpartition("/")[2]), repo=origin.repo, url=origin.url
        )
    settled = settle_packages(project, paths)
    return settled if settled.config else _borrow(settled, request.known, paths)


def permalink(origin: Origin, path: str, line: int) -> str | None:
    """Give the forge's page of a line at the tree's commit; `None` where there is none or the file may differ."""
    return None if origin.dirty else addresses.permalink(origin.url, origin.commit, path, line)


def _borrow(project: Project, known: tuple[Project, ...], paths: tuple[str, ...]) -> Project:
    found = {package.rpartition("/")[2] for package in project.packages}
    lenders = [each for each in known if found.intersection(name.rpartition("/")[2] for name in each.packages)]
    if len(lenders) != 1:
        return project
    lent = settle_packages(lenders[0], paths)
    if not has_config(paths, lent):
        return project
    return replace(project, packages=lent.packages, config=lent.config, vendored=lent.vendored)


def _find_by_repo(repo: str | None, known: Iterable[Project]) -> Project | None:
    slug = (repo or "").lower()
    return next((each for each in known if each.repo is not None and each.repo.lower() == slug), None)


def _guess_tracker(address: Address) -> str | None:
    return f"{address.public}/issues" if address.repo is not None else None


def _explain_unknown(text: str, known: dict[str, Project]) -> str:
    near = difflib.get_close_matches(text.lower(), known, n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else "`errmine targets` lists the names;"
    return f"unknown target {text!r}: {hint} else give owner/repo, a git URL, a folder, or name==version"


def _load(table: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(table.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise TargetError(f"{table} can't be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise TargetError(f"{table} is no TOML: {error}") from error


def _read_table(content: dict[str, Any], file: str, base: dict[str, Project]) -> Iterable[Project]:
    targets = content.get("targets", {})
    if not isinstance(targets, dict):
        raise TargetError(f"{file}: targets: expected a table for each target, like [targets.vllm]")
    for name, fields in targets.items():
        if not _NAME.fullmatch(name):
            raise TargetError(f"{file}: targets.{name}: a name has letters, digits, '.', '_' and '-' only")
        if not isinstance(fields, dict):
            raise TargetError(f"{file}: targets.{name}: expected a table")
        yield _read_project(name, fields, f"{file}: targets.{name}", base.get(name, Project(name)))


def _read_project(name: str, fields: dict[str, Any], where: str, base: Project) -> Project:
    changes: dict[str, Any] = {}
    for key, value in fields.items():
        if key not in _FIELDS:
            raise TargetError(f"{where}.{key}: unknown key; known are {', '.join(sorted(_FIELDS))}")
        plural = key in ("packages", "config", "vendored")
        items = value if plural else [value]
        if not isinstance(items, list) or not all(isinstance(item, str) and item for item in items):
            raise TargetError(f"{where}.{key}: expected {'a list of texts' if plural else 'a text'}")
        changes[key] = tuple(item.strip("/") for item in items) if plural else value
    if "url" in changes:
        address = parse_address(changes["url"])
        if address.secret is not None:
            raise TargetError(f"{where}.url: leave credentials out; git's credential helper keeps them")
        changes["repo"] = address.repo
        changes.setdefault("tracker", _guess_tracker(address))
    project = replace(base, **changes)
    if project.url is None and project.release is None:
        raise TargetError(f"{where}: needs a url or a release")
    return project
