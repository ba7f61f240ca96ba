"""Turn vectors: rotation matrices and quaternions.

`R_AB` turns components in B into components in A: `v_A = R_AB @ v_B`. Quaternions are w, x, y, z.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_AXES = {"x": 0, "y": 1, "z": 2}


def about_axis(axis: str, angle: float) -> Array:
    """Turn by `angle` (rad) about one coordinate axis."""
    c, s = math.cos(angle), math.sin(angle)
    i = _AXES[axis]
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.zeros((3, 3))
    R[i, i] = 1.0
    R[j, j] = R[k, k] = c
    R[j, k], R[k, j] = -s, s
    return R


def from_angles(angles: Sequence[float], order: str) -> Array:
    """Give R_AB for successive turns about the moving axes named in `order` (section 2.4)."""
    R = about_axis(order[0], angles[0])
    for axis, angle in zip(order[1:], angles[1:], strict=True):
        R = R @ about_axis(axis, angle)
    return R


def quaternion(R_AB: Array) -> Array:
    """Give the unit quaternion of a rotation matrix, with w not below zero."""
    t = np.array(
        [
            R_AB[0, 0] + R_AB[1, 1] + R_AB[2, 2],
            R_AB[0, 0] - R_AB[1, 1] - R_AB[2, 2],
            R_AB[1, 1] - R_AB[0, 0] - R_AB[2, 2],
            R_AB[2, 2] - R_AB[0, 0] - R_AB[1, 1],
        ]
    )
    largest = int(np.argmax(t))
    r = 2.0 * math.sqrt(1.0 + t[largest])
    off = np.array([R_AB[2, 1] - R_AB[1, 2], R_AB[0, 2] - R_AB[2, 0], R_AB[1, 0] - R_AB[0, 1]])
    q = np.empty(4)
    if largest == 0:
        q[0], q[1:] = r / 4.0, off / r
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        q[0], q[1 + i] = off[i] / r, r / 4.0
        q[1 + j] = (R_AB[i, j] + R_AB[j, i]) / r
        q[1 + k] = (R_AB[i, k] + R_AB[k, i]) / r
    return q if q[0] >= 0.0 else -q


def matrix(q: Sequence[float] | Array) -> Array:
    """Give the rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = (float(v) for v in q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def angle_between(R_AB: Array, R_AC: Array) -> float:
    """Give the angle (rad) of the turn from B to C."""
    R = R_AB.T @ R_AC
    sine = math.hypot(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
    return math.atan2(sine, float(np.trace(R)) - 1.0)


def matrices(q: Array) -> Array:
    """Give the rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def yaw_pitch_roll(R: Array) -> Array:
    """Give yaw, pitch and roll (..., 3) of turns (..., 3, 3); at pitch 90 degrees the roll is zero.

    The angles of `from_angles(angles, "zyx")` (section 2.4); pitch lies within 90 degrees.
    """
    cosine = np.hypot(R[..., 0, 0], R[..., 1, 0])
    pitch = np.arctan2(-R[..., 2, 0], cosine)
    near = cosine < 1e-9
    singular = np.arctan2(-R[..., 0, 1], R[..., 1, 1])
    yaw = np.where(near, singular, np.arctan2(R[..., 1, 0], R[..., 0, 0]))
    roll = np.where(near, 0.0, np.arctan2(R[..., 2, 1], R[..., 2, 2]))
    return np.stack([yaw, pitch, roll], axis=-1)


def precession_nutation_spin(R: Array) -> Array:
    """Give the Euler angles (..., 3) of turns (..., 3, 3); where they are singular the spin is zero.

    The angles of `from_angles(angles, "zxz")` (section 2.4); nutation lies from 0 to 180 degrees.
    """
    sine = np.hypot(R[..., 0, 2], R[..., 1, 2])
    theta = np.arctan2(sine, R[..., 2, 2])
    near = sine < 1e-9
    singular = np.arctan2(R[..., 1, 0], R[..., 0, 0])
    phi = np.where(near, singular, np.arctan2(R[..., 0, 2], -R[..., 1, 2]))
    psi = np.where(near, 0.0, np.arctan2(R[..., 2, 0], R[..., 2, 1]))
    return np.stack([phi, theta, psi], axis=-1)
