"""Criteria of the legs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.injury.measure import Array, Measure, peak


def tibia_index(time: Array, force: Array, moment: Array, limits: Mapping[str, float]) -> Measure:
    """Give the largest |M / Mc| + |F / Fc|, M across and F along the shank (3, T; ECE R94, annex 4)."""
    bending = np.hypot(moment[0], moment[1])
    return peak(time, bending / limits["moment"] + np.abs(force[2]) / limits["force"])
