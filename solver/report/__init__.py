"""Reports: one page of verdict, then the curves, as self-contained HTML or PDF."""

from solver.report.errors import ReportError
from solver.report.make import Report, report

__all__ = ["Report", "ReportError", "report"]
