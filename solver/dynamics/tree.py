"""Trees of rigid bodies in relative coordinates: arrays, kinematics.

A tree joint is a chain of elementary joints between bodies, the inner ones without mass: a universal
joint is two turns, a slip joint a slide and then its turns. So the kernels know four kinds and a
lock. Bodies are numbered so that each stands behind its parent; -1 is the ground.

Body i has its origin O_i in its joint's point. `R0` turns body components into the parent's at
coordinate zero; `axis` is the axis of a turn in the body, or of a slide in the parent.

| kind | coordinates | speeds |
|---|---|---|
| TURN | angle (rad) | rate |
| SLIDE | distance (m) | rate |
| BALL | quaternion (w, x, y, z) of the body from its zero attitude | angular velocity relative to the parent, body axes |
| FREE | place of O (m) and quaternion, from the parent | velocity of O (ground axes), angular velocity (body axes) |

`locked` says for each body whether its joint is OPEN, HELD, or DRIVEN: then others set its coordinates,
speeds and rates. A BALL is never driven; a FREE body stands on the ground. Everything in ground axes is `_W` in the notation page's sense.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.kernels import inlined, kernel

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]

TURN, SLIDE, BALL, FREE = 0, 1, 2, 3
COORDINATES = (1, 1, 4, 7)
SPEEDS = (1, 1, 3, 6)

OPEN, HELD, DRIVEN = 0, 1, 2
"""How a joint is held: not, at its coordinates without speeds, or by a prescribed motion."""


@bundle
class Tree(NamedTuple):
    """Hold a tree's constants: one entry for each elementary body."""

    parent: IntArray
    kind: IntArray
    at_q: IntArray
    at_v: IntArray
    R0: Array
    axis: Array
    joint_in_parent: Array
    mass: Array
    centre: Array
    inertia: Array


@bundle
class Motion(NamedTuple):
    """Hold a tree's present motion, ground axes: turn, place, angular and linear velocity of O."""

    R: Array
    p: Array
    w: Array
    v: Array


def make_motion(tree: Tree) -> Motion:
    """Make room for the motion of a tree."""
    n = len(tree.parent)
    return Motion(np.zeros((n, 9)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)))


def zero_position(tree: Tree) -> Array:
    """Give coordinates at which every body has its zero attitude."""
    q = np.zeros(sum(COORDINATES[k] for k in tree.kind))
    for kind, at in zip(tree.kind, tree.at_q, strict=True):
        if kind == BALL:
            q[at] = 1.0
        elif kind == FREE:
            q[at + 3] = 1.0
    return q


@alone
@kernel
def kinematics(tree: Tree, locked: IntArray, q: Array, v: Array, motion: Motion) -> None:
    """Give every body its turn, place and velocities from coordinates and speeds."""
    R, p, w, vel = motion.R, motion.p, motion.w, motion.v
    b, j, e = tree.R0, tree.joint_in_parent, tree.axis
    for i in range(len(tree.parent)):
        m = tree.parent[i]
        kind = tree.kind[i]
        at = tree.at_q[i]
        # the parent, or the ground
        if m >= 0:
            a0, a1, a2 = R[m, 0], R[m, 1], R[m, 2]
            a3, a4, a5 = R[m, 3], R[m, 4], R[m, 5]
            a6, a7, a8 = R[m, 6], R[m, 7], R[m, 8]
            px, py, pz = p[m, 0], p[m, 1], p[m, 2]
            wx, wy, wz = w[m, 0], w[m, 1], w[m, 2]
            vx, vy, vz = vel[m, 0], vel[m, 1], vel[m, 2]
        else:
            a0, a1, a2, a3, a4, a5, a6, a7, a8 = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
            px = py = pz = wx = wy = wz = vx = vy = vz = 0.0
        # zero attitude of the body, ground axes
        z0 = a0 * b[i, 0] + a1 * b[i, 3] + a2 * b[i, 6]
        z1 = a0 * b[i, 1] + a1 * b[i, 4] + a2 * b[i, 7]
        z2 = a0 * b[i, 2] + a1 * b[i, 5] + a2 * b[i, 8]
        z3 = a3 * b[i, 0] + a4 * b[i, 3] + a5 * b[i, 6]
        z4 = a3 * b[i, 1] + a4 * b[i, 4] + a5 * b[i, 7]
        z5 = a3 * b[i, 2] + a4 * b[i, 5] + a5 * b[i, 8]
        z6 = a6 * b[i, 0] + a7 * b[i, 3] + a8 * b[i, 6]
        z7 = a6 * b[i, 1] + a7 * b[i, 4] + a8 * b[i, 7]
        z8 = a6 * b[i, 2] + a7 * b[i, 5] + a8 * b[i, 8]
        # arm from the parent's origin to the joint's point
        rx = a0 * j[i, 0] + a1 * j[i, 1] + a2 * j[i, 2]
        ry = a3 * j[i, 0] + a4 * j[i, 1] + a5 * j[i, 2]
        rz = a6 * j[i, 0] + a7 * j[i, 1] + a8 * j[i, 2]
        k0, k1, k2, k3, k4, k5, k6, k7, k8 = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
        sx = sy = sz = 0.0
        if kind == TURN:
            c, s = math.cos(q[at]), math.sin(q[at])
            t = 1.0 - c
            x, y, z = e[i, 0], e[i, 1], e[i, 2]
            k0, k1, k2 = c + t * x * x, t * x * y - s * z, t * x * z + s * y
            k3, k4, k5 = t * x * y + s * z, c + t * y * y, t * y * z - s * x
            k6, k7, k8 = t * x * z - s * y, t * y * z + s * x, c + t * z * z
        elif kind == SLIDE:
            sx = a0 * e[i, 0] + a1 * e[i, 1] + a2 * e[i, 2]
            sy = a3 * e[i, 0] + a4 * e[i, 1] + a5 * e[i, 2]
            sz = a6 * e[i, 0] + a7 * e[i, 1] + a8 * e[i, 2]
            rx, ry, rz = rx + q[at] * sx, ry + q[at] * sy, rz + q[at] * sz
        else:
            if kind == FREE:
                rx, ry, rz = q[at], q[at + 1], q[at + 2]
                at += 3
            qw, x, y, z = q[at], q[at + 1], q[at + 2], q[at + 3]
            f = 2.0 / (qw * qw + x * x + y * y + z * z)
            k0, k1, k2 = 1.0 - f * (y * y + z * z), f * (x * y - qw * z), f * (x * z + qw * y)
            k3, k4, k5 = f * (x * y + qw * z), 1.0 - f * (x * x + z * z), f * (y * z - qw * x)
            k6, k7, k8 = f * (x * z - qw * y), f * (y * z + qw * x), 1.0 - f * (x * x + y * y)
        R[i, 0] = z0 * k0 + z1 * k3 + z2 * k6
        R[i, 1] = z0 * k1 + z1 * k4 + z2 * k7
        R[i, 2] = z0 * k2 + z1 * k5 + z2 * k8
        R[i, 3] = z3 * k0 + z4 * k3 + z5 * k6
        R[i, 4] = z3 * k1 + z4 * k4 + z5 * k7
        R[i, 5] = z3 * k2 + z4 * k5 + z5 * k8
        R[i, 6] = z6 * k0 + z7 * k3 + z8 * k6
        R[i, 7] = z6 * k1 + z7 * k4 + z8 * k7
        R[i, 8] = z6 * k2 + z7 * k5 + z8 * k8
        p[i, 0], p[i, 1], p[i, 2] = px + rx, py + ry, pz + rz
        vx, vy, vz = vx + wy * rz - wz * ry, vy + wz * rx - wx * rz, vz + wx * ry - wy * rx
        if locked[i] != HELD:
            at = tree.at_v[i]
            if kind == TURN:
                s = v[at]
                wx += s * (R[i, 0] * e[i, 0] + R[i, 1] * e[i, 1] + R[i, 2] * e[i, 2])
                wy += s * (R[i, 3] * e[i, 0] + R[i, 4] * e[i, 1] + R[i, 5] * e[i, 2])
                wz += s * (R[i, 6] * e[i, 0] + R[i, 7] * e[i, 1] + R[i, 8] * e[i, 2])
            elif kind == SLIDE:
                s = v[at]
                vx, vy, vz = vx + s * sx, vy + s * sy, vz + s * sz
            else:
                if kind == FREE:
                    vx, vy, vz = v[at], v[at + 1], v[at + 2]
                    at += 3
                wx += R[i, 0] * v[at] + R[i, 1] * v[at + 1] + R[i, 2] * v[at + 2]
                wy += R[i, 3] * v[at] + R[i, 4] * v[at + 1] + R[i, 5] * v[at + 2]
                wz += R[i, 6] * v[at] + R[i, 7] * v[at + 1] + R[i, 8] * v[at + 2]
        w[i, 0], w[i, 1], w[i, 2] = wx, wy, wz
        vel[i, 0], vel[i, 1], vel[i, 2] = vx, vy, vz


@kernel
def move(tree: Tree, locked: IntArray, q: Array, v: Array, h: float, out: Array) -> None:
    """Give the coordinates after a time `h` at constant speeds; attitudes move on their group."""
    for i in range(len(tree.parent)):
        kind, a, b = tree.kind[i], tree.at_q[i], tree.at_v[i]
        if locked[i] == HELD:
            for k in range(1 if kind < BALL else (4 if kind == BALL else 7)):
                out[a + k] = q[a + k]
            continue
        if kind < BALL:
            out[a] = q[a] + h * v[b]
            continue
        if kind == FREE:
            for k in range(3):
                out[a + k] = q[a + k] + h * v[b + k]
            a, b = a + 3, b + 3
        _turn(q, a, h * v[b], h * v[b + 1], h * v[b + 2], out)


@inlined
def _turn(q: Array, a: int, x: float, y: float, z: float, out: Array) -> None:
    """Multiply the quaternion at `a` by the turn x, y, z (rad, body axes), and keep it of length one."""
    u = 0.25 * (x * x + y * y + z * z)
    if u < 0.0625:
        # sin(angle / 2) / angle and cos(angle / 2) by their series: next terms below 1e-17
        s = 0.5 - u * (1 / 12 - u * (1 / 240 - u * (1 / 10080 - u * (1 / 725760 - u / 79833600))))
        c = 1 / 3628800 - u / 479001600
        c = 1.0 - u * (0.5 - u * (1 / 24 - u * (1 / 720 - u * (1 / 40320 - u * c))))
    else:
        half = math.sqrt(u)
        s, c = 0.5 * math.sin(half) / half, math.cos(half)
    x, y, z = s * x, s * y, s * z
    w0, x0, y0, z0 = q[a], q[a + 1], q[a + 2], q[a + 3]
    w1 = w0 * c - x0 * x - y0 * y - z0 * z
    x1 = w0 * x + x0 * c + y0 * z - z0 * y
    y1 = w0 * y - x0 * z + y0 * c + z0 * x
    z1 = w0 * z + x0 * y - y0 * x + z0 * c
    f = 1.0 / math.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1)
    out[a], out[a + 1], out[a + 2], out[a + 3] = f * w1, f * x1, f * y1, f * z1


@kernel
def chart_rate(tree: Tree, locked: IntArray, x: Array, v: Array, out: Array) -> None:
    """Give the rate of the chart coordinates x of a step, `q = move(q0, x, 1)`, at speeds v.

    A step's attitudes are `q0 exp(x)`, so any Runge-Kutta method in x keeps its order and every
    attitude its length (Munthe-Kaas; Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8).
    For turns about moving axes: dx/dt = v + x/2 cross v + (1 - a/2 cot(a/2))/a^2 x cross (x cross v).
    """
    for i in range(len(tree.parent)):
        kind, b = tree.kind[i], tree.at_v[i]
        size = 1 if kind < BALL else (3 if kind == BALL else 6)
        if locked[i] == HELD:
            for k in range(size):
                out[b + k] = 0.0
            continue
        if kind < BALL:
            out[b] = v[b]
            continue
        if kind == FREE:
            for k in range(3):
                out[b + k] = v[b + k]
            b += 3
        x0, x1, x2 = x[b], x[b + 1], x[b + 2]
        v0, v1, v2 = v[b], v[b + 1], v[b + 2]
        a2 = x0 * x0 + x1 * x1 + x2 * x2
        if a2 < 0.25:
            # series of the factor (Bernoulli numbers), next term below 1e-14 of it
            f = 1 / 47900160 + a2 * (691 / 1307674368000)
            f = 1 / 12 + a2 * (1 / 720 + a2 * (1 / 30240 + a2 * (1 / 1209600 + a2 * f)))
        else:
            half = 0.5 * math.sqrt(a2)
            f = (1.0 - half / math.tan(half)) / a2
        c0, c1, c2 = x1 * v2 - x2 * v1, x2 * v0 - x0 * v2, x0 * v1 - x1 * v0
        out[b] = v0 + 0.5 * c0 + f * (x1 * c2 - x2 * c1)
        out[b + 1] = v1 + 0.5 * c1 + f * (x2 * c0 - x0 * c2)
        out[b + 2] = v2 + 0.5 * c2 + f * (x0 * c1 - x1 * c0)
