"""Two catalogs side by side: what became of each entry, and how that is told."""
