"""Written notes for tests, each complete."""

from typing import Any

from factories import change

from catalog.records import Basis, Fingerprint, Note


def make_note(**changes: Any) -> Note:
    """Give a reviewed note for an entry of the small package of `factories`."""
    note = Note(
        entry="00000000000000aa",
        fingerprint=Fingerprint("0" * 16, "0" * 16),
        author="Ada",
        model=None,
        date="2026-12-01",
        status="reviewed",
        meaning="The cart can't have a size of 0 or less.",
        solutions=("Give a size of 1 or more.",),
        example=None,
        check=None,
        prevention=(),
        trigger="`size` is 0 or less.",
        situations=(),
        verified=(),
        basis=Basis("shop", "1.0", "shop/cart.py:12"),
    )
    return change(note, changes)
