"""What a diff is as JSON; the shape is part of the contract."""

from collections.abc import Iterable
from typing import Any

from catalog.changes.rewording import compare_texts
from catalog.diff import Added, Altered, Change, Removed, count_kinds
from catalog.records import Catalog, Entry


def build_answer(old: Catalog, new: Catalog, changes: Iterable[Change]) -> dict[str, Any]:
    """Build the answer to `errmine diff --json`."""
    changes = list(changes)
    stats = {"old": len(old.entries), "new": len(new.entries), "changes": len(changes), **count_kinds(changes)}
    return {
        "old": _describe_catalog(old),
        "new": _describe_catalog(new),
        "changes": [describe_change(change) for change in changes],
        "stats": stats,
    }


def describe_change(change: Change) -> dict[str, Any]:
    """Give one change as plain objects: the fields of the contract first."""
    match change:
        case Added(new):
            return {"kinds": ["added"], "old": None, "new": describe_entry(new), "guard_change": None}
        case Removed(old):
            return {"kinds": ["removed"], "old": describe_entry(old), "new": None, "guard_change": None}
        case Altered(old, new, kinds, guard):
            return {
                "kinds": list(kinds),
                "old": describe_entry(old),
                "new": describe_entry(new),
                "guard_change": guard.change if guard else None,
                "clauses": {"gained": list(guard.gained), "lost": list(guard.lost)} if guard else None,
                "words": _describe_words(old, new) if "reworded" in kinds else None,
                "options": {"gained": list(change.options_gained), "lost": list(change.options_lost)},
            }


def describe_entry(entry: Entry) -> dict[str, Any]:
    """Give what an answer says of an entry."""
    return {
        "id": entry.id,
        "title": entry.title,
        "exception": entry.exception.name,
        "template": entry.message.template if entry.message else None,
        "condition": entry.guard.condition,
        "site": {"path": entry.site.path, "line": entry.site.line, "qualname": entry.site.qualname},
        "permalink": entry.permalink,
    }


def _describe_words(old: Entry, new: Entry) -> list[dict[str, str]]:
    before, after = (entry.message.template if entry.message else "" for entry in (old, new))
    return [{"side": span.side, "text": span.text} for span in compare_texts(before, after)]


def _describe_catalog(catalog: Catalog) -> dict[str, Any]:
    target = catalog.target
    return {
        "name": target.name,
        "release": target.release,
        "ref": target.ref,
        "commit": target.commit,
        "scope": list(target.scope),
    }
