"""What can go wrong with a report."""

from solver.base.words import Refusal


class ReportError(Refusal):
    """Say in one sentence why a report cannot be made."""
