"""Remotes over real transports: git's HTTP backend, git's daemon and file URLs."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from factories import commit_files, run_git
from gitserver import HttpServer, make_twins, serve_daemon, serve_http

from catalog.errors import SourceError
from catalog.records import Skipped
from miner.sources import Tree
from miner.targets import open_tree, resolve_target, settle_project

FILES = {
    "vllm/__init__.py": "",
    "vllm/config/model.py": "class ModelConfig:\n    pass\n",
    "vllm/worker.py": "def work():\n    raise ValueError('no')\n",
    "docs/large.txt": "x" * 5000,
}


@dataclass(frozen=True)
class Upstream:
    folder: Path
    first: str
    second: str
    third: str
    side: str


@pytest.fixture
def upstream(tmp_path: Path) -> Upstream:
    """Three commits on main, a tag at the first and an annotated one at the second, and a branch."""
    folder = tmp_path / "served" / "vllm"
    first = commit_files(FILES, folder)
    run_git(folder, "tag", "v1")
    second = commit_files({"vllm/worker.py": "def work():\n    raise TypeError('second')\n"}, folder)
    run_git(folder, "tag", "--annotate", "v2", "--message", "two")
    third = commit_files({"vllm/worker.py": "def work():\n    raise KeyError('third')\n"}, folder)
    run_git(folder, "branch", "side", first)
    run_git(folder, "switch", "--quiet", "side")
    side = commit_files({"vllm/side.py": "assert True\n"}, folder)
    run_git(folder, "switch", "--quiet", "main")
    return Upstream(folder, first, second, third, side)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def server(upstream: Upstream) -> Iterator[HttpServer]:
    with serve_http(upstream.folder.parent) as served:
        yield served


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Write the user's own git settings."""
    file = tmp_path / "gitconfig"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(file))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def write(text: str) -> None:
        file.write_text(text)

    write("")
    return write


def open_target(text: str, cache: Path, commit: str | None = None, ref: str | None = None) -> Tree:
    return open_tree(resolve_target(text, commit=commit, ref=ref, table=None), cache=cache)


def read(tree: Tree, *paths: str) -> dict[str, str]:
    files = tree.read(paths)
    return {file.path: file.reason if isinstance(file, Skipped) else file.data.decode() for file in files}


def list_cached_objects(cache: Path) -> set[str]:
    stores = [store for store in cache.glob("git/*/*") if (store / "objects").is_dir()]
    check = ("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    return {line for store in stores for line in run_git(store, *check).splitlines()}


def test_a_named_target_goes_where_the_users_own_settings_lead(
    upstream: Upstream, server: HttpServer, cache: Path, settings: Callable[[str], None]
) -> None:
    settings(f'[url "{server.url}/vllm/.git"]\n\tinsteadOf = https://github.com/vllm-project/vllm\n')
    request = resolve_target("vllm", commit=upstream.second[:7], ref=None, table=None)
    with open_tree(request, cache=cache) as tree:
        assert settle_project(request, tree).name == "vllm"
        assert tree.origin.commit == upstream.second
        assert tree.origin.repo == "vllm-project/vllm"
        assert tree.origin.url == "https://github.com/vllm-project/vllm"
        assert read(tree, "vllm/worker.py") == {"vllm/worker.py": "def work():\n    raise TypeError('second')\n"}


@pytest.mark.parametrize(
    ("commit", "ref", "expected", "shown"),
    [
        (None, None, "third", "main"),
        (None, "main", "third", "main"),
        (None, "side", "side", "side"),
        (None, "v1", "first", "v1"),
        (None, "v2", "second", "v2"),
        (None, "refs/heads/side", "side", "refs/heads/side"),
        ("first", None, "first", None),
        ("second", None, "second", None),
    ],
)
@pytest.mark.parametrize("transport", ["http", "git", "file"])
@pytest.mark.usefixtures("settings")
def test_every_transport_gives_the_commit_that_was_asked_for(
    upstream: Upstream,
    cache: Path,
    transport: str,
    commit: str | None,
    ref: str | None,
    expected: str,
    shown: str | None,
) -> None:
    for sha in {None} if commit is None else {getattr(upstream, commit), getattr(upstream, commit)[:8]}:
        with (
            _serve(transport, upstream.folder.parent) as base,
            open_target(f"{base}/vllm/.git", cache, sha, ref) as tree,
        ):
            assert tree.origin.commit == getattr(upstream, expected)
            assert tree.origin.ref == shown
            assert tree.list_paths()[:2] == ("docs/large.txt", "vllm/__init__.py")
            assert read(tree, "vllm/config/model.py")["vllm/config/model.py"] == FILES["vllm/config/model.py"]
            tree.close()


@contextlib.contextmanager
def _serve(transport: str, root: Path) -> Iterator[str]:
    if transport == "git":
        with serve_daemon(root) as url:
            yield url
    elif transport == "http":
        with serve_http(root) as served:
            yield served.url
    else:
        run_git(root / "vllm", "config", "uploadpack.allowFilter", "true")
        yield root.as_uri()


@pytest.mark.usefixtures("settings")
def test_only_what_is_asked_for_is_fetched(upstream: Upstream, server: HttpServer, cache: Path) -> None:
    with open_target(f"{server.url}/vllm/.git", cache, upstream.second) as tree:
        assert "docs/large.txt" in tree.list_paths()
        assert not [line for line in list_cached_objects(cache) if line.endswith("blob")]
        server.forget()
        read(tree, "vllm/worker.py", "vllm/config/model.py")
    assert sum(request.startswith("POST") for request in server.requests) <= 2
    objects = list_cached_objects(cache)
    assert {line.split()[1] for line in objects} == {"commit", "tree", "blob"}
    assert sum(line.endswith("blob") for line in objects) == 2
    assert sum(line.endswith("commit") for line in objects) == 1


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("how", ["sha", "short", "ref", "default"])
def test_a_second_run_needs_no_server(upstream: Upstream, cache: Path, how: str) -> None:
    commit = {"sha": upstream.second, "short": upstream.second[:6]}.get(how)
    ref = "main" if how == "ref" else None
    with serve_http(upstream.folder.parent) as server:
        url = f"{server.url}/vllm/.git"
        with open_target(url, cache, commit, ref) as tree:
            before = (tree.origin, read(tree, "vllm/worker.py"))
    with open_target(url, cache, commit, ref) as tree:
        assert (tree.origin, read(tree, "vllm/worker.py")) == before
        assert bool(tree.notes) == (how in ("ref", "default"))
        with pytest.raises(SourceError, match="can't be reached"):
            read(tree, "docs/large.txt")


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("short", [False, True])
def test_a_commit_that_is_in_the_cache_costs_no_request(
    upstream: Upstream, server: HttpServer, cache: Path, short: bool
) -> None:
    commit = upstream.first[:9] if short else upstream.first
    with open_target(f"{server.url}/vllm/.git", cache, commit) as tree:
        read(tree, "vllm/worker.py")
    server.forget()
    with open_target(f"{server.url}/vllm/.git", cache, commit) as tree:
        read(tree, "vllm/worker.py")
    assert server.requests == []


@pytest.mark.usefixtures("settings")
def test_a_branch_that_moved_is_noticed(upstream: Upstream, server: HttpServer, cache: Path) -> None:
    url = f"{server.url}/vllm/.git"
    with open_target(url, cache) as tree:
        assert tree.origin.commit == upstream.third
    fourth = commit_files({"vllm/new.py": "assert 1\n"}, upstream.folder)
    with open_target(url, cache) as tree:
        assert tree.origin.commit == fourth
        assert read(tree, "vllm/new.py") == {"vllm/new.py": "assert 1\n"}
    with open_target(url, cache, fourth[:7]) as tree:
        assert tree.origin.commit == fourth


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("old_protocol", [False, True])
@pytest.mark.parametrize("takes_filters", [False, True])
@pytest.mark.parametrize("asked", ["main", "v2", None, "first", "short"])
def test_a_server_that_refuses_filters_and_bare_shas_still_works(
    upstream: Upstream, cache: Path, old_protocol: bool, takes_filters: bool, asked: str | None
) -> None:
    run_git(upstream.folder, "config", "uploadpack.allowAnySHA1InWant", "false")
    commit = {"first": upstream.first, "short": upstream.first[:7]}.get(asked or "")
    ref = None if commit else asked
    expected = {"main": upstream.third, "v2": upstream.second, None: upstream.third}.get(asked, upstream.first)
    serving = serve_http(upstream.folder.parent, old_protocol=old_protocol, takes_filters=takes_filters)
    with serving as server, open_target(f"{server.url}/vllm/.git", cache, commit, ref) as tree:
        assert tree.origin.commit == expected
        files = list(tree.read(tree.list_paths()))
        assert not [file for file in files if isinstance(file, Skipped)]
        assert read(tree, "docs/large.txt") == {"docs/large.txt": "x" * 5000}


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize(
    ("commit", "ref", "message"),
    [
        ("0123456789abcdef0123456789abcdef01234567", None, "no branch or tag of the repository has commit 0123"),
        ("0123456", None, "has no commit 0123456"),
        (None, "no-such-branch", "no tag or branch no-such-branch"),
    ],
)
def test_what_the_server_lacks_is_said(
    server: HttpServer, cache: Path, commit: str | None, ref: str | None, message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        open_target(f"{server.url}/vllm/.git", cache, commit, ref)


@pytest.mark.usefixtures("settings")
def test_an_ambiguous_short_sha_lists_what_it_could_mean(upstream: Upstream, server: HttpServer, cache: Path) -> None:
    one, other = make_twins(upstream.folder, upstream.third, digits=4)
    run_git(upstream.folder, "branch", "one", one)
    run_git(upstream.folder, "branch", "other", other)
    with pytest.raises(SourceError, match=r"is ambiguous: .*give more digits") as caught:
        open_target(f"{server.url}/vllm/.git", cache, one[:4])
    assert one[:8] in str(caught.value)
    assert other[:8] in str(caught.value)
    with open_target(f"{server.url}/vllm/.git", cache, one[:12]) as tree:
        assert tree.origin.commit == one


@pytest.mark.usefixtures("settings")
def test_wanted_credentials_are_never_asked_for(
    upstream: Upstream, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "asked"
    script = tmp_path / "ask"
    script.write_text(f"#!/bin/sh\ntouch {asked}\necho secret\n")
    script.chmod(0o755)
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        monkeypatch.setenv(name, str(script))
    refused = pytest.raises(SourceError, match="wants credentials, and errmine never asks")
    with serve_http(upstream.folder.parent, wants_password=True) as server, refused:
        open_target(f"{server.url}/vllm/.git", cache, upstream.first)
    assert not asked.exists()


@pytest.mark.usefixtures("settings")
def test_credentials_in_a_url_are_used_and_never_kept_or_shown(upstream: Upstream, cache: Path) -> None:
    with serve_http(upstream.folder.parent, wants_password=True) as server:
        url = server.url.replace("http://", "http://someone:s3cr3t@") + "/vllm/.git"
        request = resolve_target(url, commit=None, ref=None, table=None)
        with open_tree(request, cache=cache) as tree:
            read(tree, "vllm/worker.py")
            assert "s3cr3t" not in repr((request.text, tree.origin, request.project))
        assert server.authorized
    kept = [file for file in cache.rglob("*") if file.is_file() and b"s3cr3t" in file.read_bytes()]
    assert kept == []
    with pytest.raises(SourceError, match="can't be reached") as caught:
        open_target(url, cache, ref="side")
    assert "s3cr3t" not in f"{caught.value!r} {caught.value.__cause__!r}"


@pytest.mark.usefixtures("settings")
def test_something_that_is_no_repository_is_said_so(server: HttpServer, cache: Path) -> None:
    with pytest.raises(SourceError, match="no repository there"):
        open_target(f"{server.url}/nothing.git", cache)
    with pytest.raises(SourceError, match="no repository there"):
        open_target(f"file://{cache.parent}/nothing", cache)


@pytest.mark.usefixtures("settings")
def test_a_repository_without_a_commit_is_said_so(tmp_path: Path, cache: Path) -> None:
    run_git(tmp_path, "init", "--quiet", "--bare", "served/empty")
    with serve_http(tmp_path / "served") as server, pytest.raises(SourceError, match="no commit"):
        open_target(f"{server.url}/empty", cache)


@pytest.mark.usefixtures("settings")
def test_a_server_that_is_down_is_said_so(cache: Path) -> None:
    with pytest.raises(SourceError, match=r"127\.0\.0\.1:9/x: the server can't be reached"):
        open_target("http://127.0.0.1:9/x", cache)


SCAN = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from miner.targets import open_tree, resolve_target
request = resolve_target(sys.argv[2], commit=sys.argv[4] or None, ref=None, table=None)
with open_tree(request, cache=Path(sys.argv[3])) as tree:
    print(tree.origin.commit, sum(len(file.data) for file in tree.read(tree.list_paths())))
"""


def start_scan(url: str, cache: Path, commit: str = "") -> "subprocess.Popen[str]":
    root = Path(__file__).parent.parent
    command = [sys.executable, "-c", SCAN, str(root), url, str(cache), commit]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.usefixtures("settings")
def test_scans_at_the_same_time_share_the_cache(upstream: Upstream, server: HttpServer, cache: Path) -> None:
    commits = ["", upstream.first, upstream.second[:8], upstream.third, upstream.first[:8], ""]
    scans = [start_scan(f"{server.url}/vllm/.git", cache, commit) for commit in commits]
    results = [scan.communicate(timeout=60) for scan in scans]
    assert [errors for _, errors in results] == [""] * len(commits)
    assert [output.split()[0] for output, _ in results] == [
        *(upstream.third, upstream.first, upstream.second, upstream.third, upstream.first, upstream.third)
    ]


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_fetch_leaves_the_cache_usable(upstream: Upstream, cache: Path, kind: signal.Signals) -> None:
    with serve_http(upstream.folder.parent) as server:
        url = f"{server.url}/vllm/.git"
        server.delay = 0.5
        scan = start_scan(url, cache, upstream.first)
        while not server.requests:
            time.sleep(0.01)
        scan.send_signal(kind)
        scan.communicate(timeout=30)
        server.delay = 0.0
        (store,) = cache.glob("git/*/partial")
        (store / "shallow.lock").write_text("left behind")
        with open_target(url, cache, upstream.first) as tree:
            assert read(tree, "vllm/worker.py") == {"vllm/worker.py": FILES["vllm/worker.py"]}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.usefixtures("settings")
def test_a_cache_that_can_not_be_written_is_said_so(server: HttpServer, cache: Path) -> None:
    cache.mkdir(mode=0o500)
    with pytest.raises(SourceError, match="set ERRMINE_CACHE"):
        open_target(f"{server.url}/vllm/.git", cache)


@pytest.mark.usefixtures("settings")
def test_a_file_where_the_cache_should_be_is_said_so(server: HttpServer, cache: Path) -> None:
    cache.write_text("in the way")
    with pytest.raises(SourceError, match="set ERRMINE_CACHE"):
        open_target(f"{server.url}/vllm/.git", cache)


@pytest.mark.usefixtures("settings")
def test_a_server_can_not_make_the_scan_read_other_protocols(
    tmp_path: Path, cache: Path, settings: Callable[[str], None]
) -> None:
    mark = tmp_path / "ran"
    settings(f'[url "ext::touch {mark} "]\n\tinsteadOf = https://example.invalid/\n[protocol]\n\tallow = always\n')
    with pytest.raises(SourceError):
        open_target("https://example.invalid/x", cache)
    assert not mark.exists()


SSH = """#!/bin/sh
echo "$@" >> {log}
for last; do :; done
exec sh -c "$last"
"""


@pytest.mark.parametrize("how", ["variable", "setting"])
@pytest.mark.parametrize("form", ["ssh://git@example.invalid{path}", "git@example.invalid:{path}"])
def test_the_users_own_ssh_command_is_used(
    *,
    upstream: Upstream,
    cache: Path,
    tmp_path: Path,
    settings: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    form: str,
) -> None:
    script, log = tmp_path / "ssh", tmp_path / "log"
    script.write_text(SSH.format(log=log))
    script.chmod(0o755)
    if how == "variable":
        monkeypatch.setenv("GIT_SSH_COMMAND", str(script))
    else:
        settings(f"[core]\n\tsshCommand = {script}\n")
    run_git(upstream.folder, "config", "uploadpack.allowFilter", "true")
    with open_target(form.format(path=upstream.folder), cache, ref="v1") as tree:
        assert tree.origin.commit == upstream.first
        assert read(tree, "vllm/worker.py") == {"vllm/worker.py": FILES["vllm/worker.py"]}
    assert "git@example.invalid" in log.read_text()


@pytest.mark.usefixtures("settings")
@pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh here")
def test_ssh_that_gets_no_answer_is_said_so(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_SSH_COMMAND", raising=False)
    with pytest.raises(SourceError, match="the server can't be reached"):
        open_target("ssh://git@127.0.0.1:9/x", cache)


@pytest.mark.usefixtures("settings")
def test_what_is_no_commit_is_said_so(upstream: Upstream, server: HttpServer, cache: Path) -> None:
    tree = run_git(upstream.folder, "rev-parse", "HEAD^{tree}")
    with pytest.raises(SourceError, match=f"{tree} is no commit"):
        open_target(f"{server.url}/vllm/.git", cache, tree)
    tag = run_git(upstream.folder, "rev-parse", "v2")
    with open_target(f"{server.url}/vllm/.git", cache, tag) as opened:
        assert opened.origin.commit == upstream.second


@pytest.mark.usefixtures("settings")
def test_a_damaged_cache_is_filled_anew(upstream: Upstream, server: HttpServer, cache: Path) -> None:
    for _ in range(2):
        with open_target(f"{server.url}/vllm/.git", cache, upstream.second) as tree:
            assert read(tree, "vllm/worker.py") == {"vllm/worker.py": "def work():\n    raise TypeError('second')\n"}
        for pack in cache.rglob("*.pack"):
            pack.chmod(0o600)
            pack.write_bytes(b"damaged")


@pytest.mark.usefixtures("settings")
def test_seen_refs_that_were_damaged_are_seen_anew(upstream: Upstream, server: HttpServer, cache: Path) -> None:
    url = f"{server.url}/vllm/.git"
    open_target(url, cache).close()
    (seen,) = cache.glob("git/*/seen.json")
    assert json.loads(seen.read_text())[""]["commit"] == upstream.third
    seen.write_text("{")
    open_target(url, cache).close()
    assert json.loads(seen.read_text())[""]["commit"] == upstream.third


@pytest.mark.usefixtures("settings")
def test_nothing_is_left_in_the_temporary_folder(
    upstream: Upstream, server: HttpServer, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with open_target(f"{server.url}/vllm/.git", cache) as tree:
        read(tree, "vllm/worker.py")
    with pytest.raises(SourceError):
        open_target(f"{server.url}/nothing", cache)
    assert list(temporary.iterdir()) == []
    shutil.rmtree(upstream.folder)
