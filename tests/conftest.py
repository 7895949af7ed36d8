"""Fixtures: the functions of `factories`, and real repositories in the test's own folder."""

import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

import factories
import pytest
from hypothesis import settings

from catalog.records import Catalog, Entry, Message

# A shared machine may pause anywhere, and a build must not fail by chance: the hunt for new cases is a developer's.
settings.register_profile("developer", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "developer")


@pytest.fixture
def make_entry() -> Callable[..., Entry]:
    return factories.make_entry


@pytest.fixture
def make_message() -> Callable[..., Message]:
    return factories.make_message


@pytest.fixture
def make_catalog() -> Callable[..., Catalog]:
    return factories.make_catalog


@pytest.fixture
def mine() -> Callable[..., tuple[Entry, ...]]:
    return factories.mine


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[..., Path]:
    """Make a git repository of these files with one commit; with `at=`, commit on top of an earlier one."""

    def make(files: Mapping[str, str | bytes], at: Path | None = None) -> Path:
        repository = at or tmp_path / f"repository-{len(list(tmp_path.iterdir()))}"
        factories.commit_files(files, repository)
        return repository

    return make


def pytest_configure() -> None:
    """Let the processes that tests start be interrupted, also where the suite runs in the background of a shell."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
