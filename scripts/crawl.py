"""Is every link of a site whole, and every page fit to be shown? `crawl FOLDER [--parse N]`.

Reads all pages: each link and anchor must lead somewhere inside, each `id` stand once, nothing be loaded from
elsewhere, nothing run that isn't a file of the site, every page be reached from the home page. Of pages, `--parse N`
also reads N of each folder by the rules of HTML. What is wrong goes to stdout, and the exit code is 1.
"""

import argparse
import html
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import html5lib

LARGEST = 100_000
"""Bytes of a page."""
_ATTRIBUTE = re.compile(
    r'\s(href|src|id|action|for|aria-labelledby|aria-controls|aria-describedby|on\w+|style)="([^"]*)"'
)
_REFRESH = re.compile(r'<meta http-equiv="refresh" content="0; url=([^"]*)"')
_TAG = re.compile(r"<[a-zA-Z][^>]*>")
_INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>|<style", re.IGNORECASE)
_LOADING = re.compile(r'^<(?:script|img|iframe|link rel="(?:stylesheet|icon|preload)")', re.IGNORECASE)
_LISTED = 50


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says about others."""

    path: str
    links: frozenset[tuple[str, str]]
    """Paths from the site's root, with anchors or without."""
    faults: tuple[str, ...]
    is_hidden: bool
    """It says to search engines that it isn't for them: an old address, which nothing leads to."""


def find_faults(folder: Path, parsed: int = 3) -> Iterator[str]:
    """Give what is wrong with a site, a line each; `parsed` pages of each folder are read by the rules of HTML."""
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    pages = sorted(path for path in files if path.endswith(".html"))
    with ProcessPoolExecutor(2) as pool:
        read = list(pool.map(partial(read_page, folder), pages, chunksize=200))
        wanted: defaultdict[str, set[str]] = defaultdict(set)
        for page in read:
            yield from (f"{page.path}: {fault}" for fault in page.faults)
            for target, anchor in sorted(page.links):
                if target not in files:
                    yield f"{page.path}: leads to {target}, which isn't there"
                elif anchor:
                    wanted[target].add(anchor)
        looked = pool.map(partial(find_missing, folder), wanted, wanted.values(), chunksize=50)
        yield from (fault for faults in looked for fault in faults)
        yield from _find_unreached(read)
        for faults in pool.map(partial(parse_page, folder), _choose(pages, parsed)):
            yield from faults


def read_page(folder: Path, path: str) -> Page:
    """Read where a page leads to, and what is wrong with it by itself."""
    text = (folder / path).read_text(encoding="utf-8")
    links: set[tuple[str, str]] = set()
    faults: list[str] = []
    ids: list[str] = []
    references: set[str] = set()
    for tag in _TAG.findall(text):
        for name, value in _ATTRIBUTE.findall(tag):
            value = html.unescape(value)
            if name == "id":
                ids.append(value)
            elif name in ("href", "src", "action"):
                faults += _read_link(path, value, bool(_LOADING.match(tag)), links)
            elif name == "style" or name.startswith("on"):
                faults.append(f"has an attribute {name}")
            else:
                references.update(value.split())
    for url in _REFRESH.findall(text):
        faults += _read_link(path, html.unescape(url), False, links)
    faults += [f"runs or styles from inside: {found}" for found in _INLINE.findall(text)]
    faults += [f"has the id {each} twice" for each in sorted({each for each in ids if ids.count(each) > 1})]
    inside = {anchor for target, anchor in links if target == path and anchor} | references
    faults += [f"speaks of {each}, which isn't on it" for each in sorted(inside - set(ids))]
    if len(text.encode()) > LARGEST:
        faults.append(f"has {len(text.encode()):,} bytes")
    is_hidden = '<meta name="robots" content="noindex">' in text
    return Page(
        path, frozenset((target, anchor) for target, anchor in links if target != path), tuple(faults), is_hidden
    )


def _read_link(path: str, url: str, loads: bool, links: set[tuple[str, str]]) -> list[str]:
    parts = urlsplit(url)
    if parts.scheme or parts.netloc:
        if loads:
            return [f"loads {url}"]
        return [] if parts.scheme == "https" and parts.netloc else [f"leads to {url}"]
    steps: list[str] = list(PurePosixPath(path).parent.parts) if parts.path else list(PurePosixPath(path).parts)
    for step in unquote(parts.path).split("/") if parts.path else ():
        if step == "..":
            if not steps:
                return [f"leads out of the site: {url}"]
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    if parts.path.startswith("/"):
        return [f"leads to the root of the host, not of the site: {url}"]
    if parts.path.endswith("/") or (parts.path and steps == []):
        steps.append("index.html")
    links.add(("/".join(steps), unquote(parts.fragment)))
    return []


def find_missing(folder: Path, path: str, anchors: Iterable[str]) -> list[str]:
    """Tell which anchors that others lead to a page hasn't."""
    if not path.endswith(".html"):
        return [f"{path}: is no page, and can't have anchors"]
    ids = {html.unescape(each) for each in re.findall(r'\sid="([^"]*)"', (folder / path).read_text(encoding="utf-8"))}
    return [f"{path}: has no anchor {each}" for each in sorted(set(anchors) - ids)]


def parse_page(folder: Path, path: str) -> list[str]:
    """Read a page by the rules of HTML, and tell what breaks them."""
    parser = html5lib.HTMLParser()
    parser.parse((folder / path).read_bytes())
    return [f"{path}: line {line}: {code}" for (line, _), code, _ in parser.errors]


def _choose(pages: Iterable[str], count: int) -> Iterator[str]:
    folders: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for page in pages:
        folders[PurePosixPath(page).parent.parts].append(page)
    for members in folders.values():
        yield from islice(members, 0, None, max(1, len(members) // count)) if count else ()


def _find_unreached(pages: Sequence[Page]) -> Iterator[str]:
    leads = {page.path: {target for target, _ in page.links} for page in pages}
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        for target in leads.get(waiting.pop(), ()):
            if target in leads and target not in reached:
                reached.add(target)
                waiting.append(target)
    hidden = {page.path for page in pages if page.is_hidden}
    yield from (f"{path}: no page leads to it" for path in sorted(leads.keys() - reached - hidden))


def main() -> None:
    """Crawl, and say what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parse", type=int, default=3, metavar="N")
    arguments = parser.parse_args()
    faults = list(find_faults(arguments.folder, arguments.parse))
    for fault in faults[:_LISTED]:
        print(fault)
    print(f"{len(faults):,} faults" if faults else "nothing is wrong", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
