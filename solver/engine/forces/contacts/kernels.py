"""Allowed contacts: surfaces that press on planes and on each other (sections 7.1, 7.2, 7.5, 7.6)."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.contacts.clearance import Clearance, follow_bodies, keep_gap, what_is_left
from solver.engine.forces.contacts.normals import WARM_LENGTH
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
    APPLIED_AT,
    GAP,
    LEFT,
    NOTHING,
    RELOADING,
    TOUCHED,
    UNLOADING,
    UNTOUCHED,
    Laws,
    friction,
    law_event,
    next_mode,
    normal_force,
    what_happened,
)
from solver.engine.forces.points import arm_to, push
from solver.engine.forces.surfaces import Planes, Surfaces
from solver.engine.jit.kernels import inlined, inner, kernel
from solver.engine.jit.separate import separate
from solver.engine.jit.structs import struct
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import NOUGHT, dot, length, plus, read, scaled, write

ON_PLANE, OUTSIDE, INSIDE = range(3)
"""Kinds of pairs."""

BESIDE, PRESENT, BEHIND = range(3)
"""Whether a pair may press: not while beside its plane, and not since it was wholly behind until it
has come out in front."""


@struct
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


S_FORCE, S_DEPTH, S_POINT, S_RATE, CONTACT_COLUMNS = 0, 3, 4, 7, 8
"""Entries of `seen`: force on the first, depth, point, rate of depth; and how many."""


@inlined
def bodies_of(contacts: Contacts, surfaces: Surfaces, planes: Planes, k: int) -> tuple[int, int]:
    """Return the bodies of a pair."""
    i, b = surfaces.body[contacts.a[k]], contacts.b[k]
    return i, planes.body[b] if contacts.kind[k] == ON_PLANE else surfaces.body[b]


@inner
def find_touch(
    contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes, motion: Motion, k: int
) -> None:
    """Find how a pair touches."""
    a, b, touch = contacts.a[k], contacts.b[k], contacts.touch
    touch.found[RIVAL] = NO_RIVAL
    if contacts.kind[k] == ON_PLANE:
        ratio = laws.number[contacts.law[k], APPLIED_AT]
        touch_plane(
            surfaces, planes, motion, a, b, contacts.edge[k], contacts.behind[k] != 0, ratio, touch
        )
    else:
        inside = contacts.kind[k] == INSIDE
        normal = contacts.normal[k] != 0
        touch_pair(surfaces, motion, a, b, inside, normal, contacts.warm, k, touch)


@separate
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
        if contacts.kind[k] == OUTSIDE and mode == UNTOUCHED:
            left = what_is_left(contacts.clear, k)
            if left > 0.0:
                g[first + k] = -left
                write(seen[k], S_FORCE, NOUGHT)
                seen[k, S_DEPTH] = 0.0
                continue
        find_touch(contacts, laws, surfaces, planes, motion, k)
        keep_gap(contacts.clear, k, found[BETWEEN])
        depth = found[DEPTH]
        write(seen[k], S_FORCE, NOUGHT)
        seen[k, S_DEPTH] = max(depth, 0.0)
        if contacts.present[k] == BEHIND:
            g[first + k] = -found[HIDDEN] - 1e-12
            continue
        if mode == UNTOUCHED and depth < 0.0:
            g[first + k] = depth if found[MARGIN] > 0.0 else -found[MARGIN] - 1e-12
            continue
        rate, near = found[RATE], 1e-12
        seen[k, S_RATE] = rate
        write(seen[k], S_POINT, read(found, AT))
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
        velocity, normal, place = read(found, SPEED), read(found, NORMAL), read(found, AT)
        along = dot(velocity, normal)
        across = plus(velocity, -along, normal)
        speed = length(across)
        drag = friction(laws, curves, n, depth, size, speed)
        load = plus(scaled(size, normal), -drag, across)
        sums[0] += held
        sums[1] += size * along
        sums[3] += size * (along + rate)
        sums[2] -= drag * speed * speed
        write(seen[k], S_FORCE, load)
        i, j = bodies_of(contacts, surfaces, planes, k)
        push(torque, force, i, arm_to(motion, i, place), load)
        push(torque, force, j, arm_to(motion, j, place), scaled(-1.0, load))


@kernel
def find_sides(
    contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes, motion: Motion
) -> None:
    """Say of every pair whether it is beside its plane, behind it or may press, by its pose alone."""
    found = contacts.touch.found
    for k in range(len(contacts.kind)):
        contacts.warm[k, WARM_LENGTH] = 0.0
        find_touch(contacts, laws, surfaces, planes, motion, k)
        contacts.present[k] = PRESENT
        if found[BACK] < 0.0:
            contacts.present[k] = BEHIND
        elif found[DEPTH] > 0.0 and found[MARGIN] <= 0.0:
            contacts.present[k] = BESIDE


@separate
def switch_contact(
    contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes, curves: Curves,
    motion: Motion, k: int,
) -> tuple[int, bool]:  # fmt: skip
    """Let the event of a pair happen at the state just evaluated: what it was, and whether forces jump."""
    find_touch(contacts, laws, surfaces, planes, motion, k)
    turns = contacts.touch.found[RIVAL] < contacts.touch.found[DEPTH]
    if turns:
        # from here on the way out along another normal is shorter
        contacts.warm[k, WARM_LENGTH] = 0.0
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
        after = GAP if mode in (UNLOADING, RELOADING, GAP) else UNTOUCHED
        what = NOTHING if contacts.present[k] == BESIDE else what_happened(mode, after)
        contacts.present[k], contacts.mode[k] = BEHIND, after
        return what
    if contacts.present[k] == BESIDE:
        contacts.present[k] = PRESENT
        if mode == UNTOUCHED:
            contacts.mode[k] = next_mode(laws, curves, n, contacts.memory, k, mode, depth, rate)
        return TOUCHED
    if found[MARGIN] < 0.0:
        contacts.present[k] = BESIDE
        return NOTHING if mode == UNTOUCHED else LEFT
    after = next_mode(laws, curves, n, contacts.memory, k, mode, depth, rate)
    contacts.mode[k] = after
    return what_happened(mode, after)
