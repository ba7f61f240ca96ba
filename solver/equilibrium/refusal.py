"""What settling raises."""

from __future__ import annotations


class SettleError(Exception):
    """Say which element keeps a model from coming to rest, and what would mend it."""
