"""Tests of `solver.model`."""
