"""Allowed contacts: surfaces that press on planes and on each other (sections 7.1, 7.2, 7.5, 7.6)."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import Applied, Array
from solver.engine.forces.bristles import APART, BRISTLE, HOLDS, grip_of, keep_rows, rub
from solver.engine.forces.contacts.arrays import (
    BACK,
    BEHIND,
    BESIDE,
    BETWEEN,
    CONTACT_COLUMNS,
    DEPTH,
    HIDDEN,
    MARGIN,
    NO_RIVAL,
    NORMAL,
    ON_PLANE,
    OUTSIDE,
    PRESENT,
    RATE,
    RIVAL,
    S_DEPTH,
    S_FORCE,
    S_POINT,
    S_RATE,
    S_STICKS,
    SPEED,
    Clearance,
    ContactMemory,
    ContactModel,
    Contacts,
    ContactWorkspace,
    follow_bodies,
    keep_gap,
    keep_gaps,
    make_touch,
    recall_gaps,
    what_is_left,
)
from solver.engine.forces.contacts.arrays import POINT as AT
from solver.engine.forces.contacts.meeting import WARM
from solver.engine.forces.contacts.normals import WARM_LENGTH
from solver.engine.forces.contacts.pairs import above_plane, touch_pair, touch_plane
from solver.engine.forces.laws import (
    GAP,
    GRIP,
    GRIP_DAMPING,
    LEFT,
    LOADING,
    MEMORY,
    NOTHING,
    RELOADING,
    TOUCHED,
    UNLOADING,
    UNTOUCHED,
    Laws,
    friction,
    friction_limit,
    in_steps,
    law_event,
    next_mode,
    normal_force,
    rests,
    step_on,
    what_happened,
)
from solver.engine.forces.points import arm_to, push
from solver.engine.forces.state import Around
from solver.engine.jit.kernels import inlined, inner, kernel, separate
from solver.engine.maths.copying import copy_rows
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import NOUGHT, dot, length, less, plus, read, scaled, write


def make_contacts(model: ContactModel, clear: Clearance, has_bristles: bool = False) -> Contacts:
    """Begin with pairs of which none has touched yet."""
    n = len(model.kind)
    rows = n if has_bristles else 0
    memory = ContactMemory(
        mode=np.full(n, UNTOUCHED), present=np.full(n, PRESENT), of_law=np.zeros((n, MEMORY)), warm=np.zeros((n, WARM)),
        bristle=np.zeros((rows, BRISTLE)), bristle_end=np.zeros((rows, BRISTLE)),
    )  # fmt: skip
    work = ContactWorkspace(np.zeros((n, CONTACT_COLUMNS)), np.zeros((n, WARM)), clear, make_touch(), np.zeros((rows, BRISTLE)), np.zeros(1))  # fmt: skip
    return Contacts(model, memory, work)


@inner
def recall_touches(contacts: Contacts) -> None:
    """Let searches start from what the last step has left, and not from a stage that was refused, a sample or a look for an event."""
    copy_rows(contacts.workspace.warm, contacts.memory.warm)
    recall_gaps(contacts.workspace.clear)


@inner
def keep_touches(contacts: Contacts) -> None:
    """Let what was just found be what the next step starts from."""
    copy_rows(contacts.memory.warm, contacts.workspace.warm)
    keep_gaps(contacts.workspace.clear)
    keep_rows(contacts.memory.bristle_end, contacts.workspace.bristle)


@inner
def keep_paths(contacts: Contacts, laws: Laws, curves: Curves) -> None:
    """Take the end of a step that stands into what remembers in steps."""
    memory, seen, law = contacts.memory, contacts.workspace.seen, contacts.model.law
    for k in range(len(law)):
        if in_steps(laws, law[k]) and memory.present[k] == PRESENT:
            depth = seen[k, S_DEPTH]
            step_on(laws, curves, law[k], memory.of_law, k, depth)
            memory.mode[k] = LOADING if depth > 0.0 else UNTOUCHED


@inner
def begin_step(contacts: Contacts) -> None:
    """Let bristles go on from the end of the last step; again changes nothing."""
    keep_rows(contacts.memory.bristle, contacts.memory.bristle_end)


@inlined
def bodies_of(contacts: Contacts, around: Around, k: int) -> tuple[int, int]:
    """The bodies of a pair."""
    model, of = contacts.model, around.surfaces.body
    i, b = of[model.a[k]], model.b[k]
    return i, around.planes.body[b] if model.kind[k] == ON_PLANE else of[b]


@inner
def find_touch(contacts: Contacts, around: Around, k: int) -> None:
    """Find how a pair touches."""
    contacts.workspace.touch.found[RIVAL] = NO_RIVAL
    if contacts.model.kind[k] == ON_PLANE:
        touch_plane(contacts, around, k)
    else:
        touch_pair(contacts, around, k)


@separate
@kernel
def contact_forces(
    contacts: Contacts, around: Around, applied: Applied, g: Array, sums: Array
) -> None:
    """Add the forces of all pairs and give the functions of their events.

    `sums` takes the energy held, the power of normal forces, that of friction, the part of the normal
    forces' that laws know nothing of: what they do beside force times rate of depth, where depth
    changes otherwise than the surfaces approach; and the energy held by friction.
    """
    model, memory, work = contacts.model, contacts.memory, contacts.workspace
    laws, curves, motion = around.laws, around.curves, around.motion
    found, seen = work.touch.found, work.seen
    sums[0] = sums[1] = sums[2] = sums[3] = sums[4] = 0.0
    has_bristles = len(work.bristle) > 0
    follow_bodies(work.clear, motion)
    for k in range(len(model.kind)):
        law, mode = model.law[k], memory.mode[k]
        if has_bristles:
            work.bristle[k, HOLDS] = APART
        if model.kind[k] == OUTSIDE and mode == UNTOUCHED:
            left = what_is_left(work.clear, k)
            if left > 0.0:
                g[k] = -left
                write(seen[k], S_FORCE, NOUGHT)
                seen[k, S_DEPTH] = seen[k, S_STICKS] = 0.0
                continue
        if model.kind[k] == ON_PLANE and mode == UNTOUCHED and memory.present[k] == PRESENT:
            above = above_plane(around, model.a[k], model.b[k])
            if above > 0.0:
                g[k] = -above
                write(seen[k], S_FORCE, NOUGHT)
                seen[k, S_DEPTH] = seen[k, S_STICKS] = 0.0
                continue
        find_touch(contacts, around, k)
        keep_gap(work.clear, k, found[BETWEEN])
        depth = found[DEPTH]
        write(seen[k], S_FORCE, NOUGHT)
        seen[k, S_DEPTH], seen[k, S_STICKS] = max(depth, 0.0), 0.0
        if memory.present[k] == BEHIND:
            g[k] = -found[HIDDEN] - 1e-12
            continue
        if mode == UNTOUCHED and depth < 0.0:
            g[k] = depth if found[MARGIN] > 0.0 else -found[MARGIN] - 1e-12
            continue
        rate, near = found[RATE], 1e-12
        seen[k, S_RATE] = rate
        write(seen[k], S_POINT, read(found, AT))
        if memory.present[k] == BESIDE:
            g[k] = max(min(found[MARGIN], depth), -found[BACK]) - near
            continue
        g[k] = law_event(laws, law, memory.of_law, k, mode, depth, rate)
        if found[RIVAL] < NO_RIVAL:
            g[k] = max(g[k], depth - found[RIVAL] - near)
        if found[MARGIN] < 1.0:
            g[k] = max(g[k], -found[MARGIN] - near)
        size, held = normal_force(laws, curves, law, memory.of_law, k, mode, depth, rate)
        # bristles follow what is pressed by nothing yet, too
        if size <= 0.0 and not (depth > 0.0 and rests(laws, law)):
            sums[0] += held
            continue
        velocity, normal, place = read(found, SPEED), read(found, NORMAL), read(found, AT)
        along = dot(velocity, normal)
        across = plus(velocity, -along, normal)
        speed = length(across)
        i, j = bodies_of(contacts, around, k)
        if rests(laws, law):
            number = laws.number[law]
            limit = friction_limit(laws, curves, law, depth, size, speed)
            grip = grip_of(limit, number[GRIP], number[GRIP_DAMPING], model.mass[k], size, depth, rate)  # fmt: skip
            x, y, z, bent, sticks = rub(
                memory.bristle, work.bristle, k, work.time[0], motion, i, j, place, normal, across, grip
            )  # fmt: skip
            load = less(scaled(size, normal), (x, y, z))
            sums[2] -= dot(across, (x, y, z))
            sums[4] += bent
            seen[k, S_STICKS] = 1.0 if sticks else 0.0
        else:
            drag = friction(laws, curves, law, depth, size, speed)
            load = plus(scaled(size, normal), -drag, across)
            sums[2] -= drag * speed * speed
        sums[0] += held
        sums[1] += size * along
        sums[3] += size * (along + rate)
        write(seen[k], S_FORCE, load)
        push(applied.torque, applied.force, i, arm_to(motion, i, place), load)
        push(applied.torque, applied.force, j, arm_to(motion, j, place), scaled(-1.0, load))


@kernel
def find_sides(contacts: Contacts, around: Around) -> None:
    """Say of every pair whether it is beside its plane, behind it or may press, by its pose alone."""
    memory, work = contacts.memory, contacts.workspace
    found = work.touch.found
    for k in range(len(contacts.model.kind)):
        work.warm[k, WARM_LENGTH] = 0.0
        find_touch(contacts, around, k)
        memory.present[k] = PRESENT
        if found[BACK] < 0.0:
            memory.present[k] = BEHIND
        elif found[DEPTH] > 0.0 and found[MARGIN] <= 0.0:
            memory.present[k] = BESIDE
    keep_touches(contacts)


@separate
def switch_contact(contacts: Contacts, around: Around, k: int) -> tuple[int, bool]:
    """Let the event of a pair happen at the state just evaluated: what it was, and whether forces jump."""
    found = contacts.workspace.touch.found
    find_touch(contacts, around, k)
    turns = found[RIVAL] < found[DEPTH]
    if turns:
        # from here on the way out along another normal is shorter
        contacts.workspace.warm[k, WARM_LENGTH] = 0.0
        find_touch(contacts, around, k)
    return _switch_law(contacts, around, k), turns


@inner
def _switch_law(contacts: Contacts, around: Around, k: int) -> int:
    """Let the law and the edges of a pair that was just looked at go on to their next mode."""
    memory, found = contacts.memory, contacts.workspace.touch.found
    laws, curves, law, mode = around.laws, around.curves, contacts.model.law[k], memory.mode[k]
    depth, rate = found[DEPTH], found[RATE]
    if memory.present[k] == BEHIND:
        memory.present[k] = PRESENT
        return NOTHING
    if found[BACK] < 0.0:
        # what its law remembers stays
        after = GAP if mode in (UNLOADING, RELOADING, GAP) else UNTOUCHED
        what = NOTHING if memory.present[k] == BESIDE else what_happened(mode, after)
        memory.present[k], memory.mode[k] = BEHIND, after
        return what
    if memory.present[k] == BESIDE:
        memory.present[k] = PRESENT
        if mode == UNTOUCHED:
            memory.mode[k] = next_mode(laws, curves, law, memory.of_law, k, mode, depth, rate)
        return TOUCHED
    if found[MARGIN] < 0.0:
        memory.present[k] = BESIDE
        return NOTHING if mode == UNTOUCHED else LEFT
    after = next_mode(laws, curves, law, memory.of_law, k, mode, depth, rate)
    memory.mode[k] = after
    return what_happened(mode, after)
