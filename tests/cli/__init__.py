"""Tests of `solver.cli`."""
