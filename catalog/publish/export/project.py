"""What makes a folder of Markdown pages a project of MkDocs, and of Sphinx with MyST?

Both build the same pages. MkDocs reads `mkdocs.yml`, which holds the navigation; Sphinx reads `docs/conf.py`, which
gives each index page its table of contents.
"""

import re
from collections.abc import Iterator, Sequence

from catalog.publish.export.pages import write_pages
from catalog.publish.naming import name_version
from catalog.records import Catalog, Entry
from catalog.store import dump_line

_IN_NAVIGATION = 400
"""With more pages of files than this the navigation of each page would outgrow the page."""
_CONF = '''"""The configuration of Sphinx for these pages: `sphinx-build docs html`."""

project = {title!r}
extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline"]
html_copy_source = False
smartquotes = False
# A condition or statement is shown as it stands, also where the highlighter doesn't know it.
suppress_warnings = ["misc.highlighting_failure"]


def add_contents(app, name, source):
    """Let each index page lead to the pages below it."""
    folder, _, last = name.rpartition("/")
    if last != "index":
        return
    below = sorted(page for page in app.env.found_docs if page.startswith(f"{{folder}}/" if folder else ""))
    pages = [page for page in below if page != name and (folder or page.endswith("/index"))]
    if pages:
        listed = "\\n".join(f"/{{page}}" for page in pages)
        source[0] += f"\\n```{{{{toctree}}}}\\n:hidden:\\n\\n{{listed}}\\n```\\n"


def setup(app):
    """Add the tables of contents while the pages are read."""
    app.connect("source-read", add_contents)
'''


def write_project(catalog: Catalog, entries: Sequence[Entry]) -> Iterator[tuple[str, bytes]]:
    """Give the files of the folder: their paths in it, and what they hold."""
    pages = []
    for path, text in write_pages(catalog, entries):
        pages.append(path)
        yield f"docs/{path}", text.encode("utf-8", "backslashreplace")
    title = _name_project(catalog)
    yield "mkdocs.yml", _write_settings(title, pages).encode()
    yield "docs/conf.py", _CONF.format(title=title).encode()


def _name_project(catalog: Catalog) -> str:
    """Name the project in plain letters: themes put the name into their pages as it is."""
    words = (catalog.target.name, name_version(catalog.target) or "")
    return " ".join(filter(None, ("Errors of", *(re.sub(r"[^\w.+-]+", " ", word).strip() for word in words))))


def _write_settings(title: str, pages: Sequence[str]) -> str:
    """Write `mkdocs.yml`: what follows each key is JSON, which YAML reads as it is."""
    settings = {
        "site_name": title,
        "theme": "readthedocs",
        "exclude_docs": "conf.py",
        "markdown_extensions": ["attr_list"],
        "validation": {"anchors": "warn", "unrecognized_links": "warn"},
        "nav": _build_navigation(pages),
    }
    return "".join(f"{key}: {dump_line(value).decode()}" for key, value in settings.items())


def _build_navigation(pages: Sequence[str]) -> list[object]:
    """Build the tree of pages; of a big catalog the pages of files are reached by their index alone."""
    files = [page for page in pages if page.startswith("files/")]
    listed = files if len(files) <= _IN_NAVIGATION else files[:1]
    rest = {folder: [page for page in pages if page.startswith(f"{folder}/")] for folder in ("options", "families")}
    return [
        {"Home": "index.md"},
        {"By file": listed},
        {"By option": rest["options"]},
        {"By family": rest["families"]},
    ]
