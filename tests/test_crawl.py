"""What the crawler finds wrong with a site, and what it lets pass."""

from pathlib import Path

import pytest
from crawl import find_faults
from factories import write_files

WHOLE = {
    "index.html": '<!doctype html><html lang="en"><title>t</title><body><a href="a/one.html#L1">1</a>'
    '<a href="a/">a</a>',
    "a/index.html": '<!doctype html><html lang="en"><title>t</title><body><a href="../index.html">home</a>',
    "a/one.html": '<!doctype html><html lang="en"><title>t</title><body><p id="L1"><a href="#L1">1</a></p>'
    '<a href="https://git.example/x?a=1&amp;b=2">source</a><link rel="stylesheet" href="../site.css">',
    "site.css": "p { color: red }",
}


def crawl(folder: Path, **changes: str) -> list[str]:
    write_files({**WHOLE, **{path.replace("__", "/") + ".html": text for path, text in changes.items()}}, folder)
    return list(find_faults(folder))


def test_a_whole_site_has_no_faults(tmp_path: Path) -> None:
    assert crawl(tmp_path) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="two.html">2</a>', "a/one.html: leads to a/two.html, which isn't there"),
        ('<a href="#L2">2</a>', "a/one.html: speaks of L2, which isn't on it"),
        ('<a href="../index.html#top">top</a>', "index.html: has no anchor top"),
        ('<p id="a">a<p id="a">b', "a/one.html: has the id a twice"),
        ('<a href="../../etc/passwd">out</a>', "a/one.html: leads out of the site: ../../etc/passwd"),
        ('<a href="/index.html">root</a>', "a/one.html: leads to the root of the host, not of the site: /index.html"),
        ('<a href="javascript:alert(1)">run</a>', "a/one.html: leads to javascript:alert(1)"),
        ('<a href="http://git.example/x">plain</a>', "a/one.html: leads to http://git.example/x"),
        ('<a href="//git.example/x">bare</a>', "a/one.html: leads to //git.example/x"),
        ('<img src="https://cdn.example/x.png" alt="">', "a/one.html: loads https://cdn.example/x.png"),
        ("<script>alert(1)</script>", "a/one.html: runs or styles from inside: <script>"),
        ('<p style="color: red">x', "a/one.html: has an attribute style"),
        ('<p onclick="run()">x', "a/one.html: has an attribute onclick"),
        ('<p aria-labelledby="none">x', "a/one.html: speaks of none, which isn't on it"),
        ("<p>" + "x" * 100_000, "a/one.html: has 100,061 bytes"),
    ],
)
def test_what_is_wrong_is_told(body: str, fault: str, tmp_path: Path) -> None:
    page = f'<!doctype html><html lang="en"><title>t</title><body><p id="L1"></p>{body}'
    assert fault.replace("100,061", f"{len(page.encode()):,}") in crawl(tmp_path, a__one=page)


def test_a_page_that_breaks_the_rules_of_html_is_told(tmp_path: Path) -> None:
    page = '<!doctype html><html lang="en"><title>t</title><body><p id="L1"><div></p></div><b>x'
    assert any(fault.startswith("a/one.html: line 1: ") for fault in crawl(tmp_path, a__one=page))


def test_a_page_that_no_other_leads_to_is_told_but_for_old_addresses(tmp_path: Path) -> None:
    page = '<!doctype html><html lang="en"><title>t</title><body><a href="one.html">x</a>'
    hidden = page.replace("<title>", '<meta name="robots" content="noindex"><title>')
    assert crawl(tmp_path, a__lost=page, a__moved=hidden) == ["a/lost.html: no page leads to it"]
