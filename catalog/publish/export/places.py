"""On which page does each file, option and family stand, and how do pages link to each other?"""

import hashlib
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from catalog.records import Entry, Option

LOOSE = {"flag": "Flags", "env": "Environment variables", "field": "Fields"}
"""What options without a class are gathered under."""


@dataclass(frozen=True, slots=True)
class Places:
    """The pages of an export: what names a page in the catalog → the page's path."""

    files: Mapping[str, str]
    groups: Mapping[str, str]
    """Classes whose fields are options, and what stands beside them."""
    families: Mapping[str, str]
    homes: Mapping[str, str]
    """An entry's id → the path of its file's page."""

    def link_entry(self, entry_id: str, page: str) -> str | None:
        """Link to an entry from a page; one that wasn't exported has no link."""
        home = self.homes.get(entry_id)
        return None if home is None else link_page(home, page, name_anchor(entry_id))

    def link_family(self, family: str, page: str) -> str | None:
        """Link to the page of a family, where there is one."""
        return link_page(self.families[family], page) if family in self.families else None


def find_places(entries: Sequence[Entry], options: Iterable[Option]) -> Places:
    """Give each its page; the same names give the same pages, whatever is in them."""
    files = _name_pages("files", dict.fromkeys(entry.site.path for entry in entries), ".md")
    return Places(
        files=files,
        groups=_name_pages("options", sorted({name_group(option) for option in options}), ".md"),
        families=_name_pages("families", sorted({entry.family for entry in entries}), ".md"),
        homes={entry.id: files[entry.site.path] for entry in entries},
    )


def gather_places(entries: Sequence[Entry]) -> Places:
    """Put everything on one page."""
    page = "index.md"
    return Places(
        files={entry.site.path: page for entry in entries},
        groups={},
        families={},
        homes={entry.id: page for entry in entries},
    )


def name_group(option: Option) -> str:
    """Name what an option stands with: the class of its field, or its kind."""
    return option.owner or LOOSE[option.kind]


def name_anchor(entry_id: str) -> str:
    """Name the place of an entry on its page."""
    return "e-" + re.sub(r"[^0-9a-z]", "", entry_id)


def link_page(page: str, source: str, anchor: str = "") -> str:
    """Give the address of a page, or of a place on it, relative to another one."""
    if page == source and anchor:
        return f"#{anchor}"
    return posixpath.relpath(page, posixpath.dirname(source) or ".") + (f"#{anchor}" if anchor else "")


def _name_pages(folder: str, names: Iterable[str], suffix: str) -> dict[str, str]:
    """Give each name a path of its own, also where case doesn't count; no name leads out of the folder."""
    pages: dict[str, str] = {}
    taken = {f"{folder}/index{suffix}"}
    for name in names:
        steps = [re.sub(r"[^\w.+-]+", "-", step, flags=re.ASCII).strip(".")[:80] for step in name.split("/")]
        path = "/".join([folder, *(f"{step}_" if step.endswith(suffix) else step for step in steps[:-1] if step)])
        page = f"{path}/{steps[-1] or 'unnamed'}{suffix}"
        if page.lower() in taken or [step for step in steps if step] != name.split("/"):
            page = f"{page.removesuffix(suffix)}-{_digest(name)}{suffix}"
        taken.add(page.lower())
        pages[name] = page
    return pages


def _digest(name: str) -> str:
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
