"""What does the API answer? Each answer is a record, whose JSON Schema is part of the published contract."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.families import FAMILIES
from catalog.options import OptionAnswer
from catalog.publish.server.library import Opened
from catalog.records import Catalog, Entry, Note, Option, OptionUse, Target


@dataclass(frozen=True, slots=True)
class Version:
    """Which source an answer is about."""

    name: str
    release: str | None
    ref: str | None
    commit: str | None


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """Where an error is raised."""

    path: str
    line: int
    qualname: str


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """What a list says of an entry."""

    id: str
    target: Version
    kind: str
    title: str
    exception: str
    template: str | None
    branch: str
    family: str
    options: tuple[str, ...]
    site: SiteSummary
    permalink: str | None


@dataclass(frozen=True, slots=True)
class ErrorsAnswer:
    """A page of a list of entries."""

    total: int
    offset: int
    next: str | None
    """The address of the page after this one."""
    errors: tuple[ErrorSummary, ...]


@dataclass(frozen=True, slots=True)
class LifeStep:
    """What an entry was in one version."""

    version: str
    change: str
    """`first seen`, `unchanged`, `reworded, reguarded`, `removed`."""
    title: str


@dataclass(frozen=True, slots=True)
class RelatedError:
    """Another entry worth a look."""

    id: str
    title: str
    exception: str


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """One entry whole, and what belongs to it: what stands at this address of a site."""

    target: Version
    entry: Entry
    note: Note | None
    lineage: tuple[LifeStep, ...]
    """Over the versions here, the oldest first; empty where there is only one."""
    related: tuple[RelatedError, ...]


@dataclass(frozen=True, slots=True)
class OptionErrorSummary:
    """An entry that an option is part of, and by which names."""

    error: ErrorSummary
    uses: tuple[OptionUse, ...]


@dataclass(frozen=True, slots=True)
class OptionSummary:
    """An option and its errors."""

    target: Version
    option: Option
    errors: tuple[OptionErrorSummary, ...]


@dataclass(frozen=True, slots=True)
class OptionsAnswer:
    """The options that a name means."""

    total: int
    """How many there are; of very many only the first are given."""
    options: tuple[OptionSummary, ...]


@dataclass(frozen=True, slots=True)
class FamilySummary:
    """A family of errors."""

    family: str
    about: str | None
    entries: int
    targets: dict[str, int]
    """How many there are by target, in its newest version."""


@dataclass(frozen=True, slots=True)
class FamiliesAnswer:
    """The families that are there, the biggest first."""

    families: tuple[FamilySummary, ...]


@dataclass(frozen=True, slots=True)
class CatalogSummary:
    """A catalog that is served."""

    target: Version
    scope: tuple[str, ...]
    entries: int
    options: int
    notes: int


@dataclass(frozen=True, slots=True)
class CatalogsAnswer:
    """What is served, and where questions go."""

    catalogs: tuple[CatalogSummary, ...]
    contract: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer."""

    error: str


def name_target(target: Target) -> Version:
    """Say which source it is."""
    return Version(target.name, target.release, target.ref, target.commit)


def summarize_entry(entry: Entry, target: Target) -> ErrorSummary:
    """Say of an entry what a list says."""
    site = entry.site
    return ErrorSummary(
        id=entry.id,
        target=name_target(target),
        kind=entry.kind,
        title=entry.title,
        exception=entry.exception.name,
        template=entry.message.template if entry.message is not None else None,
        branch=entry.guard.branch,
        family=entry.family,
        options=tuple(dict.fromkeys(use.id for use in entry.options)),
        site=SiteSummary(site.path, site.line, site.qualname),
        permalink=entry.permalink,
    )


def answer_errors(
    found: Sequence[tuple[Target, Entry]], offset: int, limit: int, following: str | None
) -> ErrorsAnswer:
    """Answer with a page of a list."""
    page = tuple(summarize_entry(entry, target) for target, entry in found[offset : offset + limit])
    return ErrorsAnswer(len(found), offset, following if offset + limit < len(found) else None, page)


def answer_options(found: Sequence[tuple[Target, OptionAnswer]], most: int) -> OptionsAnswer:
    """Answer with options and their errors."""
    return OptionsAnswer(
        len(found),
        tuple(
            OptionSummary(
                name_target(target),
                answer.option,
                tuple(OptionErrorSummary(summarize_entry(error.entry, target), error.uses) for error in answer.errors),
            )
            for target, answer in found[:most]
        ),
    )


def answer_families(catalogs: Iterable[Opened]) -> FamiliesAnswer:
    """Answer with the families of these catalogs."""
    counts: dict[str, Counter[str]] = {}
    for opened in catalogs:
        for family, count in opened.families.items():
            counts.setdefault(family, Counter())[opened.catalog.target.name] += count
    found = (
        FamilySummary(name, FAMILIES.get(name), by_target.total(), dict(sorted(by_target.items())))
        for name, by_target in counts.items()
    )
    return FamiliesAnswer(tuple(sorted(found, key=lambda each: (-each.entries, each.family))))


def answer_catalogs(catalogs: Iterable[Catalog]) -> CatalogsAnswer:
    """Answer with what is served."""
    return CatalogsAnswer(
        tuple(
            CatalogSummary(
                name_target(each.target), each.target.scope, len(each.entries), len(each.options), len(each.notes)
            )
            for each in catalogs
        ),
        contract="/api/openapi.json",
    )
