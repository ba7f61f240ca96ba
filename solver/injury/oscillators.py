"""Single masses on a spring and a damper, driven at their foot: x'' + c x' + k x = a, from rest."""

from __future__ import annotations

import numpy as np

from solver.injury.measure import Array
from solver.signals import period


def deflection(time: Array, drive: Array, damping: float, stiffness: float) -> Array:
    """Give x at all samples, exact for a drive that goes straight between them.

    What the drive is at the first sample acts as a step (held), the rest as a ramp from sample to
    sample.
    """
    from scipy.signal import cont2discrete, lfilter

    system, step = (np.array([1.0]), np.array([1.0, damping, stiffness])), period(time)
    out: Array = np.zeros(len(drive))
    held = np.full(len(drive), drive[0])
    above, below, _ = cont2discrete(system, step, method="zoh")
    out += lfilter(np.ravel(above), np.ravel(below), held)
    above, below, _ = cont2discrete(system, step, method="foh")
    out += lfilter(np.ravel(above), np.ravel(below), drive - held)
    return out


def response_index(time: Array, acceleration: Array, omega: float, ratio: float) -> Array:
    """Give omega^2 x over time: the acceleration (m/s2) that would hold the spring at x."""
    return omega**2 * deflection(time, acceleration, 2.0 * ratio * omega, omega**2)


def coupled(time: Array, drive: Array, stiffness: Array, damping_time: float) -> Array:
    """Give x (3, T) of three unit masses with C = damping_time * K, mode by mode."""
    squares, shapes = np.linalg.eigh(stiffness)
    modes = [
        deflection(time, row, damping_time * float(square), float(square))
        for row, square in zip(shapes.T @ drive, squares, strict=True)
    ]
    out: Array = shapes @ np.stack(modes)
    return out
