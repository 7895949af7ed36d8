"""Many targets: a list of them → a folder of catalogs."""
