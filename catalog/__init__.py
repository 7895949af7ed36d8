"""Catalogs of errors: the records, and every answer that needs nothing but them."""
