"""Working out an expression of a target from plain values, one small step at a time."""
