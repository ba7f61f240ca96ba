"""Injury figures of a run."""
