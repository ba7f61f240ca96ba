"""Single masses on a spring and a damper, driven at their foot: x'' + c x' + k x = a, from rest."""

from __future__ import annotations

import numpy as np

from solver.engine.signals import period
from solver.engine.signals.recursive import passed
from solver.injury.measure import Array


def deflection(time: Array, drive: Array, damping: float, stiffness: float) -> Array:
    """Give x at all samples, exact for a drive that goes straight between them.

    The state y = (x, x') goes from sample to sample by y+ = E y + F a + H a+, which a filter does for
    x alone. What the drive is at the first sample acts as a step, the rest rises from there.
    """
    step = period(time)
    A, B = np.array([[0.0, 1.0], [-stiffness, -damping]]), np.array([0.0, 1.0])
    inverse = np.array([[-damping / stiffness, -1.0 / stiffness], [1.0, 0.0]])
    E = _exponential(A, step)
    held = inverse @ (E - np.eye(2)) @ B
    H = inverse @ (held / step - B)
    F = held - H
    turned = np.trace(E) * np.eye(2) - E
    below = np.array([1.0, -np.trace(E), np.linalg.det(E)])
    of_step = np.array([0.0, held[0], -(turned @ held)[0]])
    of_rest = np.array([H[0], F[0] - (turned @ H)[0], -(turned @ F)[0]])
    first = np.full(len(drive), drive[0])
    out: Array = passed(of_step, below, first) + passed(of_rest, below, drive - first)
    return out


def _exponential(A: Array, step: float) -> Array:
    """Give exp(A step) of a matrix (2, 2): by its mean eigenvalue and the distance of the two from it."""
    mean = 0.5 * float(np.trace(A))
    away = np.sqrt(complex(mean**2 - float(np.linalg.det(A))))
    sine = step if away == 0.0 else (np.sinh(away * step) / away).real
    rest = A - mean * np.eye(2)
    out: Array = np.exp(mean * step) * (np.cosh(away * step).real * np.eye(2) + sine * rest)
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
