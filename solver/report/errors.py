"""What can go wrong with a report."""


class ReportError(Exception):
    """Say in one sentence why a report cannot be made."""
