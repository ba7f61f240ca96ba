"""Bodies: those of the library, generated ones, their poses, and how they get into a project."""

from solver.bodies.body import Body, BodyError, mirror_of
from solver.bodies.dimensions import (
    Dimensions,
    adult_dimensions,
    adult_range,
    child_dimensions,
    child_range,
    dimension_names,
    given_dimensions,
)
from solver.bodies.dummies import DUMMIES, LIBRARY, MassTable, dummy, dummy_masses, library_body
from solver.bodies.from_measured import with_hands
from solver.bodies.generator import METHODS, generated
from solver.bodies.insert import Place, Touch, body_project, insert_body
from solver.bodies.parts import contour_joints, with_contours
from solver.bodies.people import human
from solver.bodies.poses import Pose, pose, poses

__all__ = [
    "DUMMIES",
    "LIBRARY",
    "METHODS",
    "Body",
    "BodyError",
    "Dimensions",
    "MassTable",
    "Place",
    "Pose",
    "Touch",
    "adult_dimensions",
    "adult_range",
    "body_project",
    "child_dimensions",
    "child_range",
    "contour_joints",
    "dimension_names",
    "dummy",
    "dummy_masses",
    "generated",
    "given_dimensions",
    "human",
    "insert_body",
    "library_body",
    "mirror_of",
    "pose",
    "poses",
    "with_contours",
    "with_hands",
]
