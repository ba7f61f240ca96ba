"""Tests of `solver.analysis`."""
