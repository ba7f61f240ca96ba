"""The inertia of a segment as a tensor, from moments and products about its axes of inertia."""

from __future__ import annotations

import numpy as np

from solver.engine.maths.rotation import Array, from_angles
from solver.project.segments import Segment


def inertia_of(segment: Segment) -> Array:
    """A segment's inertia (3, 3) about its mass centre, segment axes."""
    R_SA = from_angles(segment.principal_axes.angles_rad, segment.principal_axes.order)
    return R_SA @ about_axes(segment) @ R_SA.T


def about_axes(segment: Segment) -> Array:
    """A segment's inertia (3, 3) about its mass centre, in its axes of inertia.

    The tensor's entry off the diagonal is less the integral of the product of two coordinates.
    """
    sign = -1.0 if segment.products_are == "integrals" else 1.0
    xy, xz, yz = (sign * product for product in segment.products_kgm2)
    x, y, z = segment.inertia_kgm2
    return np.array([[x, xy, xz], [xy, y, yz], [xz, yz, z]])


def principal_moments(segment: Segment) -> tuple[float, float, float]:
    """The moments (kg*m2) about the principal axes, least first."""
    if not any(segment.products_kgm2):
        small, middle, large = sorted(segment.inertia_kgm2)
        return small, middle, large
    small, middle, large = (float(v) for v in np.linalg.eigvalsh(about_axes(segment)))
    return small, middle, large
