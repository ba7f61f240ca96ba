"""Tests of `solver.project`."""
