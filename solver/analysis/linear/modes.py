"""Modes: eigenvalues of a state matrix with their shapes.

What brings nothing back is found first: the null space of the matrix, then that of what is left beside it, and so
on until there is none. So a rigid mode is no pair of small numbers but exactly two zeros, or one where
its speed dies away or is not free by itself. The eigenvalues of the rest are those of the other modes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from solver.analysis.linear.operating_point import OperatingPoint
from solver.analysis.linear.variables import Space
from solver.base.words import msgid
from solver.engine.dynamics.modes import FRAME
from solver.engine.dynamics.tree import Array
from solver.model.modal.masses import body_mass

Complex = NDArray[np.complex128]
Kind = Literal["rigid", "neutral", "oscillation", "decay", "growth"]

KINDS = (
    msgid("rigid"), msgid("neutral"), msgid("oscillation"), msgid("decay"), msgid("growth"),
)  # fmt: skip
"""Words for the kinds of modes."""

NOTHING_HZ = 1e-3
"""Frequency below which nothing brings a motion back, where errors of differences are no larger (assumed)."""

SAFE = 20.0
"""How many times larger than the errors of differences the square of a frequency is, at least."""

SLANT = 1e-3
"""Part of a speed that leads out of what nothing brings back, above which the speed does so."""

PAIRED = 1e-9
"""Part of the size of an eigenvalue below which its imaginary part is none."""


@dataclass(frozen=True, eq=False)
class Mode:
    """One mode: a pair of conjugate eigenvalues, or a real one.

    `frequency_hz` is |eigenvalue| / 2 pi, `damped_hz` its imaginary part / 2 pi, `damping` the part of critical
    damping; below zero it grows. `rigid` is a motion that nothing brings back or stops, `neutral` a place that
    nothing brings back.
    """

    kind: Kind
    eigenvalue: complex
    frequency_hz: float
    damped_hz: float
    damping: float
    shape: Complex = field(repr=False)
    """Displacement of the mass centre (m) and turn (rad) of each segment (segments, 6), ground axes; the
    largest component is 1."""
    state: Complex = field(repr=False)
    """The eigenvector over the states of A, in the same size."""
    energy: Array = field(repr=False)
    """Part of the kinetic energy that each segment has; of what is only displaced, as if it moved so."""
    effective: Array = field(repr=False)
    """Part of the mass that can move that the mode moves along x, y, z, when the base is shaken there."""


def modes_of(
    whole: Array, errors: Array, is_free: NDArray[np.bool_], space: Space, standing: OperatingPoint
) -> tuple[Mode, ...]:
    """All modes of what nothing prescribes, of a matrix whose entries may be off by so much."""
    free = np.flatnonzero(is_free)
    A, error = whole[np.ix_(free, free)], errors[np.ix_(free, free)]
    drawn = _Drawn(space, standing, free)
    if not len(A):
        return ()
    scale = _scale(space, free, error)
    S = A * scale[None, :] / scale[:, None]
    null, beside, left = _apart(S, float(scale.min(initial=1.0)))
    out = [drawn.mode(kind, 0.0, (scale * v).astype(complex)) for kind, v in null]
    if left.shape[1]:
        values, vectors = np.linalg.eig(left.T @ S @ left)
        for value, vector in zip(values, vectors.T, strict=True):
            if value.imag < -PAIRED * abs(value):
                continue
            real = abs(value.imag) <= PAIRED * abs(value)
            kind: Kind = "oscillation" if not real else "decay" if value.real < 0.0 else "growth"
            of = complex(value.real, 0.0 if real else value.imag)
            out.append(drawn.mode(kind, of, scale * _full_vector(S, beside, left, value, vector)))
    first = {"rigid": 0, "neutral": 1}
    return tuple(sorted(out, key=lambda m: (first.get(m.kind, 2), m.frequency_hz)))


def _scale(space: Space, free: NDArray[np.intp], error: Array) -> Array:
    """The sizes of the states: one, and less for speeds.

    A rate below `SLANT` of the size of speeds is none, so a way is brought back where the square of its frequency is
    above `SLANT` times the square of that size.
    """
    first = space.ways.shape[1]
    is_speed = (free >= first) & (free < first + space.speeds.shape[1])
    off = error[np.ix_(is_speed, free < first)]
    least = max((2.0 * math.pi * NOTHING_HZ) ** 2, SAFE * float(np.linalg.norm(off)))
    return np.where(is_speed, math.sqrt(least / SLANT), 1.0)


def _apart(S: Array, speed: float) -> tuple[list[tuple[Kind, Array]], Array, Array]:
    """Take apart what belongs to the eigenvalue zero; give its vectors, a basis of all that, and one of the rest.

    S is scaled, so that rates below `SLANT` of the size of speeds are none. Vectors of the first null space are
    displacements; as many of them run on at constant speed as the next one has vectors.
    """
    n = len(S)
    limit = SLANT * speed
    left, beside = np.eye(n), np.zeros((n, 0))
    counts: list[int] = []
    part = S
    while len(part):
        _, sizes, right = np.linalg.svd(part)
        none = int(np.sum(sizes < limit))
        if not none:
            break
        counts.append(none)
        beside = np.hstack([beside, left @ right[len(part) - none :].T])
        left = left @ right[: len(part) - none].T
        part = left.T @ S @ left
    if not counts:
        return [], beside, left
    runs = counts[1] if len(counts) > 1 else 0
    vectors = _running(S, beside[:, : counts[0]], runs)
    kinds: list[Kind] = ["rigid" if k < runs else "neutral" for k in range(counts[0])]
    return list(zip(kinds, vectors.T, strict=True)), beside, left


def _running(S: Array, first: Array, runs: int) -> Array:
    """Turn a null space so that the vectors come first that a steady speed leads along."""
    if runs in (0, first.shape[1]):
        return first
    # a vector runs on where it is a rate: where it has no part outside the range of S
    left = np.linalg.svd(S)[0]
    outside = left[:, len(S) - first.shape[1] :]
    _, _, right = np.linalg.svd(outside.T @ first)
    return np.asarray(first @ right[::-1].T)


def _full_vector(S: Array, beside: Array, left: Array, value: complex, vector: Complex) -> Complex:
    """The eigenvector of the whole matrix that belongs to one of the rest."""
    part = left @ vector
    if not beside.shape[1]:
        return np.asarray(part)
    own = value * np.eye(beside.shape[1]) - beside.T @ S @ beside
    return np.asarray(part + beside @ np.linalg.solve(own, beside.T @ S @ part))


class _Drawn:
    """Make modes of eigenvectors: what each does to all segments."""

    def __init__(self, space: Space, standing: OperatingPoint, free: NDArray[np.intp]) -> None:
        trees = standing.model.trees
        names = tuple(trees.body_of)
        bodies = np.array([trees.body_of[name] for name in names], np.int64)
        turning, moving = standing.centres()
        self._space, self._free = space, free
        self._turning, self._moving = turning[bodies], moving[bodies]
        self._R = standing.turns[bodies].reshape(-1, 3, 3)
        self._J = np.array([trees.inertia[name] for name in names]).reshape(-1, 3, 3)
        masses = {one.id: one.mass_kg for one in standing.model.project.segments}
        self._mass = np.array([masses[name] for name in names], float)
        moves = np.abs(self._moving[:, :, standing.open]).sum(axis=(1, 2)) > 0.0
        self._whole = float(self._mass[moves].sum())
        self._bends: list[tuple[int, Array, Array]] = []
        modals, rest = standing.tree.modals, trees.modal_rest
        for row, body in enumerate(bodies):
            if modals.role[body] == FRAME:
                b = int(modals.row[body])
                mass, momentum = body_mass(
                    modals, b, rest[b], standing.turns, standing.places, standing.unit_turning, standing.unit_moving
                )  # fmt: skip
                self._bends.append((row, mass, momentum))
                if np.any(momentum[:, standing.open]):
                    self._whole += float(rest[b, 0])

    def mode(self, kind: Kind, value: complex, vector: Complex) -> Mode:
        """Give the mode of an eigenvalue and its eigenvector over what is free."""
        ways = self._space.ways
        state = np.zeros(ways.shape[1] + self._space.speeds.shape[1] + self._space.states, complex)
        state[self._free] = vector
        way = ways @ state[: ways.shape[1]]
        shape = np.concatenate([self._moving @ way, self._turning @ way], axis=1)
        largest = shape.ravel()[int(np.argmax(np.abs(shape)))] if shape.size else 0.0
        size = largest if abs(largest) > 0.0 else 1.0
        shape, state = np.asarray(shape / size, complex), np.asarray(state / size, complex)
        own = np.einsum("bji,bj->bi", self._R, shape[:, 3:])
        energy = self._mass * np.sum(np.abs(shape[:, :3]) ** 2, axis=1)
        energy = energy + np.einsum("bi,bij,bj->b", own.conj(), self._J, own).real
        moved = self._mass @ shape[:, :3]
        for row, mass, momentum in self._bends:
            energy[row] += (way.conj() @ mass @ way).real / abs(size) ** 2
            moved = moved + momentum @ way / size
        whole, along = float(energy.sum()), np.abs(moved) ** 2
        return Mode(
            kind=kind,
            eigenvalue=complex(value),
            frequency_hz=abs(value) / (2.0 * math.pi),
            damped_hz=abs(value.imag) / (2.0 * math.pi),
            damping=0.0 if value == 0.0 else -value.real / abs(value),
            shape=shape,
            state=state,
            energy=energy / whole if whole > 0.0 else energy,
            effective=along / (whole * self._whole) if whole * self._whole > 0.0 else np.zeros(3),
        )
