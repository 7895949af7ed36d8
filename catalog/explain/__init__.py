"""From a pasted log to the entries it came from."""
