"""Masses and momenta of modal bodies at a state, for those who look at a whole model or run at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.modes import Modals
from solver.engine.maths.rotation import cross
from solver.project.bending.data import ModalData
from solver.project.bending.shapes import data_of
from solver.project.modal import ModalBody

Array = NDArray[np.float64]


def modal_mass(modals: Modals, turns: Array, places: Array, turning: Array, moving: Array) -> Array:
    """What bending adds to the mass matrix over all speeds, which the tree's masses at rest do not have.

    `turns` (bodies, 3, 3) and `places` are those of all bodies, `turning` and `moving` (bodies, 3, speeds) what unit speeds do to them.
    """
    out = np.zeros((turning.shape[2],) * 2)
    for b in range(len(modals.frame)):
        out += body_mass(modals, b, np.zeros(10), turns, places, turning, moving)[0]
    return out


def body_mass(
    modals: Modals, b: int, rest: Array, turns: Array, places: Array, turning: Array, moving: Array
) -> tuple[Array, Array]:
    """Give the mass matrix of modal body b over all speeds, and its momentum by each of them (3, speeds).

    `rest` has its mass, first moment and inertia at rest about O; with noughts there, what bending adds is given alone.
    """
    frame, first, last = modals.frame[b], int(modals.first[b]), int(modals.first[b + 1])
    modes, R = modals.body[first:last], turns[frame]
    # along speeds, axes of the frame: velocity of O, angular velocity, rates of the modes
    w, v = R.T @ turning[frame], R.T @ moving[frame]
    along = np.concatenate([v, w, moving[modes, 0]])
    M = sums_of(modals, b, rest).matrix(places[modes, 0])
    return along.T @ M @ along, R @ (M[:3] @ along)


def sums_of(modals: Modals, b: int, rest: Array) -> ModalData:
    """Give the sums of modal body b of a tree, of which `rest` has mass, first moment and inertia about O."""
    first, n = int(modals.first[b]), int(modals.first[b + 1] - modals.first[b])
    one, two = slice(first, first + n), slice(int(modals.pair[b]), int(modals.pair[b]) + n * n)
    mass = float(rest[0])
    centre = rest[1:4] / mass if mass else np.zeros(3)
    x, y, z = centre
    point = np.array([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])

    def pairs(name: str) -> Array:
        rows: Array = getattr(modals, name)[two]
        return rows.reshape(n, n, *rows.shape[1:])

    return ModalData(
        mass, centre, rest[4:] - mass * point, modals.shift[one], modals.couple[one], modals.turning_by[one],
        pairs("centre_by_two"), pairs("couple_by"), pairs("gyro"), pairs("turning_by_two"),
        pairs("own"), pairs("stiffness"), pairs("damping"),
    )  # fmt: skip


def bent_too_far(modals: Modals, rest: Array, p: Array) -> list[int]:
    """Name the frames' bodies of modal bodies whose masses do not bear how far they bend; `p` are the places of all bodies."""
    return [
        int(frame)
        for b, frame in enumerate(modals.frame)
        if not sums_of(modals, b, rest[b]).bears(
            p[modals.body[modals.first[b] : modals.first[b + 1]], 0]
        )
    ]


class Carried(NamedTuple):
    """Hold the mass of a modal body, its first moment about the segment's mass centre, and the rate of its momentum (T, 3), ground axes."""

    mass: float
    first: Array
    rate: Array


def momentum_rate(
    body: ModalBody, turns: Array, row: Mapping[str, Array], modes: tuple[Array, Array, Array]
) -> Carried:
    """Tell how the momentum of a modal body changes along a run.

    `turns` (T, 3, 3) and the columns `row` are its segment's, `modes` the amplitudes (T, modes), their rates and the rates of these.
    """
    data, (q, rate, faster) = data_of(body), modes
    slope = data.shift + np.einsum("tl,jlc->tjc", q, data.centre_by_two)
    centre = data.mass * data.centre + np.einsum("tj,tjc->tc", q, 0.5 * (data.shift + slope))
    speed = np.einsum("tj,tjc->tc", rate, slope)
    drawn = np.einsum("tj,tl,jlc->tc", rate, rate, data.centre_by_two)
    w, alpha = row["angular_velocity"], row["angular_acceleration"]
    force = data.mass * np.einsum("tji,tj->ti", turns, row["acceleration"])
    force += cross(alpha, centre) + cross(w, cross(w, centre)) + 2.0 * cross(w, speed)
    force += np.einsum("tj,tjc->tc", faster, slope) + drawn
    first, out = (np.einsum("tij,tj->ti", turns, one) for one in (centre, force))
    return Carried(data.mass, first, out)
