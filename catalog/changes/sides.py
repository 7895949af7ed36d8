"""Which two catalogs does a diff compare?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from catalog import shelf
from catalog.diff import check_comparable
from catalog.errors import QuestionError
from catalog.records import Catalog
from catalog.selection import is_under

CONFIG_SCOPE = ("config",)
_NAMED_SCOPES = ("config", "all")


class Version(Protocol):
    """A version of a target that can be scanned."""

    @property
    def label(self) -> str:
        """What people call it: `v0.32.0`."""

    @property
    def target(self) -> str:
        """What to scan: the target, or `vllm==0.32.0`."""

    @property
    def ref(self) -> str | None:
        """The tag, for a target that is a repository."""


class Miner(Protocol):
    """What the command line lends this room, which can't mine: the catalog of a target, and its versions."""

    def __call__(self, target: str, *, ref: str | None = None, scope: Sequence[str] = CONFIG_SCOPE) -> Catalog:
        """Give the catalog of a target at a ref."""

    def list_versions(self, target: str) -> Sequence[Version]:
        """List the versions of a target, the oldest first."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What was asked to be compared."""

    old: str
    new: str | None = None
    ref: str | None = None
    """With one target: the older state."""
    to: str | None = None
    """With one target: the newer state."""
    scope: tuple[str, ...] = ()


def open_sides(asked: Sides, miner: Miner | None) -> tuple[Catalog, Catalog]:
    """Open both catalogs, scanning what is a target, and see that they can be compared."""
    if asked.new is not None and (asked.ref is not None or asked.to is not None):
        raise QuestionError(
            "--ref and --to are for two states of one target; give OLD and NEW, or one target and these"
        )
    if asked.new is not None:
        old, new = _open(asked.old, None, asked, miner), _open(asked.new, None, asked, miner)
    else:
        new = _open(asked.old, asked.to, asked, miner)
        old = _open(asked.old, asked.ref, asked, miner) if asked.ref is not None else _open_earlier(asked, new, miner)
    check_comparable(old.target, new.target, scoped=bool(asked.scope))
    return _narrow(old, asked.scope), _narrow(new, asked.scope)


def _open(given: str, ref: str | None, asked: Sides, miner: Miner | None) -> Catalog:
    scope = asked.scope or CONFIG_SCOPE
    scan = (lambda target: miner(target, ref=ref, scope=scope)) if miner is not None else None
    if ref is None:
        return shelf.open_catalog(given, scan)
    if scan is None or given.endswith(".json"):
        raise QuestionError(f"{given}: is a catalog, and --ref and --to are for a target; give two catalogs")
    return scan(given)


def _open_earlier(asked: Sides, new: Catalog, miner: Miner | None) -> Catalog:
    """Open the newest version that isn't what it is compared with."""
    if miner is None or asked.old.endswith(".json"):
        raise QuestionError(f"{asked.old}: give a second catalog to compare it with")
    known = {asked.to, new.target.ref, new.target.release} - {None}
    versions = list(miner.list_versions(asked.old))
    at = next((at for at, each in enumerate(versions) if {each.label, each.ref} & known), len(versions))
    for version in reversed(versions[:at]):
        old = miner(version.target, ref=version.ref, scope=asked.scope or CONFIG_SCOPE)
        if old.target.commit is None or old.target.commit != new.target.commit:
            return old
    raise QuestionError(f"{asked.old}: has no earlier tag or release to compare with; name one with --ref")


def _narrow(catalog: Catalog, scope: tuple[str, ...]) -> Catalog:
    """Leave what both sides' scope has in common, for catalogs that were scanned with a wider one."""
    if not scope or set(scope) == set(catalog.target.scope):
        return catalog
    named = [each for each in scope if each in _NAMED_SCOPES]
    if "all" in named:
        return catalog
    if named:
        raise QuestionError(
            f"this catalog of {catalog.target.name} has scope {' '.join(catalog.target.scope)}; "
            f"--scope {named[0]} can't be made of that: scan the target, or give patterns of paths"
        )
    entries = tuple(entry for entry in catalog.entries if is_under(entry.site.path, scope))
    return replace(catalog, entries=entries)
