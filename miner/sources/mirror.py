"""What the cache keeps of one remote repository, and the requests that bring more of it."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from miner.sources.address import Address
from miner.sources.command import Runner
from miner.sources.objects import ObjectStore, make_empty_repository

_PARTIAL = """[core]
	repositoryformatversion = 1
	bare = true
[extensions]
	partialClone = origin
[remote "origin"]
	promisor = true
	partialclonefilter = blob:none
"""
_STORES = ("partial", "history", "tip", "full")
"""Commits at depth 1 and the files asked for; commits alone; tips with all files; everything. Apart, because a shallow
repository would cut the history of another, and a filter would leave holes in it."""
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance")
_EVERYTHING = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_LEFT_BEHIND = ("*.lock", "refs/**/*.lock", "objects/pack/tmp_*", "objects/pack/.tmp-*", "objects/tmp_*")
_LOOK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Mirror:
    """One remote repository's place in the cache."""

    address: Address
    place: Path
    held: tuple[int, ...] = ()
    """The lock's descriptor, which every git started here keeps open. Without it nothing is fetched."""

    def open_store(self) -> ObjectStore:
        """Open all that is here, as one store of objects."""
        return ObjectStore(*(self.place / name / "objects" for name in _STORES))

    def has_history(self) -> bool:
        """Tell whether all commits are here, as of some time."""
        return any((self.place / name / "objects" / "pack").glob("*.pack") for name in ("history", "full"))

    def prepare(self) -> None:
        """Lay out what isn't there yet, and clear away what an interrupted git left."""
        for name in _STORES:
            home = make_empty_repository(self.place / name)
            if name in ("partial", "history"):
                (home / "config").write_text(_PARTIAL, encoding="ascii")
            for pattern in _LEFT_BEHIND:
                for file in home.glob(pattern):
                    file.unlink(missing_ok=True)

    def look_up(self, ref: str) -> dict[str, str]:
        """Ask the server what it has under a tag's or branch's name; by full name, tags peeled."""
        names = [ref] if ref.startswith("refs/") else [f"refs/tags/{ref}", f"refs/heads/{ref}"]
        kinds = () if ref.startswith("refs/") else ("--heads", "--tags")
        patterns = [pattern for name in names for pattern in (name, f"{name}^{{}}")]
        output = self._run("partial", "ls-remote", *kinds, "origin", *patterns, timeout=_LOOK_SECONDS).decode()
        found = {name: oid for oid, _, name in (line.partition("\t") for line in output.splitlines())}
        return {name: found.get(f"{name}^{{}}", found[name]) for name in names if name in found}

    def look_up_tags(self) -> tuple[str, ...]:
        """Ask the server for the names of its tags."""
        output = self._run("partial", "ls-remote", "--tags", "--refs", "origin", timeout=_LOOK_SECONDS).decode()
        return tuple(line.partition("\t")[2].removeprefix("refs/tags/") for line in output.splitlines())

    def look_up_default(self) -> tuple[str | None, str | None]:
        """Ask the server for its default branch: the commit, and the branch's name unless HEAD is detached.

        This clones one commit without its files: listing refs would bring every pull request of a large forge.
        """
        with tempfile.TemporaryDirectory(prefix=".look-", dir=self.place) as home:
            options = ("--bare", "--quiet", "--depth=1", "--single-branch", "--no-tags", "--filter=tree:0")
            runner = self._make_runner(Path(home))
            runner.run("clone", *options, "--template=", self.address.url, f"{home}/look", timeout=None)
            head = (Path(home) / "look" / "HEAD").read_text(encoding="utf-8").strip()
            looked = Runner(Path(home) / "look")
            name = head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else None
            commits = looked.run("rev-parse", "--revs-only", "HEAD").decode().split()
        return (commits[0] if commits else None), name

    def fetch_commit(self, ask: str, commit: str) -> None:
        """Bring a commit and its trees, without history or files."""
        keep = f"+{ask}:refs/errmine/{commit}"
        self._run("partial", *_FETCH, "--depth=1", "--filter=blob:none", "origin", keep)

    def fetch_blobs(self, oids: Sequence[str]) -> None:
        """Bring these files' contents in one request."""
        noop = ("-c", "fetch.negotiationAlgorithm=noop")
        self._run("partial", *noop, *_FETCH, "--filter=blob:none", "--stdin", "origin", lines=oids)

    def fetch_history(self) -> None:
        """Bring all commits, without trees or files."""
        self._run("history", *_FETCH, "--filter=tree:0", "--prune", "origin", *_EVERYTHING)

    def fetch_tip(self, name: str, commit: str) -> None:
        """Bring the commit at a tag or branch with all of its files."""
        self._run("tip", *_FETCH, "--depth=1", "origin", f"+{name}:refs/errmine/{commit}")

    def fetch_everything(self) -> None:
        """Bring all branches and tags whole."""
        self._run("full", *_FETCH, "--prune", "origin", *_EVERYTHING)

    def _run(self, store: str, *arguments: str, lines: Iterable[str] = (), timeout: float | None = None) -> bytes:
        return self._make_runner(self.place / store).run(*arguments, lines=tuple(lines), timeout=timeout)

    def _make_runner(self, home: Path) -> Runner:
        address = self.address
        settings = {"remote.origin.url": address.url}
        if address.secret is not None:
            settings[f"url.{address.secret}.insteadOf"] = address.url
        variables = {}
        if address.url.startswith("ssh:") or "://" not in address.url:
            variables = {"GIT_SSH_COMMAND": _choose_ssh(home)}
        return Runner(home, settings=settings, variables=variables, inherit=self.held)


def _choose_ssh(home: Path) -> str:
    """Keep the user's own ssh command; else use one that never asks."""
    own = os.environ.get("GIT_SSH_COMMAND") or os.environ.get("GIT_SSH")
    own = own or Runner(home).run("config", "--default=", "--get", "core.sshCommand").decode().strip()
    return own or "ssh -o BatchMode=yes -o ConnectTimeout=20"
