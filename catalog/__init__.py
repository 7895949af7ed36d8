"""Catalogs of errors: the records, and every answer that needs nothing but them."""

__version__ = "0.1.0"
