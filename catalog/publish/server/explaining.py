"""Which entries does a log that was sent in come from?"""

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from catalog.explain.answer import Answer
from catalog.explain.gathering import Gathering
from catalog.explain.passages import read_passages
from catalog.explain.stored import IndexedCatalog, index_catalog, open_catalog
from catalog.records import Catalog


def index(catalog: Catalog, file: Path | None, cache: Path | None) -> IndexedCatalog:
    """Index a catalog once, by the index that is kept of its file where there is one.

    The records are those in memory: threads may ask for them at once, and no file stays open.
    """
    if file is None:
        return index_catalog(catalog, catalog.target.name)
    with open_catalog(file, cache) as indexed:
        return replace(indexed, entries=catalog.entries, options=catalog.options, notes=catalog.notes)


def explain(log: bytes, catalogs: Sequence[IndexedCatalog]) -> Answer:
    """Give the errors of a log with the entries they come from; of the log nothing is kept."""
    gathering = Gathering(catalogs)
    for passage in read_passages(io.BytesIO(log).read):
        for _ in gathering.add(passage):
            pass
    return gathering.finish()
