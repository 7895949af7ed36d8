"""What changed from release to release: a page for each pair that follow each other, and how many errors each has."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from catalog.publish.site import addresses
from catalog.publish.site.harmless import show
from catalog.publish.site.library import Book, Library
from catalog.publish.site.listing import Crumbs, Item, Listing
from catalog.terminal import plural

_STILL = ("unchanged", "in the first release here")
_HEIGHT = 160
_WIDTH = 640


def list_releases(library: Library) -> Iterator[Listing]:
    """Give the pages about releases of every target."""
    for book in library.books:
        changes = _gather(book, library)
        yield _list_all(book, changes)
        for index, volume in enumerate(book.volumes[1:], 1):
            yield _list_one(book, index, changes.get(volume.label, ()))


def _gather(book: Book, library: Library) -> dict[str, list[tuple[str, str, str]]]:
    """Gather by release what became of which error: the kind of change, its id, its title then."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for id_, leaf in library.leaves.items():
        if leaf.book != book.name:
            continue
        title = library.find_row(id_).title
        for step in leaf.life:
            if step.what not in _STILL:
                found.setdefault(step.label, []).append((step.what, id_, step.title or title))
    return found


def _address(book: Book, index: int) -> str:
    return addresses.part_page(book.name, "releases", book.volumes[index].label)


def _crumbs(book: Book, *more: tuple[str, str | None]) -> Crumbs:
    return ((show(book.name), addresses.target_page(book.name)), *more)


def _list_all(book: Book, changes: dict[str, list[tuple[str, str, str]]]) -> Listing:
    items = []
    for index, volume in enumerate(book.volumes):
        page = _address(book, index) if index else addresses.target_page(book.name, "files")
        changed = plural(len(changes.get(volume.label, ())), "change") if index else "the first release here"
        items.append(Item(page, show(volume.label), f"{plural(len(volume.rows), 'error')}, {changed}"))
    bars = [(volume.label, len(volume.rows)) for volume in book.volumes]
    plot = draw_bars(bars) if len(bars) > 1 else ""
    crumbs = _crumbs(book, ("Releases", None))
    page = addresses.target_page(book.name, "releases")
    return Listing(page, f"Releases of {show(book.name)}", tuple(reversed(items)), crumbs, plot=plot)


def _list_one(book: Book, index: int, changes: Sequence[tuple[str, str, str]]) -> Listing:
    before, volume = book.volumes[index - 1], book.volumes[index]
    order = {"first seen": 0, "removed": 1}
    ranked = sorted(changes, key=lambda each: (order.get(each[0], 2), each[0]))
    names = {"first seen": "Added", "removed": "Removed"}
    items = tuple(
        Item(addresses.entry_page(id_), show(title), group=names.get(what, what.capitalize()))
        for what, id_, title in ranked
    )
    return Listing(
        _address(book, index),
        f"What changed in {show(book.name)} {show(volume.label)}",
        items,
        _crumbs(book, ("Releases", addresses.target_page(book.name, "releases")), (show(volume.label), None)),
        f"{plural(len(items), 'change')} since {show(before.label)}.",
        empty="Nothing changed.",
    )


def draw_bars(bars: Sequence[tuple[str, int]]) -> Markup:
    """Draw how many errors each release has, as SVG that also reads as a text."""
    highest = max(count for _, count in bars) or 1
    step = _WIDTH / len(bars)
    drawn = []
    for index, (label, count) in enumerate(bars):
        height = round((_HEIGHT - 40) * count / highest)
        left, top = round(index * step + step * 0.15), _HEIGHT - 20 - height
        middle = round(index * step + step / 2)
        drawn.append(
            Markup(
                '<rect x="{}" y="{}" width="{}" height="{}"></rect><text x="{}" y="{}" text-anchor="middle">{}</text>'
                '<text x="{}" y="{}" text-anchor="middle">{}</text>'
            ).format(
                left,
                top,
                round(step * 0.7),
                height,
                middle,
                top - 6,
                f"{count:,}",
                middle,
                _HEIGHT - 4,
                show(label)[:14],
            )
        )
    said = ", ".join(f"{show(label)}: {count:,}" for label, count in bars)
    head = Markup('<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="Errors by release. {}">').format(
        _WIDTH, _HEIGHT, said
    )
    return head + Markup("").join(drawn) + Markup("</svg>")
