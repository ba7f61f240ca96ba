"""Why a study cannot be run or read."""

from __future__ import annotations

from solver.base.words import Refusal


class StudyError(Refusal):
    """Say in a sentence why a study cannot be run or read."""
