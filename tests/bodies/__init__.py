"""Tests of `solver.bodies`."""
