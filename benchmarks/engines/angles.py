"""Attitudes as three successive turns about moving x, y and z axes, for programs that want them."""

from __future__ import annotations

import math

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.maths.rotation import about_axis


def xyz(R: Array) -> Array:
    """The three angles (rad) of a turn."""
    return np.array([
        math.atan2(-R[1, 2], R[2, 2]),
        math.atan2(R[0, 2], math.hypot(R[1, 2], R[2, 2])),
        math.atan2(-R[0, 1], R[0, 0]),
    ])  # fmt: skip


def xyz_rates(angles: Array, w_B: Array) -> Array:
    """The rates of the angles from an angular velocity in body axes."""
    Ry, Rz = about_axis("y", angles[1]), about_axis("z", angles[2])
    x, y, z = np.eye(3)
    return np.linalg.solve(np.column_stack([(Ry @ Rz).T @ x, Rz.T @ y, z]), w_B)


def with_z_along(axis: Array) -> Array:
    """A turn whose third column is an axis."""
    z = axis / np.linalg.norm(axis)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
