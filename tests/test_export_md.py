"""Pages of Markdown that MkDocs and Sphinx build without a warning, whatever the catalog holds."""

import dataclasses
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from exporting import NASTY, make_hostile, make_shop
from factories import make_catalog, make_entry
from hypothesis import example, given
from hypothesis import strategies as st

from catalog import folders, markdown
from catalog.publish.export.pages import write_document, write_pages
from catalog.publish.export.places import find_places, link_page
from catalog.publish.export.project import write_project
from catalog.terminal import safe


def build(tool: str, folder: Path) -> Path:
    """Build the folder with warnings as errors, and give where the pages are."""
    commands = {
        "mkdocs": ["mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder / "site")],
        "sphinx": ["sphinx", "-W", "--keep-going", "-q", "docs", "site"],
    }
    done = subprocess.run(
        [sys.executable, "-m", *commands[tool]], cwd=folder, capture_output=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, b"")
    return folder / "site"


class Page(HTMLParser):
    """Gathers what a browser would act on or show."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def list_pages(site: Path) -> Iterator[tuple[Path, Page]]:
    for file in sorted(site.rglob("*.html")):
        if file.name not in ("404.html", "search.html", "genindex.html"):
            yield file, Page(file.read_text(encoding="utf-8"))


@pytest.fixture(params=["mkdocs", "sphinx"])
def tool(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_site_has_a_section_an_entry_and_every_link_leads_to_one(tool: str, tmp_path: Path) -> None:
    catalog = make_shop()
    folders.write_folder(write_project(catalog, catalog.entries), tmp_path / "out", "kind")
    site = build(tool, tmp_path / "out")
    pages = dict(list_pages(site))
    ids = {file: {attrs.get("id") for _, attrs in page.tags} for file, page in pages.items()}
    for entry in catalog.entries:
        homes = [file for file in pages if f"e-{entry.id}" in ids[file]]
        assert len(homes) == 1, entry.id
    links = 0
    for file, page in pages.items():
        for tag, attrs in page.tags:
            href = attrs.get("href") or ""
            if tag == "a" and "#e-" in href:
                address, _, anchor = href.partition("#")
                goal = (file.parent / address).resolve() if address else file
                assert anchor in ids[goal / "index.html" if goal.is_dir() else goal], href
                links += 1
    assert links == 7
    (cart,) = (page for file, page in pages.items() if "cart.py" in str(file))
    for said in ("size must be positive, got {size}", "size <= 0", "--size", "self.is_closed", "int(given)"):
        assert said in cart.text
    assert ("a", "https://git.example/acme/shop/blob/c0ffee/shop/cart.py#L12") in [
        (tag, attrs.get("href")) for tag, attrs in cart.tags
    ]


def test_a_hostile_catalog_builds_and_shows_its_texts_as_text(tool: str, tmp_path: Path) -> None:
    catalog = make_hostile()
    folders.write_folder(write_project(catalog, catalog.entries), tmp_path / "out", "kind")
    plain = dataclasses.replace(make_shop(), options=catalog.options[:1])
    folders.write_folder(write_project(plain, plain.entries), tmp_path / "plain", "kind")
    site = build(tool, tmp_path / "out")
    known = {tag for _, page in list_pages(build(tool, tmp_path / "plain")) for tag, _ in page.tags}
    shown = ""
    for file, page in list_pages(site):
        shown += page.text
        for tag, attrs in page.tags:
            assert tag in known, (file, tag, attrs)
            assert not any(name.startswith("on") for name in attrs), (file, tag, attrs)
            for name in ("href", "src"):
                address = attrs.get(name) or ""
                assert not re.match(r"\s*(?:javascript|data):|https?://evil", address, re.IGNORECASE), (file, address)
    for text in NASTY:
        said = safe(" ".join(text.split()))
        assert said in " ".join(shown.split()), text


def test_one_document_holds_everything() -> None:
    catalog = make_shop()
    text = write_document(catalog, catalog.entries)
    assert text.count("\n### ") == 3
    assert "[no \\{\\} account](#e-3333333333333333)" in text
    assert set(re.findall(r"\]\(([^)]+)\)", text)) == {
        "https://git.example/acme/shop",
        "https://git.example/acme/shop/blob/c0ffee/shop/cart.py#L12",
        "#e-1111111111111111",
        "#e-2222222222222222",
        "#e-3333333333333333",
    }


def test_pages_are_the_same_twice_and_keep_apart_what_only_case_tells_apart() -> None:
    names = ["a/B.py", "a/b.py", "a/b_.py", "a//b.py", "index", "files/index", "a b.py", "a?b.py", "..", "x.md/y.py"]
    entries = [make_entry(site__path=name, id=f"{number:016x}") for number, name in enumerate(names)]
    catalog = make_catalog(entries)
    pages = [path for path, _ in write_pages(catalog, catalog.entries)]
    assert len({page.lower() for page in pages}) == len(pages)
    assert pages == [path for path, _ in write_pages(catalog, catalog.entries)]
    folder_names = {parent for page in pages for parent in map(str, Path(page).parents)}
    assert not folder_names.intersection(pages)
    places = find_places(catalog.entries, ())
    assert places.files["a/B.py"] == "files/a/B.py.md"
    assert all(re.fullmatch(r"files/[\w./+-]+\.md", page) and ".." not in page for page in places.files.values())


@pytest.mark.parametrize(
    ("page", "source", "anchor", "expected"),
    [
        ("files/a.py.md", "files/a.py.md", "e-1", "#e-1"),
        ("files/x/a.py.md", "families/f.md", "e-1", "../files/x/a.py.md#e-1"),
        ("index.md", "files/index.md", "", "../index.md"),
        ("files/a.md", "index.md", "", "files/a.md"),
    ],
)
def test_pages_link_to_each_other_by_relative_paths(page: str, source: str, anchor: str, expected: str) -> None:
    assert link_page(page, source, anchor) == expected


def render(text: str) -> tuple[Page, ...]:
    """Read Markdown as MkDocs does, and as MyST does."""
    from markdown import markdown as convert
    from markdown_it.renderer import RendererHTML
    from myst_parser.config.main import MdParserConfig
    from myst_parser.parsers.mdit import create_md_parser

    myst = create_md_parser(MdParserConfig(enable_extensions={"attrs_inline"}), RendererHTML)
    return Page(convert(text, extensions=["attr_list", "tables", "fenced_code"])), Page(myst.render(text))


@given(st.text(st.characters(codec="utf-8"), min_size=1))
@example("<script>x</script>")
@example("a*b*c _d_ `e` [f](g) ![h](i) &amp; \\ ~~k~~ {l}`m` $n$ |o|")
def test_escaped_text_is_only_text_to_either_reader(text: str) -> None:
    for page in render(f"x {markdown.escape(text)} y"):
        assert [tag for tag, _ in page.tags] == ["p"]
        assert page.text.strip() == f"x {safe(' '.join(text.split()))} y"


def test_a_project_without_entries_builds_too(tool: str, tmp_path: Path) -> None:
    catalog = make_catalog()
    folders.write_folder(write_project(catalog, ()), tmp_path / "out", "kind")
    assert (build(tool, tmp_path / "out") / "index.html").is_file()
