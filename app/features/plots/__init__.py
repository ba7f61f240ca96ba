"""Curves of runs: what to draw, the plots, and the list from which people choose."""
