"""Options: what users can set, and how a name in an error leads to it."""
