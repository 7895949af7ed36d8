"""What a site is made of, and how it gets to its place."""

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import html5lib
import msgspec
import pytest
from crawl import find_faults
from exporting import make_hostile, make_shop
from factories import make_catalog, make_entry
from hypothesis import given
from hypothesis import strategies as st
from siteworld import make_catalogs, run_errmine

from catalog.errors import CatalogError
from catalog.publish.site.addresses import name_part
from catalog.publish.site.prose import prose
from catalog.publish.site.site import Site
from catalog.publish.site.volume import Row, wrap_catalog
from catalog.publish.site.writing import write_site
from catalog.records import Catalog, Option, OptionUse, Tombstone
from catalog.store import read_catalog, write_catalog

RESIZE, CLOSE, PAY = "1" * 16, "2" * 16, "3" * 16


def open_site(*catalogs: Catalog) -> Site:
    return Site.of([wrap_catalog(catalog) for catalog in catalogs])


def read_page(site: Site, path: str) -> str:
    page = site.render(path)
    assert page is not None, path
    return page.body.decode()


def read_text(site: Site, path: str) -> str:
    """Read what a page says, on one line."""
    tree = html5lib.parse(read_page(site, path), namespaceHTMLElements=False)
    return " ".join("".join(tree.itertext()).split())


def list_headings(site: Site, path: str) -> list[str]:
    return re.findall(r"<h2[^>]*>(.*?)</h2>", read_page(site, path))


def read_folder(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(scope="module")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two releases of a project and their site, `www`."""
    folder = tmp_path_factory.mktemp("depot")
    made = make_catalogs(folder)
    done = run_errmine("site", *map(str, made), "-o", "www", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "index.html" in done.stderr
    return folder


def test_every_link_leads_somewhere_and_every_page_is_html(depot: Path) -> None:
    assert list(find_faults(depot / "www", parsed=1000)) == []


def test_a_site_of_hostile_texts_is_whole(tmp_path: Path) -> None:
    write_site(open_site(make_hostile()), tmp_path / "www")
    assert list(find_faults(tmp_path / "www", parsed=1000)) == []
    assert [path.name for path in tmp_path.iterdir()] == ["www"]


def test_the_same_catalogs_give_the_same_bytes(depot: Path) -> None:
    made = [str(depot / f"depot-{tag}.json") for tag in ("v1.1", "v1.0")]
    done = run_errmine("site", *made, "-o", "again", "--workers", "1", cwd=depot)
    assert done.returncode == 0, done.stderr
    assert read_folder(depot / "again") == read_folder(depot / "www")


def test_a_server_answers_what_is_written(depot: Path) -> None:
    site = open_site(*(read_catalog(depot / f"depot-{tag}.json") for tag in ("v1.0", "v1.1")))
    written = read_folder(depot / "www")
    del written[".errmine"]
    assert {path: page.body for path in site.paths() if (page := site.render(path))} == written


def test_an_entry_says_all_that_is_known() -> None:
    site = open_site(make_shop())
    page = f"errors/{RESIZE}.html"
    headings = list_headings(site, page)
    assert headings == [
        "Error message",
        "What it means",
        "Solutions",
        "Example fix",
        "When it is raised",
        "Options",
        "Check before the call",
        "Prevention",
        "Source",
        "Related errors",
        "Family",
        "Provenance",
    ]
    text = read_text(site, page)
    for said in (
        "size must be positive, got {size}",
        "not: self.is_closed line 9, an earlier exit",
        "size <= 0 line 11",
        "int(given) line 10",
        "--size",
        "default 8",
        "How big.",
        "Trigger",
        "shop/cart.py:12",
        "no {self.bank!r} account",
        "out-of-range",
        "acme/shop",
        "1 of 1 checks",
    ):
        assert said in text, said
    source = read_page(site, page)
    assert "<var>{size}</var>" in source
    assert 'href="https://git.example/acme/shop/blob/c0ffee/shop/cart.py#L12"' in source
    assert '<span id="L12" class="raise">' in source
    assert '<span id="L11" class="clause">' in source
    assert f'href="../api/errors/{RESIZE}.json"' in source


def test_an_entry_without_a_note_or_message_reads_well() -> None:
    text = read_text(open_site(make_shop()), f"errors/{CLOSE}.html")
    assert "It has no message." in text
    assert "assert" in text
    assert "None" not in text


def test_a_stale_note_says_so() -> None:
    shop = make_shop()
    stale = replace(shop.notes[0], fingerprint=replace(shop.notes[0].fingerprint, guard="1" * 16))
    assert "may no longer hold" in read_text(open_site(replace(shop, notes=(stale,))), f"errors/{RESIZE}.html")
    assert "may no longer hold" not in read_text(open_site(shop), f"errors/{RESIZE}.html")


def test_the_data_of_an_entry_is_its_record() -> None:
    shop = make_shop()
    page = open_site(shop).render(f"api/errors/{RESIZE}.json")
    assert page is not None
    assert page.media_type == "application/json"
    answer = json.loads(page.body)
    assert answer["entry"]["site"]["path"] == "shop/cart.py"
    assert answer["entry"]["guard"]["branch"] == "size <= 0"
    assert answer["note"]["meaning"] == shop.notes[0].meaning
    assert [each["id"] for each in answer["related"]] == [CLOSE, PAY]
    assert answer["target"]["name"] == "shop"


def test_an_issue_is_reported_to_the_targets_own_tracker() -> None:
    shop = make_shop()
    here = replace(shop, target=replace(shop.target, url="https://github.com/acme/shop"))
    page = read_page(open_site(here), f"errors/{RESIZE}.html")
    assert re.search(r'href="https://github.com/acme/shop/issues/new\?title=ValueError%3A[^"]*body=[^"]*cart.py', page)
    assert "Report an issue" not in read_page(open_site(shop), f"errors/{RESIZE}.html")


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "http://plain.example/x", "https://a.example/ b", "//x.example/"]
)
def test_only_web_addresses_become_links(url: str) -> None:
    catalog = make_catalog([make_entry(id=RESIZE, permalink=url)], target__url=url)
    page = read_page(open_site(catalog), f"errors/{RESIZE}.html")
    assert url not in page
    assert "Report an issue" not in page
    assert "View at the commit" not in page


def test_old_ids_lead_on_and_gone_errors_are_told() -> None:
    moved = make_entry(id=RESIZE, previous=("a" * 16,))
    stone = Tombstone("b" * 16, "the till is open", None, "0.9")
    site = open_site(make_catalog([moved], tombstones=(stone,)))
    assert f'content="0; url=../errors/{RESIZE}.html"' in read_page(site, f"errors/{'a' * 16}.html")
    assert "last seen in 0.9" in read_text(site, f"errors/{'b' * 16}.html")


def test_releases_are_compared_and_drawn(depot: Path) -> None:
    site = open_site(*(read_catalog(depot / f"depot-{tag}.json") for tag in ("v1.0", "v1.1")))
    changed = read_text(site, "depot/releases/v1.1.html")
    assert "2 changes since v1.0" in changed
    assert "the drawer is open; close it before it is emptied" in changed
    assert "1 removed, 1 reworded" in changed
    assert (
        "\N{MINUS SIGN} unknown cutter {name!r} + no cutter is called {name!r}; there are {sorted(cutters)}" in changed
    )
    assert '<svg class="plot"' in read_page(site, "depot/releases.html")
    entry = next(each for each in read_catalog(depot / "depot-v1.1.json").entries if each.previous)
    assert "v1.1 reworded \N{MINUS SIGN} unknown cutter {name!r}" in read_text(site, f"errors/{entry.id}.html")


@pytest.mark.parametrize(
    ("kind", "template", "line"),
    [
        ("raise", "the till is open", "the till is open"),
        ("raise", "first\n  second", "first second"),
        ("raise", "x" * 111, "x" * 110 + " …"),
        ("raise", "word " * 30, "word " * 21 + "word …"),
        (
            "constraint",
            "size\n  Input should be greater than 0 [type=greater_than]",
            "size Input should be greater than 0",
        ),
        ("raise", "size [type=large] is sold out", "size [type=large] is sold out"),
    ],
)
def test_a_list_tells_more_of_a_message_than_its_title(kind: str, template: str, line: str) -> None:
    data = {"id": "1" * 16, "kind": kind, "title": "t", "exception": {"name": "E"}, "options": (), "family": "invalid"}
    place = {"path": "a.py", "line": 1, "qualname": "f"}
    assert msgspec.convert({**data, "site": place, "message": {"template": template}}, Row).headline == line


def test_a_flag_in_a_text_is_not_broken_at_its_hyphens() -> None:
    assert prose("set `--tray-count`") == 'set <code class="flag">--tray-count</code>'
    assert prose("set `--tray-count 3`") == "set <code>--tray-count 3</code>"
    assert prose(f"set `--{'long-' * 10}`").startswith("set <code>--long")


def test_an_option_leads_to_those_that_are_set_in_the_same_way() -> None:
    def make(id_: str) -> Option:
        return Option(id_, "field", "size", ("--size",), "", "int", None, (), "How `big`.", "shop/args.py", 3)

    entry = make_entry(options=(OptionUse("Cart.size", "self.size", ("guard",), ()),))
    site = open_site(make_catalog([entry], options=(make("Cart.size"), make("Args.size"))))
    page = next(path for path in site.paths() if path.startswith("shop/options/args.size"))
    assert "Cart.size set in the same way, 1 error" in read_text(site, page)
    assert "How <code>big</code>." in read_page(site, page)


def test_long_lists_are_cut_into_pages() -> None:
    entries = [make_entry(id=f"{number:016x}", site__line=number + 1) for number in range(450)]
    site = open_site(make_catalog(entries))
    page = next(path for path in site.paths() if path.startswith("shop/files/"))
    pages = [path for path in site.paths() if path.startswith("shop/files/")]
    assert len(pages) == 3
    assert "Page 1 of 3" in read_text(site, page)
    assert all(len(read_page(site, each).encode()) < 100_000 for each in pages)


def test_a_catalog_without_errors_makes_a_site(tmp_path: Path) -> None:
    write_site(open_site(make_catalog([])), tmp_path / "www")
    assert list(find_faults(tmp_path / "www", parsed=1000)) == []


@pytest.mark.parametrize(
    "path", ["", "nothing.html", "errors/x.html", "../site.py", "assets/../site.py", "search/x.js"]
)
def test_nothing_stands_at_other_addresses(path: str) -> None:
    assert open_site(make_shop()).render(path) is None


@given(st.lists(st.text(max_size=120), unique=True, max_size=20))
def test_every_name_has_an_address_of_its_own_that_leads_nowhere_else(names: list[str]) -> None:
    parts = [name_part(name) for name in names]
    assert len(set(parts)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9_][a-z0-9_.-]{0,99}", part) for part in parts)


def find_bad_calls(folder: Path) -> Iterator[tuple[list[str], str]]:
    write_catalog(make_shop(), folder / "shop.json")
    write_catalog(make_shop(), folder / "twin.json")
    (folder / "broken.json").write_text('{"schema_version": 1, "entries": [{"id": 3}]}')
    (folder / "foreign").mkdir()
    (folder / "foreign" / "thesis.txt").write_text("years of work")
    (folder / "locked").mkdir()
    (folder / "locked").chmod(stat.S_IRUSR | stat.S_IXUSR)
    yield ["missing.json", "-o", "www"], "missing.json"
    yield ["broken.json", "-o", "www"], "broken.json"
    write_catalog(make_catalog([make_entry(id="../../x")]), folder / "odd.json")
    yield ["odd.json", "-o", "www"], "../../x is no id of an entry"
    yield ["shop.json", "-o", "foreign"], "foreign: has other files in it"
    yield ["shop.json", "-o", "shop.json"], "shop.json: is a file"
    yield ["shop.json", "twin.json", "-o", "www"], "give each version once"
    if os.geteuid() != 0:
        yield ["shop.json", "-o", "locked/www"], "can't be written"
    yield ["shop.json", "-o", "shop.json/www"], "can't be written"


def test_bad_input_is_told_in_a_line_and_leaves_nothing_behind(tmp_path: Path) -> None:
    calls = list(find_bad_calls(tmp_path))
    before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
    for arguments, told in calls:
        done = run_errmine("site", *arguments, cwd=tmp_path)
        lines = done.stderr.splitlines()
        assert done.returncode == 2, (arguments, done.stderr)
        assert told in lines[-1], (arguments, done.stderr)
        assert "mistake in errmine" not in done.stderr
        assert sum(line.startswith("errmine: ") for line in lines) == 1, lines
    after = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if "cache" not in path.parts)
    assert after == before


def test_a_package_that_is_missing_is_named(tmp_path: Path) -> None:
    write_catalog(make_shop(), tmp_path / "shop.json")
    code = "import sys; sys.modules['jinja2'] = None; from miner.cli import main; main()"
    command = [sys.executable, "-c", code, "site", "shop.json", "-o", "www"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "errmine: site needs jinja2, which isn't installed: pip install 'errmine[site]'\n"


def test_a_new_site_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    write_site(open_site(make_shop()), tmp_path / "www")
    assert (tmp_path / "www" / "errors" / f"{PAY}.html").exists()
    write_site(open_site(make_catalog([make_entry(id=RESIZE)])), tmp_path / "www")
    assert (tmp_path / "www" / "errors" / f"{RESIZE}.html").exists()
    assert not (tmp_path / "www" / "errors" / f"{PAY}.html").exists()


def test_two_targets_may_not_share_an_id() -> None:
    other = replace(make_shop(), target=replace(make_shop().target, name="stall"))
    with pytest.raises(CatalogError, match="is in the catalog of"):
        open_site(make_shop(), other)
