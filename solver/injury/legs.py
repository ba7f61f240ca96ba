"""Criteria of the legs."""

from __future__ import annotations

import numpy as np

from solver.injury.measure import Array, Measure, peak

TIBIA_MOMENT, TIBIA_FORCE = 225.0, 35_900.0
"""Critical bending moment (N m) and axial force (N) of the tibia index (ECE R94, annex 4)."""


def tibia_index(time: Array, force: Array, moment: Array) -> Measure:
    """Give the largest |M / 225 N m| + |F / 35.9 kN|, M across and F along the shank (3, T)."""
    bending = np.hypot(moment[0], moment[1])
    return peak(time, bending / TIBIA_MOMENT + np.abs(force[2]) / TIBIA_FORCE)
