"""Tests of `solver.running`."""
