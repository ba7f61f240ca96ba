"""What a project that passed the checks may still be refused for."""

from __future__ import annotations

from solver.base.words import Refusal


class SimulationError(Refusal):
    """Say in a sentence why a project cannot be run."""
