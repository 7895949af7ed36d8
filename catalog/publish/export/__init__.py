"""Entries in everyone's format: each module writes one, from a catalog and the entries chosen in it."""
