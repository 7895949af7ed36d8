"""Folders: plain ones, and work trees as they are now."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from factories import commit_files, run_git, write_files

from catalog.errors import SourceError, TargetError
from catalog.records import Skipped
from miner.sources import Tree
from miner.targets import open_tree, resolve_target

MakeRepo = Callable[..., Path]


def open_target(path: Path) -> Tree:
    return open_tree(resolve_target(str(path), commit=None, ref=None, table=None), cache=path / "no-cache")


def read(tree: Tree, *paths: str) -> dict[str, bytes | str]:
    files = tree.read(paths)
    return {file.path: file.reason if isinstance(file, Skipped) else file.data for file in files}


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    folder = tmp_path / "plain"
    write_files({"pkg/__init__.py": "", "pkg/a.py": "1\r\n", "README": "hello\n"}, folder)
    return folder


def test_a_plain_folder_has_no_commit(plain: Path) -> None:
    with open_target(plain) as tree:
        assert (tree.origin.commit, tree.origin.dirty, tree.origin.url) == (None, False, None)
        assert tree.list_paths() == ("README", "pkg/__init__.py", "pkg/a.py")
        assert read(tree, "pkg/a.py", "pkg/b.py") == {"pkg/a.py": b"1\r\n", "pkg/b.py": "no such file"}


def test_links_pipes_and_sockets_are_skipped_and_never_opened(plain: Path) -> None:
    (plain / "pkg" / "inside.py").symlink_to("a.py")
    (plain / "pkg" / "outside.py").symlink_to("/etc/passwd")
    (plain / "pkg" / "loop").symlink_to("..")
    (plain / "pkg" / "self.py").symlink_to("self.py")
    os.mkfifo(plain / "pkg" / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(plain / "pkg" / "s.py"))
        with open_target(plain) as tree:
            assert tree.list_paths() == ("README", "pkg/__init__.py", "pkg/a.py")
            reasons = {each.path: each.reason.partition(":")[0] for each in tree.list_unreadable()}
    assert reasons == {
        "pkg/inside.py": "a symbolic link",
        "pkg/loop": "a symbolic link",
        "pkg/outside.py": "a symbolic link",
        "pkg/pipe.py": "a device, pipe or socket",
        "pkg/s.py": "a device, pipe or socket",
        "pkg/self.py": "a symbolic link",
    }


def test_a_file_that_became_something_else_since_it_was_listed_is_skipped(plain: Path) -> None:
    write_files({"pkg/b.py": "", "pkg/c.py": "", "pkg/d.py": ""}, plain)
    with open_target(plain) as tree:
        for name in ("a", "b", "c"):
            (plain / "pkg" / f"{name}.py").unlink()
        os.mkfifo(plain / "pkg" / "a.py")
        (plain / "pkg" / "b.py").symlink_to("/etc/passwd")
        contents = read(tree, "pkg/a.py", "pkg/b.py", "pkg/c.py", "pkg/d.py")
    assert contents["pkg/a.py"] == "no longer a file"
    assert [str(contents[f"pkg/{name}.py"]).partition(":")[0] for name in "bc"] == ["can't be read"] * 2
    assert contents["pkg/d.py"] == b""


def test_a_virtual_environment_in_a_plain_folder_is_left_out_and_said_so(plain: Path) -> None:
    write_files({"venv/pyvenv.cfg": "", "venv/lib/x.py": "", "pkg/__pycache__/a.py": ""}, plain)
    with open_target(plain) as tree:
        assert "venv/lib/x.py" not in tree.list_paths()
        assert tree.list_unreadable() == (Skipped("venv", "a virtual environment"),)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_what_may_not_be_read_is_skipped(plain: Path) -> None:
    (plain / "pkg" / "a.py").chmod(0)
    write_files({"closed/b.py": ""}, plain)
    (plain / "closed").chmod(0)
    with open_target(plain) as tree:
        assert read(tree, "pkg/a.py") == {"pkg/a.py": "can't be read: Permission denied"}
        assert [each.path for each in tree.list_unreadable()] == ["closed"]
    (plain / "closed").chmod(0o700)


def test_a_file_larger_than_any_source_is_skipped(plain: Path) -> None:
    with (plain / "pkg" / "huge.py").open("wb") as file:
        file.truncate((64 << 20) + 1)
    with open_target(plain) as tree:
        assert read(tree, "pkg/huge.py") == {"pkg/huge.py": "larger than 64 MiB"}


def test_a_clean_work_tree_is_its_commit(make_repo: MakeRepo) -> None:
    folder = make_repo({"pkg/a.py": "1\n", ".gitignore": "build/\n*.log\n"})
    write_files({"build/x.py": "", "a.log": ""}, folder)
    with open_target(folder) as tree:
        assert tree.origin.commit == run_git(folder, "rev-parse", "HEAD")
        assert (tree.origin.ref, tree.origin.committed, tree.origin.dirty) == ("main", "2026-08-14T09:12:03Z", False)
        assert tree.list_paths() == (".gitignore", "pkg/a.py")


def change_file(folder: Path) -> None:
    (folder / "pkg" / "a.py").write_text("2\n")


def delete_file(folder: Path) -> None:
    (folder / "pkg" / "a.py").unlink()


def add_file(folder: Path) -> None:
    (folder / "pkg" / "new.py").write_text("2\n")


def stage_file(folder: Path) -> None:
    add_file(folder)
    run_git(folder, "add", "--all")


def touch_file(folder: Path) -> None:
    os.utime(folder / "pkg" / "a.py", (1, 1))


def ignore_file(folder: Path) -> None:
    (folder / ".git" / "info" / "exclude").write_text("private.py\n")
    (folder / "private.py").write_text("2\n")


@pytest.mark.parametrize(
    ("change", "dirty", "paths"),
    [
        (change_file, True, ("pkg/a.py", "pkg/b.py")),
        (delete_file, True, ("pkg/b.py",)),
        (add_file, True, ("pkg/a.py", "pkg/b.py", "pkg/new.py")),
        (stage_file, True, ("pkg/a.py", "pkg/b.py", "pkg/new.py")),
        (touch_file, False, ("pkg/a.py", "pkg/b.py")),
        (ignore_file, False, ("pkg/a.py", "pkg/b.py")),
    ],
)
def test_a_work_tree_is_dirty_when_its_files_differ_from_the_commit(
    make_repo: MakeRepo, change: Callable[[Path], None], dirty: bool, paths: tuple[str, ...]
) -> None:
    folder = make_repo({"pkg/a.py": "1\n", "pkg/b.py": "1\n"})
    change(folder)
    with open_target(folder) as tree:
        assert (tree.origin.dirty, tree.list_paths()) == (dirty, paths)


def test_line_ends_that_the_repository_converts_are_no_difference(make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": "1\n2\n"})
    run_git(folder, "config", "core.autocrlf", "true")
    (folder / "a.py").unlink()
    run_git(folder, "checkout", "--", "a.py")
    os.utime(folder / "a.py", (1, 1))
    with open_target(folder) as tree:
        assert not tree.origin.dirty
        assert read(tree, "a.py") == {"a.py": b"1\r\n2\r\n"}


def test_a_work_tree_before_its_first_commit_has_files_and_no_commit(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "--quiet", "new")
    write_files({"a.py": "1\n"}, tmp_path / "new")
    with open_target(tmp_path / "new") as tree:
        assert (tree.origin.commit, tree.origin.dirty, tree.list_paths()) == (None, False, ("a.py",))


def test_a_folder_that_a_work_tree_ignores_is_a_plain_folder(make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": "", ".gitignore": "vendor/\n"})
    write_files({"vendor/lib/b.py": "2\n"}, folder)
    with open_target(folder / "vendor") as tree:
        assert (tree.origin.commit, tree.list_paths()) == (None, ("lib/b.py",))


def test_submodules_and_repositories_inside_are_not_entered(make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": ""})
    commit_files({"inner.py": ""}, folder / "inside")
    run_git(folder, "add", "inside")
    run_git(folder, "commit", "--quiet", "-m", "a repository as a submodule")
    commit_files({"other.py": ""}, folder / "beside")
    with open_target(folder) as tree:
        assert tree.list_paths() == ("a.py",)
        assert [each.path for each in tree.list_unreadable()] == ["beside", "inside"]


@pytest.mark.parametrize("odd", ["[ab]", "a b", ":(glob)x", "-x", "*"])
def test_a_folder_with_an_odd_name_is_just_that_folder(make_repo: MakeRepo, odd: str) -> None:
    folder = make_repo({f"{odd}/x.py": "1\n", "a/y.py": "2\n", "other/z.py": "3\n"})
    with open_target(folder / odd) as tree:
        assert tree.list_paths() == (f"{odd}/x.py",)


def test_a_folder_and_a_commit_of_the_same_files_read_the_same(make_repo: MakeRepo) -> None:
    folder = make_repo({"pkg/a.py": "1\n", "pkg/b.py": b"\xff\x00", "c.py": ""})
    request = resolve_target(str(folder), commit=run_git(folder, "rev-parse", "HEAD"), ref=None, table=None)
    with open_target(folder) as now, open_tree(request, cache=folder) as then:
        assert now.list_paths() == then.list_paths()
        assert list(now.read(now.list_paths())) == list(then.read(then.list_paths()))
        assert now.origin.commit == then.origin.commit


def test_what_is_no_folder_is_said_so(plain: Path) -> None:
    with pytest.raises(TargetError, match="no such folder"):
        open_target(plain / "nothing")
    with pytest.raises(TargetError, match="is a file"):
        open_target(plain / "README")


def test_a_damaged_git_folder_is_one_clear_error(make_repo: MakeRepo) -> None:
    folder = make_repo({"a.py": ""})
    (folder / ".git" / "index").write_bytes(b"no index")
    with pytest.raises(SourceError, match="index file"):
        open_target(folder)
