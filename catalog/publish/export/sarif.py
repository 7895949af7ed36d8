"""How are entries results of SARIF 2.1.0, the format of code scanning?

A family is a rule and an entry a result, which keeps its identity by the entry's id: alerts survive what ids survive.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from catalog.families import FAMILIES
from catalog.publish.naming import name_version
from catalog.records import Catalog, Entry, Excerpt, Note, Target
from catalog.terminal import safe

MOST_RESULTS = 25_000
"""GitHub takes no more results in an upload."""
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_HASH = "primaryLocationLineHash"
"""The one fingerprint by which GitHub tells alerts apart; where it is missing, lines of code take its place."""


def build_sarif(catalog: Catalog, entries: Iterable[Entry]) -> dict[str, Any]:
    """Build a log with one run."""
    entries = tuple(entries)
    families = sorted({entry.family for entry in entries})
    rules = {family: number for number, family in enumerate(families)}
    notes = {note.entry: note for note in catalog.notes}
    target, tool = catalog.target, catalog.tool
    run = {
        "tool": {
            "driver": {
                "name": tool.name,
                "version": tool.version,
                "rules": [_build_rule(family) for family in families],
            }
        },
        "automationDetails": {"id": f"errmine/{_write_uri(target.name)}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the source tree."}}},
        "properties": {"target": target.name, "version": name_version(target), "scope": list(target.scope)},
        "results": [_build_result(entry, rules[entry.family], notes.get(entry.id)) for entry in entries],
    }
    provenance = _build_provenance(target)
    if provenance is not None:
        run["versionControlProvenance"] = [provenance]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _build_rule(family: str) -> dict[str, Any]:
    words = family.replace("-", " ")
    return {
        "id": family,
        "name": "".join(map(str.capitalize, words.split())),
        "shortDescription": {"text": f"{escape_message(words.capitalize())}."},
        "fullDescription": {"text": f"{escape_message(FAMILIES.get(family, words).capitalize())}."},
        "help": {"text": "No defect: the place is one of those from which users get an error, and says when."},
        "defaultConfiguration": {"level": "note"},
        "properties": {"tags": ["errors", family]},
    }


def _build_result(entry: Entry, rule: int, note: Note | None) -> dict[str, Any]:
    return {
        "ruleId": entry.family,
        "ruleIndex": rule,
        "level": "note",
        "message": {"text": _build_text(entry, note)},
        "locations": [_build_location(entry)],
        "fingerprints": {"errmine/entry/v1": entry.id},
        "partialFingerprints": {
            "errmine/guard/v1": entry.fingerprint.guard,
            "errmine/template/v1": entry.fingerprint.template,
            _HASH: f"{entry.id}:1",
        },
        "properties": {
            "kind": entry.kind,
            "exception": entry.exception.qualified or entry.exception.name,
            "template": entry.message.template if entry.message is not None else None,
            "condition": entry.guard.condition,
            "exact": entry.guard.exact,
            "options": list(dict.fromkeys(use.id for use in entry.options)),
            "permalink": entry.permalink,
        },
    }


def _build_text(entry: Entry, note: Note | None) -> str:
    """Say what is raised and when, in sentences; the first stands alone where room is short."""
    said = _say_message(entry)
    lead = f"{safe(entry.exception.name)}{f': {said}' if said else ''}"
    branch = entry.guard.branch
    when = f"Raised when {safe(branch)}" if branch != "True" else "Raised whenever control comes here"
    meaning = [safe(" ".join(note.meaning.split()))] if note is not None else []
    return " ".join(escape_message(part) for part in (f"{lead.rstrip('.')}.", f"{when}.", *meaning))


def _say_message(entry: Entry) -> str:
    """Write the message with dots for its holes: braces would be read as arguments of the log's own."""
    if entry.message is None:
        return ""
    return safe(" ".join(entry.message.skeleton.replace("{}", "…").split()))


def escape_message(text: str) -> str:
    """Write text so that a message of SARIF has it as it is: braces doubled, and nothing in it a link.

    Brackets can be escaped in the text of a link alone, so what would be a link gets a space.
    """
    return text.replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _build_location(entry: Entry) -> dict[str, Any]:
    site = entry.site
    uri = _write_uri(site.path)
    region: dict[str, Any] = {"startLine": site.line, "startColumn": site.column + 1, "endLine": site.end_line}
    lines = _read_lines(entry.excerpt, site.line, site.end_line)
    if lines:
        region["snippet"] = {"text": "\n".join([lines[0][site.column :], *lines[1:]])}
    physical = {"artifactLocation": {"uri": uri, "uriBaseId": _ROOT}, "region": region}
    around = _read_lines(entry.excerpt, site.line - 3, site.end_line + 1)
    if around and site.line > entry.excerpt.start_line:
        first = max(site.line - 3, entry.excerpt.start_line)
        context = {"startLine": first, "endLine": first + len(around) - 1, "snippet": {"text": "\n".join(around)}}
        physical["contextRegion"] = context
    name = site.qualname.rpartition(".")[2]
    kind = "function" if site.signature is not None else "module" if site.qualname == "<module>" else "type"
    logical = {"name": safe(name), "fullyQualifiedName": safe(f"{site.module}.{site.qualname}"), "kind": kind}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


def _read_lines(excerpt: Excerpt, first: int, last: int) -> Sequence[str]:
    """Read these lines of the file, as many of them as the excerpt has."""
    lines = re.split(r"\r\n|\r|\n", excerpt.text)
    return lines[max(0, first - excerpt.start_line) : max(0, last - excerpt.start_line + 1)]


def _write_uri(path: str) -> str:
    """Write a path as a relative reference below the root, whatever it holds."""
    steps = [step for step in path.replace("\\", "/").split("/") if step not in ("", ".", "..")]
    return "/".join(quote(step.encode("utf-8", "surrogatepass"), safe="") for step in steps) or "unnamed"


def _build_provenance(target: Target) -> dict[str, Any] | None:
    if target.url is None or not re.fullmatch(r"https?://[\w.:-]+(?:/[\w.~+-]+)*/?", target.url, re.ASCII):
        return None
    pinned = {"revisionId": target.commit} if target.commit is not None else {}
    return {"repositoryUri": target.url, **pinned, "mappedTo": {"uriBaseId": _ROOT}}
