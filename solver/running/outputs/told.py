"""Vectors of a block told in an own frame of the user."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.project.frames import Axes
from solver.running.outputs.kinematics import Kinematics, along

XYZ = ("x", "y", "z")


def names_in(axes: Axes | None) -> tuple[str, ...]:
    """Name the components; parts along oblique axes have no resultant by their squares, so none is given."""
    return XYZ if axes is not None and axes.is_oblique else (*XYZ, "resultant")


def with_resultant(vectors: Array) -> Array:
    """Give three rows of components and one of their size."""
    return np.vstack([vectors.T, np.linalg.norm(vectors, axis=1)])


def told(
    axes: Axes, seen: Kinematics, vectors: Array, *, turning: bool = False, place: bool = False
) -> Array:
    """Give rows of ground vectors (T, 3) along a frame's axes; places count from the carrier's mass centre."""
    local = along(seen.turn(axes.segment), vectors)
    if place:
        local = local - axes.origin_m
    parts = axes.axial_in(local) if turning else axes.vector_in(local)
    return parts.T if axes.is_oblique else with_resultant(parts)
