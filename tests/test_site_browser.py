"""The site in a real browser: errors are found, pages look whole on every screen, and nothing foreign runs."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import DESKTOP, PHONE, Tab, open_browser, open_tab, serve_folder
from exporting import make_hostile
from playwright.sync_api import Browser
from siteworld import make_catalogs, run_errmine

from catalog.records import Entry
from catalog.store import read_catalog, write_catalog

pytestmark = pytest.mark.browser
WINDOWS = [("desktop", DESKTOP), ("phone", PHONE)]
TRACEBACK = """\
2026-08-14 09:12:03 ERROR cutter.run: job 17 failed
Traceback (most recent call last):
  File "/opt/venv/lib/python3.12/site-packages/depot/run.py", line 88, in main
    length = config.check(machine.drawer_len, machine.lanes)
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/opt/venv/lib/python3.12/site-packages/depot/config.py", line 20, in check
    return self._clamp(self.max_spool_len, drawer_len)
  File "/opt/venv/lib/python3.12/site-packages/depot/config.py", line 26, in _clamp
    raise ValueError(
ValueError: wanted_spool_len=65536 must not exceed drawer_len=32768
"""
SPOOL = "{wanted_spool_len=} must not exceed {drawer_len=}"
LANES = "{drawer_lanes=} is neither one lane nor all"
WINDOW = "--preview-window must be >= --preview-cuts"
CUTTER = "no cutter is called"
FOUND = [
    ("a message as it was printed", "wanted_spool_len=65536 must not exceed drawer_len=32768", SPOOL, True),
    (
        "a message with its class",
        "ValueError: drawer_lanes=3 is neither one lane nor all of the machine's lanes",
        LANES,
        True,
    ),
    ("words of a message", "cutter called", CUTTER, True),
    ("the start of a word", "cutt", CUTTER, True),
    ("a flag", "--preview-window", WINDOW, False),
    ("a flag with its value", "--preview-window=2", WINDOW, False),
    ("the field behind a flag", "preview_window", WINDOW, False),
    ("an option's field that the message doesn't name", "max_spool_len", SPOOL, False),
    ("a pasted traceback", TRACEBACK, SPOOL, True),
    ("a pasted line of a log", f"[rank 3] {TRACEBACK.splitlines()[-1]}", SPOOL, True),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parent of a site of two releases, which is its folder `docs/errors`."""
    place = tmp_path_factory.mktemp("site")
    made = make_catalogs(place)
    done = run_errmine("site", *map(str, made), "-o", "www/docs/errors", cwd=place)
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture(scope="module")
def entries(folder: Path) -> tuple[Entry, ...]:
    return read_catalog(folder / "depot-v1.1.json").entries


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with serve_folder(folder / "www") as address:
        yield f"{address}docs/errors/"


def find_pages(folder: Path) -> list[str]:
    """Find a page of each kind: of those in a folder that holds many of one kind the longest."""
    root = folder / "www" / "docs" / "errors"
    chosen: dict[Path, Path] = {}
    for page in sorted(root.rglob("*.html")):
        if 'http-equiv="refresh"' in page.read_text(encoding="utf-8"):
            continue
        kind = page if page.parent in (root, root / "depot") else page.parent
        if kind not in chosen or page.stat().st_size > chosen[kind].stat().st_size:
            chosen[kind] = page
    return [page.relative_to(root).as_posix() for page in chosen.values()]


def find_entry(entries: tuple[Entry, ...], start: str) -> Entry:
    return next(entry for entry in entries if entry.message and entry.message.template.startswith(start))


def ask(tab: Tab, text: str) -> list[str]:
    """Type or paste into the search box, and give the addresses of what is found."""
    tab.page.locator("#query").fill(text)
    tab.page.wait_for_timeout(250)  # what was said of the text before stands until the search begins
    tab.page.locator("#status", has_text=re.compile("found|nearest|Nothing")).wait_for()
    return [str(link.get_attribute("href")) for link in tab.page.locator("#results a").all()]


@pytest.mark.parametrize(("text", "start", "is_first"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND])
def test_an_error_is_found_from_the_home_page(
    text: str, start: str, is_first: bool, browser: Browser, site: str, entries: tuple[Entry, ...]
) -> None:
    with open_tab(browser) as tab:
        check_search(tab, f"{site}index.html", text, find_entry(entries, start), is_first)


@pytest.mark.parametrize("text", [TRACEBACK, "max_spool_len"], ids=["traceback", "option"])
def test_search_works_on_pages_opened_from_disk(
    text: str, browser: Browser, folder: Path, entries: tuple[Entry, ...]
) -> None:
    with open_tab(browser) as tab:
        home = f"file://{folder}/www/docs/errors/index.html"
        check_search(tab, home, text, find_entry(entries, SPOOL), text is TRACEBACK)


def check_search(tab: Tab, home: str, text: str, wanted: Entry, is_first: bool) -> None:
    """Search, and go to what was found: among the first three, or the first."""
    tab.open(home)
    found = ask(tab, text)
    places = [number for number, address in enumerate(found) if address.endswith(f"errors/{wanted.id}.html")]
    assert places, found
    assert places[0] < (1 if is_first else 3), found
    tab.page.locator(f'#results a[href$="{wanted.id}.html"]').click()
    tab.page.locator("main.entry h1").wait_for()
    assert tab.page.locator("footer code", has_text=wanted.id).count() == 1
    assert tab.complaints == []


def test_what_nothing_has_is_not_found(browser: Browser, site: str) -> None:
    with open_tab(browser) as tab:
        tab.open(f"{site}index.html")
        assert ask(tab, "zebra quagga") == []


def test_search_works_by_keyboard_alone(browser: Browser, site: str, entries: tuple[Entry, ...]) -> None:
    with open_tab(browser) as tab:
        page = tab.open(f"{site}index.html")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.locator("#query").focus()
        page.keyboard.type("no cutter is called")
        page.wait_for_selector("#results a")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/errors/{find_entry(entries, CUTTER).id}.html")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("name", "window"), WINDOWS, ids=[name for name, _ in WINDOWS])
def test_every_kind_of_page_is_fit_for_everyone(
    name: str, window: dict[str, int], dark: bool, browser: Browser, folder: Path, site: str
) -> None:
    pages = find_pages(folder)
    assert len(pages) >= 12
    with open_tab(browser, window, dark) as tab:
        for path in pages:
            tab.open(f"{site}{path}")
            assert not tab.is_wider(), path
            assert tab.measure_shift() == 0, path
            assert tab.find_violations() == [], path
            assert tab.page.locator("main h1").count() == 1, path
            assert tab.list_refused() == [], path
        assert tab.complaints == []


def test_pages_are_light_and_load_nothing_from_elsewhere(browser: Browser, folder: Path, site: str) -> None:
    for path in find_pages(folder):
        with open_tab(browser) as tab:
            tab.open(f"{site}{path}")
            assert sum(tab.loaded.values()) < 100_000, (path, tab.loaded)
            assert len(tab.loaded) <= 6, (path, tab.loaded)
            assert all(url.startswith(site) for url in tab.loaded), tab.loaded


def test_colours_follow_the_system_and_can_be_changed(browser: Browser, site: str) -> None:
    def read_paper(tab: Tab) -> int:
        colour = str(tab.page.evaluate("getComputedStyle(document.body).backgroundColor"))
        return sum(int(number) for number in re.findall(r"\d+", colour)[:3])

    with open_tab(browser) as light, open_tab(browser, dark=True) as dark:
        for tab in (light, dark):
            tab.open(f"{site}index.html")
        assert read_paper(light) > 600
        assert read_paper(dark) < 150
        light.page.locator("button.theme").click()
        assert read_paper(light) < 150
        light.open(f"{site}families.html")
        assert read_paper(light) < 150


def test_the_check_is_copied_as_it_stands(browser: Browser, folder: Path, site: str) -> None:
    note = next(note for note in read_catalog(folder / "depot-v1.1.json").notes if note.check is not None)
    assert note.check is not None
    with open_tab(browser, permissions=["clipboard-read", "clipboard-write"]) as tab:
        page = tab.open(f"{site}errors/{note.entry}.html")
        page.locator("section:has(#check) button.copy").click()
        page.locator("button.copy", has_text="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == note.check.code.strip("\n") + "\n"


def test_without_scripts_only_search_is_missing(browser: Browser, site: str, entries: tuple[Entry, ...]) -> None:
    with open_tab(browser, java_script_enabled=False) as tab:
        page = tab.page
        page.goto(f"{site}index.html")
        assert "needs JavaScript" in page.locator("main").inner_text()
        page.goto(f"{site}errors/{find_entry(entries, SPOOL).id}.html")
        assert not page.locator("button.copy").first.is_visible()
        assert not page.locator("button.theme").is_visible()
        assert page.locator("pre.source .raise").first.is_visible()


def test_an_old_address_leads_to_the_new_one(browser: Browser, site: str, entries: tuple[Entry, ...]) -> None:
    entry = find_entry(entries, CUTTER)
    with open_tab(browser) as tab:
        tab.page.goto(f"{site}errors/{entry.previous[0]}.html")
        tab.page.wait_for_url(f"**/errors/{entry.id}.html")


def test_an_error_that_is_gone_says_so(browser: Browser, folder: Path, site: str) -> None:
    stone = read_catalog(folder / "depot-v1.1.json").tombstones[0]
    with open_tab(browser) as tab:
        page = tab.open(f"{site}errors/{stone.id}.html")
        assert "v1.1" in page.locator("main").inner_text() or "v1.0" in page.locator("main").inner_text()
        assert "drawer is open" in page.locator("h1").inner_text()


def test_the_raising_line_is_seen(browser: Browser, site: str, entries: tuple[Entry, ...]) -> None:
    entry = find_entry(entries, SPOOL)
    with open_tab(browser) as tab:
        page = tab.open(f"{site}errors/{entry.id}.html")
        marked = page.locator("pre.source .raise").first
        assert f"{entry.site.line}" in marked.inner_text()
        boxes = [page.locator(f"#L{number}").bounding_box() for number in (entry.site.line, entry.site.line + 1)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"] - 1, "each line stands below the one before"


def test_nothing_of_a_hostile_catalog_runs_or_breaks_out(browser: Browser, tmp_path: Path) -> None:
    write_catalog(make_hostile(), tmp_path / "hostile.json")
    done = run_errmine("site", "hostile.json", "-o", "www", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not [
        path for path in tmp_path.rglob("*") if path.parts[len(tmp_path.parts)] not in ("www", "hostile.json", "cache")
    ]
    pages = sorted(path.relative_to(tmp_path / "www").as_posix() for path in (tmp_path / "www").rglob("*.html"))
    with serve_folder(tmp_path / "www") as address, open_tab(browser, PHONE) as tab:
        for path in pages:
            page = tab.open(f"{address}{path}")
            assert tab.list_refused() == [], path
            assert (
                page.locator("script:not([src]), iframe, object, embed, img, base, style, [onerror], [style]").count()
                == 0
            )
            assert page.locator("a[href^='javascript' i], a[href^='data' i]").count() == 0, path
            assert page.locator("main").count() == 1, path
            assert not tab.is_wider(), path
            assert all(url.startswith(address) for url in tab.loaded), tab.loaded
        tab.open(f"{address}index.html")
        for text in ("script", "alert", "heading"):
            ask(tab, text)
            assert tab.page.locator("#results script, #results img").count() == 0
        assert tab.complaints == []
