"""Masses and momenta of modal bodies at a state, for those who look at a whole model or run at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.modes import Modals
from solver.engine.maths.rotation import cross
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
    frame, first = modals.frame[b], int(modals.first[b])
    n = int(modals.first[b + 1]) - first
    one, two = slice(first, first + n), slice(int(modals.pair[b]), int(modals.pair[b]) + n * n)
    modes, R = modals.body[one], turns[frame]
    q = places[modes, 0]
    by_two = modals.centre_by_two[two].reshape(n, n, 3)
    slope = (modals.shift[one] + np.einsum("l,jlc->jc", q, by_two)) @ R.T
    centre = rest[1:4] + q @ modals.shift[one] + 0.5 * np.einsum("j,l,jlc->c", q, q, by_two)
    couple_by = modals.couple_by[two].reshape(n, n, 3)
    couple: Array = modals.couple[one] + np.einsum("l,ljc->jc", q, couple_by)
    inertia = rest[4:] + q @ modals.turning_by[one]
    inertia = inertia + np.einsum("j,l,jlc->c", q, q, modals.turning_by_two[two].reshape(n, n, 6))
    J = R @ inertia[[0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(3, 3) @ R.T
    # along speeds: angular velocity, velocity of O, rates of the modes
    w, v, rate = turning[frame], moving[frame], moving[modes, 0]
    moved = cross(w.T, np.broadcast_to(R @ centre, w.T.shape)).T + slope.T @ rate
    # T = m v v / 2 + v . moved + w J w / 2 + w . h + rate M rate / 2
    felt = v.T @ moved + w.T @ ((couple @ R.T).T @ rate)
    mass = felt + felt.T + rest[0] * v.T @ v + w.T @ J @ w
    own = modals.own[two].reshape(n, n)
    return mass + rate.T @ own @ rate, rest[0] * v + moved


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
