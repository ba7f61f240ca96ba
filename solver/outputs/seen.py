"""Motion of points and segments as seen from others, for a block of samples at once."""

from __future__ import annotations

import numpy as np

from solver.dynamics.tree import Array
from solver.integrate.samples import Samples
from solver.model.compile import Model, Modes
from solver.project.segments import GROUND


class Seen:
    """Look at a block: arrays (T, ...) of every segment, ground axes."""

    def __init__(self, model: Model, modes: Modes, samples: Samples, rows: int) -> None:
        self._model, self._samples, self.rows, self.modes = model, samples, rows, modes
        self.time = samples.time[:rows]

    def _of(self, name: str, segment: str) -> Array:
        values: Array = getattr(self._samples, name)
        if segment == GROUND:
            return np.zeros((self.rows, *values.shape[2:]))
        return values[: self.rows, self._model.trees.body_of[segment]]

    def turn(self, segment: str) -> Array:
        """Give R_WS (T, 3, 3)."""
        if segment == GROUND:
            return np.broadcast_to(np.eye(3), (self.rows, 3, 3))
        return self._of("R", segment).reshape(-1, 3, 3)

    def arm(self, segment: str, point: Array) -> Array:
        """Give the arm from the body's origin O to a point counted from the mass centre."""
        origin = np.zeros(3) if segment == GROUND else self._model.trees.origin[segment]
        return self.turn(segment) @ (np.asarray(point, float) - origin)

    def place(self, segment: str, point: Array) -> Array:
        """Give the place of a point."""
        return self._of("p", segment) + self.arm(segment, point)

    def velocity(self, segment: str, point: Array) -> Array:
        """Give the velocity of a point."""
        w = self._of("w", segment)
        return self._of("velocity", segment) + np.cross(w, self.arm(segment, point))

    def acceleration(self, segment: str, point: Array) -> Array:
        """Give the acceleration of a point."""
        w, arm = self._of("w", segment), self.arm(segment, point)
        out = self._of("acc", segment) + np.cross(self._of("alpha", segment), arm)
        return out + np.cross(w, np.cross(w, arm))

    def spin(self, segment: str) -> Array:
        """Give the angular velocity."""
        return self._of("w", segment)

    def spin_rate(self, segment: str) -> Array:
        """Give the angular acceleration."""
        return self._of("alpha", segment)

    def place_from(self, segment: str, point: Array, other: str) -> Array:
        """Give the place of a point from another segment's mass centre, ground axes."""
        return self.place(segment, point) - self.place(other, ZERO)

    def velocity_from(self, segment: str, point: Array, other: str) -> Array:
        """Give the velocity of a point as seen from a segment, ground axes."""
        v = self.velocity(segment, point) - self.velocity(other, ZERO)
        return v - np.cross(self.spin(other), self.place_from(segment, point, other))

    def acceleration_from(self, segment: str, point: Array, other: str) -> Array:
        """Give the acceleration of a point as seen from a segment, ground axes."""
        w, r = self.spin(other), self.place_from(segment, point, other)
        a = self.acceleration(segment, point) - self.acceleration(other, ZERO)
        a = a - np.cross(self.spin_rate(other), r) - np.cross(w, np.cross(w, r))
        return a - 2.0 * np.cross(w, self.velocity_from(segment, point, other))


ZERO = np.zeros(3)


def along(R_WA: Array, vectors: Array) -> Array:
    """Give the components of vectors (T, 3) along the axes of turns (T, 3, 3)."""
    out: Array = np.einsum("tji,tj->ti", R_WA, vectors)
    return out


def quaternions(R: Array) -> Array:
    """Give the unit quaternions (w, x, y, z) of turns (T, 3, 3); signs go on from row to row."""
    m = R
    trace = np.stack(
        [
            m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2],
            m[:, 0, 0] - m[:, 1, 1] - m[:, 2, 2],
            m[:, 1, 1] - m[:, 0, 0] - m[:, 2, 2],
            m[:, 2, 2] - m[:, 0, 0] - m[:, 1, 1],
        ],
        axis=1,
    )
    a, b, c = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    d, e, f = m[:, 1, 0] + m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 2, 1] + m[:, 1, 2]
    one = 1.0 + trace
    candidates = np.stack(
        [
            np.stack([one[:, 0], a, b, c], 1),
            np.stack([a, one[:, 1], d, e], 1),
            np.stack([b, d, one[:, 2], f], 1),
            np.stack([c, e, f, one[:, 3]], 1),
        ],
        axis=1,
    )
    best = np.argmax(trace, axis=1)
    q = candidates[np.arange(len(m)), best]
    q = q / np.linalg.norm(q, axis=1, keepdims=True)
    q[0] *= 1.0 if q[0, 0] >= 0.0 else -1.0
    turns = np.where(np.einsum("ti,ti->t", q[1:], q[:-1]) < 0.0, -1.0, 1.0)
    q[1:] *= np.cumprod(turns)[:, None]
    out: Array = q
    return out
