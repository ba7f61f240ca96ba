"""Small motions about one instant: matrices, modes, responses, buckling."""

from solver.analysis.linear.linearising import (
    Buckling,
    Linear,
    buckling,
    linearise,
    linearise_course,
)
from solver.analysis.linear.modes import Mode
from solver.analysis.linear.operating_point import LinearError

__all__ = [
    "Buckling",
    "Linear",
    "LinearError",
    "Mode",
    "buckling",
    "linearise",
    "linearise_course",
]
