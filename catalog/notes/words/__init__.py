"""Conditions in plain words."""
