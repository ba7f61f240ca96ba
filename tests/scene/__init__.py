"""Tests of `solver.scene`."""
