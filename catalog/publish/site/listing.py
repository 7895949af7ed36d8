"""A page that lists something, cut into several where it is long."""

from dataclasses import dataclass
from typing import Any

from catalog.publish.site import addresses

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
    tally: str = ""
    """How many there are of what it leads to."""
    details: tuple[tuple[str, str], ...] = ()
    """Lines below it, each with a sign: `-` for what was, `+` for what is."""


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
    per_page: int = PER_PAGE

    @property
    def pages(self) -> int:
        """How many pages it takes."""
        return max(1, -(-len(self.items) // self.per_page))

    def view(self, number: int) -> dict[str, Any]:
        """Give what one of its pages shows."""
        items = self.items[(number - 1) * self.per_page : number * self.per_page]
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
