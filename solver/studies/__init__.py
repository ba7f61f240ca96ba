"""Studies: many runs of one project, where they run, and what they answer (docs/studies.md)."""

from solver.studies.cluster import Certificates
from solver.studies.errors import StudyError
from solver.studies.evaluate import Progress
from solver.studies.machines import Stopped
from solver.studies.result import StudyResult, open_study
from solver.studies.rows import Layout, Rows
from solver.studies.running import run_study

__all__ = [
    "Certificates",
    "Layout",
    "Progress",
    "Rows",
    "Stopped",
    "StudyError",
    "StudyResult",
    "open_study",
    "run_study",
]
