"""What is said when a signal cannot be worked on."""

from __future__ import annotations

from solver.base.words import Refusal


class SignalError(Refusal, ValueError):
    """Say in one sentence what is wrong with a signal, or with what is asked of it."""
