"""Find where what is soft meets the bodies that press into it."""

from __future__ import annotations

import numpy as np

from solver.maths.rotation import Array

_TRIES, _HALVINGS = 17, 8
"""Steps along a way through a body that is no ellipsoid, and how often the step that meets it is halved."""


def first_met(start: Array, along: Array, powers: Array) -> Array:
    """Give by what part of each way, from outside, one first meets a body of unit size; infinity for never.

    Ways (n, 3) begin at one place, or at as many; those that begin inside meet nothing.
    """
    met = np.full(len(along), np.inf)
    start = np.broadcast_to(start, along.shape)
    # all bodies lie within the ball through the corners of their box
    square = 1.0 if np.all(powers == 2.0) else 3.0
    a, b = np.einsum("ij,ij->i", along, along), np.einsum("ij,ij->i", along, start)
    rest = b * b - a * (np.einsum("ij,ij->i", start, start) - square)
    some = np.flatnonzero((rest > 0.0) & (b < 0.0))
    if not len(some):
        return met
    half = np.sqrt(rest[some])
    low, high = (-b[some] - half) / a[some], (-b[some] + half) / a[some]
    if square == 1.0:
        met[some] = np.where(low >= 0.0, low, np.inf)
        return met
    low = np.maximum(low, 0.0)
    tries = np.linspace(0.0, 1.0, _TRIES)[:, None] * (high - low) + low
    inside = _levels(start[some], along[some], tries, powers) <= 0.0
    hit = np.flatnonzero(inside.any(axis=0) & ~inside[0])
    k = inside[:, hit].argmax(axis=0)
    low, high = tries[k - 1, hit], tries[k, hit]
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        is_in = _levels(start[some[hit]], along[some[hit]], middle, powers) <= 0.0
        low, high = np.where(is_in, low, middle), np.where(is_in, middle, high)
    met[some[hit]] = low
    return met


def _levels(start: Array, along: Array, parts: Array, powers: Array) -> Array:
    """Give how far outside the surface places are, by the sum of their powers, less one."""
    out: Array = (np.abs(start + parts[..., None] * along) ** powers).sum(axis=-1) - 1.0
    return out


def near(unit: Array, axes: Array) -> Array:
    """Give how far (m) places are from a body, roughly; they come as multiples of its semi-axes."""
    # close by, where it counts, its shortest axis is near enough
    gap: Array = (np.sqrt(np.einsum("ij,ij->i", unit, unit)) - 1.0) * float(axes.min())
    return gap
