"""What an entry is called for good: ids and fingerprints made of meaning, never of lines."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalog.records import Entry, Fingerprint, Guard, Message

TITLE_LENGTH = 60


def digest(*parts: str) -> str:
    """Digest texts into 16 hex digits; where one ends and the next begins makes a difference."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(8, "big"))
        hasher.update(data)
    return hasher.hexdigest()[:16]


def mint_ids(target: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Give each entry its id, from what it means and, among equals, from the order in its function.

    `entries` are those of whole modules, sorted by place.
    """
    counts: dict[tuple[str, ...], int] = {}
    for entry in entries:
        key = identify(target, entry)
        order = counts.get(key, 0)
        counts[key] = order + 1
        yield replace(entry, id=digest(*key, str(order)))


def identify(target: str, entry: Entry) -> tuple[str, ...]:
    """Give what makes an entry itself; entries of one function may share it."""
    text = entry.message.skeleton if entry.message is not None else ""
    if entry.kind == "assert" and entry.message is None:
        own = [clause.test for clause in entry.guard.clauses if clause.kind == "own"]
        text = own[0] if own else ""
    return (target, entry.site.module, entry.site.qualname, entry.kind, entry.exception.name, text)


def take_fingerprint(message: Message | None, guard: Guard) -> Fingerprint:
    """Digest the template and the guard: when one changes, an explanation of the entry may no longer hold."""
    texts = [message.template, *(alternative.template for alternative in message.alternatives)] if message else []
    clauses = [f"{clause.kind} {clause.negated} {clause.test}" for clause in guard.clauses]
    bindings = [f"{binding.name} = {binding.value}" for binding in guard.bindings]
    return Fingerprint(digest(*texts), digest(*clauses, "", *bindings))


def make_title(text: str) -> str:
    """Put a text on one line of at most 60 characters."""
    line = " ".join(text.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1].rstrip() + "…"
