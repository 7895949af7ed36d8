"""Notes derived from what was mined of an entry, without a model: one rule a family."""

from catalog.notes.rules.derive import derive_note

__all__ = ["derive_note"]
