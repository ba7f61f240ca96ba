"""Tests of `solver.results`."""
