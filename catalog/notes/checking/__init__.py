"""The checks that a note must pass, one a module."""
