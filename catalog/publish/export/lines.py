"""How are entries JSON, one a line?"""

import dataclasses
from collections.abc import Iterable

from catalog.publish.naming import describe_target
from catalog.records import Catalog, Entry
from catalog.store import dump_line


def dump_lines(catalog: Catalog, entries: Iterable[Entry]) -> bytes:
    """Write each entry with the fields that it has in the catalog, then what a line by itself needs.

    That is `target`, which says of what it is an error, and `note`, the explanation or null.
    """
    target = describe_target(catalog.target)
    notes = {note.entry: note for note in catalog.notes}
    names = [field.name for field in dataclasses.fields(Entry)]
    return b"".join(
        dump_line({**{name: getattr(entry, name) for name in names}, "target": target, "note": notes.get(entry.id)})
        for entry in entries
    )
