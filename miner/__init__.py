"""Mining errors from Python source: from a target to a catalog."""
