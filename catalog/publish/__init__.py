"""Where catalogs become something for others to read: a site, an HTTP API, files in everyone's format."""
