"""What a site holds, address by address: the writer makes all of it, a server one page when it is asked for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

from markupsafe import Markup

from catalog.publish.naming import describe_target
from catalog.publish.site import addresses
from catalog.publish.site.changes import list_releases
from catalog.publish.site.harmless import show
from catalog.publish.site.highlight import MarkedLines
from catalog.publish.site.indexes import list_listings
from catalog.publish.site.library import Book, Leaf, Library, shelve
from catalog.publish.site.listing import Listing
from catalog.publish.site.overview import view_home
from catalog.publish.site.rendering import render_page
from catalog.publish.site.searching import Document, build_index, make_document
from catalog.publish.site.views import split_lines, view_entry
from catalog.publish.site.volume import Volume
from catalog.records import Entry, Note
from catalog.store import dump_answer

MEDIA_TYPES: Mapping[str, str] = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
ASSETS = ("site.css", "site.js", "search.js", "icon.svg")


@dataclass(frozen=True, slots=True)
class Page:
    """What stands at an address."""

    body: bytes
    media_type: str


class Site:
    """The pages of one or several catalogs."""

    def __init__(self, library: Library, title: str) -> None:
        self.library = library
        self.title = title
        self._marked = lru_cache(64)(self._mark_file)
        names = [f"{show(book.name)} {show(book.newest.label)}" for book in library.books]
        self._common: dict[str, Any] = {
            "site_title": show(title),
            "books": [(show(book.name), addresses.target_page(book.name)) for book in library.books],
            "sources": ", ".join(names),
        }

    @classmethod
    def of(cls, volumes: Sequence[Volume], title: str = "Error reference") -> "Site":
        """Put a site together. Raises `CatalogError` where two catalogs are of one version, or a catalog is broken."""
        return cls(shelve(volumes), title)

    def paths(self) -> Iterator[str]:
        """Give every address of the site, in an order that puts the errors of one file together."""
        yield addresses.HOME
        yield from (f"assets/{name}" for name in ASSETS)
        for id_ in self.library.leaves:
            yield addresses.entry_page(id_)
            yield addresses.entry_data(id_)
        yield from self.indexes
        yield from map(addresses.entry_page, (*self.library.moved, *self.library.gone))
        yield from self.search_files

    def render(self, path: str) -> Page | None:
        """Render what stands at an address; `None` where nothing does."""
        body = self._render(path)
        return None if body is None else Page(body, MEDIA_TYPES[path.rpartition(".")[2]])

    def _render(self, path: str) -> bytes | None:
        if path == addresses.HOME:
            return self._fill("home.html", path, view_home(self.library))
        if path in self.indexes:
            listing, number = self.indexes[path]
            return self._fill("list.html", path, listing.view(number))
        folder, _, name = path.rpartition("/")
        id_ = name.rpartition(".")[0]
        if folder == "errors" and name.endswith(".html"):
            return self._render_error(path, id_)
        if folder == "api/errors" and name.endswith(".json"):
            leaf = self.library.leaves.get(id_)
            return dump_answer(self.answer(leaf)) if leaf is not None else None
        if folder == "assets" and name in ASSETS:
            return resources.files("catalog.publish.site").joinpath("assets", name).read_bytes()
        return self.search_files.get(path) if folder == "search" else None

    def _render_error(self, path: str, id_: str) -> bytes | None:
        library = self.library
        leaf = library.leaves.get(id_)
        if leaf is not None:
            return self._fill("entry.html", path, self._view(leaf))
        if id_ in library.moved:
            new = library.moved[id_]
            values = {"title": show(library.find_row(new).title), "page": addresses.entry_page(new)}
            return render_page("moved.html", path, values)
        stone = library.gone.get(id_)
        if stone is None:
            return None
        last = show(stone.last_release or (stone.last_commit or "")[:12] or "an earlier catalog")
        return self._fill(
            "gone.html", path, {"title": show(stone.title), "page_title": show(stone.title), "last": last}
        )

    def _fill(self, template: str, path: str, values: Mapping[str, Any]) -> bytes:
        return render_page(template, path, self._common | dict(values))

    def _view(self, leaf: Leaf) -> dict[str, Any]:
        entry, note = self.read(leaf)
        book = self.library.find_book(leaf.book)
        view = view_entry(entry, note, leaf, self.library, lambda path: self._marked(book.name, leaf.volume, path))
        home, file = addresses.target_page(book.name), addresses.part_page(book.name, "files", entry.site.path)
        is_newest = leaf.volume == len(book.volumes) - 1
        files = (
            (("Files", addresses.target_page(book.name, "files")), (show(entry.site.path), file)) if is_newest else ()
        )
        crumbs = ((show(book.name), home), *files, (show(entry.site.qualname), None))
        name = f"{show(entry.exception.name)}: {show(entry.title)}"
        described = (
            note.meaning
            if note is not None
            else f"{entry.exception.name} of {book.name}, raised in {entry.site.qualname}"
        )
        return view | {
            "links": self.indexes,
            "page_title": f"{name} · {show(book.name)}",
            "description": show(described)[:300],
            "crumbs": crumbs,
        }

    def read(self, leaf: Leaf) -> tuple[Entry, Note | None]:
        """Read an error whole, with its note."""
        volume = self.library.find_volume(leaf)
        entry = volume.read_entry(leaf.position)
        return entry, volume.read_note(entry.id)

    def answer(self, leaf: Leaf) -> dict[str, Any]:
        """Give an error's data: the entry, its note, its life over the releases, those related."""
        entry, note = self.read(leaf)
        rows = [self.library.find_row(id_) for id_ in entry.related if id_ in self.library.leaves]
        return {
            "target": describe_target(self.library.find_volume(leaf).head.target),
            "entry": entry,
            "note": note,
            "lineage": [
                {"version": step.label, "change": step.what, "title": step.title, "details": step.details}
                for step in leaf.life
            ],
            "related": [{"id": row.id, "title": row.title, "exception": row.exception.name} for row in rows],
        }

    @cached_property
    def indexes(self) -> Mapping[str, tuple[Listing, int]]:
        """What lists errors, by address, each with the number of its page."""
        listings = (*list_listings(self.library), *list_releases(self.library))
        return {
            addresses.number_page(listing.address, number): (listing, number)
            for listing in listings
            for number in range(1, listing.pages + 1)
        }

    @cached_property
    def search_files(self) -> Mapping[str, bytes]:
        """The files of the search index, by address."""
        return dict(build_index(self.list_documents()))

    def list_documents(self) -> list[Document]:
        """List what the newest release of each target is searched by."""
        return [document for book in self.library.books for document in _read_documents(book)]

    def _mark_file(self, book: str, volume: int, path: str) -> Mapping[int, Markup]:
        """Mark up what the excerpts of a file show of it."""
        opened = self.library.find_book(book).volumes[volume]
        lines: dict[int, str] = {}
        for position in opened.by_file.get(path, ()):
            excerpt = opened.read_entry(position).excerpt
            lines.update(enumerate(split_lines(excerpt.text), excerpt.start_line))
        return MarkedLines(lines)


def _read_documents(book: Book) -> Iterator[Document]:
    options = book.newest.options
    return (make_document(entry, options) for entry in book.newest.read_entries())
