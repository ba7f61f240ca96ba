"""Tests of `solver.studies`."""
