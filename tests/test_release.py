"""Releases from real package indexes: served on the loopback address, on disk, and once the one pip is set up for."""

import base64
import contextlib
import gzip
import hashlib
import http.server
import io
import json
import os
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from catalog.errors import SourceError, TargetError
from catalog.records import Skipped
from miner.project import module_of
from miner.sources import Tree
from miner.sources.release import open_release
from miner.targets import open_tree, resolve_target, settle_project

Files = Mapping[str, bytes]


def make_sdist(files: Files, top: str = "thing-1.0/") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(top + name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def make_zip(files: Files, top: str = "") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(top + name, data)
    return packed.getvalue()


@dataclass
class Index:
    """A package index whose pages and files a test may change while it is served."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    promised: dict[str, str] = field(default_factory=dict)
    """Digests other than the files' own; an empty one is not given at all."""
    yanked: set[str] = field(default_factory=set)
    status: int = 200
    password: str | None = None
    requests: list[str] = field(default_factory=list)

    def render_page(self) -> bytes:
        rows = []
        for name, data in sorted(self.files.items()):
            digest = self.promised.get(name, hashlib.sha256(data).hexdigest())
            fragment = f"#sha256={digest}" if digest else ""
            yanked = ' data-yanked="broken"' if name in self.yanked else ""
            rows.append(f'<a href="/files/{name}{fragment}" data-requires-python="&gt;=3.99"{yanked}>{name}</a>')
        return "\n".join(rows).encode()


@contextlib.contextmanager
def serve_index() -> Iterator[Index]:
    index = Index()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            index.requests.append(self.path)
            given = self.headers.get("Authorization", "")
            wanted = "" if index.password is None else base64.b64encode(index.password.encode()).decode()
            if not given.endswith(wanted) or (wanted and not given):
                self._answer(401, b"")
            elif index.status != 200:
                self._answer(index.status, b"")
            elif self.path == "/simple/thing/":
                self._answer(200, index.render_page())
            else:
                data = index.files.get(self.path.removeprefix("/files/"))
                self._answer(404 if data is None else 200, data or b"")

        do_HEAD = do_GET  # noqa: N815

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: the tests read `requests`."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    index.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield index
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def index() -> Iterator[Index]:
    with serve_index() as served:
        yield served


Open = Callable[..., Tree]


@pytest.fixture
def open_thing(tmp_path: Path) -> Open:
    def opened(index: Index, version: str = "1.0", **environment: str) -> Tree:
        settings = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": f"{index.url}/simple", **environment}
        return open_release("thing", version, tmp_path / "cache", settings)

    return opened


def read(tree: Tree, *paths: str) -> dict[str, bytes | str]:
    files = tree.read(paths)
    return {file.path: file.reason if isinstance(file, Skipped) else file.data for file in files}


SOURCE = {"pyproject.toml": b"", "src/thing/__init__.py": b"", "src/thing/a.py": b"one\n", "tests/test_a.py": b""}


def test_a_source_archive_is_read_from_below_its_top_folder(index: Index, open_thing: Open) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    index.files["thing-1.0-py3-none-any.whl"] = make_zip({"thing/a.py": b"wheel\n"})
    with open_thing(index) as tree:
        assert tree.origin.release == "1.0"
        assert tree.list_paths() == tuple(sorted(SOURCE))
        assert read(tree, "src/thing/a.py", "pyproject.toml", "b.py") == {
            "src/thing/a.py": b"one\n",
            "pyproject.toml": b"",
            "b.py": "no such file",
        }


def test_a_wheel_is_read_where_there_is_no_source_archive_whatever_its_platform(index: Index, open_thing: Open) -> None:
    for tag in ("cp39-cp39-win_amd64", "cp310-cp310-macosx_11_0_arm64", "cp310-cp310-manylinux_2_17_x86_64"):
        index.files[f"thing-1.0-{tag}.whl"] = make_zip(
            {"thing/a.py": tag.encode(), "thing-1.0.dist-info/METADATA": b""}
        )
    with open_thing(index) as tree:
        assert tree.list_paths() == ("thing-1.0.dist-info/METADATA", "thing/a.py")
        assert read(tree, "thing/a.py") == {"thing/a.py": b"cp310-cp310-manylinux_2_17_x86_64"}
    index.files["thing-1.0-py2.py3-none-any.whl"] = make_zip({"thing/a.py": b"any"})


def test_a_wheels_data_folder_is_put_where_it_is_installed(index: Index, open_thing: Open) -> None:
    index.files["thing-1.0-py3-none-any.whl"] = make_zip({"thing-1.0.data/purelib/thing/a.py": b"1"})
    with open_thing(index) as tree:
        assert tree.list_paths() == ("thing/a.py",)


def test_a_zipped_source_archive_is_read_too(index: Index, open_thing: Open) -> None:
    index.files["thing-1.0.zip"] = make_zip(SOURCE, top="thing-1.0/")
    with open_thing(index) as tree:
        assert tree.list_paths() == tuple(sorted(SOURCE))
        assert read(tree, "src/thing/a.py") == {"src/thing/a.py": b"one\n"}


def test_a_repository_and_a_release_give_the_same_module_names(index: Index, tmp_path: Path) -> None:
    wheel = {"sglang/__init__.py": b"", "sglang/srt/x.py": b""}
    request = resolve_target("sglang==1.0", commit=None, ref=None, table=None)
    archive = tmp_path / "sglang-1.0-py3-none-any.whl"
    archive.write_bytes(make_zip(wheel))
    settings = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    with open_release("sglang", "1.0", tmp_path / "cache", settings) as tree:
        project = settle_project(request, tree)
        assert [module_of(path, project) for path in tree.list_paths()] == ["sglang", "sglang.srt.x"]


@pytest.mark.parametrize(("asked", "found"), [("1.0", "1.0"), ("1", "1.0"), ("1.0.0", "1.0"), ("v1.0", "1.0")])
def test_versions_are_compared_as_versions(index: Index, open_thing: Open, asked: str, found: str) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    with open_thing(index, asked) as tree:
        assert tree.origin.release == found


def test_a_yanked_release_is_read_when_it_is_named(index: Index, open_thing: Open) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    index.yanked.add("thing-1.0.tar.gz")
    open_thing(index).close()


def test_a_version_that_is_not_there_names_those_near_it(index: Index, open_thing: Open) -> None:
    for version in ("0.1", "0.8", "0.9", "0.10", "1.2", "1.3", "1.4", "1.5", "2.0rc1"):
        index.files[f"thing-{version}.tar.gz"] = make_sdist(SOURCE)
    with pytest.raises(SourceError, match=r"no thing==1.0; near it are 0.8, 0.9, 0.10, 1.2, 1.3, 1.4$"):
        open_thing(index)


def test_a_project_that_is_not_there_is_said_so(index: Index, open_thing: Open) -> None:
    with pytest.raises(SourceError, match="the package index has no thing"):
        open_thing(index)
    with pytest.raises(SourceError, match="is no version"):
        open_thing(index, "one")


def test_a_release_without_readable_archive_is_said_so(index: Index, open_thing: Open) -> None:
    index.files["thing-1.0.tar.xz"] = b"?"
    with pytest.raises(SourceError, match="neither a source archive nor a wheel"):
        open_thing(index)


@pytest.mark.parametrize("promise", ["0" * 64, hashlib.sha256(b"another").hexdigest()])
def test_a_changed_archive_is_refused_and_not_kept(
    index: Index, open_thing: Open, tmp_path: Path, promise: str
) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    index.promised["thing-1.0.tar.gz"] = promise
    with pytest.raises(SourceError, match="the index promises sha256"):
        open_thing(index)
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["lock"]


def test_an_archive_without_digest_is_read_with_a_note(index: Index, open_thing: Open) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    index.promised["thing-1.0.tar.gz"] = ""
    for _ in range(2):
        with open_thing(index) as tree:
            assert "could not be verified" in tree.notes[0]


def test_a_second_run_needs_no_index(tmp_path: Path, open_thing: Open) -> None:
    with serve_index() as index:
        index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
        with open_thing(index) as tree:
            before = list(tree.read(tree.list_paths()))
        index.requests.clear()
        open_thing(index, "1.0.0").close()
        assert index.requests == []
    with open_thing(index) as tree:
        assert list(tree.read(tree.list_paths())) == before
    with pytest.raises(SourceError, match=r"can't be asked .*refused"):
        open_thing(index, "2.0")


def test_a_kept_archive_that_was_changed_since_is_fetched_anew(index: Index, open_thing: Open, tmp_path: Path) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    open_thing(index).close()
    (kept,) = tmp_path.rglob("thing-1.0.tar.gz")
    kept.write_bytes(make_sdist({"evil.py": b""}))
    with open_thing(index) as tree:
        assert tree.list_paths() == tuple(sorted(SOURCE))


@pytest.mark.parametrize(("status", "password"), [(500, None), (403, None), (200, "user:right")])
def test_an_index_that_refuses_is_not_taken_for_one_that_lacks_the_project(
    index: Index, open_thing: Open, status: int, password: str | None
) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    index.status, index.password = status, password
    with pytest.raises(SourceError, match="can't be asked for thing"):
        open_thing(index)


def test_credentials_of_the_index_are_used_and_never_kept_or_shown(
    index: Index, open_thing: Open, tmp_path: Path
) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    index.password = "user:s3cr3t"
    url = index.url.replace("http://", "http://user:s3cr3t@") + "/simple"
    open_thing(index, PIP_INDEX_URL=url).close()
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and b"s3cr3t" in file.read_bytes()]
    index.status = 500
    with pytest.raises(SourceError) as caught:
        open_thing(index, "2.0", PIP_INDEX_URL=url)
    assert "s3cr3t" not in str(caught.value)


def test_netrc_is_honoured(index: Index, open_thing: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    index.password = "user:s3cr3t"
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login user password s3cr3t\n")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    open_thing(index).close()


def test_every_place_that_pip_would_look_in_is_looked_in(tmp_path: Path, open_thing: Open) -> None:
    with serve_index() as first, serve_index() as second:
        first.files["thing-1.0.tar.gz"] = make_sdist({"a.py": b"first"})
        second.files["thing-2.0.tar.gz"] = make_sdist({"a.py": b"second"}, top="thing-2.0/")
        links = tmp_path / "links"
        links.mkdir()
        (links / "thing-3.0-py3-none-any.whl").write_bytes(make_zip({"a.py": b"third"}))
        places = {"PIP_EXTRA_INDEX_URL": f"{second.url}/simple", "PIP_FIND_LINKS": str(links)}
        for version, content in [("1.0", b"first"), ("2.0", b"second"), ("3.0", b"third")]:
            with open_thing(first, version, **places) as tree:
                assert read(tree, "a.py") == {"a.py": content}
        down = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", **places}
        with open_thing(first, "2.0", **down) as tree:
            assert read(tree, "a.py") == {"a.py": b"second"}
        with pytest.raises(SourceError, match=r"has no thing==2\.0"):
            open_thing(first, "2.0", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(links))


def test_a_settings_file_is_read_and_the_environment_wins(index: Index, open_thing: Open, tmp_path: Path) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    file = tmp_path / "pip.conf"
    file.write_text(f"[global]\nindex-url = http://127.0.0.1:9/\n[install]\nindex_url = {index.url}/simple\n")
    open_release("thing", "1.0", tmp_path / "one", {"PIP_CONFIG_FILE": str(file)}).close()
    file.write_text("[global]\nindex-url = http://127.0.0.1:9/\n")
    open_thing(index, PIP_CONFIG_FILE=str(file)).close()
    file.write_text("no section\n")
    with pytest.raises(SourceError, match=r"pip's settings in .* can't be read"):
        open_thing(index, PIP_CONFIG_FILE=str(file))


def test_a_certificate_file_that_is_missing_is_said_so(index: Index, open_thing: Open) -> None:
    with pytest.raises(SourceError, match="certificates that pip is told to use"):
        open_thing(index, PIP_CERT="/nowhere/ca.pem")


def test_releases_are_pinned_exactly() -> None:
    for text in ("thing==latest", "thing>=1", "thing~=1.0", "thing==", "thing===1", "thing==1.*", "thing[x]==1.0"):
        with pytest.raises(TargetError, match=r"write name==version|is no target|unknown target"):
            resolve_target(text, commit=None, ref=None, table=None)
    with pytest.raises(TargetError, match="--commit and --ref are for repositories"):
        resolve_target("thing==1.0", commit="0123456", ref=None, table=None)


def add_member(archive: tarfile.TarFile, name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> None:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    info.size = 4 if kind == tarfile.REGTYPE else 0
    archive.addfile(info, io.BytesIO(b"evil") if kind == tarfile.REGTYPE else None)


def test_nothing_in_a_tar_leads_out_of_it(index: Index, open_thing: Open, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        add_member(archive, "thing-1.0/good.py")
        for name in ("../up.py", "/etc/abs.py", "thing-1.0/../../deep.py", "thing-1.0/a//b.py", "thing-1.0/..\\w.py"):
            add_member(archive, name)
        add_member(archive, "thing-1.0/link.py", tarfile.SYMTYPE, "/etc/passwd")
        add_member(archive, "thing-1.0/hard.py", tarfile.LNKTYPE, "thing-1.0/good.py")
        add_member(archive, "thing-1.0/pipe.py", tarfile.FIFOTYPE)
        add_member(archive, "thing-1.0/twice.py")
        add_member(archive, "thing-1.0/twice.py")
        add_member(archive, "thing-1.0/./dot.py")
    index.files["thing-1.0.tar.gz"] = packed.getvalue()
    with open_thing(index) as tree:
        assert tree.list_paths() == ("good.py",)
        reasons = {each.path: each.reason for each in tree.list_unreadable()}
    assert reasons == {
        "../up.py": "its name leads out of the archive",
        "/etc/abs.py": "its name leads out of the archive",
        "../../deep.py": "its name leads out of the archive",
        "./dot.py": "its name leads out of the archive",
        "a//b.py": "its name leads out of the archive",
        "..\\w.py": "its name leads out of the archive",
        "hard.py": "a hard link in the archive",
        "link.py": "a symbolic link in the archive",
        "pipe.py": "no file in the archive",
        "twice.py": "twice in the archive",
    }
    assert not list(tmp_path.rglob("*.py"))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_nothing_in_a_zip_leads_out_of_it(index: Index, open_thing: Open) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("thing/good.py", "../up.py", "/abs.py", "thing/twice.py", "thing/twice.py", "C:/w.py"):
            archive.writestr(name, b"1")
        link = zipfile.ZipInfo("thing/link.py")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    index.files["thing-1.0-py3-none-any.whl"] = packed.getvalue()
    with open_thing(index) as tree:
        assert tree.list_paths() == ("thing/good.py",)
        assert {each.path: each.reason for each in tree.list_unreadable()} == {
            "../up.py": "its name leads out of the archive",
            "/abs.py": "its name leads out of the archive",
            "C:/w.py": "its name leads out of the archive",
            "thing/link.py": "a symbolic link in the archive",
            "thing/twice.py": "twice in the archive",
        }


def make_tar_bomb() -> bytes:
    header = tarfile.TarInfo("thing-1.0/a.py")
    header.size = 256 << 20
    zeros = b"\0" * (1 << 20)
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        file.write(header.tobuf())
        for _ in range(256):
            file.write(zeros)
    return packed.getvalue()


def make_header_bomb() -> bytes:
    header = tarfile.TarInfo("thing-1.0/pax")
    header.type = tarfile.XHDTYPE
    header.size = 48 << 20
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        file.write(header.tobuf() + b"\0" * header.size)
    return packed.getvalue()


def make_zip_bomb() -> bytes:
    return make_zip({"a.py": b"\0" * (200 << 20)})


def make_overlapping_zip() -> bytes:
    """Let each of many entries of the directory claim the same packed bytes."""
    packed = bytearray(make_zip({f"{number:02}.py": os.urandom(2000) for number in range(20)}))
    place = packed.find(b"PK\x01\x02")
    while place >= 0:
        packed[place + 42 : place + 46] = (0).to_bytes(4, "little")
        packed[place + 20 : place + 24] = (30000).to_bytes(4, "little")
        place = packed.find(b"PK\x01\x02", place + 4)
    return bytes(packed)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("thing-1.0.tar.gz", make_tar_bomb),
        ("thing-1.0.tar.gz", make_header_bomb),
        ("thing-1.0.zip", make_zip_bomb),
        ("thing-1.0-py3-none-any.whl", make_zip_bomb),
        ("thing-1.0.zip", make_overlapping_zip),
    ],
)
def test_bombs_are_refused(index: Index, open_thing: Open, name: str, make: Callable[[], bytes]) -> None:
    index.files[name] = make()
    with pytest.raises(SourceError, match="is a bomb"):
        open_thing(index)


@pytest.mark.parametrize(
    "name", ["thing-1.0.tar.gz", "thing-1.0.zip", "thing-1.0-py3-none-any.whl", "thing-1.0.tar.bz2"]
)
@pytest.mark.parametrize("kept", [0, 10, 300])
def test_a_broken_archive_is_one_clear_error(index: Index, open_thing: Open, name: str, kept: int) -> None:
    data = {"a.py": os.urandom(3000)}
    index.files[name] = (make_sdist(data) if "tar" in name else make_zip(data))[:kept]
    with pytest.raises(SourceError, match="can't be read as an archive"):
        open_thing(index)


def test_a_damaged_member_of_a_zip_is_skipped_and_its_neighbours_are_read(index: Index, open_thing: Open) -> None:
    packed = bytearray(make_zip({"a.py": b"first" * 50, "b.py": os.urandom(500), "c.py": b"third"}))
    place = packed.find(b"b.py") + 100
    packed[place] ^= 0xFF
    index.files["thing-1.0-py3-none-any.whl"] = bytes(packed)
    with open_thing(index) as tree:
        contents = read(tree, "a.py", "b.py", "c.py")
    assert (contents["a.py"], contents["c.py"]) == (b"first" * 50, b"third")
    assert str(contents["b.py"]).startswith("damaged in the archive")


def test_what_is_kept_names_no_index(index: Index, open_thing: Open, tmp_path: Path) -> None:
    index.files["thing-1.0.tar.gz"] = make_sdist(SOURCE)
    open_thing(index).close()
    (pin,) = tmp_path.rglob("1.json")
    assert set(json.loads(pin.read_text())) == {"file", "sha256", "version", "notes"}


@pytest.mark.network
def test_a_real_release_is_read_from_the_index_that_pip_is_set_up_for(tmp_path: Path) -> None:
    request = resolve_target("click==8.1.7", commit=None, ref=None, table=None)
    with open_tree(request, cache=tmp_path) as tree:
        project = settle_project(request, tree)
        assert (tree.origin.release, project.packages) == ("8.1.7", ("src/click",))
        assert "class BadParameter" in str(read(tree, "src/click/exceptions.py"))
