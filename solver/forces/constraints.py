"""Rows of the constraints between points: zero and fixed distance, coupled mass (4.3.4, 4.4)."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.rows import Rows, new_row, set_part
from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.points import arm_of, from_point, unit
from solver.maths.bundles import bundle
from solver.maths.kernels import inlined, inner

Three = tuple[float, float, float]


@bundle
class Pairs(NamedTuple):
    """Hold pairs of points: kept together, at a distance, or coupled by a mass.

    `distance` is zero for points kept together; `mass` couples them without keeping them
    (M_AB of a tension element). `first` takes the number of the first row, `broken` marks those that hold
    nothing any more.
    """

    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    distance: Array
    mass: Array
    first: IntArray
    broken: IntArray


@inlined
def inward(motion: Motion, i: int, x: float, y: float, z: float) -> Three:
    """Give the acceleration of a point at an arm that comes from turning alone."""
    if i < 0:
        return 0.0, 0.0, 0.0
    wx, wy, wz = motion.w[i, 0], motion.w[i, 1], motion.w[i, 2]
    wr, ww = wx * x + wy * y + wz * z, wx * wx + wy * wy + wz * wz
    return wx * wr - x * ww, wy * wr - y * ww, wz * wr - z * ww


@inner
def tie(
    rows: Rows, motion: Motion, r: int, i: int, j: int,
    ax: float, ay: float, az: float, bx: float, by: float, bz: float,
    ex: float, ey: float, ez: float,
) -> None:  # fmt: skip
    """Let a row ask for the relative velocity of two points, a less b, along a direction."""
    set_part(
        rows, motion, r, 0, i, ay * ez - az * ey, az * ex - ax * ez, ax * ey - ay * ex, ex, ey, ez
    )
    set_part(
        rows,
        motion,
        r,
        1,
        j,
        bz * ey - by * ez,
        bx * ez - bz * ex,
        by * ex - bx * ey,
        -ex,
        -ey,
        -ez,
    )


@inner
def pair_rows(pairs: Pairs, motion: Motion, rows: Rows) -> None:
    """Add the rows of all pairs."""
    for n in range(len(pairs.a)):
        if pairs.broken[n]:
            continue
        i, j = pairs.a[n], pairs.b[n]
        ax, ay, az = arm_of(motion, i, pairs.at_a, n)
        bx, by, bz = arm_of(motion, j, pairs.at_b, n)
        dx, dy, dz, ux, uy, uz = from_point(motion, j, bx, by, bz, i, ax, ay, az)
        cx, cy, cz = inward(motion, i, ax, ay, az)
        sx, sy, sz = inward(motion, j, bx, by, bz)
        cx, cy, cz = cx - sx, cy - sy, cz - sz
        pairs.first[n] = rows.used[0]
        if pairs.distance[n] == 0.0:
            for k in range(3):
                r = new_row(rows)
                ex, ey, ez = unit(k, 0), unit(k, 1), unit(k, 2)
                tie(rows, motion, r, i, j, ax, ay, az, bx, by, bz, ex, ey, ez)
                rows.bias[r] = ex * cx + ey * cy + ez * cz
                rows.error[r] = ex * dx + ey * dy + ez * dz
                if pairs.mass[n] > 0.0:
                    rows.soft[r] = -1.0 / pairs.mass[n]
            continue
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        ex, ey, ez = dx / length, dy / length, dz / length
        rate = ex * ux + ey * uy + ez * uz
        r = new_row(rows)
        tie(rows, motion, r, i, j, ax, ay, az, bx, by, bz, ex, ey, ez)
        across = (ux * ux + uy * uy + uz * uz - rate * rate) / length
        rows.bias[r] = ex * cx + ey * cy + ez * cz + across
        rows.error[r] = length - pairs.distance[n]


@inner
def coupled_energy(pairs: Pairs, rows: Rows) -> float:
    """Give the kinetic energy of coupled masses beyond that of their ends: -M_AB |b - a|^2 / 2."""
    out = 0.0
    for n in range(len(pairs.a)):
        if pairs.mass[n] > 0.0:
            for k in range(3):
                out -= 0.5 * pairs.mass[n] * rows.speed[pairs.first[n] + k] ** 2
    return out
