"""Tests of `solver.base`."""
