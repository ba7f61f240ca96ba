"""Tests of `solver.exchange`."""
