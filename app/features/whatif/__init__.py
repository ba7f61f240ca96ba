"""Sliders for numeric fields: which ones people have pinned, and how far they go."""
