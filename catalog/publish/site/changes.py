"""What changed from release to release: a page for each pair that follow each other, and how many errors each has."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from catalog.publish.site import addresses
from catalog.publish.site.differences import Line
from catalog.publish.site.harmless import show
from catalog.publish.site.library import Book, Library
from catalog.publish.site.listing import Crumbs, Item, Listing
from catalog.publish.site.plot import draw_bars
from catalog.publish.site.volume import Row
from catalog.terminal import plural

_STILL = ("unchanged", "in the first release here")
_PER_PAGE = 60
"""Changes take several lines each."""
_FIRST = {"first seen": (0, "Added"), "removed": (1, "Removed")}
_ORDER = ("reguarded", "retyped", "reworded", "other options", "renamed", "moved")
"""What a reader has to act on first."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What became of an error in a release."""

    what: str
    id: str
    line: str
    row: Row
    details: tuple[Line, ...]

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands."""
        return self.row.site.path, self.row.site.line

    @property
    def order(self) -> tuple[int, int, tuple[str, int]]:
        """Where it is listed."""
        if self.what in _FIRST:
            return _FIRST[self.what][0], 0, self.place
        kinds = self.what.split(", ")
        return 2, min((_ORDER.index(kind) for kind in kinds if kind in _ORDER), default=len(_ORDER)), self.place

    @property
    def group(self) -> str:
        """Under which heading it is listed."""
        if self.what in _FIRST:
            return _FIRST[self.what][1]
        return next((kind for kind in _ORDER if kind in self.what.split(", ")), self.what).capitalize()


def list_releases(library: Library) -> Iterator[Listing]:
    """Give the pages about releases of every target."""
    for book in library.books:
        changes = _gather(book, library)
        yield _list_all(book, changes)
        for index, volume in enumerate(book.volumes[1:], 1):
            yield _list_one(book, index, changes.get(volume.label, ()))


def _gather(book: Book, library: Library) -> dict[str, list[_Change]]:
    """Gather by release what became of which error."""
    found: dict[str, list[_Change]] = {}
    for id_, leaf in library.leaves.items():
        if leaf.book != book.name:
            continue
        row = library.find_row(id_)
        for step in leaf.life:
            if step.what not in _STILL:
                line = row.headline if step.title in ("", row.title) else show(step.title)
                change = _Change(step.what, id_, line, row, step.details)
                found.setdefault(step.label, []).append(change)
    return found


def _address(book: Book, index: int) -> str:
    return addresses.part_page(book.name, "releases", book.volumes[index].label)


def _crumbs(book: Book, *more: tuple[str, str | None]) -> Crumbs:
    return ((show(book.name), addresses.target_page(book.name)), *more)


def _list_all(book: Book, changes: Mapping[str, Sequence[_Change]]) -> Listing:
    items = []
    for index, volume in enumerate(book.volumes):
        page = _address(book, index) if index else addresses.target_page(book.name, "files")
        changed = _count(changes.get(volume.label, ())) if index else "the first release here"
        items.append(Item(page, show(volume.label), changed, tally=plural(len(volume.rows), "error")))
    bars = [(volume.label, len(volume.rows)) for volume in book.volumes]
    plot = draw_bars(bars) if len(bars) > 1 else ""
    crumbs = _crumbs(book, ("Releases", None))
    page = addresses.target_page(book.name, "releases")
    return Listing(page, f"Releases of {show(book.name)}", tuple(reversed(items)), crumbs, plot=plot)


def _list_one(book: Book, index: int, changes: Sequence[_Change]) -> Listing:
    before, volume = book.volumes[index - 1], book.volumes[index]
    items = tuple(
        Item(
            addresses.entry_page(each.id),
            each.line,
            show(f"{each.row.site.path}:{each.row.site.line}"),
            show(each.row.exception.name),
            each.group,
            details=each.details,
        )
        for each in sorted(changes, key=lambda each: each.order)
    )
    return Listing(
        _address(book, index),
        f"What changed in {show(book.name)} {show(volume.label)}",
        items,
        _crumbs(book, ("Releases", addresses.target_page(book.name, "releases")), (show(volume.label), None)),
        f"{plural(len(items), 'change')} since {show(before.label)}: {_count(changes)}.",
        empty="Nothing changed.",
        per_page=_PER_PAGE,
    )


def _count(changes: Sequence[_Change]) -> str:
    """Count changes by kind, as they are listed."""
    counts = Counter(each.group for each in sorted(changes, key=lambda each: each.order))
    return ", ".join(f"{count:,} {group.lower()}" for group, count in counts.items()) or "nothing changed"
