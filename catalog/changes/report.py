"""In which form is a diff told?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from catalog import files, store, terminal
from catalog.changes.annotations import write_annotations
from catalog.changes.answer import build_answer
from catalog.changes.notes import build_notes
from catalog.changes.page import build_page
from catalog.diff import Change
from catalog.records import Catalog

Format = Literal["text", "md", "github", "json"]


@dataclass(frozen=True, slots=True)
class Report:
    """How the answer is wanted."""

    format: Format = "text"
    output: str = "-"
    most: int | None = None
    """Changes of a kind to list, for people."""
    failing: frozenset[str] = frozenset()
    """Kinds that are told as errors, where that makes a difference."""


def write_report(old: Catalog, new: Catalog, changes: Sequence[Change], report: Report) -> None:
    """Write the changes where and how they are wanted."""
    match report.format:
        case "json":
            files.write_bytes(store.dump_answer(build_answer(old, new, changes)), report.output)
        case "md":
            _write_text(build_notes(old, new, changes, report.most), report.output)
        case "github":
            _write_text("".join(f"{line}\n" for line in write_annotations(changes, report.failing)), report.output)
        case "text":
            page = build_page(old, new, changes, report.most)
            if report.output == "-":
                terminal.open_console().print(page)
            else:
                _write_text(f"{page.plain}\n", report.output)


def _write_text(text: str, output: str) -> None:
    files.write_bytes(text.encode("utf-8", "backslashreplace"), output)
