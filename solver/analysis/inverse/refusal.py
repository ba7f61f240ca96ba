"""What inverse dynamics and identification raise."""

from __future__ import annotations

from solver.base.words import Refusal


class InverseError(Refusal):
    """Say in a sentence why a motion gives no loads of joints, or no parameters."""
