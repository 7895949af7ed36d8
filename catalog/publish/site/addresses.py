"""At which address does a page stand? A target's own words never choose more than a part of one name."""

import re

from catalog.identity import digest

HOME = "index.html"
FAMILIES = "families.html"
_LONG = 80


def name_part(text: str) -> str:
    """Make a name for an address: readable, safe on every file system, and another one for every other text."""
    plain = re.sub(r"[^a-z0-9_.-]+", "-", text.lower(), flags=re.ASCII).strip("-.")[:_LONG].strip("-.")
    if plain == text and plain not in ("", "index", "con", "nul", "aux", "prn"):
        return plain
    return f"{plain}-{digest(text)[:6]}" if plain else digest(text)[:12]


def entry_page(id_: str) -> str:
    """Give where an entry's page stands: `errors/7a3a63b2c8c404d9.html`, for ever."""
    return f"errors/{name_part(id_)}.html"


def entry_data(id_: str) -> str:
    """Give where an entry's JSON stands."""
    return f"api/errors/{name_part(id_)}.json"


def target_page(target: str, page: str = "index") -> str:
    """Give where a page about a target stands: its own, `files`, `options`, `exceptions`, `releases`."""
    return f"{name_part(target)}/{page}.html"


def part_page(target: str, kind: str, name: str) -> str:
    """Give where the page of one file, option, exception or release stands."""
    return f"{name_part(target)}/{kind}/{name_part(name)}.html"


def family_page(family: str) -> str:
    """Give where a family's page stands."""
    return f"families/{name_part(family)}.html"


def number_page(address: str, number: int) -> str:
    """Give where a further page of a long list stands: `files-2.html`; the first is the address itself."""
    return address if number == 1 else f"{address.removesuffix('.html')}-{number}.html"


def find_root(address: str) -> str:
    """Give the way from a page to the site's root: `../` for each folder it is in."""
    return "../" * address.count("/")
