"""A small shop with errors of every kind, and a way to ask it about a log."""

from collections.abc import Mapping, Sequence

from factories import make_catalog, mine

from catalog.explain.answer import Answer, AnsweredMatch
from catalog.explain.gathering import Gathering
from catalog.explain.stored import IndexedCatalog, index_catalog
from catalog.records import Catalog

CART = '''
class Cart:
    def resize(self, size, most):
        """Change how much fits in."""
        if size is not None and size > most:
            raise ValueError(f"cart {size=} cannot exceed the warehouse shelf {most=}")
        if size < 0:
            raise ValueError("the cart refuses a negative shelf, got {}".format(size))

    def weigh(self, scale):
        assert scale.is_calibrated, "the scale wants calibration before weighing parcels"
        assert scale.unit == "gram"
        assert scale.drift % scale.step == 0
        if not scale.plate:
            raise KeyError(scale)

    def ship(self, parcel, port):
        if port.is_closed:
            raise RuntimeError(
                f"Harbour {port!r} turned the parcel away. Consider another harbour:\\n"
                f"- northern, via '--harbour north'.\\n"
                f"- southern, via '--harbour south'."
            )
        if port.is_full:
            raise RuntimeError(f"{parcel}: {port}")
'''
TILL = """
class TillError(Exception):
    pass


def count(coins):
    if not coins:
        raise TillError("nobody put coins into the till drawer")
    if len(coins) > 9:
        raise TillError(f"Coin error: {coins}")


def open_drawer(key):
    if not key:
        raise RuntimeError("Please unlock `drawer_key` before anyone counts.")


def close_drawer(key):
    if not key:
        raise RuntimeError("Please unlock `drawer_key` before anyone counts.")


def settle(till):
    try:
        till.count()
    except TillError as error:
        raise ValueError(f"settling the day failed, the till said: {error}. Count again tomorrow.") from error
"""
FILES = {"shop/cart.py": CART, "shop/till.py": TILL}


def build_catalog(files: Mapping[str, str] = FILES, release: str = "2.1.0") -> Catalog:
    """Mine these files into the catalog of a release."""
    entries = [entry for path, source in files.items() for entry in mine(source, path=path)]
    return make_catalog(entries, target__release=release, target__commit=None, target__ref=None)


def index_shop(files: Mapping[str, str] = FILES, release: str = "2.1.0") -> IndexedCatalog:
    """Index the catalog of these files."""
    return index_catalog(build_catalog(files, release), f"shop-{release}")


def explain(log: str, catalogs: Sequence[IndexedCatalog] = ()) -> Answer:
    """Ask catalogs, or the shop's, about a log."""
    gathering = Gathering(catalogs or [index_shop()])
    for _ in gathering.add(log):
        pass
    return gathering.finish()


def find_best(log: str, catalogs: Sequence[IndexedCatalog] = ()) -> AnsweredMatch | None:
    """Give the first match of the first error that has one."""
    answer = explain(log, catalogs)
    return next((finding.matches[0] for finding in answer.findings if finding.matches), None)


def find_place(log: str, catalogs: Sequence[IndexedCatalog] = ()) -> tuple[str, str] | None:
    """Give the function and the excerpt's raising line that a log is found to come from."""
    best = find_best(log, catalogs)
    return (best.site.qualname, best.template or best.branch) if best is not None else None
