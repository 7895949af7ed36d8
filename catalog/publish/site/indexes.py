"""What lists errors: by file, option, exception, family and release; long lists on several pages."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from catalog.families import FAMILIES
from catalog.publish.site import addresses
from catalog.publish.site.harmless import fold, show
from catalog.publish.site.library import Book, Library
from catalog.publish.site.listing import Crumbs, Item, Listing
from catalog.publish.site.overview import Groups, make_overview
from catalog.publish.site.prose import prose
from catalog.publish.site.volume import Row, name_kind
from catalog.terminal import plural


def list_listings(library: Library) -> Iterator[Listing]:
    """Give every list of the site but those of what changed."""
    families: dict[str, list[tuple[str, Row]]] = defaultdict(list)
    for book in library.books:
        groups = Groups()
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
    return Item(addresses.entry_page(row.id), row.headline, where, show(row.exception.name), group)


def _list_book(book: Book, groups: Groups) -> Iterator[Listing]:
    home: Crumbs = ((show(book.name), addresses.target_page(book.name)),)
    yield make_overview(book, groups)
    yield from _list_parts(book, home, "files", "Files", groups.files, lambda row: show(row.site.qualname))
    yield from _list_parts(book, home, "exceptions", "Exceptions", groups.exceptions, None)
    yield from _list_options(book, home, groups.options)


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
            group=_find_folder(name, kind),
            tally=plural(len(rows_), "error"),
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
            group=show(option.owner or {"env": "Environment variables", "flag": "Flags"}.get(option.kind, "Others")),
            tally=plural(len(used[option.id]), "error") if used.get(option.id) else "",
        )
        for option in options
    )
    yield Listing(
        index, f"Options of {show(book.name)}", items, (*home, ("Options", None)), empty="No options were found."
    )
    twins = defaultdict(list)
    for option in options:
        twins[volume.names[option.id]].append(option)
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
            prose(fold(option.help or "")),
            tuple((name, show(value)) for name, value in facts),
            tuple(
                Item(
                    addresses.part_page(book.name, "options", twin.id),
                    show(twin.id),
                    f"set in the same way, {plural(len(used.get(twin.id, ())), 'error')}",
                )
                for twin in twins[volume.names[option.id]]
                if twin is not option
            ),
            empty="It is part of no error in this catalog.",
        )


def _list_families(families: Mapping[str, Sequence[tuple[str, Row]]]) -> Iterator[Listing]:
    ranked = sorted(families, key=lambda family: (-len(families[family]), family))
    items = tuple(
        Item(
            addresses.family_page(family),
            show(family),
            FAMILIES.get(family, ""),
            tally=plural(len(families[family]), "error"),
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
