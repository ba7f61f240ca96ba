"""Criteria of the head beside HIC: turning, and turning together with acceleration."""

from __future__ import annotations

import numpy as np

from solver.base.words import Sentence
from solver.engine.signals import integrated
from solver.injury.measure import Array, G, Measure, peak
from solver.injury.oscillators import coupled

CRITICAL_RATES = np.array([66.25, 56.45, 42.87])
"""Critical angular velocities about x, y, z of BrIC (rad/s; Takhounts 2013)."""

GAMBIT_G, GAMBIT_ALPHA = 250.0, 10_000.0
"""Acceleration (g) and angular acceleration (rad/s2) of GAMBIT one (Newman 1986, in squares)."""

DAMAGE_K = np.array([32142.0, 23493.0, 16935.0])
DAMAGE_KXZ = 1636.3
DAMAGE_TIME = 5.9148e-3
DAMAGE_SCALE = 2.9903
"""Stiffness of unit masses about x, y, z and between x and z, C/K (s), 1/m (Gabler 2019)."""

HIP_MASS = 4.5
HIP_INERTIA = np.array([0.016, 0.024, 0.022])
"""Mass (kg) and moments of inertia about x, y, z (kg m2) of the head in impact power (Newman 2000)."""

UBRIC_RATES = np.array([211.0, 171.0, 115.0])
UBRIC_ACCELERATIONS = np.array([20_000.0, 10_300.0, 7_760.0])
"""Critical ranges about x, y, z of rate (rad/s) and acceleration (rad/s2), for strain (Gabler 2018)."""


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


def impact_power(time: Array, acceleration: Array, angular: Array) -> Measure:
    """Give the largest head impact power (W), of an adult of middle size (Newman 2000).

    m sum(a_i int a_i dt) + sum(I_i alpha_i int alpha_i dt), arrays (3, T) in m/s2 and rad/s2, from rest.
    """
    power = np.zeros(len(time))
    for row, turned, inertia in zip(acceleration, angular, HIP_INERTIA, strict=True):
        power += HIP_MASS * row * integrated(time, row)
        power += inertia * turned * integrated(time, turned)
    return peak(time, power)


def ubric(time: Array, rate: Array, angular: Array) -> Measure:
    """Give the universal brain injury criterion of a head's turning (3, T), in its MPS form (Gabler 2018).

    With w and a the ranges, from least to greatest, of rate (rad/s) and acceleration (rad/s2) over their
    critical values, an axis counts w + (a - w) exp(-a / w).
    """
    w, a = (np.ptp(row, axis=1) for row in (rate, angular))
    w, a = w / UBRIC_RATES, a / UBRIC_ACCELERATIONS
    turning = w > 0.0
    shape = np.exp(-np.divide(a, w, out=np.full(3, np.inf), where=turning))
    parts = np.where(turning, w + (a - w) * shape, 0.0)
    note = Sentence("x {x:.3g}, y {y:.3g}, z {z:.3g}", **dict(zip("xyz", parts, strict=True)))
    return Measure(float(np.linalg.norm(parts)), float(time[0]), float(time[-1]), note)
