"""Explanations joined to entries: derived from the mined facts, or written by people and models and then checked."""
