"""Small motions about one instant: matrices, modes, responses, buckling."""

from solver.linear.buckling import Buckling, buckling
from solver.linear.linearising import Linear, linearise, linearise_course
from solver.linear.modes import Mode
from solver.linear.refusal import LinearError

__all__ = [
    "Buckling",
    "Linear",
    "LinearError",
    "Mode",
    "buckling",
    "linearise",
    "linearise_course",
]
