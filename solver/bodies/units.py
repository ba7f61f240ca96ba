"""Factors from the units of printed body data to SI."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.project.fields import Vec3

IN = 0.0254
LB = 0.45359237
LBF = LB * 9.80665
INERTIA = LBF * IN
"""From lbf*s2*in to kg*m2."""
TORQUE = LBF * IN
"""From in*lbf to N*m."""
DEG = math.pi / 180.0


def tidy(value: float) -> float:
    """Round to nine digits: print and measurement have fewer, and files stay readable."""
    return float(f"{value:.9g}") + 0.0


def tidy3(values: Sequence[float] | NDArray[np.float64]) -> Vec3:
    """Round three numbers to nine digits."""
    x, y, z = (tidy(float(value)) for value in values)
    return (x, y, z)
