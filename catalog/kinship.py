"""Which entries of several catalogs belong to one family?"""

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.errors import QuestionError
from catalog.families import FAMILIES
from catalog.records import Catalog, Entry


@dataclass(frozen=True, slots=True)
class Members:
    """The entries of a family in one catalog."""

    catalog: str
    """What the catalog is of: `vllm 0.33.0`."""
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Kin:
    """A family and its entries, by catalog in the order given."""

    family: str
    about: str
    """What its entries have in common; empty for a family that only an older catalog knows."""
    members: tuple[Members, ...]

    @property
    def size(self) -> int:
        """Count the entries in all catalogs."""
        return sum(len(each.entries) for each in self.members)


def list_kin(catalogs: Sequence[Catalog]) -> tuple[Kin, ...]:
    """List every family that has entries in any of the catalogs, the largest first."""
    found = {entry.family for catalog in catalogs for entry in catalog.entries}
    return tuple(sorted((_gather(family, catalogs) for family in found), key=lambda kin: (-kin.size, kin.family)))


def find_kin(family: str, catalogs: Sequence[Catalog]) -> Kin:
    """Find a family's entries; raises `QuestionError` when there is no such family."""
    known = {*FAMILIES, *(entry.family for catalog in catalogs for entry in catalog.entries)}
    wanted = family.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted not in known:
        raise QuestionError(f"{family}: no such family; there are {', '.join(sorted(known))}")
    return _gather(wanted, catalogs)


def name_catalog(catalog: Catalog) -> str:
    """Name a catalog by what it is of."""
    target = catalog.target
    version = target.release or target.ref or (target.commit or "")[:12]
    return f"{target.name} {version}".rstrip()


def _gather(family: str, catalogs: Sequence[Catalog]) -> Kin:
    members = (
        Members(name_catalog(catalog), tuple(entry for entry in catalog.entries if entry.family == family))
        for catalog in catalogs
    )
    return Kin(family, FAMILIES.get(family, ""), tuple(members))
