"""Tests of `validation`."""
