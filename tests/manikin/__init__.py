"""Tests of `manikin`."""
