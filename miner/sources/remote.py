"""Which commit of a remote repository is meant, and the order in which ways to get it are tried."""

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from catalog.errors import SourceError
from miner.sources import Origin
from miner.sources.address import Address
from miner.sources.cachefolder import lock, name_place, write_whole
from miner.sources.command import DeniedError, GitError, UnreachableError
from miner.sources.mirror import Mirror
from miner.sources.objects import GitTree, Listing, ObjectStore, choose_commit


@dataclass(frozen=True, slots=True)
class Found:
    """What a commit, tag or branch turned out to be."""

    commit: str
    ref: str | None
    """As asked for, or the default branch."""
    names: tuple[str, ...] = ()
    """Full names under which the server has it."""
    notes: tuple[str, ...] = ()


def open_remote(address: Address, commit: str | None, ref: str | None, cache: Path) -> GitTree:
    """Open a remote repository's tree; only what is not in the cache is fetched.

    A full sha whose tree is in the cache costs no contact, nor does a short one that the cached history knows. A tag
    or branch is looked up each time; without network it is what it was when last seen, and the tree's notes say so.
    """
    mirror = _find_mirror(address, cache)
    ref = None if ref == "HEAD" else ref
    with _naming(address):
        store = mirror.open_store()
        try:
            found = _find_known(mirror, store, commit) or _find(mirror, store, commit, ref)
            listing = _list_known(store, found.commit) or _bring_tree(mirror, store, found)
            sha = _peel(store, found.commit)
            origin = Origin(address.repo, address.public, found.ref, sha, store.read_time(sha))
            return GitTree(origin, store, listing, fetch=_make_fetch(mirror, store, found), notes=found.notes)
        except BaseException:
            store.close()
            raise


def list_tags(address: Address, cache: Path) -> tuple[str, ...]:
    """List the names of a remote repository's tags, as the server has them now."""
    with _naming(address), _fetching(_find_mirror(address, cache)) as held:
        return held.look_up_tags()


def _find_mirror(address: Address, cache: Path) -> Mirror:
    return Mirror(address, name_place(cache, "git", address.name, address.url))


def _find_known(mirror: Mirror, store: ObjectStore, commit: str | None) -> Found | None:
    """Find a full sha, or a short one in a history that is in the cache, without asking anybody."""
    if commit is None:
        return None
    if len(commit) == 40:
        return Found(commit, None)
    found = store.find_commits(commit) if mirror.has_history() else ()
    return Found(choose_commit(found, commit, "the repository"), None) if found else None


def _find(mirror: Mirror, store: ObjectStore, commit: str | None, ref: str | None) -> Found:
    with _fetching(mirror) as held:
        if commit is None:
            return _look_up(held, ref)
        held.fetch_history()
        return Found(choose_commit(store.find_commits(commit), commit, "the repository"), None)


def _look_up(mirror: Mirror, ref: str | None) -> Found:
    """Ask the server for a tag, a branch, or its default branch; fall back on what it last said."""
    seen = _Seen(mirror.place / "seen.json")
    try:
        found = _ask(mirror, ref)
    except UnreachableError as error:
        last = seen.read(ref)
        if last is None:
            raise
        name = last.ref or "the default branch"
        return replace(last, notes=(f"{error}: scanning {name} as it was last seen, at {last.commit[:12]}",))
    seen.write(ref, found)
    return found


def _ask(mirror: Mirror, ref: str | None) -> Found:
    if ref is None:
        commit, name = mirror.look_up_default()
        if commit is None:
            raise SourceError("the repository has no commit on its default branch; give --ref or --commit")
        return Found(commit, name, ("HEAD",) if name is None else (f"refs/heads/{name}",))
    names = mirror.look_up(ref)
    if not names:
        raise SourceError(f"the repository has no tag or branch {ref}; for a commit use --commit")
    name = next(iter(names))
    return Found(names[name], ref, (name,))


def _bring_tree(mirror: Mirror, store: ObjectStore, found: Found) -> Listing:
    """Bring a commit's tree: alone if the server lets us, else with the history, else with everything."""
    with _fetching(mirror) as held:
        for ask in (found.commit, *found.names):
            with _going_on():
                held.fetch_commit(ask, found.commit)
            if listing := _list_known(store, found.commit):
                return listing
        held.fetch_history()
        if store.find_missing([found.commit]):
            raise SourceError(f"no branch or tag of the repository has commit {found.commit}; check the sha")
        if listing := _list_known(store, found.commit):
            return listing
        held.fetch_everything()
    return store.list_tree(found.commit)


def _make_fetch(mirror: Mirror, store: ObjectStore, found: Found) -> Callable[[list[str]], None]:
    """Make what brings missing contents: alone if the server lets us, else with all of a tip's, else everything."""

    def fetch(oids: list[str]) -> None:
        with _naming(mirror.address), _fetching(mirror) as held:
            ways: list[Callable[[], None]] = [lambda: held.fetch_blobs(oids)]
            ways += [lambda name=name: held.fetch_tip(name, found.commit) for name in found.names]  # type: ignore[misc]
            for way in ways:
                with _going_on():
                    way()
                if not store.find_missing(oids):
                    return
            held.fetch_everything()
            if missing := store.find_missing(oids):
                raise SourceError(f"the server didn't send {len(missing)} of {len(oids)} files of {found.commit}")

    return fetch


def _peel(store: ObjectStore, oid: str) -> str:
    sha = store.peel(oid)
    if sha is None:
        raise SourceError(f"{oid} is no commit")
    return sha


def _list_known(store: ObjectStore, commit: str) -> Listing | None:
    try:
        return store.list_tree(commit)
    except GitError:
        return None


@contextlib.contextmanager
def _going_on() -> Iterator[None]:
    """Let the next way be tried when a server refuses this one, but not when no way can work."""
    try:
        yield
    except (UnreachableError, DeniedError):
        raise
    except GitError:
        return


@contextlib.contextmanager
def _fetching(mirror: Mirror) -> Iterator[Mirror]:
    """Hold the mirror's place alone while fetching into it."""
    with lock(mirror.place) as number:
        held = replace(mirror, held=(number,))
        held.prepare()
        yield held


@contextlib.contextmanager
def _naming(address: Address) -> Iterator[None]:
    """Say in every error which repository it is about."""
    try:
        yield
    except SourceError as error:
        raise SourceError(f"{address.public or address.url}: {error}") from error
    except OSError as error:
        raise SourceError(f"{address.public or address.url}: {error.strerror or error} ({error.filename})") from error


@dataclass(frozen=True, slots=True)
class _Seen:
    """What tags and branches were when the server was last asked."""

    file: Path

    def read(self, ref: str | None) -> Found | None:
        try:
            entry = json.loads(self.file.read_text(encoding="utf-8")).get(ref or "")
            return None if entry is None else Found(entry["commit"], entry["ref"], tuple(entry["names"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def write(self, ref: str | None, found: Found) -> None:
        try:
            known = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            known = {}
        known[ref or ""] = {"commit": found.commit, "ref": found.ref, "names": found.names}
        write_whole(self.file, json.dumps(known, indent=1, sort_keys=True).encode())
