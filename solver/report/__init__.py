"""Reports: one page of verdict, then the curves, as self-contained HTML or PDF.

Public names are loaded when they are first used: who plots or exports does without the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.report.gather import ReportError
    from solver.report.make import Report, report

__all__ = ["Report", "ReportError", "report"]


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    home = "solver.report.gather" if name == "ReportError" else "solver.report.make"
    return getattr(import_module(home), name)
