"""Points of bodies: where they are, how fast they move, and loads on them.

A point is given from its body's origin O in body axes; body -1 is the ground.
"""

from __future__ import annotations

from solver.dynamics.tree import Array, Motion
from solver.maths.kernels import inlined
from solver.maths.vectors import Three, read

Six = tuple[float, float, float, float, float, float]


@inlined
def unit(i: int, k: int) -> float:
    """Give component k of the unit vector along axis i."""
    return 1.0 if i == k else 0.0


@inlined
def arm_of(motion: Motion, i: int, at: Array, k: int) -> tuple[float, float, float]:
    """Give the arm from O to row k of points, ground axes."""
    if i < 0:
        return at[k, 0], at[k, 1], at[k, 2]
    R, x, y, z = motion.R, at[k, 0], at[k, 1], at[k, 2]
    return (
        R[i, 0] * x + R[i, 1] * y + R[i, 2] * z,
        R[i, 3] * x + R[i, 4] * y + R[i, 5] * z,
        R[i, 6] * x + R[i, 7] * y + R[i, 8] * z,
    )


@inlined
def place_and_velocity(motion: Motion, i: int, x: float, y: float, z: float) -> Six:
    """Give place and velocity of the point at an arm, ground axes."""
    if i < 0:
        return x, y, z, 0.0, 0.0, 0.0
    p, v, w = motion.p, motion.v, motion.w
    return (
        p[i, 0] + x,
        p[i, 1] + y,
        p[i, 2] + z,
        v[i, 0] + w[i, 1] * z - w[i, 2] * y,
        v[i, 1] + w[i, 2] * x - w[i, 0] * z,
        v[i, 2] + w[i, 0] * y - w[i, 1] * x,
    )


@inlined
def from_point(
    motion: Motion, i: int, ax: float, ay: float, az: float, j: int, bx: float, by: float, bz: float
) -> Six:
    """Give place and velocity of body j's point from body i's, both at their arms, ground axes."""
    px, py, pz, ux, uy, uz = place_and_velocity(motion, i, ax, ay, az)
    qx, qy, qz, vx, vy, vz = place_and_velocity(motion, j, bx, by, bz)
    return qx - px, qy - py, qz - pz, vx - ux, vy - uy, vz - uz


@inlined
def spin_of(motion: Motion, i: int) -> Three:
    """Give the rate of turning of a body, or of the ground."""
    return read(motion.w[i], 0) if i >= 0 else (0.0, 0.0, 0.0)


@inlined
def add_force(
    torque: Array, force: Array, i: int,
    x: float, y: float, z: float, fx: float, fy: float, fz: float,
) -> None:  # fmt: skip
    """Add a force at an arm from O."""
    if i >= 0:
        force[i, 0], force[i, 1], force[i, 2] = force[i, 0] + fx, force[i, 1] + fy, force[i, 2] + fz
        torque[i, 0] += y * fz - z * fy
        torque[i, 1] += z * fx - x * fz
        torque[i, 2] += x * fy - y * fx


@inlined
def add_torque(torque: Array, i: int, s: float, t: Three) -> None:
    """Add s times a torque."""
    if i >= 0:
        torque[i, 0] += s * t[0]
        torque[i, 1] += s * t[1]
        torque[i, 2] += s * t[2]


@inlined
def speed_at(
    motion: Motion, i: int, j: int, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Give the velocity of body i at a place against body j there."""
    vx = vy = vz = 0.0
    p, v, w = motion.p, motion.v, motion.w
    if i >= 0:
        ax, ay, az = x - p[i, 0], y - p[i, 1], z - p[i, 2]
        vx = v[i, 0] + w[i, 1] * az - w[i, 2] * ay
        vy = v[i, 1] + w[i, 2] * ax - w[i, 0] * az
        vz = v[i, 2] + w[i, 0] * ay - w[i, 1] * ax
    if j >= 0:
        ax, ay, az = x - p[j, 0], y - p[j, 1], z - p[j, 2]
        vx -= v[j, 0] + w[j, 1] * az - w[j, 2] * ay
        vy -= v[j, 1] + w[j, 2] * ax - w[j, 0] * az
        vz -= v[j, 2] + w[j, 0] * ay - w[j, 1] * ax
    return vx, vy, vz
