"""What lists errors: by file, option, exception, family and release; long lists on several pages."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from catalog.families import FAMILIES
from catalog.publish.site import addresses
from catalog.publish.site.harmless import fold, show
from catalog.publish.site.library import Book, Library
from catalog.publish.site.volume import Row, name_kind
from catalog.terminal import plural

PER_PAGE = 200
"""Rows on a page: some 50 KB."""
Crumbs = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a list."""

    page: str
    name: str
    text: str = ""
    code: str = ""
    group: str = ""
    """Under which heading it stands."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A page that lists something, or several when it is long."""

    address: str
    heading: str
    items: tuple[Item, ...]
    crumbs: Crumbs
    lead: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    links: tuple[Item, ...] = ()
    plot: str = ""
    empty: str = ""

    @property
    def pages(self) -> int:
        """How many pages it takes."""
        return max(1, -(-len(self.items) // PER_PAGE))

    def view(self, number: int) -> dict[str, Any]:
        """Give what one of its pages shows."""
        items = self.items[(number - 1) * PER_PAGE : number * PER_PAGE]
        groups: dict[str, list[Item]] = {}
        for item in items:
            groups.setdefault(item.group, []).append(item)
        return {
            "heading": self.heading,
            "page_title": self.heading + (f", page {number}" if number > 1 else ""),
            "lead": self.lead if number == 1 else "",
            "facts": self.facts if number == 1 else (),
            "links": self.links if number == 1 else (),
            "plot": self.plot if number == 1 else "",
            "groups": [{"heading": heading, "rows": rows} for heading, rows in groups.items()],
            "crumbs": self.crumbs,
            "empty": self.empty if not self.items else "",
            "number": number,
            "pages": self.pages,
            "before": addresses.number_page(self.address, number - 1),
            "after": addresses.number_page(self.address, number + 1),
        }


@dataclass(frozen=True, slots=True)
class _Groups:
    """The entries of a target, by what its indexes go by."""

    files: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    exceptions: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    options: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))


def list_listings(library: Library) -> Iterator[Listing]:
    """Give every list of the site but those of what changed."""
    families: dict[str, list[tuple[str, Row]]] = defaultdict(list)
    for book in library.books:
        groups = _Groups()
        for row in book.newest.rows:
            groups.files[row.site.path].append(row)
            groups.exceptions[row.exception.name].append(row)
            for id_ in dict.fromkeys(use.id for use in row.options):
                groups.options[id_].append(row)
            families[row.family].append((book.name, row))
        yield from _list_book(book, groups)
    yield from _list_families(families)


def _item(row: Row, group: str = "") -> Item:
    where = f"{show(row.site.path)}:{row.site.line}"
    return Item(addresses.entry_page(row.id), show(row.title), where, show(row.exception.name), group)


def _list_book(book: Book, groups: _Groups) -> Iterator[Listing]:
    home: Crumbs = ((show(book.name), addresses.target_page(book.name)),)
    yield _make_home(book, groups)
    yield from _list_parts(book, home, "files", "Files", groups.files, lambda row: show(row.site.qualname))
    yield from _list_parts(book, home, "exceptions", "Exceptions", groups.exceptions, None)
    yield from _list_options(book, home, groups.options)


def _make_home(book: Book, groups: _Groups) -> Listing:
    volume = book.newest
    target, stats = volume.head.target, volume.head.stats
    page = addresses.target_page
    links = (
        Item(page(book.name, "files"), "Files", plural(len(groups.files), "file")),
        Item(page(book.name, "exceptions"), "Exceptions", plural(len(groups.exceptions), "class", "classes")),
        Item(page(book.name, "options"), "Options", plural(len(volume.options), "option")),
        Item(page(book.name, "releases"), "Releases", ", ".join(each.label for each in book.volumes[-3:])),
    )
    facts = [("Version", volume.label), ("Scope", " ".join(target.scope)), ("Files read", f"{stats.files_scanned:,}")]
    facts += [("Commit", target.commit[:12])] if target.commit else []
    facts += [("Files that can't be read", f"{stats.files_skipped:,}")] if stats.files_skipped else []
    facts += [("Guards exact", f"{stats.exact:.0%}")] if stats.exact is not None else []
    kinds = Counter(row.kind for row in volume.rows)
    lead = f"{plural(len(volume.rows), 'error')}: " + ", ".join(
        f"{count:,} {kind}" for kind, count in kinds.most_common()
    )
    skipped = tuple(
        Item(page(book.name), show(each.path), fold(each.reason), "", "Files that can't be read")
        for each in volume.head.skipped
    )
    return Listing(page(book.name), show(book.name), skipped, (), lead if kinds else "No errors.", tuple(facts), links)


def _list_parts(
    book: Book,
    home: Crumbs,
    kind: str,
    heading: str,
    parts: Mapping[str, list[Row]],
    group: Callable[[Row], str] | None,
) -> Iterator[Listing]:
    index = addresses.target_page(book.name, kind)
    rows = sorted(
        parts.items(), key=(lambda pair: pair[0]) if kind == "files" else (lambda pair: (-len(pair[1]), pair[0]))
    )
    items = tuple(
        Item(
            addresses.part_page(book.name, kind, name),
            show(name),
            plural(len(rows_), "error"),
            "",
            _find_folder(name, kind),
        )
        for name, rows_ in rows
    )
    yield Listing(index, f"{heading} of {show(book.name)}", items, (*home, (heading, None)))
    for name, found in rows:
        listed = tuple(_item(row, group(row) if group else show(row.site.path)) for row in found)
        crumbs: Crumbs = (*home, (heading, index), (show(name), None))
        yield Listing(
            addresses.part_page(book.name, kind, name), show(name), listed, crumbs, plural(len(found), "error")
        )


def _find_folder(name: str, kind: str) -> str:
    return show(name.rpartition("/")[0]) if kind == "files" else ""


def _list_options(book: Book, home: Crumbs, used: Mapping[str, list[Row]]) -> Iterator[Listing]:
    index, volume = addresses.target_page(book.name, "options"), book.newest
    options = sorted(
        volume.options.values(), key=lambda option: (not used.get(option.id), option.owner or "", option.id)
    )
    items = tuple(
        Item(
            addresses.part_page(book.name, "options", option.id),
            show(volume.names[option.id].replace("`", "")),
            plural(len(used.get(option.id, ())), "error") if used.get(option.id) else "",
            "",
            show(option.owner or {"env": "Environment variables", "flag": "Flags"}.get(option.kind, "Others")),
        )
        for option in options
    )
    yield Listing(
        index, f"Options of {show(book.name)}", items, (*home, ("Options", None)), empty="No options were found."
    )
    for option in options:
        facts = [("Kind", name_kind(option.kind)), ("Id", option.id)]
        facts += [("Set with", ", ".join(option.flags))] if option.flags else []
        facts += [("Type", option.type)] if option.type else []
        facts += [("Default", option.default)] if option.default is not None else []
        facts += [("Takes", ", ".join(option.choices))] if option.choices else []
        facts += [("Declared in", f"{option.path}:{option.line}")]
        found = used.get(option.id, ())
        yield Listing(
            addresses.part_page(book.name, "options", option.id),
            show(volume.names[option.id].replace("`", "")),
            tuple(_item(row) for row in found),
            (*home, ("Options", index), (show(option.id), None)),
            fold(option.help or ""),
            tuple((name, show(value)) for name, value in facts),
            empty="It is part of no error in this catalog.",
        )


def _list_families(families: Mapping[str, Sequence[tuple[str, Row]]]) -> Iterator[Listing]:
    ranked = sorted(families, key=lambda family: (-len(families[family]), family))
    items = tuple(
        Item(
            addresses.family_page(family),
            show(family),
            f"{FAMILIES.get(family, '')} · {plural(len(families[family]), 'error')}".lstrip(" ·"),
        )
        for family in ranked
    )
    lead = "What kinds of failure there are, the same across projects."
    yield Listing(addresses.FAMILIES, "Families", items, (("Families", None),), lead)
    for family in ranked:
        listed = tuple(_item(row, show(name)) for name, row in families[family])
        crumbs: Crumbs = (("Families", addresses.FAMILIES), (show(family), None))
        yield Listing(
            addresses.family_page(family), show(family), listed, crumbs, f"{FAMILIES.get(family, '')}.".lstrip(".")
        )


def view_home(library: Library) -> dict[str, Any]:
    """Give what the home page shows."""
    count = sum(len(book.newest.rows) for book in library.books)
    names = [f"{show(book.name)} {book.newest.label}" for book in library.books]
    said = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    links = [
        Item(
            addresses.target_page(book.name),
            show(book.name),
            f"{plural(len(book.newest.rows), 'error')} in {book.newest.label}",
        )
        for book in library.books
    ]
    links.append(Item(addresses.FAMILIES, "Families", "kinds of failure, across projects"))
    return {
        "heading": "What does this error mean?",
        "page_title": f"Errors of {said}",
        "description": f"A reference of the errors of {said}.",
        "lead": f"{plural(count, 'error')} of {said}: what raises each, under which condition, and what to change.",
        "links": links,
    }
