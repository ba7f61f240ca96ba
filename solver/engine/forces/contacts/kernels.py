"""Allowed contacts: surfaces that press on planes and on each other (sections 7.1, 7.2, 7.5, 7.6)."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.contacts.clearance import Clearance, follow_bodies, keep_gap, what_is_left
from solver.engine.forces.contacts.normals import LENGTH
from solver.engine.forces.contacts.pairs import touch_pair, touch_plane
from solver.engine.forces.contacts.touch import (
    BACK,
    BETWEEN,
    DEPTH,
    HIDDEN,
    MARGIN,
    NO_RIVAL,
    NORMAL,
    RATE,
    RIVAL,
    SPEED,
    Touch,
)
from solver.engine.forces.contacts.touch import POINT as AT
from solver.engine.forces.laws import (
    APART,
    GAP,
    LEFT,
    NOTHING,
    POINT,
    RELOADING,
    TOUCHED,
    UNLOADING,
    Laws,
    friction,
    law_event,
    next_mode,
    normal_force,
    what_happened,
)
from solver.engine.forces.points import add_force
from solver.engine.forces.surfaces import Planes, Surfaces
from solver.engine.jit.alone import alone
from solver.engine.jit.bundles import bundle
from solver.engine.jit.kernels import inner, kernel
from solver.engine.maths.curve import Curves

ON_PLANE, OUTSIDE, INSIDE = range(3)
"""Kinds of pairs."""

BESIDE, PRESENT, BEHIND = range(3)
"""Whether a pair may press: not while beside its plane, and not since it was wholly behind until it
has come out in front."""


@bundle
class Contacts(NamedTuple):
    """Hold pairs: kind, first surface, plane or second surface, law, edges and whether it holds behind.

    `mode` and `memory` are those of its law; `present` says whether the pair is within the bounds of
    its plane. `normal` says that depth is measured along the common normal. `warm` starts the next search; `seen` holds depth, force on the first and its point; `clear` knows which are apart.
    """

    kind: IntArray
    a: IntArray
    b: IntArray
    law: IntArray
    edge: IntArray
    behind: IntArray
    normal: IntArray
    mode: IntArray
    present: IntArray
    memory: Array
    warm: Array
    seen: Array
    clear: Clearance
    touch: Touch


SEEN = 8
"""Columns of `seen`: force, depth, point, rate of depth."""


@inner
def find_touch(
    contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes, motion: Motion, k: int
) -> None:
    """Find how a pair touches."""
    a, b, touch = contacts.a[k], contacts.b[k], contacts.touch
    touch.found[RIVAL] = NO_RIVAL
    if contacts.kind[k] == ON_PLANE:
        ratio = laws.number[contacts.law[k], POINT]
        touch_plane(
            surfaces, planes, motion, a, b, contacts.edge[k], contacts.behind[k] != 0, ratio, touch
        )
    else:
        inside = contacts.kind[k] == INSIDE
        normal = contacts.normal[k] != 0
        touch_pair(surfaces, motion, a, b, inside, normal, contacts.warm, k, touch)


@alone
@kernel
def contact_forces(
    contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes, curves: Curves,
    motion: Motion, torque: Array, force: Array, g: Array, first: int, sums: Array,
) -> None:  # fmt: skip
    """Add the forces of all pairs and give the functions of their events.

    `sums` takes the energy held, the power of normal forces, that of friction, and the part of the normal
    forces' that laws know nothing of: what they do beside force times rate of depth, where depth
    changes otherwise than the surfaces approach.
    """
    found, seen = contacts.touch.found, contacts.seen
    sums[0] = sums[1] = sums[2] = sums[3] = 0.0
    follow_bodies(contacts.clear, motion)
    for k in range(len(contacts.kind)):
        n, mode = contacts.law[k], contacts.mode[k]
        if contacts.kind[k] == OUTSIDE and mode == APART:
            left = what_is_left(contacts.clear, k)
            if left > 0.0:
                g[first + k] = -left
                seen[k, 0] = seen[k, 1] = seen[k, 2] = seen[k, 3] = 0.0
                continue
        find_touch(contacts, laws, surfaces, planes, motion, k)
        keep_gap(contacts.clear, k, found[BETWEEN])
        depth = found[DEPTH]
        seen[k, 3] = max(depth, 0.0)
        seen[k, 0] = seen[k, 1] = seen[k, 2] = 0.0
        if contacts.present[k] == BEHIND:
            g[first + k] = -found[HIDDEN] - 1e-12
            continue
        if mode == APART and depth < 0.0:
            g[first + k] = depth if found[MARGIN] > 0.0 else -found[MARGIN] - 1e-12
            continue
        rate, near = found[RATE], 1e-12
        seen[k, 7] = rate
        for c in range(3):
            seen[k, 4 + c] = found[AT + c]
        if contacts.present[k] == BESIDE:
            g[first + k] = max(min(found[MARGIN], depth), -found[BACK]) - near
            continue
        g[first + k] = law_event(laws, n, contacts.memory, k, mode, depth, rate)
        if found[RIVAL] < NO_RIVAL:
            g[first + k] = max(g[first + k], depth - found[RIVAL] - near)
        if found[MARGIN] < 1.0:
            g[first + k] = max(g[first + k], -found[MARGIN] - near)
        size, held = normal_force(laws, curves, n, contacts.memory, k, mode, depth, rate)
        if size <= 0.0:
            sums[0] += held
            continue
        vx, vy, vz = found[SPEED], found[SPEED + 1], found[SPEED + 2]
        nx, ny, nz = found[NORMAL], found[NORMAL + 1], found[NORMAL + 2]
        along = vx * nx + vy * ny + vz * nz
        vx, vy, vz = vx - along * nx, vy - along * ny, vz - along * nz
        speed = math.sqrt(vx * vx + vy * vy + vz * vz)
        drag = friction(laws, curves, n, depth, size, speed)
        fx, fy, fz = size * nx - drag * vx, size * ny - drag * vy, size * nz - drag * vz
        sums[0] += held
        sums[1] += size * along
        sums[3] += size * (along + rate)
        sums[2] -= drag * speed * speed
        seen[k, 0], seen[k, 1], seen[k, 2] = fx, fy, fz
        i = surfaces.body[contacts.a[k]]
        if contacts.kind[k] == ON_PLANE:
            j = planes.body[contacts.b[k]]
        else:
            j = surfaces.body[contacts.b[k]]
        x, y, z, p = found[AT], found[AT + 1], found[AT + 2], motion.p
        if i >= 0:
            add_force(torque, force, i, x - p[i, 0], y - p[i, 1], z - p[i, 2], fx, fy, fz)
        if j >= 0:
            add_force(torque, force, j, x - p[j, 0], y - p[j, 1], z - p[j, 2], -fx, -fy, -fz)


@kernel
def find_sides(
    contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes, motion: Motion
) -> None:
    """Say of every pair whether it is beside its plane, behind it or may press, by its pose alone."""
    found = contacts.touch.found
    for k in range(len(contacts.kind)):
        contacts.warm[k, LENGTH] = 0.0
        find_touch(contacts, laws, surfaces, planes, motion, k)
        contacts.present[k] = PRESENT
        if found[BACK] < 0.0:
            contacts.present[k] = BEHIND
        elif found[DEPTH] > 0.0 and found[MARGIN] <= 0.0:
            contacts.present[k] = BESIDE


@alone
def switch_contact(
    contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes, curves: Curves,
    motion: Motion, k: int,
) -> tuple[int, bool]:  # fmt: skip
    """Let the event of a pair happen at the state just evaluated: what it was, and whether forces jump."""
    find_touch(contacts, laws, surfaces, planes, motion, k)
    turns = contacts.touch.found[RIVAL] < contacts.touch.found[DEPTH]
    if turns:
        # from here on the way out along another normal is shorter
        contacts.warm[k, LENGTH] = 0.0
        find_touch(contacts, laws, surfaces, planes, motion, k)
    return _switch_law(contacts, laws, curves, k), turns


@inner
def _switch_law(contacts: Contacts, laws: Laws, curves: Curves, k: int) -> int:
    """Let the law and the edges of a pair that was just looked at go on to their next mode."""
    found, mode, n = contacts.touch.found, contacts.mode[k], contacts.law[k]
    depth, rate = found[DEPTH], found[RATE]
    if contacts.present[k] == BEHIND:
        contacts.present[k] = PRESENT
        return NOTHING
    if found[BACK] < 0.0:
        # what its law remembers stays
        after = GAP if mode in (UNLOADING, RELOADING, GAP) else APART
        what = NOTHING if contacts.present[k] == BESIDE else what_happened(mode, after)
        contacts.present[k], contacts.mode[k] = BEHIND, after
        return what
    if contacts.present[k] == BESIDE:
        contacts.present[k] = PRESENT
        if mode == APART:
            contacts.mode[k] = next_mode(laws, curves, n, contacts.memory, k, mode, depth, rate)
        return TOUCHED
    if found[MARGIN] < 0.0:
        contacts.present[k] = BESIDE
        return NOTHING if mode == APART else LEFT
    after = next_mode(laws, curves, n, contacts.memory, k, mode, depth, rate)
    contacts.mode[k] = after
    return what_happened(mode, after)
