"""Impulses of pairs that touch, by a coefficient of restitution (section 7.6, type I)."""

from __future__ import annotations

import math

from solver.dynamics.energy import kinetic_energy
from solver.dynamics.forward import Room
from solver.dynamics.rows import Rows, new_row
from solver.dynamics.tree import Array, IntArray, Motion, Tree, kinematics
from solver.forces.constraints import tie
from solver.forces.contacts import ON_PLANE, Contacts
from solver.forces.laws import FRICTION, RESTITUTION, Laws
from solver.forces.rolling import lean
from solver.forces.surfaces import Planes, Surfaces
from solver.forces.switches import strike
from solver.forces.touch import DEPTH, NORMAL, POINT, SPEED
from solver.maths.copying import copy
from solver.maths.curve import Curves, curve_at
from solver.maths.kernels import inner

SLOWEST = 1e-3
"""Speed of approach (m/s) below which nothing strikes, so that bouncing comes to an end."""


@inner
def bounce(
    contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes, curves: Curves, tree: Tree,
    locked: IntArray, motion: Motion, room: Room, rows: Rows, k: int, q: Array, v: Array,
    before: Array,
) -> float:  # fmt: skip
    """Turn the speed of approach of a pair around, and give the work done; 0 without an impulse.

    The impulse leans against sliding by the coefficient of friction, whether or not the sliding
    turns around; one that would thereby add energy acts along the normal alone.
    """
    found, n = contacts.touch.found, contacts.law[k]
    restitution = laws.number[n, RESTITUTION]
    ux, uy, uz = found[SPEED], found[SPEED + 1], found[SPEED + 2]
    x, y, z = found[NORMAL], found[NORMAL + 1], found[NORMAL + 2]
    along = ux * x + uy * y + uz * z
    if restitution < -2.0 or along > -SLOWEST:
        return 0.0
    ux, uy, uz = ux - along * x, uy - along * y, uz - along * z
    speed, c = math.sqrt(ux * ux + uy * uy + uz * uz), laws.curve[n, FRICTION]
    rub = 0.0
    if c >= 0 and speed > 1e-9:
        rub = curve_at(curves, c, max(found[DEPTH], 0.0))[0] / speed
    i = surfaces.body[contacts.a[k]]
    j = planes.body[contacts.b[k]] if contacts.kind[k] == ON_PLANE else -1
    if contacts.kind[k] != ON_PLANE:
        j = surfaces.body[contacts.b[k]]
    ax, ay, az = found[POINT], found[POINT + 1], found[POINT + 2]
    bx, by, bz, p = ax, ay, az, motion.p
    if i >= 0:
        ax, ay, az = ax - p[i, 0], ay - p[i, 1], az - p[i, 2]
    if j >= 0:
        bx, by, bz = bx - p[j, 0], by - p[j, 1], bz - p[j, 2]
    copy(before, v)
    start = kinetic_energy(tree, motion)
    gained = 0.0
    for turn in range(2):
        first = rows.used[0]
        r = new_row(rows)
        tie(rows, motion, r, i, j, ax, ay, az, bx, by, bz, x, y, z)
        if turn == 0 and rub > 0.0:
            lean(rows, r, 0, ax, ay, az, -rub * ux, -rub * uy, -rub * uz)
            lean(rows, r, 1, bx, by, bz, rub * ux, rub * uy, rub * uz)
        strike(tree, locked, motion, room, rows, first, restitution, v)
        kinematics(tree, locked, q, v, motion)
        gained = kinetic_energy(tree, motion) - start
        if turn == 0 and rub > 0.0 and gained > 0.0:
            copy(v, before)
            kinematics(tree, locked, q, v, motion)
        else:
            break
    return gained
