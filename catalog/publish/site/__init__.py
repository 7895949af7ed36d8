"""A reference site: catalogs → pages, indexes and their data."""
