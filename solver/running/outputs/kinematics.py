"""Motion of points and segments as seen from others, for a block of samples at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Sentence
from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross
from solver.model.compile import Model, Modes
from solver.project.document import Project
from solver.project.segments import GROUND

T = TypeVar("T")


class Moving(NamedTuple):
    """The motion of several mass centres: arrays (T, N, ...)."""

    turn: Array
    place: Array
    velocity: Array
    acceleration: Array
    spin: Array
    spin_rate: Array


class Kinematics:
    """Look at a block: arrays (T, ...) of every segment, ground axes; of all samples or of some."""

    def __init__(
        self,
        model: Model,
        modes: Modes,
        samples: Samples,
        rows: int,
        only: NDArray[np.intp] | None = None,
    ) -> None:
        self._model, self._samples, self.modes = model, samples, modes
        self._which = slice(rows) if only is None else only
        self.rows = rows if only is None else len(only)
        self.time = samples.time[self._which]
        self._made: dict[tuple[str, str], Any] = {}

    def once(self, what: str, of: str, make: Callable[[], T]) -> T:
        """What is made of the block for an element, once for all who ask; nobody changes it."""
        key = what, of
        if key not in self._made:
            self._made[key] = make()
        made: T = self._made[key]
        return made

    def at(self, only: NDArray[np.intp]) -> Kinematics:
        """Look at some of the samples."""
        modes = Modes(self.modes.kind, *(one[only] for one in self.modes[1:]))
        return Kinematics(self._model, modes, self._samples, len(only), only)

    def _of(self, name: str, segment: str) -> Array:
        values: Array = getattr(self._samples, name)
        if segment == GROUND:
            return np.zeros((self.rows, *values.shape[2:]))
        return values[self._which, self._model.trees.body_of[segment]]

    def together(self, segments: Sequence[str]) -> Moving:
        """The motion of several segments' mass centres at once, ground axes."""
        trees, which = self._model.trees, self._which
        bodies = [trees.body_of[segment] for segment in segments]
        p, v, w, a, alpha = (
            getattr(self._samples, name)[which][:, bodies]
            for name in ("p", "velocity", "w", "acc", "alpha")
        )
        R = self._samples.R[which][:, bodies].reshape(self.rows, len(bodies), 3, 3)
        origins = np.array([trees.origin[segment] for segment in segments])
        arm = -np.einsum("tnij,nj->tni", R, origins)
        return Moving(
            R, p + arm, v + cross(w, arm), a + cross(alpha, arm) + cross(w, cross(w, arm)), w, alpha
        )

    def turn(self, segment: str) -> Array:
        """Give R_WS (T, 3, 3)."""
        if segment == GROUND:
            return np.broadcast_to(np.eye(3), (self.rows, 3, 3))
        return self._of("R", segment).reshape(-1, 3, 3)

    def arm(self, segment: str, point: Array) -> Array:
        """The arm from the body's origin O to a point counted from the mass centre."""
        origin = np.zeros(3) if segment == GROUND else self._model.trees.origin[segment]
        return self.turn(segment) @ (np.asarray(point, float) - origin)

    def place(self, segment: str, point: Array) -> Array:
        """The place of a point."""
        return self._of("p", segment) + self.arm(segment, point)

    def velocity(self, segment: str, point: Array) -> Array:
        """The velocity of a point."""
        w = self._of("w", segment)
        return self._of("velocity", segment) + cross(w, self.arm(segment, point))

    def acceleration(self, segment: str, point: Array) -> Array:
        """The acceleration of a point."""
        w, arm = self._of("w", segment), self.arm(segment, point)
        out = self._of("acc", segment) + cross(self._of("alpha", segment), arm)
        return out + cross(w, cross(w, arm))

    def spin(self, segment: str) -> Array:
        """The angular velocity."""
        return self._of("w", segment)

    def spin_rate(self, segment: str) -> Array:
        """The angular acceleration."""
        return self._of("alpha", segment)

    def place_from(self, segment: str, point: Array, other: str) -> Array:
        """Give the place of a point from another segment's mass centre, ground axes."""
        return self.place(segment, point) - self.place(other, ZERO)

    def velocity_from(self, segment: str, point: Array, other: str) -> Array:
        """The velocity of a point as seen from a segment, ground axes."""
        if other == GROUND:
            return self.velocity(segment, point)
        v = self.velocity(segment, point) - self.velocity(other, ZERO)
        return v - cross(self.spin(other), self.place_from(segment, point, other))

    def acceleration_from(self, segment: str, point: Array, other: str) -> Array:
        """The acceleration of a point as seen from a segment, ground axes."""
        if other == GROUND:
            return self.acceleration(segment, point)
        w, r = self.spin(other), self.place_from(segment, point, other)
        a = self.acceleration(segment, point) - self.acceleration(other, ZERO)
        a = a - cross(self.spin_rate(other), r) - cross(w, cross(w, r))
        return a - 2.0 * cross(w, self.velocity_from(segment, point, other))


ZERO = np.zeros(3)


def along(R_WA: Array, vectors: Array) -> Array:
    """The components of vectors (..., 3) along the axes of turns (..., 3, 3)."""
    out: Array = np.einsum("...ji,...j->...i", R_WA, vectors)
    return out


def quaternions(R: Array) -> Array:
    """The unit quaternions (w, x, y, z) of turns (T, ..., 3, 3); signs go on along the first axis."""
    m = np.moveaxis(R, (-2, -1), (0, 1))
    trace = np.stack(
        [
            m[0, 0] + m[1, 1] + m[2, 2],
            m[0, 0] - m[1, 1] - m[2, 2],
            m[1, 1] - m[0, 0] - m[2, 2],
            m[2, 2] - m[0, 0] - m[1, 1],
        ],
        axis=-1,
    )
    a, b, c = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    d, e, f = m[1, 0] + m[0, 1], m[0, 2] + m[2, 0], m[2, 1] + m[1, 2]
    one = 1.0 + trace
    candidates = np.stack(
        [
            np.stack([one[..., 0], a, b, c], -1),
            np.stack([a, one[..., 1], d, e], -1),
            np.stack([b, d, one[..., 2], f], -1),
            np.stack([c, e, f, one[..., 3]], -1),
        ],
        axis=-2,
    )
    best = np.argmax(trace, axis=-1)
    q = np.take_along_axis(candidates, best[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    q[0] *= np.where(q[0, ..., :1] >= 0.0, 1.0, -1.0)
    turns = np.where(np.einsum("t...i,t...i->t...", q[1:], q[:-1]) < 0.0, -1.0, 1.0)
    q[1:] *= np.cumprod(turns, axis=0)[..., None]
    out: Array = q
    return out


class Signs:
    """Keep the signs of quaternions from block to block, so that none jumps to its opposite."""

    def __init__(self) -> None:
        self._last: Array | None = None

    def __call__(self, q: Array) -> Array:
        """The quaternions (T, N, 4) of the next block with the signs of those before."""
        if self._last is not None:
            turned = np.einsum("ni,ni->n", self._last, q[0]) < 0.0
            q = np.where(turned[:, None], -q, q)
        self._last = q[-1]
        return q


# What a kind of element gives to the results: its rows of a group, block by block, and its events.

Columns = dict[str, Array]
"""Columns of a group, each an array (T, N, ...)."""

Source = Callable[[int, int], tuple[str, str, tuple[float, ...]]]
"""From the number of an event among those of its sort, and what happened: kind, element, values."""


class Kind(ABC):
    """The rows of one group of the results (`solver.results.layout`) for one run."""

    group: ClassVar[str]

    def __init__(self, model: Model) -> None:
        self.model = model

    @staticmethod
    @abstractmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the rows."""

    @abstractmethod
    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """All columns of the group at every sample of a block."""

    def memory(self) -> dict[str, Any]:
        """What is followed on from block to block: all that the kind keeps but the model."""
        return {name: value for name, value in vars(self).items() if name != "model"}

    def recall(self, memory: dict[str, Any]) -> None:
        """Follow on from there."""
        vars(self).update(memory)

    def sentences(self) -> Iterator[Sentence]:
        """Say what the log says of what was seen; most kinds say nothing."""
        yield from ()

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Read the events of the kind by their sort (entries of `System.first`); most kinds have none."""
        return {}
