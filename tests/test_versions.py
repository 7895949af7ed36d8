"""The versions of a target: tags of repositories here and elsewhere, releases of an index."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from factories import run_git
from test_release import make_sdist, serve_index

from catalog.errors import TargetError
from miner.targets import resolve_target
from miner.versions import Version, list_versions, sort_tags


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["v0.10.0", "v0.9.0", "v0.9.1"], ["v0.9.0", "v0.9.1", "v0.10.0"]),
        (["1.0", "1.0.post1", "0.5"], ["0.5", "1.0", "1.0.post1"]),
        (["v1.0", "v2.0rc1", "v1.5.dev3"], ["v1.0"]),
        (["v2.0rc2", "v2.0rc1"], ["v2.0rc1", "v2.0rc2"]),
        (["v1.0", "client-v9.0", "nightly", "latest"], ["v1.0"]),
        (["shop-1.0", "shop-1.1", "client-v9.0"], ["shop-1.0", "shop-1.1"]),
        (["release/1.0", "release/1.1"], ["release/1.0", "release/1.1"]),
        (["one-1.0", "two-1.0"], []),
        (["2024", "v1", "wip"], []),
        ([], []),
    ],
)
def test_tags_of_the_project_itself_are_sorted_as_versions(tags: list[str], expected: list[str]) -> None:
    assert list(sort_tags(tags, "shop")) == expected
    assert list(sort_tags(reversed(tags), "shop")) == expected


def _list(text: str, cache: Path) -> tuple[Version, ...]:
    return list_versions(resolve_target(text, commit=None, ref=None, table=None), cache)


def test_a_repository_has_its_tags_here_and_over_the_wire(make_repo: Callable[..., Path], tmp_path: Path) -> None:
    repository = make_repo({"shop/__init__.py": "a = 1\n"})
    run_git(repository, "tag", "v0.10.0")
    run_git(repository, "tag", "--annotate", "--message", "older", "v0.9.0")
    here, there = str(repository), repository.as_uri()
    assert _list(here, tmp_path / "cache") == (Version("v0.9.0", here, "v0.9.0"), Version("v0.10.0", here, "v0.10.0"))
    assert [version.label for version in _list(there, tmp_path / "cache")] == ["v0.9.0", "v0.10.0"]


def test_a_folder_outside_of_any_repository_has_no_versions(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    assert _list(str(tmp_path / "shop"), tmp_path / "cache") == ()


def test_a_release_has_those_up_to_it_that_were_not_yanked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_index() as index:
        for version in ("0.9", "0.10", "1.0", "1.1", "2.0rc1", "0.8"):
            index.files[f"thing-{version}.tar.gz"] = make_sdist({"thing.py": b""}, top=f"thing-{version}/")
        index.yanked.add("thing-0.8.tar.gz")
        for name in [name for name in os.environ if name.startswith("PIP_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
        monkeypatch.setenv("PIP_INDEX_URL", f"{index.url}/simple")
        labels = [version.label for version in _list("thing==1.0", tmp_path)]
        assert labels == ["0.9", "0.10", "1.0"]
        assert [version.label for version in _list("thing==2.0rc1", tmp_path)] == [
            "0.9",
            "0.10",
            "1.0",
            "1.1",
            "2.0rc1",
        ]
        assert _list("thing==0.9", tmp_path) == (Version("0.9", "thing==0.9", None),)
    with pytest.raises(TargetError, match="is no version"):
        _list("thing==one", tmp_path)
