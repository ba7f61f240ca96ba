"""What each joint feels of the bodies in the drawn pose: springs and dampers that are told as a time and a ratio."""

from __future__ import annotations

import numpy as np

from solver.engine.maths.rotation import Array
from solver.exchange.trees.body import Body


def spring_up(bodies: list[Body]) -> None:
    """Set stiffness and damping where a file tells time T and ratio z: k = I/(T z)^2, c = 2 I/T.

    I is what the joint feels in the drawn pose when all others are free: one by the mean of its
    entries on the diagonal of the inverse mass matrix.
    """
    if not any(axis.springdamper for body in bodies for axis in body.joints):
        return
    at = 0
    felt = np.diag(np.linalg.pinv(mass_matrix(bodies), hermitian=True))
    for body in bodies:
        at += 6 * body.is_free
        for axis in body.joints:
            count = 3 if axis.motion == "ball" else 1
            inertia = count / max(float(felt[at : at + count].sum()), 1e-15)
            at += count
            if axis.springdamper:
                time, ratio = axis.springdamper
                axis.stiffness = inertia / (time * ratio) ** 2
                axis.damping = 2.0 * inertia / time


def mass_matrix(bodies: list[Body]) -> Array:
    """Give the mass matrix in the drawn pose: of each body six freedoms where it is free, then its joints."""
    sizes = [6 * b.is_free + sum(3 if a.motion == "ball" else 1 for a in b.joints) for b in bodies]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    M = np.zeros((starts[-1], starts[-1]))
    R, p = list[Array](), list[Array]()
    moves: list[list[tuple[int, Array, Array]]] = []
    for n, body in enumerate(bodies):
        R_p, p_p = (R[body.parent], p[body.parent]) if body.parent >= 0 else (np.eye(3), np.zeros(3))  # fmt: skip
        R.append(R_p @ body.R)
        p.append(p_p + R_p @ body.place)
        here = list(moves[body.parent]) if body.parent >= 0 else []
        here += _moves(body, R[n], p[n], int(starts[n]), M)
        moves.append(here)
        centre, J = p[n] + R[n] @ body.centre, R[n] @ body.inertia @ R[n].T
        index = [k for k, _, _ in here]
        turning = np.array([w for _, w, _ in here]).reshape(-1, 3)
        along = np.array([v + np.cross(w, centre) for _, w, v in here]).reshape(-1, 3)
        M[np.ix_(index, index)] += turning @ J @ turning.T + body.mass * along @ along.T
    return M


def _moves(body: Body, R: Array, p: Array, at: int, M: Array) -> list[tuple[int, Array, Array]]:
    """Give each freedom's number, rate of turning, and velocity of the point at the origin."""
    found = list[tuple[int, Array, Array]]()
    if body.is_free:
        found += [(at + k, np.zeros(3), e) for k, e in enumerate(np.eye(3))]
        found += [(at + 3 + k, e, -np.cross(e, p)) for k, e in enumerate(R.T)]
        at += 6
    for axis in body.joints:
        point = p + R @ axis.place
        if axis.motion == "slide":
            found.append((at, np.zeros(3), R @ axis.axis / np.linalg.norm(axis.axis)))
        else:
            ways = R.T if axis.motion == "ball" else [R @ axis.axis / np.linalg.norm(axis.axis)]
            found += [(at + k, e, -np.cross(e, point)) for k, e in enumerate(ways)]
        count = 3 if axis.motion == "ball" else 1
        M[range(at, at + count), range(at, at + count)] += axis.armature
        at += count
    return found
