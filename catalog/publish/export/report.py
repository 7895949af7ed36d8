"""In which form do entries go where?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from catalog import files, folders, store
from catalog.errors import QuestionError
from catalog.publish.export.lines import dump_lines
from catalog.publish.export.pages import write_document
from catalog.publish.export.project import write_project
from catalog.publish.export.raises import build_raises_answer, write_raises
from catalog.publish.export.sarif import build_sarif
from catalog.publish.export.sheet import dump_sheet
from catalog.publish.naming import name_file
from catalog.records import Catalog, Entry, Target

Format = Literal["jsonl", "csv", "md", "sarif", "raises"]
_KIND = "export-md"


@dataclass(frozen=True, slots=True)
class Export:
    """How the entries are wanted."""

    format: Format
    output: str = "-"
    """A file, a folder, or `-`."""
    as_json: bool = False
    """For `raises`: as data, not as text."""


def check_export(export: Export) -> None:
    """Refuse at once, before long work, what is sure to fail."""
    if export.as_json and export.format != "raises":
        raise QuestionError(f"--json is for --to raises; {export.format} is what it is")
    if export.format == "md" and export.output != "-":
        folders.check_folder(Path(export.output), _KIND)
    elif not _is_folder(export.output):
        files.check_place(export.output)


def write_export(catalog: Catalog, entries: Sequence[Entry], export: Export) -> str:
    """Write the entries, and give the place; the same entries give the same bytes."""
    if export.format == "md" and export.output != "-":
        folders.write_folder(write_project(catalog, entries), Path(export.output), _KIND)
        return export.output
    place = _choose_place(catalog.target, export)
    files.write_bytes(_dump(catalog, entries, export), place)
    return place


def _dump(catalog: Catalog, entries: Sequence[Entry], export: Export) -> bytes:
    match export.format:
        case "jsonl":
            return dump_lines(catalog, entries)
        case "csv":
            return dump_sheet(catalog, entries)
        case "md":
            return write_document(catalog, entries).encode("utf-8", "backslashreplace")
        case "sarif":
            return store.dump_answer(build_sarif(catalog, entries))
        case "raises" if export.as_json:
            return store.dump_answer(build_raises_answer(catalog, entries))
        case "raises":
            return write_raises(entries).encode("utf-8", "backslashreplace")


def _choose_place(target: Target, export: Export) -> str:
    """In a folder the file gets the target's name and version."""
    if not _is_folder(export.output):
        return export.output
    suffix = "json" if export.as_json else {"raises": "txt"}.get(export.format, export.format)
    return str(Path(export.output) / f"{name_file(target)}.{suffix}")


def _is_folder(output: str) -> bool:
    return output != "-" and (output.endswith("/") or Path(output).is_dir())
