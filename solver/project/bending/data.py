"""What the equations of a modal body ask of its masses and shapes: sums over points, made once.

A body is a cloud of point masses: those of a finite-element model's nodes, or points of a beam at which integrals of its
elements are exact. Point k stands at c, and goes to c + sum Phi_j q_j + 1/2 sum g_jl q_j q_l.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.project.bending.beams import DIGITS, BeamModes, Section

Array = NDArray[np.float64]

GAUSS = np.polynomial.legendre.leggauss(4)
"""Places and weights from -1 to 1 that integrate all that an element's cubic shapes make of masses."""


LOOKS = 60
"""Amplitudes at which masses are looked at, each 12 % above the last."""


@dataclass(frozen=True, slots=True)
class Node:
    """Hold how a point moves with its surroundings: Phi and Psi (modes, 3), g (modes, modes, 3), and h (bent, bent, bent, 3).

    The first modes of a beam are those that bend it; they alone have h.
    """

    shift: Array
    turn: Array
    by_two: Array
    by_three: Array

    def moved(self, q: Array) -> Array:
        """Give the displacement at amplitudes."""
        bent = q[: len(self.by_three)]
        cube = np.einsum("j,l,m,jlmc->c", bent, bent, bent, self.by_three) / 6.0
        out: Array = q @ self.shift + 0.5 * np.einsum("j,l,jlc->c", q, q, self.by_two) + cube
        return out


@dataclass(frozen=True, slots=True)
class Cloud:
    """Hold point masses of a body: places (points, 3), masses, shapes (points, modes, 3), and g (points, modes, modes, 3)."""

    place: Array
    mass: Array
    shape: Array
    by_two: Array


@dataclass(frozen=True, slots=True)
class ModalData:
    """Hold a modal body: its mass at rest, the sums that its modes ask for, generalised matrices, and its nodes.

    All in segment axes, moments about the origin O of its frame's body; the inertia about the mass centre.
    `Modals` of `solver.engine.dynamics.modes` says what each is.
    """

    mass: float
    centre: Array
    inertia: Array
    shift: Array
    couple: Array
    turning_by: Array
    centre_by_two: Array
    couple_by: Array
    gyro: Array
    turning_by_two: Array
    own: Array
    stiffness: Array
    damping: Array

    @property
    def modes(self) -> int:
        """How many there are."""
        return len(self.shift)

    def matrix(self, q: Array) -> Array:
        """Give the mass matrix over the velocity of O, the angular velocity and the rates of the modes at amplitudes."""
        x, y, z = c = self.centre
        point = np.array([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])
        slope = self.shift + np.einsum("l,jlc->jc", q, self.centre_by_two)
        first = self.mass * c + 0.5 * q @ (self.shift + slope)
        J = self.inertia + self.mass * point + q @ self.turning_by
        J = J + np.einsum("j,l,jlc->c", q, q, self.turning_by_two)
        out = np.zeros((6 + self.modes,) * 2)
        out[:3, :3] = self.mass * np.eye(3)
        x, y, z = first
        # w x c
        out[:3, 3:6] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
        out[3:6, 3:6] = J[[0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(3, 3)
        out[:3, 6:] = slope.T
        out[3:6, 6:] = (self.couple + np.einsum("l,ljc->jc", q, self.couple_by)).T
        out[6:, 6:] = self.own
        upper = np.triu(out)
        whole: Array = upper + upper.T - np.diag(np.diag(upper))
        return whole

    def bears(self, q: Array) -> bool:
        """Whether masses at amplitudes are those of a body that moves freely: no motion has an energy below nought."""
        M = self.matrix(q)
        size = 1.0 / np.sqrt(np.diag(M))
        return bool(np.linalg.eigvalsh(M * size[:, None] * size)[0] > 0.0)

    def most(self, mode: int, top: float) -> float | None:
        """Give the amplitude up to which masses bear one mode alone, looked for below `top`; none where all is borne."""
        q = np.zeros(self.modes)
        for part in np.geomspace(1e-3, 1.0, LOOKS):
            q[mode] = part * top
            if not self.bears(q):
                return float(part * top)
        return None


def kept(values: Array) -> Array:
    """Round to the digits that are the same whatever library found them, of the largest."""
    top = np.abs(values).max(initial=0.0)
    if top == 0.0:
        return values
    unit = np.ldexp(1.0, int(np.frexp(top)[1]) - DIGITS)
    out: Array = np.round(values / unit) * unit + 0.0
    return out


def summed(cloud: Cloud, own: Array, stiffness: Array, damping: Array) -> ModalData:
    """Make the sums of a cloud."""
    c, m, f, g = cloud.place, cloud.mass, cloud.shape, cloud.by_two
    mass = float(m.sum())
    centre = np.einsum("p,pa->a", m, c) / mass
    away = c - centre
    gyro = np.einsum("p,pjlc->jlc", m, np.cross(f[:, :, None], f[:, None]))
    couple_by = gyro + np.einsum("p,pjlc->jlc", m, np.cross(c[:, None, None], g))
    products = np.einsum("p,pja,plb->jlab", m, f, f) + np.einsum("p,pa,pjlb->jlab", m, c, g)
    return ModalData(
        mass=mass,
        centre=kept(centre),
        inertia=kept(_turning(np.einsum("p,pa,pb->ab", m, away, away))),
        shift=kept(np.einsum("p,pjc->jc", m, f)),
        couple=kept(np.einsum("p,pjc->jc", m, np.cross(c[:, None], f))),
        turning_by=kept(_turning(2.0 * np.einsum("p,pa,pjb->jab", m, c, f))),
        centre_by_two=kept(np.einsum("p,pjlc->jlc", m, g)),
        couple_by=kept(couple_by),
        gyro=kept(gyro),
        turning_by_two=kept(_turning(products)),
        own=kept(own),
        stiffness=kept(stiffness),
        damping=kept(damping),
    )  # fmt: skip


def _turning(moments: Array) -> Array:
    """Make second moments (..., 3, 3) into inertias (..., 6): xx, yy, zz, xy, xz, yz."""
    P = 0.5 * (moments + np.swapaxes(moments, -1, -2))
    x, y, z = P[..., 0, 0], P[..., 1, 1], P[..., 2, 2]
    return np.stack([y + z, x + z, x + y, -P[..., 0, 1], -P[..., 0, 2], -P[..., 1, 2]], axis=-1)


# Straight beams.


class Beam:
    """Place points of a straight beam, which goes along z of its frame; its section's axes are x and y."""

    def __init__(
        self, section: Section, length: float, pieces: int, modes: BeamModes, *, floats: bool
    ) -> None:
        self._section, self._length, self._pieces, self._modes = section, length, pieces, modes
        self._h, self._floats = length / pieces, floats
        self._bent = sum(way in ("x", "y") for way in modes.way)
        self._drawn = self._shortening()
        self._mean = np.zeros_like(self._drawn[0])
        if floats:
            # the frame floats: it goes with the mass centre
            at, weight = self._places()
            drawn = np.array([self._drawn_at(s) for s in at])
            self._mean = np.einsum("p,pjl->jl", weight, drawn) / length

    def node(self, place: Array) -> Node:
        """Give the motion of a point that is fixed to the section beside it; `place` is in the beam's frame."""
        s = min(max(float(place[2]), 0.0), self._length)
        off = place - np.array([0.0, 0.0, s])
        axis, turn, by_two = self._fixed(s, off)
        bent = turn[: self._bent]
        short = self._short(s) + _third(bent, np.cross(bent, off))
        return Node(axis, turn, by_two, short)

    def cloud(self) -> Cloud:
        """Make the cloud: four points of each section at which integrals are exact."""
        x = np.sqrt(self._section.moment_y / self._section.area)
        y = np.sqrt(self._section.moment_x / self._section.area)
        corners = [np.array([a * x, b * y, 0.0]) for a in (1, -1) for b in (1, -1)]
        at, weight = self._places()
        made = [(s, w, d) for s, w in zip(at, weight, strict=True) for d in corners]
        fixed = [self._fixed(float(s), d) for s, _, d in made]
        mass = self._section.density * self._section.area
        return Cloud(
            place=np.array([[d[0], d[1], s] for s, _, d in made]),
            mass=np.array([0.25 * mass * w for _, w, _ in made]),
            shape=np.array([shift for shift, _, _ in fixed]),
            by_two=np.array([by_two for _, _, by_two in fixed]),
        )

    def _places(self) -> tuple[Array, Array]:
        inside = 0.5 * self._h * (GAUSS[0] + 1.0)
        at = (np.arange(self._pieces)[:, None] * self._h + inside).ravel()
        return at, np.tile(0.5 * self._h * GAUSS[1], self._pieces)

    def _short(self, s: float) -> Array:
        """By how much less far than its slopes a bent axis goes across, to the third order: of sin t = t - t^3 / 6."""
        out = np.zeros((*[self._bent] * 3, 3))
        e = min(int(s / self._h), self._pieces - 1)
        ends = [*(np.arange(e + 1) * self._h), s]
        if self._floats:
            ends += [*(np.arange(e + 1, self._pieces + 1) * self._h)]
        for a, b in itertools.pairwise(ends):
            half = 0.5 * (b - a)
            for x, w in zip(half * (GAUSS[0] + 1.0) + a, half * GAUSS[1], strict=True):
                # against the mean of all where the frame floats
                part = float(x < s) - self._floats * (1.0 - x / self._length)
                bent = np.pad(self._slopes(x)[: self._bent], ((0, 0), (0, 1)))
                out = out + w * part * _third(bent, bent)
        return out

    def _fixed(self, s: float, off: Array) -> tuple[Array, Array, Array]:
        """Give shift, turn and second-order displacement of a point that is fixed to a section."""
        axis, turn = self._at(s)
        n = len(axis)
        by_two = np.zeros((n, n, 3))
        by_two[:, :, 2] = self._drawn_at(s) - self._mean
        twice = np.cross(turn[:, None], np.cross(turn[None], off))
        by_two += 0.5 * (twice + np.swapaxes(twice, 0, 1))
        return axis + np.cross(turn, off), turn, by_two

    def _at(self, s: float) -> tuple[Array, Array]:
        """Give displacement and turn (modes, 3) of the axis, frame of the beam."""
        n = len(self._modes.way)
        axis, turn = np.zeros((n, 3)), np.zeros((n, 3))
        e = min(int(s / self._h), self._pieces - 1)
        x = s / self._h - e
        for j, (way, shape) in enumerate(zip(self._modes.way, self._modes.shape, strict=True)):
            ends = shape[e : e + 2]
            if shape.shape[1] == 1:
                value = (1.0 - x) * ends[0, 0] + x * ends[1, 0]
                (turn if way == "twist" else axis)[j, 2] = value
                continue
            value, slope = _cubic(ends, x, self._h)
            axis[j, 0 if way == "x" else 1] = value
            if way == "x":
                turn[j, 1] = slope
            else:
                turn[j, 0] = -slope
        return axis, turn

    def _slopes(self, s: float) -> Array:
        """Give the slopes of the axis in both planes (modes, 2)."""
        _, turn = self._at(s)
        return np.stack([turn[:, 1], -turn[:, 0]], axis=1)

    def _piece(self, a: float, b: float) -> Array:
        """By how much bending draws a stretch of the axis together: half the square of its slope, along z."""
        half, out = 0.5 * (b - a), np.zeros((len(self._modes.way),) * 2)
        for x, w in zip(*GAUSS, strict=True):
            slope = self._slopes(a + half * (x + 1.0))
            out -= half * w * (slope @ slope.T)
        return out

    def _shortening(self) -> Array:
        """Give it from the beginning to each node."""
        ends = np.arange(self._pieces + 1) * self._h
        each = [self._piece(a, b) for a, b in itertools.pairwise(ends)]
        return np.concatenate([[np.zeros_like(each[0])], np.cumsum(each, axis=0)])

    def _drawn_at(self, s: float) -> Array:
        e = min(int(s / self._h), self._pieces - 1)
        out: Array = self._drawn[e] + self._piece(e * self._h, s)
        return out


def _third(turns: Array, across: Array) -> Array:
    """Make -(t . t) a, of turns t and a across by each mode, the same whatever the order of its three modes."""
    one = np.einsum("jl,mc->jlmc", turns @ turns.T, across)
    out: Array = -(one + one.transpose(0, 2, 1, 3) + one.transpose(2, 1, 0, 3)) / 3.0
    return out


def _cubic(ends: Array, x: float, h: float) -> tuple[float, float]:
    """Give value and slope of an element's cubic between two nodes of (value, slope)."""
    (a, at), (b, bt) = ends
    value = (
        (1 - 3 * x * x + 2 * x**3) * a + h * (x - 2 * x * x + x**3) * at
        + (3 * x * x - 2 * x**3) * b + h * (x**3 - x * x) * bt
    )  # fmt: skip
    slope = 6 * (x * x - x) / h * (a - b) + (1 - 4 * x + 3 * x * x) * at + (3 * x * x - 2 * x) * bt
    return float(value), float(slope)
