"""Find where what is soft meets the bodies that press into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.webbing import Body

_TRIES, _HALVINGS = 17, 8
"""Steps along a way through a body that is no ellipsoid, and how often the step that meets it is halved."""


@dataclass(frozen=True, eq=False, slots=True)
class Bodies:
    """Hold several surfaces in the same axes, one below the other: what presses is looked at all at once."""

    turns: Array
    places: Array
    axes: Array
    powers: Array

    @staticmethod
    def of(bodies: Sequence[Body]) -> Bodies:
        """Put bodies one below the other."""
        return Bodies(
            np.array([one.R_WE for one in bodies]).reshape(-1, 3, 3),
            np.array([one.p_W for one in bodies]).reshape(-1, 3),
            np.array([one.axes for one in bodies]).reshape(-1, 3),
            np.array([one.powers for one in bodies]).reshape(-1, 3),
        )

    def __len__(self) -> int:
        """Give how many there are."""
        return len(self.places)

    def some(self, which: NDArray[Any]) -> Bodies:
        """Give some of them."""
        return Bodies(self.turns[which], self.places[which], self.axes[which], self.powers[which])

    def each(self) -> list[Body]:
        """Give them one by one."""
        rows = zip(self.turns, self.places, self.axes, self.powers, strict=True)
        return [Body(*row) for row in rows]

    def carried(self, turns: Array, places: Array) -> Bodies:
        """Take each along with the axes it is in: their turns and places, in others."""
        moved = np.einsum("nij,nj->ni", turns, self.places) + places
        return Bodies(turns @ self.turns, moved, self.axes, self.powers)

    def seen_from(self, at: Placed) -> Bodies:
        """Give them in the axes that stand at a place."""
        return Bodies(
            at.R_WS.T @ self.turns, (self.places - at.p_W) @ at.R_WS, self.axes, self.powers
        )

    @property
    def is_ellipsoid(self) -> NDArray[np.bool_]:
        """Tell which are ellipsoids."""
        same: NDArray[np.bool_] = (self.powers == 2.0).all(axis=1)
        return same

    def reaches(self) -> Array:
        """Give from how far none of each is (m)."""
        most: Array = self.axes.max(axis=1, initial=0.0)
        return np.where(self.is_ellipsoid, most, np.sqrt(3.0) * most)

    def forms(self) -> Array:
        """Give the matrices A (n, 3, 3) of ellipsoids: what lies at x from the middle of one is on it where x A x is 1."""
        scaled = self.turns / self.axes[:, None, :]
        return np.asarray(scaled @ scaled.transpose(0, 2, 1))


def products(x: Array, y: Array, z: Array | None = None) -> Array:
    """Give the products of which x A x is made, in rows: those with z are left out where there is none."""
    flat = [x * x, x * y, y * y]
    return np.array(flat if z is None else [*flat, x * z, y * z, z * z])


def factors(A: Array, *, flat: bool = False) -> Array:
    """Give by what those products are multiplied, a row for each of several A."""
    own = [A[:, 0, 0], 2.0 * A[:, 0, 1], A[:, 1, 1]]
    return np.stack(own if flat else [*own, 2.0 * A[:, 0, 2], 2.0 * A[:, 1, 2], A[:, 2, 2]], axis=1)


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
