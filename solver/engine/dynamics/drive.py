"""Prescribed motions: coordinates and their rates of driven bodies from profiles of time.

A body's displacement follows the motion's own axes M; the attitude is `R_WM E(yaw, pitch, roll) R_WM^T`
times the attitude at the start, turned about the body's origin.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray, Tree
from solver.engine.jit.kernels import inlined, kernel, separate, struct
from solver.engine.maths.profile import Profiles, profile_at
from solver.engine.maths.spatial import (
    Quaternion,
    Three,
    mat_on,
    plus_mat,
    quaternion_product,
    read3,
    read4,
    read9,
    transpose_on,
    write,
    write4,
)


@struct
class Drives(NamedTuple):
    """What is driven: bodies, by x, y, z, yaw, pitch, roll and the constant turns about them."""

    body: IntArray
    profile: IntArray
    origin: Array
    R_WM: Array
    q_WM: Array
    q_MB: Array
    R_MB: Array
    profiles: Profiles


@inlined
def _three_at(
    drives: Drives, d: int, first: int, t: float, within: float
) -> tuple[Three, Three, Three]:
    """Three prescribed components, their rates, and the rates of these."""
    profile = drives.profile
    x, x1, x2 = profile_at(drives.profiles, profile[d, first], t, within)
    y, y1, y2 = profile_at(drives.profiles, profile[d, first + 1], t, within)
    z, z1, z2 = profile_at(drives.profiles, profile[d, first + 2], t, within)
    return (x, y, z), (x1, y1, z1), (x2, y2, z2)


@inlined
def _attitude(yaw: float, pitch: float, roll: float) -> Quaternion:
    """The quaternion of turns about moving axes z, y, x."""
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


@inlined
def _spin(pitch: float, roll: float, rates: Three) -> Three:
    """The angular velocity about the axes after roll, from the rates of yaw, pitch and roll (section 2.4)."""
    sp, cp, sr, cr = math.sin(pitch), math.cos(pitch), math.sin(roll), math.cos(roll)
    yaw1, pitch1, roll1 = rates
    return roll1 - yaw1 * sp, pitch1 * cr + yaw1 * cp * sr, -pitch1 * sr + yaw1 * cp * cr


@inlined
def _spin_rate(pitch: float, roll: float, rates: Three, changes: Three) -> Three:
    """The rate of that angular velocity; `changes` are those of the rates."""
    sp, cp, sr, cr = math.sin(pitch), math.cos(pitch), math.sin(roll), math.cos(roll)
    yaw1, pitch1, roll1 = rates
    yaw2, pitch2, roll2 = changes
    x = roll2 - yaw2 * sp - yaw1 * cp * pitch1
    y = pitch2 * cr - pitch1 * sr * roll1 + yaw2 * cp * sr
    z = -pitch2 * sr - pitch1 * cr * roll1 + yaw2 * cp * cr
    y += yaw1 * (cp * cr * roll1 - sp * pitch1 * sr)
    z -= yaw1 * (cp * sr * roll1 + sp * pitch1 * cr)
    return x, y, z


@separate
@kernel
def drive(
    drives: Drives, tree: Tree, t: float, within: float, q: Array, v: Array, rates: Array
) -> None:
    """Set coordinates, speeds and rates of driven bodies at a time (see `profile_at`)."""
    for d in range(len(drives.body)):
        i = drives.body[d]
        a, b = tree.at_q[i], tree.at_v[i]
        place, velocity, acceleration = _three_at(drives, d, 0, t, within)
        angles, turning, changes = _three_at(drives, d, 3, t, within)
        axes, inside = read9(drives.R_WM, d), read9(drives.R_MB, d)
        write(q, a, plus_mat(read3(drives.origin, d), axes, place))
        write(v, b, mat_on(axes, velocity))
        write(rates, b, mat_on(axes, acceleration))
        yaw, pitch, roll = angles
        turn = quaternion_product(read4(drives.q_WM[d], 0), _attitude(yaw, pitch, roll))
        write4(q, a + 3, quaternion_product(turn, read4(drives.q_MB[d], 0)))
        write(v, b + 3, transpose_on(inside, _spin(pitch, roll, turning)))
        write(rates, b + 3, transpose_on(inside, _spin_rate(pitch, roll, turning, changes)))
