"""What a TARGET means, and which table a user may write."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from factories import write_files
from hypothesis import given
from hypothesis import strategies as st

from catalog.errors import ErrmineError, SourceError, TargetError
from miner.project import Project, find_packages, module_of, settle_packages
from miner.sources import Origin
from miner.sources.address import parse_address, redact
from miner.targets import (
    FolderPlace,
    ReleasePlace,
    RemotePlace,
    RepositoryPlace,
    Request,
    list_targets,
    open_tree,
    permalink,
    resolve_target,
    settle_project,
)


@pytest.fixture(autouse=True)
def _stand_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def resolve(text: str, commit: str | None = None, ref: str | None = None, table: Path | None = None) -> Request:
    return resolve_target(text, commit=commit, ref=ref, table=table)


def test_every_named_target_is_complete() -> None:
    projects = list_targets()
    names = [project.name for project in projects]
    assert names == sorted(names)
    wanted = {"vllm", "sglang", "transformers", "accelerate", "deepspeed", "ray", "litellm", "pydantic", "click"}
    assert wanted <= set(names)
    for project in projects:
        assert project.url is not None
        assert project.repo is not None
        assert project.url == f"https://github.com/{project.repo}"
        assert project.tracker == f"{project.url}/issues"
        assert project.packages
        assert project.config
        assert project.release
        inner = {package.rpartition("/")[2] for package in project.packages}
        assert {glob.partition("/")[0] for glob in project.config + project.vendored} <= inner


@pytest.mark.parametrize(
    ("text", "url", "name", "repo"),
    [
        ("vllm", "https://github.com/vllm-project/vllm", "vllm", "vllm-project/vllm"),
        ("vllm-project/vllm", "https://github.com/vllm-project/vllm", "vllm", "vllm-project/vllm"),
        ("VLLM-Project/vLLM", "https://github.com/VLLM-Project/vLLM", "vllm", "vllm-project/vllm"),
        (
            "https://github.com/vllm-project/vllm.git",
            "https://github.com/vllm-project/vllm.git",
            "vllm",
            "vllm-project/vllm",
        ),
        ("git@github.com:vllm-project/vllm", "git@github.com:vllm-project/vllm", "vllm", "vllm-project/vllm"),
        ("some-one/a.thing", "https://github.com/some-one/a.thing", "a.thing", "some-one/a.thing"),
        ("github.com/a/b", "https://github.com/a/b", "b", "a/b"),
        ("git+https://github.com/a/b", "https://github.com/a/b", "b", "a/b"),
        (
            "https://gitlab.com/group/sub/thing.git/",
            "https://gitlab.com/group/sub/thing.git/",
            "thing",
            "group/sub/thing",
        ),
        ("https://host.example:8443/x/thing", "https://host.example:8443/x/thing", "thing", None),
        ("ssh://git@host.example/x/thing.git", "ssh://git@host.example/x/thing.git", "thing", None),
        ("host.example:x/thing.git", "host.example:x/thing.git", "thing", None),
        ("git://host.example/thing", "git://host.example/thing", "thing", None),
        ("file:///srv/thing.git", "file:///srv/thing.git", "thing", None),
    ],
)
def test_names_slugs_and_urls_mean_a_remote(text: str, url: str, name: str, repo: str | None) -> None:
    request = resolve(text)
    assert isinstance(request.place, RemotePlace)
    assert request.place.address.url == url
    assert (request.project.name, request.project.repo) == (name, repo)


@pytest.mark.parametrize("text", ["vllm==0.28.0", "vllm == 0.28.0", "VLLM==0.28.0"])
def test_a_pinned_name_means_a_release_of_the_named_target(text: str) -> None:
    request = resolve(text)
    assert request.place == ReleasePlace("vllm", "0.28.0")
    assert request.project.config


def test_a_release_of_an_unnamed_project_goes_by_its_normal_name() -> None:
    assert resolve("Flask_SQLAlchemy==3.1").project.name == "flask-sqlalchemy"


def test_a_folder_is_a_folder_and_with_a_commit_a_repository(tmp_path: Path) -> None:
    write_files({"some/thing/a.py": "", "vllm/a.py": ""}, Path())
    assert resolve("some/thing").place == FolderPlace(Path("some/thing"))
    assert resolve("./vllm").place == FolderPlace(Path("vllm"))
    assert isinstance(resolve("vllm").place, RemotePlace)
    assert resolve("some/thing", ref="main").place == RepositoryPlace(Path("some/thing"), None, "main")
    assert resolve(str(tmp_path), commit="ABCDEF12").place == RepositoryPlace(tmp_path, "abcdef12", None)


HOSTILE = [
    "ext::sh -c touch% x",
    "ext::touch x",
    "fd::17",
    "transport::https://host/x",
    "--upload-pack=touch x",
    "-x",
    "-oProxyCommand=touch x",
    "ssh://-oProxyCommand=touch/x",
    "ssh://git@-oProxyCommand=touch/x",
    "ssh://-l@host/x",
    "git@-oProxyCommand=x:thing",
    "git@host:-x",
    "https://host/-x",
    "ftp://host/x",
    "javascript://host/x",
    "https://",
    "https://host",
    "https:///x",
    "https://[::1/x",
    "https://host:port/x",
    "https://host/x y",
    "https://host/x\ny",
    "https://host/\x1b[31mx",
    "a/b\x00",
    "",
    " ",
    "../..\x07",
    "a" * 5000,
    "./" + "a" * 5000,
    "~nobody-of-this-name/x",
    "github.com",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_target_is_refused_before_git_sees_it(text: str) -> None:
    with pytest.raises(TargetError) as caught:
        resolve(text)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "ref",
    [
        *("-x", "--upload-pack=touch x", "a..b", "a b", "a~1", "a^", "a:b", "a?", "a*", "a[", "a\\b", "@{-1}", "@", ""),
        *("/a", "a/", "a//b", ".a", "a/.b", "a.lock", "a.lock/b", "a.", "a\x00", "a\x1b[31m", "+main:main"),
    ],
)
def test_a_hostile_ref_is_refused_before_git_sees_it(ref: str) -> None:
    with pytest.raises(TargetError) as caught:
        resolve("vllm", ref=ref)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("ref", ["main", "v1.0", "feature/x-y_z", "release/1.2.x", "refs/pull/12/head", "日本", "a@b"])
def test_real_names_of_refs_are_taken(ref: str) -> None:
    assert resolve("vllm", ref=ref).place == RemotePlace(
        parse_address("https://github.com/vllm-project/vllm"), None, ref
    )


@pytest.mark.parametrize("commit", ["", "abc", "-x", "main", "0" * 41, "HEAD", "abcdefg", "1234567 ", "--all"])
def test_what_is_no_sha_is_no_commit(commit: str) -> None:
    if commit.strip() == "1234567":
        assert isinstance(resolve("vllm", commit=commit).place, RemotePlace)
        return
    with pytest.raises(SourceError, match="is no commit: give 4 to 40 hex digits"):
        resolve("vllm", commit=commit)


def test_an_unknown_name_is_told_what_is_near_it() -> None:
    with pytest.raises(TargetError, match="did you mean sglang"):
        resolve("sglan")
    with pytest.raises(TargetError, match="`errmine targets` lists the names"):
        resolve("zzzzzz")


@given(st.text(max_size=40))
def test_any_text_is_understood_or_refused_with_one_printable_line(text: str) -> None:
    try:
        request = resolve(text)
    except ErrmineError as error:
        assert str(error).isprintable()
    else:
        assert request.project.name.strip("-.") == request.project.name != ""
        assert "/" not in request.project.name


def test_credentials_are_never_shown() -> None:
    request = resolve("https://me:s3cr3t@github.com/a/b")
    assert isinstance(request.place, RemotePlace)
    assert request.place.address.secret == "https://me:s3cr3t@github.com/a/b"
    assert request.place.address.url == "https://github.com/a/b"
    assert "s3cr3t" not in repr((request.text, request.project, request.place.address.public))
    assert (
        redact("fatal: https://me:s3cr3t@host/x and ssh://git@host/y")
        == "fatal: https://***@host/x and ssh://***@host/y"
    )


def write_table(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "errmine.toml"
    file.write_text(text)
    return file


def test_a_users_table_adds_and_overrides(tmp_path: Path) -> None:
    table = write_table(
        tmp_path,
        """
        [targets.mine]
        url = "https://gitlab.com/me/mine"
        packages = ["src/mine/"]
        config = ["mine/settings.py"]
        [targets.vllm]
        config = ["vllm/v1/**"]
        [targets.only-released]
        release = "Only-Released"
        """,
    )
    known = {project.name: project for project in list_targets(table)}
    assert known["mine"] == Project(
        name="mine",
        repo="me/mine",
        url="https://gitlab.com/me/mine",
        packages=("src/mine",),
        config=("mine/settings.py",),
        tracker="https://gitlab.com/me/mine/issues",
    )
    assert known["vllm"].config == ("vllm/v1/**",)
    assert known["vllm"].packages == ("vllm",)
    assert resolve("mine", table=table).project == known["mine"]
    with pytest.raises(TargetError, match="only-released has no url"):
        resolve("only-released", table=table)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[targets.x", "is no TOML"),
        ("targets = 1", "expected a table for each target"),
        ("[targets]\nx = 1", r"targets\.x: expected a table"),
        ('[targets.x]\nurl = "https://h/x"\nscope = []', r"targets\.x\.scope: unknown key"),
        ("[targets.x]\nurl = 1", r"targets\.x\.url: expected a text"),
        ('[targets.x]\nurl = "https://h/x"\nconfig = "a"', r"targets\.x\.config: expected a list of texts"),
        ('[targets.x]\nurl = "https://h/x"\nconfig = [1]', r"targets\.x\.config: expected a list of texts"),
        ("[targets.x]\npackages = ['x']", "needs a url or a release"),
        ('[targets.x]\nurl = "ext::sh"', "remote helpers are not allowed"),
        ('[targets.x]\nurl = "https://me:pw@h/x"', "leave credentials out"),
        ('[targets."../x"]\nurl = "https://h/x"', "a name has letters"),
    ],
)
def test_a_wrong_table_is_told_where_it_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TargetError, match=message):
        list_targets(write_table(tmp_path, text))


def test_a_table_that_can_not_be_read_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="can't be read"):
        list_targets(tmp_path / "nothing.toml")
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(TargetError, match="can't be read"):
        list_targets(tmp_path / "latin.toml")


@pytest.mark.parametrize(
    ("paths", "packages"),
    [
        (["pyproject.toml", "pkg/__init__.py", "pkg/sub/__init__.py", "tests/__init__.py", "docs/conf.py"], ("pkg",)),
        (["pyproject.toml", "src/pkg/__init__.py", "src/other/__init__.py"], ("src/other", "src/pkg")),
        (["python/pyproject.toml", "python/pkg/__init__.py", "scripts/x.py"], ("python/pkg",)),
        (["setup.py", "six.py", "test_six.py"], ("six.py",)),
        (["setup.cfg", "src/six.py"], ("src/six.py",)),
        (["setup.py", "pkg/a.py", "x.py"], ("pkg",)),
        (["pyproject.toml", "google/cloud/thing/__init__.py"], ("google",)),
        (["setup.py", "tests/__init__.py"], ("tests",)),
        (["thing.dist-info/METADATA", "thing/__init__.py", "thing_extra.py"], ("thing", "thing_extra.py")),
        (["json/__init__.py", "argparse.py", "test/__init__.py", "test/setup.py"], ("argparse.py", "json", "test")),
        (["pkg/__init__.py", "pkg/csrc/setup.py", "pkg/csrc/ext/__init__.py"], ("pkg",)),
        (["main.py"], ("main.py",)),
        (["my-app/app/__init__.py"], ("my-app/app",)),
        (["README"], ()),
    ],
)
def test_packages_are_found_as_they_can_be_imported(paths: list[str], packages: tuple[str, ...]) -> None:
    assert find_packages(paths) == packages


@pytest.mark.parametrize(
    ("path", "packages", "module"),
    [
        ("vllm/config/__init__.py", ("vllm",), "vllm.config"),
        ("vllm/__init__.py", ("vllm",), "vllm"),
        ("python/sglang/srt/x.py", ("python/sglang",), "sglang.srt.x"),
        ("src/pkg/__init__.py", ("src/pkg",), "pkg"),
        ("src/pkg/__main__.py", ("src/pkg",), "pkg.__main__"),
        ("src/six.py", ("src/six.py",), "six"),
        ("google/cloud/x.py", ("google",), "google.cloud.x"),
        ("setup.py", ("pkg",), "setup"),
        ("scripts/run.py", ("pkg",), "scripts.run"),
        ("pkgs/a.py", ("pkg",), "pkgs.a"),
        ("__init__.py", (), "__init__"),
    ],
)
def test_a_module_is_named_from_its_package_on(path: str, packages: tuple[str, ...], module: str) -> None:
    assert module_of(path, Project("x", packages=packages)) == module


@pytest.mark.parametrize(
    ("declared", "paths", "packages"),
    [
        ("python/sglang", ["python/sglang/__init__.py"], ("python/sglang",)),
        ("python/sglang", ["sglang/__init__.py", "other/__init__.py"], ("sglang",)),
        ("click", ["src/click/__init__.py", "pyproject.toml"], ("src/click",)),
        ("moved", ["pyproject.toml", "now/__init__.py"], ("now",)),
    ],
)
def test_declared_packages_are_fitted_to_the_tree(declared: str, paths: list[str], packages: tuple[str, ...]) -> None:
    assert settle_packages(Project("x", packages=(declared,)), paths).packages == packages


@pytest.mark.parametrize(
    ("files", "name", "borrows"),
    [
        ({"vllm/__init__.py": "", "vllm/config/model.py": ""}, "folder", True),
        (
            {"pyproject.toml": "", "python/sglang/__init__.py": "", "python/sglang/srt/server_args.py": ""},
            "folder",
            True,
        ),
        ({"vllm/__init__.py": ""}, "folder", False),
        (
            {"vllm/__init__.py": "", "vllm/config/a.py": "", "click/__init__.py": "", "click/core.py": ""},
            "folder",
            False,
        ),
        ({"mine/__init__.py": "", "mine/config/a.py": ""}, "folder", False),
    ],
)
def test_a_copy_of_a_named_target_borrows_its_table_and_keeps_its_name(
    files: dict[str, str], name: str, borrows: bool
) -> None:
    write_files(files, Path("folder"))
    request = resolve("./folder")
    with open_tree(request, cache=Path("cache")) as tree:
        project = settle_project(request, tree)
    assert project.name == name
    assert bool(project.config) == borrows


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://github.com/a/b", "https://github.com/a/b/blob/{}/p%20q/%C3%A9.py#L7"),
        ("https://gitlab.com/a/b/c", "https://gitlab.com/a/b/c/-/blob/{}/p%20q/%C3%A9.py#L7"),
        ("https://codeberg.org/a/b", "https://codeberg.org/a/b/src/commit/{}/p%20q/%C3%A9.py#L7"),
        ("https://bitbucket.org/a/b", "https://bitbucket.org/a/b/src/{}/p%20q/%C3%A9.py#lines-7"),
        ("https://host.example/a/b", None),
        (None, None),
    ],
)
def test_a_permalink_is_the_forges_page_of_the_line(url: str | None, link: str | None) -> None:
    commit = "c" * 40
    origin = Origin(url=url, commit=commit)
    assert permalink(origin, "p q/é.py", 7) == (None if link is None else link.format(commit))
    assert permalink(Origin(url=url, commit=commit, dirty=True), "a.py", 7) is None
    assert permalink(Origin(url=url), "a.py", 7) is None
    assert permalink(origin, "caf\\xe9.py", 7) is None


def test_understanding_a_target_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Callable[[], None]:
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket, "create_connection", refuse)
    for text in ("vllm", "a/b", "https://host/x", "x==1"):
        resolve(text)
