"""Loads of joints from a motion, and parameters from loads."""

from solver.analysis.inverse.bodies import InverseError
from solver.analysis.inverse.following import Times, following_loads
from solver.analysis.inverse.identify import BaseParameters, Identified, base_parameters, identify
from solver.analysis.inverse.motion import (
    JointLoads,
    Motion,
    Pressing,
    joint_loads,
    motion_of_run,
    motion_of_tracks,
    pressing_in,
)
from solver.analysis.inverse.saving import course_of_run

__all__ = [
    "BaseParameters",
    "Identified",
    "InverseError",
    "JointLoads",
    "Motion",
    "Pressing",
    "Times",
    "base_parameters",
    "course_of_run",
    "following_loads",
    "identify",
    "joint_loads",
    "motion_of_run",
    "motion_of_tracks",
    "pressing_in",
]
