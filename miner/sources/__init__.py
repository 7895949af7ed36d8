"""A pinned tree of files, wherever it comes from: git, a release, a folder."""

import abc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalog.records import Skipped

MAX_FILE_BYTES = 64 << 20
"""A larger file is no source that a person wrote: it comes as `Skipped`."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a tree of files came from: the pinned half of a catalog's `Target`."""

    repo: str | None = None
    """`vllm-project/vllm`, where the forge is known."""
    url: str | None = None
    """Without credentials, and never a path of this machine."""
    ref: str | None = None
    commit: str | None = None
    """40 hex digits."""
    committed: str | None = None
    """UTC, `2026-08-14T09:12:03Z`."""
    release: str | None = None
    dirty: bool = False


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a tree: its path, and its bytes as they are."""

    path: str
    data: bytes


class Tree(abc.ABC):
    """A pinned tree of files. Paths are relative to its root with `/`; bytes of a path that aren't UTF-8 are escaped.

    Use as a context manager: leaving it gives back what it holds open.
    """

    origin: Origin
    notes: tuple[str, ...] = ()
    """What the user should be told about how the tree was had."""

    @abc.abstractmethod
    def list_paths(self) -> tuple[str, ...]:
        """List every regular file, sorted. Cheap: no file is read."""

    @abc.abstractmethod
    def list_unreadable(self) -> tuple[Skipped, ...]:
        """List what stands in the tree and is no regular file (a link, a submodule), each with the reason, sorted."""

    @abc.abstractmethod
    def read(self, paths: Sequence[str]) -> Iterator[SourceFile | Skipped]:
        """Read these files in this order, in one batch; one that can't be read comes as `Skipped`.

        Raises `SourceError` where the source as a whole fails (network, digest).
        """

    def close(self) -> None:
        """Give back what the tree holds open."""
        return

    def __enter__(self) -> "Tree":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
