"""Loads of joints from a motion, and parameters from loads."""

from solver.inverse.following import course_of_run
from solver.inverse.identify import BaseParameters, Identified, base_parameters, identify
from solver.inverse.motion import JointLoads, Motion, joint_loads, motion_of_run, motion_of_tracks
from solver.inverse.outside import Pressing, pressing_in
from solver.inverse.refusal import InverseError

__all__ = [
    "BaseParameters",
    "Identified",
    "InverseError",
    "JointLoads",
    "Motion",
    "Pressing",
    "base_parameters",
    "course_of_run",
    "identify",
    "joint_loads",
    "motion_of_run",
    "motion_of_tracks",
    "pressing_in",
]
