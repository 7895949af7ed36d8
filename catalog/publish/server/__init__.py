"""Catalogs over HTTP: the pages of the site, and questions to the catalogs as JSON."""
