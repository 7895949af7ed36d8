"""The server as its clients see it: a real one, in a process of its own."""

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from exporting import NASTY, make_hostile, make_shop
from factories import make_catalog, make_entry
from serving import COMMAND, ROOT, Server, run_server

from catalog import store
from catalog.changes.answer import build_answer
from catalog.diff import find_changes
from catalog.publish.site.rendering import POLICY
from catalog.publish.site.site import Site
from catalog.publish.site.volume import wrap_catalog
from catalog.records import Catalog, Entry

SECRET = "hunter2-in-the-log"
LOG = f"""Traceback (most recent call last):
  File "/opt/app/shop/cart.py", line 12, in resize
    raise ValueError(f"size must be positive, got {{size}}")
ValueError: size must be positive, got {SECRET}
"""


def make_versions() -> tuple[Catalog, Catalog]:
    """Give two releases of one target: an error has another condition, another id, one is gone and one is new."""
    shop = make_shop()
    resize, close, pay = shop.entries
    older = make_catalog([resize, close, pay], target__release="1.0", target__commit=None, options=shop.options)
    new = make_entry(id="4" * 16, site__line=50, message="a coupon for {shop} is no {kind}", site__qualname="coupon")
    changed = make_entry(
        id="5" * 16,
        previous=("1" * 16,),
        guard__branch="size < 0",
        guard__condition="size < 0",
        fingerprint__guard="5" * 16,
        options=resize.options,
    )
    return older, make_catalog([changed, close, new], target__release="1.1", target__commit=None, options=shop.options)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("catalogs")
    older, newer = make_versions()
    for name, catalog in (("old", older), ("new", newer), ("hostile", make_hostile())):
        store.write_catalog(catalog, folder / f"{name}.json")
    names = ("old.json", "new.json", "hostile.json")
    with run_server([folder / name for name in names], "--max-body", "100000", "--patience", "1.5") as running:
        yield running


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=20, trust_env=False) as http:
        yield http


def ask(client: httpx.Client, address: str, **query: Any) -> Any:
    answer = client.get(address, params=query or None)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def test_it_lists_what_it_serves(client: httpx.Client) -> None:
    served = ask(client, "/api")
    named = [(each["target"]["name"], each["target"]["release"], each["entries"]) for each in served["catalogs"]]
    assert named[1:] == [("shop", "1.1", 3), ("shop", "1.0", 3)]
    assert ask(client, served["contract"])["openapi"].startswith("3.1")


def test_an_entry_is_given_as_the_site_has_it(client: httpx.Client) -> None:
    answer = ask(client, f"/api/errors/{'2' * 16}")
    older, newer = make_versions()
    entry = next(entry for entry in newer.entries if entry.id == "2" * 16)
    assert store.load_record(json.dumps(answer["entry"]).encode(), Entry, "answer") == entry
    assert answer["target"]["release"] == "1.1"
    assert [(step["version"], step["change"]) for step in answer["lineage"]][1:] == [("1.1", "unchanged")]
    assert client.get(f"/api/errors/{'2' * 16}.json").json() == answer
    hostile = make_hostile()
    site = Site.of([wrap_catalog(catalog) for catalog in (older, newer, hostile)])
    for id_ in site.library.leaves:
        page = site.render(f"api/errors/{id_}.json")
        assert page is not None
        assert client.get(f"/api/errors/{id_}").content == page.body


def test_an_entry_brings_its_note_and_what_is_related(tmp_path: Path) -> None:
    store.write_catalog(make_shop(), tmp_path / "shop.json")
    with run_server([tmp_path / "shop.json"]) as server, httpx.Client(base_url=server.address, trust_env=False) as http:
        answer = ask(http, f"/api/errors/{'1' * 16}")
        assert [other["id"][0] for other in answer["related"]] == ["2", "3"]
        assert answer["note"]["meaning"] == "The size is too small; set `--size`."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/api/errors/1111111111111111", "/api/errors/5555555555555555"),
        ("/api/errors/1111111111111111.json", "/api/errors/5555555555555555"),
        ("/errors/1111111111111111.html", "/errors/5555555555555555.html"),
        ("/errors/1111111111111111", "/errors/5555555555555555.html"),
        ("/errors/2222222222222222", "/errors/2222222222222222.html"),
        ("/errors/1111111111111111/", "/errors/5555555555555555.html"),
    ],
)
def test_what_has_moved_redirects(old: str, new: str, client: httpx.Client) -> None:
    answer = client.get(old)
    assert (answer.status_code, answer.headers["location"]) == (308, new)


def test_an_entry_that_was_removed_is_shown_as_it_was_last(client: httpx.Client) -> None:
    answer = ask(client, f"/api/errors/{'3' * 16}")
    assert answer["target"]["release"] == "1.0"
    assert answer["lineage"][-1]["change"] == "removed"
    missing = client.get("/api/errors/" + "9" * 16)
    assert (missing.status_code, missing.json()) == (404, {"error": "no entry has the id " + "9" * 16})


def test_the_pages_are_those_of_the_site(client: httpx.Client) -> None:
    site = Site.of([wrap_catalog(catalog) for catalog in (*make_versions(), make_hostile())])
    for path in site.paths():
        if path.startswith("errors/") and path[7:23] in site.library.moved:
            continue
        page, answer = site.render(path), client.get(f"/{path}")
        assert page is not None
        assert (answer.status_code, answer.content) == (200, page.body), path
        assert answer.headers["content-type"] == page.media_type
        if page.media_type.startswith("text/html"):
            assert answer.headers["content-security-policy"].startswith(POLICY)
    assert client.get("/").content == client.get("/index.html").content
    assert client.get("/shop/").content == client.get("/shop/index.html").content


def test_what_is_not_there_is_said_to_people_as_a_page(client: httpx.Client) -> None:
    answer = client.get("/nothing/", headers={"accept": "text/html,*/*"})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith(POLICY)
    assert client.get("/nothing/").json() == {"error": "nothing is at this address"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, "524"),
        ({"version": "1.0"}, "123"),
        ({"kind": "assert"}, "2"),
        ({"kind": ["assert", "raise"]}, "524"),
        ({"path": "shop"}, "524"),
        ({"path": "shop/pay", "version": "1.0"}, "3"),
        ({"option": "--size"}, "5"),
        ({"exception": "ValueError"}, "54"),
        ({"family": "wrong-state"}, "2"),
        ({"q": "COUPON kind"}, "4"),
        ({"q": "nothing like that"}, ""),
        ({"offset": 1, "limit": 1}, "2"),
        ({"offset": 99}, ""),
    ],
)
def test_errors_are_listed_by_what_is_asked(query: dict[str, Any], expected: str, client: httpx.Client) -> None:
    answer = ask(client, "/api/errors", target="shop", **query)
    assert "".join(error["id"][0] for error in answer["errors"]) == expected


def test_a_list_is_walked_page_by_page(client: httpx.Client) -> None:
    answer: Any = {}
    address, seen = "/api/errors?limit=7&q=", []
    while address:
        answer = ask(client, address)
        assert len(answer["errors"]) <= 7
        seen += [error["id"] for error in answer["errors"]]
        address = answer["next"]
    assert len(seen) == len(set(seen)) == answer["total"] == len(NASTY) + 3


@pytest.mark.parametrize("name", ["CartConfig.size", "--size", "size"])
def test_an_option_is_found_by_its_names(name: str, client: httpx.Client) -> None:
    answer = ask(client, f"/api/options/{name}", target="shop")
    (found,) = answer["options"]
    assert answer["total"] == 1
    assert found["option"]["id"] == "CartConfig.size"
    assert [error["error"]["id"][0] for error in found["errors"]] == ["5"]
    assert client.get("/api/options/no-such-thing").status_code == 404


def test_families_are_counted_over_targets(client: httpx.Client) -> None:
    families = ask(client, "/api/families", target="shop")["families"]
    assert [(each["family"], each["entries"]) for each in families] == [("out-of-range", 2), ("wrong-state", 1)]
    assert families[0]["about"] == "a number beyond a bound, a fixed one or another value"
    assert families[0]["targets"] == {"shop": 2}


def test_a_diff_is_the_one_of_the_command_line(client: httpx.Client) -> None:
    older, newer = make_versions()
    expected = json.loads(store.dump_answer(build_answer(older, newer, find_changes(older, newer))))
    answer = ask(client, "/api/diff", target="shop", old="1.0", new="1.1")
    assert {name: answer[name] for name in ("old", "new", "changes", "stats")} == expected
    assert answer["total"] == len(expected["changes"]) >= 2
    assert ask(client, "/api/diff", target="shop")["changes"] == expected["changes"]
    added = ask(client, "/api/diff", target="shop", kind="added", limit=1)
    assert [change["new"]["id"][0] for change in added["changes"]] == ["4"]
    refused = client.get("/api/diff", params={"target": "shop", "new": "1.0"})
    assert (refused.status_code, refused.json()["error"]) == (
        404,
        "shop: no earlier version is here to compare with",
    )


def test_a_log_is_explained_as_on_the_command_line(client: httpx.Client, tmp_path: Path) -> None:
    answer = client.post("/api/explain", content=LOG, headers={"content-type": "text/plain"})
    assert answer.status_code == 200
    for name, catalog in zip(("old", "new"), make_versions(), strict=True):
        store.write_catalog(catalog, tmp_path / f"{name}.json")
    command = [*COMMAND[:-1], "explain", "--json", "--catalog", "old.json", "--catalog", "new.json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(tmp_path)}
    done = subprocess.run(
        command, input=LOG.encode(), cwd=tmp_path, env=environment, capture_output=True, check=False, timeout=60
    )
    assert done.stderr == b""
    assert answer.json() == json.loads(done.stdout)
    assert {match["id"] for match in answer.json()["findings"][0]["matches"]} <= {"1" * 16, "5" * 16}
    assert answer.json()["findings"][0]["matches"]


def test_nothing_of_what_was_sent_is_in_the_log(server: Server, client: httpx.Client) -> None:
    client.post("/api/explain?token=" + SECRET, content=LOG)
    client.get("/api/errors", params={"q": SECRET})
    client.get("/x\u202e%1b[31m")
    for _ in range(50):
        if any("x" in event.get("path", "")[:2] for event in server.events):
            break
        time.sleep(0.1)
    told = json.dumps(server.events)
    assert SECRET not in told
    explained = [event for event in server.events if event.get("path") == "/api/explain"]
    assert set(explained[-1]) == {"time", "method", "path", "status", "bytes", "ms", "client"}
    assert any(event.get("path") == "/x\\u202e\\x1b[31m" for event in server.events)
    assert server.said == []


def test_an_answer_that_the_client_has_is_not_sent_again(client: httpx.Client) -> None:
    first = client.get("/api/families")
    tag = first.headers["etag"]
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = client.get("/api/families", headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert "content-security-policy" not in again.headers, "it would take the place of the page's own"
    assert client.get("/api/families", headers={"if-none-match": '"other"'}).status_code == 200
    assert first.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "zipped"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("*", True), ("identity", False), ("gzip;q=0", False), ("", False)],
)
def test_answers_are_compressed_for_who_takes_it_so(accepted: str, zipped: bool, server: Server) -> None:
    with (
        httpx.Client(trust_env=False) as http,
        http.stream("GET", f"{server.address}api/openapi.json", headers={"accept-encoding": accepted}) as answer,
    ):
        raw = b"".join(answer.iter_raw())
    assert (answer.headers.get("content-encoding") == "gzip") is zipped
    assert answer.headers["vary"] == "accept-encoding"
    assert json.loads(gzip.decompress(raw) if zipped else raw)["openapi"]


def test_head_is_get_without_the_body(client: httpx.Client) -> None:
    got, asked = client.get("/api/families"), client.head("/api/families")
    assert (asked.status_code, asked.content) == (200, b"")
    assert {**asked.headers, "date": ""} == {**got.headers, "date": ""}


@pytest.mark.parametrize("path", ["/api", "/api/errors/zz", "/nothing", "/%ff", "/api/explain"])
def test_every_answer_says_that_it_is_data_and_nothing_else(path: str, client: httpx.Client) -> None:
    headers = client.get(path).headers
    assert headers["content-type"] == "application/json"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none';")
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert "server" not in headers


def test_hostile_texts_stay_json(client: httpx.Client) -> None:
    answer = client.get("/api/errors", params={"limit": 200})
    titles = {error["title"] for error in answer.json()["errors"]}
    assert {text.encode("utf-8", "backslashreplace").decode() for text in NASTY} <= titles
    for number in range(len(NASTY)):
        assert ask(client, f"/api/errors/{number:016x}")["entry"]["id"] == f"{number:016x}"


def send_raw(server: Server, data: bytes, more: bytes = b"", seconds: float = 10) -> bytes:
    """Send bytes as they are and read what comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as connection:
        connection.sendall(data)
        if more:
            connection.sendall(more)
        pieces = []
        try:
            while piece := connection.recv(65536):
                pieces.append(piece)
        except TimeoutError:
            pieces.append(b"<still open>")
    return b"".join(pieces)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /../../etc/passwd HTTP/1.1", 400),
        (b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1", 400),
        (b"GET /..%2f..%2fetc/passwd HTTP/1.1", 400),
        (b"GET /..%5c..%5cwindows HTTP/1.1", 400),
        (b"GET //evil.example/ HTTP/1.1", 400),
        (b"GET /a//b HTTP/1.1", 400),
        (b"GET /a/./b HTTP/1.1", 400),
        (b"GET /%00 HTTP/1.1", 400),
        (b"GET /a%0d%0aset-cookie:x HTTP/1.1", 400),
        (b"GET /%ff%fe HTTP/1.1", 400),
        (b"GET /api/errors?q=%ff HTTP/1.1", 400),
        (b"GET /\xff HTTP/1.1", 400),
        (b"GET /" + b"a" * 40_000 + b" HTTP/1.1", 414),
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1", 404),
        (b"GET http://evil.example/ HTTP/1.1", 400),
        (b"GET /api/errors/0000000000000000%0a HTTP/1.1", 400),
        (b"FOO /api HTTP/1.1", 405),
        (b"POST /api/families HTTP/1.1", 405),
        (b"GET /api/explain HTTP/1.1", 405),
        (b"DELETE / HTTP/1.1", 405),
        (b"not http at all", 400),
        (b"GET /nothing HTTP/1.1", 404),
    ],
)
def test_path_tricks_are_answered_with_4xx(line: bytes, status: int, server: Server) -> None:
    answer = send_raw(server, line + b"\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
    assert answer.split(b"\r\n", 1)[0].split()[1] == str(status).encode(), answer[:300]
    assert b"root:" not in answer


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (b"127.0.0.1:80", b"200"),
        (b"localhost", b"200"),
        (b"LOCALHOST:1", b"200"),
        (b"[::1]:80", b"200"),
        (b"evil.example", b"421"),
        (b"127.0.0.1.evil.example", b"421"),
        (b"localhost:80:80", b"421"),
        (b"", b"421"),
    ],
)
def test_only_names_of_this_machine_are_answered(host: bytes, status: bytes, server: Server) -> None:
    answer = send_raw(server, b"GET /api HTTP/1.1\r\nhost: " + host + b"\r\nconnection: close\r\n\r\n")
    assert answer.split()[1] == status


POST = b"POST /api/explain HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        (b"content-length: 100001\r\n", b"", 413),
        (b"content-length: 99999999999999999999\r\n", b"", 413),
        (b"transfer-encoding: chunked\r\n", b"1\r\nx\r\n" * 60_000, 408),
        (b"transfer-encoding: chunked\r\n", b"186a1\r\n" + b"x" * 100_001 + b"\r\n0\r\n\r\n", 413),
        (b"content-length: 3\r\n", b"\xff\xfea", 400),
        (b"content-length: 0\r\n", b"", 400),
        (b"content-length: 4\r\n", b" \n\t ", 400),
        (b"content-length: -1\r\n", b"", 400),
        (b"content-length: 5\r\n", b"hello", 200),
        (b"transfer-encoding: chunked\r\n", b"5\r\nhello\r\n0\r\n\r\n", 200),
        (b"transfer-encoding: chunked\r\n", b"zz\r\nhello\r\n0\r\n\r\n", 400),
        (b"x: " + b"y" * 70_000 + b"\r\n", b"", 400),
    ],
)
def test_bodies_that_are_too_long_or_no_text_are_refused(head: bytes, body: bytes, status: int, server: Server) -> None:
    answer = send_raw(server, POST + head + b"\r\n", body)
    assert answer.split()[1] == str(status).encode(), answer[:300]


def test_a_slow_client_is_let_go(server: Server) -> None:
    cases = [b"", b"GET /api HTTP/1.1\r\nhost:", POST + b"content-length: 10\r\n\r\nhel"]
    with ThreadPoolExecutor(len(cases)) as pool:
        answers = list(pool.map(lambda data: send_raw(server, data), cases))
    for answer in answers:
        assert answer.split()[:2] == [b"HTTP/1.1", b"408"]
        assert b"too slowly" in answer
        assert not answer.endswith(b"<still open>")


def test_while_many_logs_are_explained_others_are_answered(server: Server, client: httpx.Client) -> None:
    log = (LOG + "".join(f"  at step {number} of {number * 7}\n" for number in range(3_000)))[:99_000]

    def explain(_: int) -> int:
        with httpx.Client(trust_env=False, timeout=60) as http:
            return http.post(f"{server.address}api/explain", content=log).status_code

    with ThreadPoolExecutor(60) as pool:
        asked = [pool.submit(explain, number) for number in range(60)]
        worst = 0.0
        while not all(each.done() for each in asked):
            began = time.perf_counter()
            assert client.get("/api/families").status_code == 200
            worst = max(worst, time.perf_counter() - began)
    statuses = {each.result() for each in asked}
    assert statuses <= {200, 429}
    assert 200 in statuses
    assert worst < 5


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_what_was_asked_before_it_stops(sign: signal.Signals, tmp_path: Path) -> None:
    store.write_catalog(make_shop(), tmp_path / "c.json")
    with run_server([tmp_path / "c.json"]) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            body = LOG.encode()
            connection.sendall(POST + b"content-length: %d\r\n\r\n" % len(body) + body[:10])
            time.sleep(0.3)
            server.process.send_signal(sign)
            time.sleep(0.3)
            connection.sendall(body[10:])
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 200")
        assert server.process.wait(timeout=15) == 0
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", server.port), timeout=2)
        assert server.said == []


def run_serve(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, arguments)]
    settings = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=60)


def test_a_port_in_use_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    store.write_catalog(make_shop(), tmp_path / "c.json")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run_serve(tmp_path / "c.json", "--port", port)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == f"errmine: 127.0.0.1:{port}: can't listen there (Address already in use); give another --port\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("missing.json",), "missing.json: no such file"),
        (("c.json", "c.json"), "{folder}/c.json, {folder}/c.json: all of shop"),
        (("c.json", "--host", "256.0.0.1"), "256.0.0.1:8000: can't listen there"),
        (("c.json", "--host", "192.0.2.1"), "192.0.2.1:8000: can't listen there"),
    ],
)
def test_what_cannot_be_served_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    store.write_catalog(make_shop(), tmp_path / "c.json")
    named = [tmp_path / each if each.endswith("c.json") else each for each in arguments]
    done = run_serve(*named)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"errmine: {said.format(folder=tmp_path)}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_without_the_packages_it_says_what_to_install(tmp_path: Path) -> None:
    store.write_catalog(make_shop(), tmp_path / "c.json")
    hidden = "import sys; sys.modules['uvicorn'] = None; from miner.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", hidden, "serve", str(tmp_path / "c.json")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr == "errmine: serve needs uvicorn, which isn't installed: pip install 'errmine[serve]'\n"
