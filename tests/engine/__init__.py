"""Tests of `solver.engine`."""
