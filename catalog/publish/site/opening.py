"""What a person calls catalogs → an open site."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from catalog import shelf
from catalog.publish.site.site import Site
from catalog.publish.site.volume import Volume, open_volume, wrap_catalog


def open_site(catalogs: Sequence[str], scan: shelf.Scan | None, title: str) -> Site:
    """Open a site of files, folders of catalogs, and targets. Raises `CatalogError` where one can't be read."""
    return Site.of([_open(found) for found in shelf.find_catalogs(catalogs, scan)], title)


def _open(found: shelf.Found) -> Volume:
    """Open a file without reading all of it; what is scanned is at hand as records."""
    return open_volume(found.name) if Path(found.name).is_file() else wrap_catalog(found.load())


def list_unexplained(site: Site) -> Iterator[str]:
    """Name the newest catalogs that have no notes."""
    return (book.name for book in site.library.books if book.newest.rows and not book.newest.skimmed.notes)
