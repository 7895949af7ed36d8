"""How are the errors of a log of any length gathered into one answer?"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from catalog.explain.answer import Answer, AnsweredFinding, answer_finding, compare_version
from catalog.explain.findings import find_groups, group_reports, identify, order_finding, settle_findings
from catalog.explain.logs import read_log
from catalog.explain.overlay import Overlay
from catalog.explain.stored import IndexedCatalog
from catalog.explain.versions import find_version, is_same_version, order_version

_MOST_TOLD = 20_000
_MOST_KEPT = 1_000
"""So many different errors are told of; of more only their number is known."""


class Gathering:
    """Gathers errors passage by passage; of the log itself it keeps only what it will tell."""

    def __init__(self, catalogs: Sequence[IndexedCatalog]) -> None:
        self.catalogs = sorted(catalogs, key=order_version, reverse=True)
        self.versions: dict[str, str] = {}
        """The versions that the log names, by target."""
        self._kept: dict[tuple[object, ...], tuple[tuple[object, ...], AnsweredFinding]] = {}
        self._told: dict[Hashable, tuple[object, ...] | None] = {}
        """What reports looked like, as numbers, and which error each was; None when it was none."""
        self._passages = 0
        self._left_out = 0

    def add(self, passage: str) -> Iterator[AnsweredFinding]:
        """Read a passage; give the errors that it is the first to report."""
        passage = passage.encode("utf-8", "replace").decode()  # JSON can hold lone surrogates, no engine takes them
        self._note_versions(passage)
        self._passages += 1
        log = read_log(passage, self._has_class)
        overlays = [Overlay(log, catalog) for catalog in self.catalogs]
        groups = group_reports(log, overlays)
        for group in groups:
            self._count(self._told.get(group.look), group.times)
        found = find_groups(log, overlays, [group for group in groups if group.look not in self._told])
        if len(self._told) < _MOST_TOLD:
            self._told |= {group.look: None for group in groups if group.look not in self._told}
            self._told |= {group.look: identify(finding) for group, finding in found}
        for finding in settle_findings(found):
            key = identify(finding)
            if key in self._kept:
                self._count(key, finding.times)
            elif len(self._kept) >= _MOST_KEPT:
                self._left_out += finding.times
            else:
                answered = answer_finding(finding, self.catalogs)
                rank, place = order_finding(finding)
                self._kept[key] = (*rank, self._passages, *place), answered
                yield answered

    def _has_class(self, name: str) -> bool:
        return any(catalog.index.has_class(name) for catalog in self.catalogs)

    def _count(self, key: tuple[object, ...] | None, times: int) -> None:
        if key is not None and key in self._kept:
            order, known = self._kept[key]
            self._kept[key] = order, replace(known, times=known.times + times)

    def finish(self) -> Answer:
        """Give the whole answer, the likely cause first."""
        ordered = sorted(self._kept.values(), key=lambda kept: kept[0])
        remarks = [*self.list_remarks()]
        if self._left_out:
            remarks.append(f"{self._left_out:,} more errors aren't told of: the log has too many different ones")
        return Answer(tuple(answered for _, answered in ordered), tuple(remarks))

    def list_remarks(self) -> list[str]:
        """Say where the log and the catalogs are of different versions."""
        remarks = (compare_version(name, version, self.catalogs) for name, version in self.versions.items())
        return [remark for remark in remarks if remark is not None]

    def _note_versions(self, passage: str) -> None:
        """Look for versions that weren't named yet, and ask the catalog of a named one first."""
        for name in dict.fromkeys(catalog.target.name for catalog in self.catalogs):
            version = None if name in self.versions else find_version(passage, name)
            if version is not None:
                self.versions[name] = version
                self.catalogs.sort(key=lambda catalog: not _is_named(catalog, self.versions))


def _is_named(catalog: IndexedCatalog, versions: dict[str, str]) -> bool:
    version = versions.get(catalog.target.name)
    return version is not None and is_same_version(version, catalog.target)
