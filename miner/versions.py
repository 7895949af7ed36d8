"""Which versions has a target, in their order?"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion
from packaging.version import Version as Number

from catalog.errors import TargetError
from miner.targets import FolderPlace, ReleasePlace, RemotePlace, RepositoryPlace, Request

_TAG = re.compile(r"(?P<name>[A-Za-z][\w.-]*[-_/@])?[vV]?(?P<number>\d+(?:\.\d+)+\S*)")


@dataclass(frozen=True, slots=True)
class Version:
    """A version that can be scanned."""

    label: str
    """`v0.32.0`, or `0.32.0` on the package index."""
    target: str
    """What to scan: the target, or `vllm==0.32.0`."""
    ref: str | None
    """The tag, in a repository."""


def list_versions(request: Request, cache: Path) -> tuple[Version, ...]:
    """List the tags or releases of a target, the oldest first; previews only where there is nothing else.

    For a release, those up to it. Raises `SourceError` where they can't be asked for.
    """
    if isinstance(request.place, ReleasePlace):
        return _list_releases(request.place.name, request.place.version)
    tags = _list_tags(request.place, cache)
    return tuple(Version(label, request.text, label) for label in sort_tags(tags, request.project.name))


def _list_releases(name: str, version: str) -> tuple[Version, ...]:
    from miner.sources.release import list_releases

    last = _read_number(version)
    if last is None:
        raise TargetError(f"{version!r} is no version; write name==version: {name}==1.2.3")
    numbers = ((_read_number(label), label) for label in list_releases(name))
    up_to = [(number, label) for number, label in numbers if number is not None and number <= last]
    return tuple(Version(label, f"{name}=={label}", None) for label in _sort(up_to, keep=last))


def _list_tags(place: RemotePlace | RepositoryPlace | FolderPlace, cache: Path) -> tuple[str, ...]:
    if isinstance(place, RemotePlace):
        from miner.sources import remote

        return remote.list_tags(place.address, cache)
    from miner.sources import git

    return git.list_tags(place.path)


def sort_tags(tags: Iterable[str], project: str) -> tuple[str, ...]:
    """Choose the tags that name versions of the project itself and sort them: `v0.9` before `v0.10`.

    In a repository with several series (`v1.2`, `client-v0.3`) the plain one counts, else the one named like the
    project, else the only one there is.
    """
    series: dict[str, list[tuple[Number, str]]] = {}
    for tag in sorted(set(tags)):
        match = _TAG.fullmatch(tag)
        number = _read_number(match["number"]) if match else None
        if match and number is not None:
            series.setdefault((match["name"] or "").rstrip("-_/@").lower(), []).append((number, tag))
    for name in ("", project.lower(), *(series if len(series) == 1 else ())):
        if name in series:
            return _sort(series[name])
    return ()


def _sort(numbers: Iterable[tuple[Number, str]], keep: Number | None = None) -> tuple[str, ...]:
    ordered = sorted(numbers)
    final = [pair for pair in ordered if not pair[0].is_prerelease or pair[0] == keep]
    return tuple(label for _, label in (final or ordered))


def _read_number(text: str) -> Number | None:
    try:
        return Number(text)
    except InvalidVersion:
        return None
