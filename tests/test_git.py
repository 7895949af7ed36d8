"""Local repositories, read at a commit and never touched."""

import os
import stat
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from factories import commit_files, run_git
from gitserver import make_twins

from catalog.errors import SourceError, TargetError
from catalog.records import Skipped
from miner.sources import Tree
from miner.targets import open_tree, resolve_target, settle_project

MakeRepo = Callable[..., Path]


def open_target(path: Path, commit: str | None = None, ref: str | None = None) -> Tree:
    request = resolve_target(str(path), commit=commit, ref=ref, table=None)
    return open_tree(request, cache=path.parent / "cache")


def read(tree: Tree, *paths: str) -> dict[str, bytes | str]:
    files = tree.read(paths)
    return {file.path: file.reason if isinstance(file, Skipped) else file.data for file in files}


def take_stock(folder: Path) -> Mapping[str, tuple[int, int, bytes]]:
    """Say what every file of a folder is, to see whether anything was touched."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {str(file): (file.stat().st_mtime_ns, file.stat().st_mode, file.read_bytes()) for file in files}


@pytest.mark.parametrize("bare", [False, True])
def test_a_local_repository_is_read_at_any_commit_tag_or_branch(
    tmp_path: Path, make_repo: MakeRepo, bare: bool
) -> None:
    folder = make_repo({"pkg/__init__.py": "", "pkg/a.py": "one\n"})
    first = run_git(folder, "rev-parse", "HEAD")
    run_git(folder, "tag", "-a", "v1", "-m", "one")
    second = commit_files({"pkg/a.py": "two\n"}, folder)
    run_git(folder, "branch", "old", first)
    if bare:
        run_git(tmp_path, "clone", "--quiet", "--bare", str(folder), "bare.git")
        folder = tmp_path / "bare.git"
    for commit, ref, sha, content in [
        (first, None, first, b"one\n"),
        (first[:7].upper(), None, first, b"one\n"),
        (None, "v1", first, b"one\n"),
        (None, "old", first, b"one\n"),
        (None, "main", second, b"two\n"),
        (None, "refs/tags/v1", first, b"one\n"),
    ]:
        with open_target(folder, commit, ref) as tree:
            assert (tree.origin.commit, tree.origin.ref) == (sha, ref)
            assert tree.origin.committed == "2026-08-14T09:12:03Z"
            assert tree.list_paths() == ("pkg/__init__.py", "pkg/a.py")
            assert read(tree, "pkg/a.py", "pkg/b.py") == {"pkg/a.py": content, "pkg/b.py": "no such file"}


def test_a_bare_repository_alone_means_its_default_branch(tmp_path: Path, make_repo: MakeRepo) -> None:
    run_git(tmp_path, "clone", "--quiet", "--bare", str(make_repo({"a.py": "1\n"})), "bare.git")
    with open_target(tmp_path / "bare.git") as tree:
        assert (tree.origin.ref, tree.origin.dirty, tree.list_paths()) == ("main", False, ("a.py",))


def test_packed_refs_and_linked_work_trees_are_read(tmp_path: Path, make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": "1\n"})
    run_git(folder, "tag", "v1")
    run_git(folder, "branch", "side")
    run_git(folder, "pack-refs", "--all")
    run_git(folder, "gc", "--quiet")
    run_git(folder, "worktree", "add", "--quiet", str(tmp_path / "linked"), "side")
    for place in (folder, tmp_path / "linked"):
        for ref in ("v1", "side", "main"):
            with open_target(place, ref=ref) as tree:
                assert read(tree, "a.py") == {"a.py": b"1\n"}
    with open_target(tmp_path / "linked") as tree:
        assert (tree.origin.ref, tree.origin.dirty) == ("side", False)


def test_below_a_folder_of_a_repository_paths_stay_the_repositorys(make_repo: MakeRepo) -> None:
    folder = make_repo({"python/pkg/__init__.py": "", "python/pkg/a.py": "1\n", "b.py": "2\n"})
    for tree in (open_target(folder / "python", ref="main"), open_target(folder / "python")):
        with tree:
            assert tree.list_paths() == ("python/pkg/__init__.py", "python/pkg/a.py")
            assert tree.origin.commit == run_git(folder, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("commit", "ref", "message"),
    [
        ("0123456", None, "has no commit 0123456"),
        ("0" * 40, None, "has no commit 0000"),
        (None, "nothing", "has no tag or branch nothing"),
    ],
)
def test_what_a_repository_lacks_is_said(
    make_repo: MakeRepo, commit: str | None, ref: str | None, message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        open_target(make_repo({"a.py": ""}), commit, ref)


def test_a_short_sha_of_two_commits_is_ambiguous_and_one_of_a_blob_is_none(make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": "1\n"})
    one, other = make_twins(folder, "HEAD", digits=4)
    with pytest.raises(SourceError, match=f"ambiguous: ({one[:12]}|{other[:12]})"):
        open_target(folder, one[:4])
    blob = run_git(folder, "rev-parse", "HEAD:a.py")
    with pytest.raises(SourceError, match="has no commit"):
        open_target(folder, blob[:10])


def test_a_folder_without_git_has_no_commits(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(SourceError, match="is not a repository; leave --commit and --ref out"):
        open_target(tmp_path / "plain", ref="main")


def test_a_repository_without_a_commit_is_said_so(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "--quiet", "--bare", "empty.git")
    with pytest.raises(SourceError, match="has no commit yet"):
        open_target(tmp_path / "empty.git")


def test_commit_and_ref_exclude_each_other(make_repo: MakeRepo) -> None:
    with pytest.raises(TargetError, match="exclude each other"):
        open_target(make_repo({"a.py": ""}), "0123456", "main")


def test_links_submodules_and_large_file_pointers_are_skipped_with_a_reason(make_repo: MakeRepo) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    folder = make_repo({"pkg/a.py": "1\n", "pkg/model.py": pointer, "pkg/about.py": b"# version https://git-lfs\n"})
    (folder / "pkg" / "link.py").symlink_to("a.py")
    (folder / "pkg" / "out.py").symlink_to("/etc/passwd")
    (folder / "pkg" / "loop.py").symlink_to("loop.py")
    run_git(folder, "add", "--all")
    inner = run_git(folder, "rev-parse", "HEAD")
    run_git(folder, "update-index", "--add", "--cacheinfo", f"160000,{inner},pkg/sub")
    run_git(folder, "commit", "--quiet", "-m", "links")
    with open_target(folder, ref="main") as tree:
        assert tree.list_paths() == ("pkg/a.py", "pkg/about.py", "pkg/model.py")
        reasons = {each.path: each.reason for each in tree.list_unreadable()}
        assert list(reasons) == ["pkg/link.py", "pkg/loop.py", "pkg/out.py", "pkg/sub"]
        assert "symbolic link" in reasons["pkg/out.py"]
        assert "submodule" in reasons["pkg/sub"]
        contents = read(tree, *tree.list_paths())
        assert "LFS pointer" in str(contents["pkg/model.py"])
        assert contents["pkg/about.py"] == b"# version https://git-lfs\n"


def test_paths_that_are_not_utf8_are_escaped(make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": "1\n"})
    raw = os.fsencode(folder) + b"/caf\xe9.py"
    Path(os.fsdecode(raw)).write_bytes(b"2\n")
    Path(folder / "tab\tand\nline.py").write_bytes(b"3\n")
    run_git(folder, "add", "--all")
    run_git(folder, "commit", "--quiet", "-m", "names")
    for tree in (open_target(folder, ref="main"), open_target(folder)):
        with tree:
            assert tree.list_paths() == ("a.py", "caf\\xe9.py", "tab\tand\nline.py")
            assert read(tree, "caf\\xe9.py", "tab\tand\nline.py") == {
                "caf\\xe9.py": b"2\n",
                "tab\tand\nline.py": b"3\n",
            }


def test_two_files_of_one_shown_path_are_never_mixed_up(make_repo: MakeRepo) -> None:
    folder = make_repo({"\\xe9.py": "text\n"})
    Path(os.fsdecode(os.fsencode(folder) + b"/\xe9.py")).write_bytes(b"byte\n")
    run_git(folder, "add", "--all")
    run_git(folder, "commit", "--quiet", "-m", "names")
    for tree in (open_target(folder, ref="main"), open_target(folder)):
        with tree:
            assert tree.list_paths() == ("\\xe9.py",)
            assert [each.reason for each in tree.list_unreadable()] == ["two files have this path"]


def make_hostile(folder: Path, mark: Path) -> None:
    """Set everything in a repository's own settings that git would run."""
    script = folder.parent / "hostile"
    script.write_text(f"#!/bin/sh\necho $0 $@ >> {mark}\ncat\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    for name, value in {
        "core.fsmonitor": str(script),
        "core.fsmonitorHookVersion": "2",
        "core.sshCommand": str(script),
        "core.pager": str(script),
        "core.editor": str(script),
        "core.hooksPath": str(folder.parent / "hooks"),
        "core.gitProxy": str(script),
        "core.alternateRefsCommand": str(script),
        "core.untrackedCache": "true",
        "diff.external": str(script),
        "diff.x.textconv": str(script),
        "diff.x.command": str(script),
        "filter.x.clean": str(script),
        "filter.x.smudge": str(script),
        "filter.x.process": str(script),
        "filter.x.required": "true",
        "credential.helper": f"!{script}",
        "gpg.program": str(script),
        "log.showSignature": "true",
        "uploadpack.packObjectsHook": str(script),
        "alias.ls-tree": f"!{script}",
        "remote.origin.url": f"ext::{script} %S",
        "remote.origin.uploadpack": str(script),
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "extensions.partialClone": "origin",
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
    }.items():
        run_git(folder, "config", name, value)
    hooks = folder.parent / "hooks"
    hooks.mkdir()
    for place in (hooks, folder / ".git" / "hooks"):
        for hook in (
            "post-index-change",
            "reference-transaction",
            "post-checkout",
            "pre-auto-gc",
            "fsmonitor-watchman",
        ):
            (place / hook).write_text(script.read_text())
            (place / hook).chmod(0o755)


def test_nothing_that_a_hostile_repository_sets_is_run(tmp_path: Path, make_repo: MakeRepo) -> None:
    folder = make_repo({"pkg/a.py": "1\n", "pkg/b.py": "2\n", ".gitattributes": "*.py filter=x diff=x ident\n"})
    commit = run_git(folder, "rev-parse", "HEAD")
    blob = run_git(folder, "rev-parse", "HEAD:pkg/b.py")
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    mark = tmp_path / "mark"
    make_hostile(folder, mark)
    (folder / "pkg" / "a.py").write_text("changed\n")
    os.utime(folder / "pkg" / "b.py", (1, 1))
    for tree in (open_target(folder, commit), open_target(folder, commit[:8]), open_target(folder, ref="main")):
        with tree:
            assert read(tree, "pkg/a.py") == {"pkg/a.py": b"1\n"}
            assert "partial clone" in str(read(tree, "pkg/b.py")["pkg/b.py"])
            assert tree.origin.url is None
    with open_target(folder) as tree:
        assert tree.origin.dirty
        assert read(tree, "pkg/a.py", "pkg/b.py") == {"pkg/a.py": b"changed\n", "pkg/b.py": b"2\n"}
    assert not mark.exists()
    subprocess.run(["git", "status"], cwd=folder, capture_output=True, check=False)
    assert mark.exists(), "the trap doesn't work: git itself should have stepped into it"


def test_a_repository_is_never_touched(make_repo: MakeRepo) -> None:
    folder = make_repo({"pkg/a.py": "1\n", "pkg/b.py": "2\n"})
    run_git(folder, "update-index", "--split-index")
    (folder / "pkg" / "a.py").write_text("changed\n")
    os.utime(folder / "pkg" / "b.py", (1, 1))
    (folder / "new.py").write_text("3\n")
    before = take_stock(folder)
    for tree in (open_target(folder), open_target(folder, ref="main")):
        with tree:
            read(tree, *tree.list_paths())
    assert take_stock(folder) == before


def test_what_a_surrounding_git_left_in_the_environment_is_not_obeyed(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, other = make_repo({"a.py": "mine\n"}), make_repo({"b.py": "other\n"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    for tree in (open_target(folder, ref="main"), open_target(folder)):
        with tree:
            assert read(tree, *tree.list_paths()) == {"a.py": b"mine\n"}


def test_replaced_objects_and_grafts_do_not_change_what_a_commit_holds(make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": "real\n"})
    blob = run_git(folder, "rev-parse", "HEAD:a.py")
    (folder / "fake").write_text("fake\n")
    run_git(folder, "replace", blob, run_git(folder, "hash-object", "-w", "fake"))
    with open_target(folder, ref="main") as tree:
        assert read(tree, "a.py") == {"a.py": b"real\n"}


@pytest.mark.parametrize(
    ("url", "repo", "shown"),
    [
        ("git@github.com:someone/thing.git", "someone/thing", "https://github.com/someone/thing"),
        ("https://user:pass@github.com/someone/thing", "someone/thing", "https://github.com/someone/thing"),
        ("ssh://git@host.example/thing.git", None, "ssh://host.example/thing.git"),
        ("/somewhere/on/this/machine", None, None),
        ("file:///somewhere/on/this/machine", None, None),
    ],
)
def test_a_clone_says_where_it_came_from(make_repo: MakeRepo, url: str, repo: str | None, shown: str | None) -> None:
    folder = make_repo({"a.py": ""})
    run_git(folder, "remote", "add", "origin", url)
    for tree in (open_target(folder), open_target(folder, ref="main")):
        with tree:
            assert (tree.origin.repo, tree.origin.url) == (repo, shown)


def test_a_clone_of_a_named_target_is_that_target(make_repo: MakeRepo) -> None:
    folder = make_repo({"python/sglang/__init__.py": "", "python/sglang/srt/server_args.py": ""})
    run_git(folder, "remote", "add", "origin", "git@github.com:sgl-project/sglang.git")
    request = resolve_target(str(folder), commit=None, ref=None, table=None)
    with open_tree(request, cache=folder) as tree:
        project = settle_project(request, tree)
    assert (project.name, project.packages) == ("sglang", ("python/sglang",))
    assert "sglang/srt/server_args.py" in project.config


def test_a_damaged_repository_is_one_clear_error(make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": "1\n"})
    tree = run_git(folder, "rev-parse", "HEAD^{tree}")
    (folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(SourceError, match="isn't whole"):
        open_target(folder, ref="main")


def test_sha256_repositories_are_refused_clearly(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "--quiet", "--object-format=sha256", "new")
    with pytest.raises(SourceError, match="SHA-256"):
        open_target(tmp_path / "new", ref="main")
