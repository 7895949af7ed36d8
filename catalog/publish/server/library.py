"""Which catalogs are served, and which of them are meant?"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from catalog.errors import QuestionError
from catalog.options import OptionError, gather_errors
from catalog.publish.naming import name_version, order_version
from catalog.records import Catalog


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A catalog ready for questions; it is only equal to itself."""

    catalog: Catalog
    errors: Mapping[str, tuple[OptionError, ...]]
    """By the option's id."""
    families: Mapping[str, int]
    """How many entries are of each."""

    def is_version(self, version: str) -> bool:
        """Tell whether the catalog is of a version, named as a release, a tag or the start of a commit."""
        target = self.catalog.target
        if version in (target.release, target.ref):
            return True
        return len(version) >= 7 and target.commit is not None and target.commit.startswith(version)


class Library:
    """Catalogs by target, of each the newest version first."""

    def __init__(self, catalogs: Iterable[Catalog]) -> None:
        ordered = sorted(catalogs, key=lambda catalog: order_version(catalog.target), reverse=True)
        ordered.sort(key=lambda catalog: catalog.target.name)
        self.catalogs = tuple(map(_open, ordered))
        self.by_target: dict[str, tuple[Opened, ...]] = {
            name: tuple(versions)
            for name, versions in groupby(self.catalogs, key=lambda each: each.catalog.target.name)
        }

    def choose(self, target: str | None, version: str | None) -> Sequence[Opened]:
        """Give the catalogs that are meant: without a version the newest of each target."""
        if target is not None and target not in self.by_target:
            raise QuestionError(f"{target}: no such target here; there are {', '.join(self.by_target)}")
        wanted = [self.by_target[target]] if target is not None else list(self.by_target.values())
        if version is None:
            return [versions[0] for versions in wanted]
        found = [opened for versions in wanted for opened in versions if opened.is_version(version)]
        if not found:
            known = ", ".join(filter(None, (name_version(each.catalog.target) for all_ in wanted for each in all_)))
            raise QuestionError(f"{version}: no such version here; there are {known or 'none with a name'}")
        return found


def _open(catalog: Catalog) -> Opened:
    return Opened(catalog, gather_errors(catalog.entries), Counter(entry.family for entry in catalog.entries))
