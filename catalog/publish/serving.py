"""What does a server need before it can answer?"""

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from catalog import terminal
from catalog.errors import ServeError
from catalog.records import Catalog
from catalog.shelf import Found


@dataclass(frozen=True, slots=True)
class Wish:
    """How a server is wanted."""

    host: str
    port: int
    allowed_hosts: tuple[str, ...]
    most_bytes: int
    """Of a body."""
    patience: float
    """Seconds in which a request must have come."""
    cache: Path | None
    title: str
    """What the pages are called."""


def run_server(found: Sequence[Found], wish: Wish) -> None:
    """Take the port, open the catalogs, say where they are served and do so until told to stop."""
    try:
        from catalog.publish.server import app, explaining, gate, library, run
        from catalog.publish.site import site, volume
    except ModuleNotFoundError as error:
        raise ServeError(f"serve needs {error.name}, which isn't installed: pip install 'errmine[serve]'") from error

    listener = run.listen(run.Address(wish.host, wish.port))
    with listener:
        opened = [(each.load(), _find_file(each.name)) for each in found]
        indexes = [explaining.index(catalog, file, wish.cache or _find_cache()) for catalog, file in opened]
        volumes = [volume.open_volume(file) if file else volume.wrap_catalog(catalog) for catalog, file in opened]
        pages = site.Site.of(volumes, wish.title)
        rules = gate.Rules(wish.most_bytes, gate.choose_hosts(wish.host, wish.allowed_hosts))
        books = library.Library([catalog for catalog, _ in opened])
        application = app.build_app(books, indexes, pages, app.Limits(rules, body_seconds=wish.patience))
        gc.enable()
        gc.freeze()  # what is served stays: looking through it for rubbish would hold up answers by 0.3 s
        terminal.tell(
            f"serving {_count([each for each, _ in opened])} at {run.name_address(listener)} (Ctrl-C stops it)"
        )
        run.serve(application, listener, wish.patience)


def _count(catalogs: Sequence[Catalog]) -> str:
    entries = terminal.plural(sum(len(catalog.entries) for catalog in catalogs), "entry")
    return f"{entries} of {terminal.plural(len(catalogs), 'catalog')}"


def _find_file(name: str) -> Path | None:
    return Path(name) if Path(name).is_file() else None


def _find_cache() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("errmine")
