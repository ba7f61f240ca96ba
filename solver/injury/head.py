"""Criteria of the head beside HIC: turning, and turning together with acceleration."""

from __future__ import annotations

import numpy as np

from solver.injury.measure import Array, G, Measure, peak
from solver.injury.oscillators import coupled
from solver.words import Sentence

CRITICAL_RATES = np.array([66.25, 56.45, 42.87])
"""Critical angular velocities about x, y, z of BrIC (rad/s; Takhounts 2013)."""

GAMBIT_G, GAMBIT_ALPHA = 250.0, 10_000.0
"""Acceleration (g) and angular acceleration (rad/s2) of GAMBIT one (Newman 1986, in squares)."""

DAMAGE_K = np.array([32142.0, 23493.0, 16935.0])
DAMAGE_KXZ = 1636.3
DAMAGE_TIME = 5.9148e-3
DAMAGE_SCALE = 2.9903
"""Stiffness of unit masses about x, y, z and between x and z, C/K (s), 1/m (Gabler 2019)."""


def bric(time: Array, rate: Array) -> Measure:
    """Give the brain injury criterion of the head's angular velocity (3, T) along its axes (rad/s).

    The three largest rates count, whenever they come; the window goes from the first to the last.
    """
    at = np.argmax(np.abs(rate), axis=1)
    parts = np.abs(rate[np.arange(3), at]) / CRITICAL_RATES
    note = Sentence("x {x:.3g}, y {y:.3g}, z {z:.3g}", **dict(zip("xyz", parts, strict=True)))
    value = float(np.linalg.norm(parts))
    return Measure(value, float(time[at.min()]), float(time[at.max()]), note)


def gambit(time: Array, acceleration: Array, angular: Array) -> Measure:
    """Give the largest sqrt((a / 250 g)^2 + (alpha / 10000)^2); arrays (3, T) in m/s2 and rad/s2."""
    a = np.linalg.norm(acceleration, axis=0) / (GAMBIT_G * G)
    alpha = np.linalg.norm(angular, axis=0) / GAMBIT_ALPHA
    return peak(time, np.hypot(a, alpha))


def damage_stiffness() -> Array:
    """Give the stiffness of the three coupled masses."""
    k = np.diag(DAMAGE_K)
    k[0, 0] += DAMAGE_KXZ
    k[2, 2] += DAMAGE_KXZ
    k[0, 2] = k[2, 0] = -DAMAGE_KXZ
    return k


def damage(time: Array, angular: Array) -> Measure:
    """Give DAMAGE of the head's angular acceleration (3, T) along its axes (rad/s2)."""
    x = coupled(time, angular, damage_stiffness(), DAMAGE_TIME)
    return peak(time, DAMAGE_SCALE * np.linalg.norm(x, axis=0))
