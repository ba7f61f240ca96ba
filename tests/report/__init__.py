"""Tests of `solver.report`."""
