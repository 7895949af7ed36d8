"""What is there at a glance: of the whole site, and of one target?"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from catalog.publish.site import addresses
from catalog.publish.site.harmless import fold, is_web_address, show
from catalog.publish.site.library import Book, Library
from catalog.publish.site.listing import Item, Listing
from catalog.publish.site.volume import Row
from catalog.terminal import plural

_KINDS = {"raise": "raised", "assert": "asserted", "call": "by a helper", "exit": "exits", "constraint": "declared"}
_MOST = 8


@dataclass(frozen=True, slots=True)
class Groups:
    """The entries of a target, by what its indexes go by."""

    files: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    exceptions: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    options: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))


def view_home(library: Library) -> dict[str, Any]:
    """Give what the home page shows."""
    rows = [row for book in library.books for row in book.newest.rows]
    names = [f"{show(book.name)} {show(book.newest.label)}" for book in library.books]
    said = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    links = [
        Item(
            addresses.target_page(book.name),
            show(book.name),
            f"{plural(len(book.newest.rows), 'error')} in {show(book.newest.label)}",
        )
        for book in library.books
    ]
    links.append(Item(addresses.FAMILIES, "Families", "kinds of failure, across projects"))
    families = Counter(row.family for row in rows)
    return {
        "heading": "What does this error mean?",
        "page_title": f"Errors of {said}",
        "description": f"A reference of the errors of {said}.",
        "lead": f"{plural(len(rows), 'error')} of {said}: what raises each, under which condition, what to change.",
        "links": links,
        "families": [
            Item(addresses.family_page(family), show(family), tally=f"{count:,}")
            for family, count in sorted(families.items(), key=lambda pair: (-pair[1], pair[0]))
        ],
    }


def make_overview(book: Book, groups: Groups) -> Listing:
    """Make the page of a target: what was read of it, and where its errors are."""
    volume, page = book.newest, addresses.target_page
    links = (
        Item(page(book.name, "files"), "Files", plural(len(groups.files), "file")),
        Item(page(book.name, "exceptions"), "Exceptions", plural(len(groups.exceptions), "class", "classes")),
        Item(page(book.name, "options"), "Options", plural(len(volume.options), "option")),
        Item(page(book.name, "releases"), "Releases", ", ".join(show(each.label) for each in book.volumes[-3:])),
    )
    kinds = Counter(row.kind for row in volume.rows)
    told = ", ".join(f"{count:,} {_KINDS.get(kind, show(kind))}" for kind, count in kinds.most_common())
    lead = f"{plural(len(volume.rows), 'error')}: {told}." if kinds else "No errors."
    items = (*_list_most(book, groups), *_list_skipped(book))
    return Listing(page(book.name), show(book.name), items, (), lead, tuple(_list_facts(book)), links)


def _list_facts(book: Book) -> Iterator[tuple[str, str]]:
    target, stats = book.newest.head.target, book.newest.head.stats
    yield "Version", show(book.newest.label)
    if target.repo:
        yield "Project", show(target.repo)
    if target.url and is_web_address(f"{target.url.removesuffix('/')}/"):
        yield "Source", show(target.url)
    if target.commit:
        yield "Commit", show(target.commit)
    if target.committed:
        yield "Dated", show(target.committed[:10])
    yield "Scope", show(" ".join(target.scope))
    yield "Files read", f"{stats.files_scanned:,}"
    if stats.files_skipped:
        yield "Files that can't be read", f"{stats.files_skipped:,}"
    if stats.exact is not None:
        yield "Conditions known exactly", f"{stats.exact:.0%}"


def _list_most(book: Book, groups: Groups) -> Iterator[Item]:
    yield from _rank(book, "files", "Files with most errors", groups.files, {})
    yield from _rank(book, "exceptions", "Exceptions raised most", groups.exceptions, {})
    known = {id_: rows for id_, rows in groups.options.items() if id_ in book.newest.options}
    yield from _rank(book, "options", "Options that most errors are about", known, book.newest.names)


def _rank(
    book: Book, kind: str, heading: str, parts: Mapping[str, list[Row]], names: Mapping[str, str]
) -> Iterator[Item]:
    ranked = sorted(parts.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    for name, rows in ranked[:_MOST]:
        address = addresses.part_page(book.name, kind, name)
        shown = show(names.get(name, name).replace("`", "") if names else name)
        yield Item(address, shown, group=heading, tally=plural(len(rows), "error"))


def _list_skipped(book: Book) -> Iterator[Item]:
    for each in book.newest.head.skipped:
        page = addresses.target_page(book.name)
        yield Item(page, show(each.path), fold(each.reason), group="Files that can't be read")
