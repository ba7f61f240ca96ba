"""The mass matrix of modal bodies at a state, for those who look at a whole model at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.modes import Modals
from solver.engine.maths.rotation import cross

Array = NDArray[np.float64]


def modal_mass(modals: Modals, turns: Array, places: Array, turning: Array, moving: Array) -> Array:
    """What bending adds to the mass matrix over all speeds, which the tree's masses at rest do not have.

    `turns` (bodies, 3, 3) and `places` are those of all bodies, `turning` and `moving` (bodies, 3, speeds) what unit speeds do to them.
    """
    speeds = turning.shape[2]
    out = np.zeros((speeds, speeds))
    for b, frame in enumerate(modals.frame):
        first, n = int(modals.first[b]), int(modals.first[b + 1] - modals.first[b])
        one, two = slice(first, first + n), slice(int(modals.pair[b]), int(modals.pair[b]) + n * n)
        modes, R = modals.body[one], turns[frame]
        q = places[modes, 0]
        by_two = modals.centre_by_two[two].reshape(n, n, 3)
        slope = (modals.shift[one] + np.einsum("l,jlc->jc", q, by_two)) @ R.T
        centre = (q @ modals.shift[one] + 0.5 * np.einsum("j,l,jlc->c", q, q, by_two)) @ R.T
        couple_by = modals.couple_by[two].reshape(n, n, 3)
        couple: Array = modals.couple[one] + np.einsum("l,ljc->jc", q, couple_by)
        inertia = q @ modals.turning_by[one] + np.einsum(
            "j,l,jlc->c", q, q, modals.turning_by_two[two].reshape(n, n, 6)
        )
        J = R @ inertia[[0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(3, 3) @ R.T
        # along speeds: angular velocity, velocity of O, rates of the modes
        w, v, rate = turning[frame], moving[frame], moving[modes, 0]
        momentum = cross(w.T, np.broadcast_to(centre, w.T.shape)).T + slope.T @ rate
        moment = J @ w + (couple @ R.T).T @ rate
        part = v.T @ momentum + w.T @ moment
        own = modals.own[two].reshape(n, n)
        # T = v . p + w . h + rate M rate / 2 with p and h linear in w and rate: what couples is counted once
        pure = 0.5 * (w.T @ (J @ w)) + 0.5 * rate.T @ own @ rate
        twice = part - w.T @ (J @ w) + pure
        out += twice + twice.T
    return out
