"""A new crash from a few choices."""
