"""What a repository on this machine says of itself, and its files at a commit; it is only ever read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from git import InvalidGitRepositoryError, NoSuchPathError, Repo, SymbolicReference
from git.config import GitConfigParser

from catalog.errors import SourceError
from miner.sources import Origin
from miner.sources.address import Address, parse_address
from miner.sources.objects import GitTree, Listing, ObjectStore, choose_commit

_BORROWED = ("autocrlf", "eol", "filemode", "ignorecase", "symlinks")
"""Settings of `[core]` that say what an unchanged file looks like; no other setting of a target is obeyed."""
_WORDS = frozenset({"true", "false", "input", "lf", "crlf", "native"})


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on this machine, as its own files describe it."""

    top: Path | None
    """The work tree's root; `None` for a bare one."""
    folder: Path
    """Its git folder; a linked work tree has one of its own."""
    common: Path
    """Where its objects and refs are."""
    head: str | None
    """The object that HEAD leads to; `None` before the first commit."""
    branch: str | None
    address: Address | None
    """Where `origin` is, if that is an address."""
    settings: Mapping[str, str]


def find_repository(path: Path) -> Repository | None:
    """Find the repository that a folder is or stands in. Files are read, and no git command is run."""
    try:
        repo = Repo(path.resolve(), search_parent_directories=True, expand_vars=False)
    except (InvalidGitRepositoryError, NoSuchPathError):
        return None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: its repository can't be read: {error}") from error
    common = Path(repo.common_dir).resolve()
    config = GitConfigParser([str(common / "config")], read_only=True, merge_includes=False)
    if config.get_value("extensions", "objectformat", "sha1") != "sha1":
        raise SourceError(f"{path}: its repository uses SHA-256 object names, which are not supported yet")
    top = repo.working_tree_dir
    return Repository(
        top=None if top is None else Path(top).resolve(),
        folder=Path(repo.git_dir).resolve(),
        common=common,
        head=_read_ref(repo, "HEAD"),
        branch=_read_branch(repo),
        address=_read_origin(config),
        settings=_read_settings(config),
    )


def open_repository(path: Path, commit: str | None, ref: str | None) -> GitTree:
    """Open a local repository's tree at a commit, a tag or branch, or HEAD; below a folder of it, if `path` is one."""
    repository = find_repository(path)
    if repository is None:
        raise SourceError(f"{path} is not a repository; leave --commit and --ref out to scan the folder as it is")
    store = ObjectStore(repository.common / "objects")
    try:
        sha, name = _resolve(path, repository, store, commit, ref)
        listing = _below(store.list_tree(sha), path.resolve(), repository.top)
        return GitTree(make_origin(repository.address, sha, store.read_time(sha), name), store, listing)
    except BaseException:
        store.close()
        raise


def list_tags(path: Path) -> tuple[str, ...]:
    """List the names of a local repository's tags; none for a folder outside of any."""
    repository = find_repository(path)
    return () if repository is None else tuple(tag.name for tag in Repo(repository.folder, expand_vars=False).tags)


def make_origin(address: Address | None, commit: str | None, committed: str | None, ref: str | None) -> Origin:
    """Describe where a commit came from."""
    repo, url = (None, None) if address is None else (address.repo, address.public)
    return Origin(repo=repo, url=url, ref=ref, commit=commit, committed=committed)


def _resolve(
    path: Path, repository: Repository, store: ObjectStore, commit: str | None, ref: str | None
) -> tuple[str, str | None]:
    if commit is not None:
        return choose_commit(store.find_commits(commit), commit, str(path)), None
    if ref is None or ref == "HEAD":
        oid, name = repository.head, repository.branch
        what = "HEAD"
    else:
        oid, name = _find_ref(repository, ref), ref
        what = ref
    if oid is None:
        raise SourceError(f"{path} has no {'commit yet' if ref is None else f'tag or branch {ref}'}")
    sha = store.peel(oid)
    if sha is None:
        raise SourceError(f"{path}: {what} leads to no commit that is there ({oid})")
    return sha, name


def _find_ref(repository: Repository, ref: str) -> str | None:
    repo = Repo(repository.folder, expand_vars=False)
    names = [ref] if ref.startswith("refs/") else [f"refs/{kind}/{ref}" for kind in ("tags", "heads", "remotes/origin")]
    return next((oid for name in names if (oid := _read_ref(repo, name))), None)


def _read_ref(repo: Repo, name: str) -> str | None:
    try:
        return str(SymbolicReference.dereference_recursive(repo, name))
    except (ValueError, OSError):
        return None


def _read_branch(repo: Repo) -> str | None:
    try:
        text = (Path(repo.git_dir) / "HEAD").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return text.removeprefix("ref: refs/heads/") if text.startswith("ref: refs/heads/") else None


def _read_origin(config: GitConfigParser) -> Address | None:
    try:
        return parse_address(str(config.get_value('remote "origin"', "url", "")))
    except SourceError:
        return None


def _read_settings(config: GitConfigParser) -> dict[str, str]:
    values = {name: str(config.get_value("core", name, "")).lower() for name in _BORROWED}
    return {f"core.{name}": value for name, value in values.items() if value in _WORDS}


def _below(listing: Listing, path: Path, top: Path | None) -> Listing:
    """Keep what stands below the folder that was named; paths stay those of the repository."""
    if top is None or path == top or not path.is_relative_to(top):
        return listing
    prefix = path.relative_to(top).as_posix() + "/"
    return Listing(
        {each: oid for each, oid in listing.blobs.items() if each.startswith(prefix)},
        tuple(each for each in listing.unreadable if each.path.startswith(prefix)),
    )
