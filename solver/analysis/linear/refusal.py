"""What linearising raises."""

from __future__ import annotations

from solver.base.words import Refusal


class LinearError(Refusal):
    """Say in a sentence why a model cannot be linearised, or what an input or output lacks."""
