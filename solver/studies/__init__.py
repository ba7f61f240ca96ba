"""Studies: many runs of one project, where they run, and what they answer (docs/studies.md).

Public names are loaded when they are first used: who looks at the tests of the bench does without the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.studies.band import Band, FigureBand, run_band
    from solver.studies.cluster import Certificates
    from solver.studies.evaluate import Progress, Stopped
    from solver.studies.result import StudyResult, open_study
    from solver.studies.rows import Layout, Rows, StudyError
    from solver.studies.running import run_study

__all__ = [
    "Band",
    "Certificates",
    "FigureBand",
    "Layout",
    "Progress",
    "Rows",
    "Stopped",
    "StudyError",
    "StudyResult",
    "open_study",
    "run_band",
    "run_study",
]

_HOMES = {
    "Band": "solver.studies.band",
    "Certificates": "solver.studies.cluster",
    "FigureBand": "solver.studies.band",
    "Layout": "solver.studies.rows",
    "Progress": "solver.studies.evaluate",
    "Rows": "solver.studies.rows",
    "Stopped": "solver.studies.evaluate",
    "StudyError": "solver.studies.rows",
    "StudyResult": "solver.studies.result",
    "open_study": "solver.studies.result",
    "run_band": "solver.studies.band",
    "run_study": "solver.studies.running",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
