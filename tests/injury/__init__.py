"""Tests of `solver.injury`."""
