"""What settling raises."""

from __future__ import annotations

from solver.base.words import Refusal


class SettleError(Refusal):
    """Say which element keeps a model from coming to rest, and what would mend it."""
