"""What a project that passed the checks may still be refused for."""

from __future__ import annotations


class SimulationError(Exception):
    """Say in a sentence why a project cannot be run."""
