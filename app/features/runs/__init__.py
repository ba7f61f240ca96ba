"""Solving, playing and keeping runs."""
