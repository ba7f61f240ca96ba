"""What strikes at one instant: pairs that touch and stops that are entered, by their restitution."""

from __future__ import annotations

from solver.engine.dynamics.rows import (
    Rows,
    book_driven,
    factor,
    new_row,
    respond_to_all,
    solve,
    work_of_loads,
)
from solver.engine.dynamics.tree import Array, IntArray, Motion, Tree, kinematics
from solver.engine.dynamics.workspace import Workspace
from solver.engine.forces.constraints import tie
from solver.engine.forces.contacts.kernels import PRESENT, Contacts, bodies_of, find_touch
from solver.engine.forces.contacts.touch import DEPTH, MARGIN, NORMAL, POINT, SPEED
from solver.engine.forces.impacts import ENDLESS, NOTHING_LACKS, WAITING, Impacts, share
from solver.engine.forces.joints.kernels import JointLaws
from solver.engine.forces.laws import LAW_FRICTION, LOADING, RESTITUTION, UNTOUCHED, Laws
from solver.engine.forces.points import arm_to
from solver.engine.forces.surfaces import Planes, Surfaces
from solver.engine.forces.switches import SLOWEST_STRIKE, STOP, STOP_CONTOUR, Switches, stop_row
from solver.engine.jit.kernels import inner
from solver.engine.jit.separate import separate
from solver.engine.maths.curve import Curves, curve_at
from solver.engine.maths.spatial import Three, cross, dot, length, over, plus, read

SLOWEST = 1e-3
"""Speed of approach (m/s) below which nothing strikes, so that bouncing comes to an end."""

TOGETHER, SOON = 1e-9, 1e-11
"""Depth (m), and time (s), after touching within which pairs touch at the same instant."""

AT_ONCE = 32
"""Pairs and stops that may strike at one instant; more come in the next round."""

IMPULSE_ROUNDS = 100
"""Rounds of impulses at one instant; what still strikes then is left to the laws."""


def impact_room(contacts: Contacts, laws: Laws, switches: Switches) -> tuple[int, int]:
    """Say how many pairs may strike at one instant, and how many stops there are."""
    strikes = sum(float(laws.number[n, RESTITUTION]) >= -2.0 for n in contacts.law)
    stops = sum(STOP <= int(kind) <= STOP_CONTOUR for kind in switches.kind)
    return min(strikes + stops, AT_ONCE), len(switches.kind)


@separate
def collide(
    impacts: Impacts, contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes,
    curves: Curves, switches: Switches, joints: JointLaws, tree: Tree, locked: IntArray,
    motion: Motion, space: Workspace, rows: Rows, fire: IntArray, at: int, event: int, pair: int,
    q: Array, v: Array,
    load: Array,
) -> float:  # fmt: skip
    """Let all strike that do at this instant, and give the work of it; 0 without an impulse.

    `event` is the stop, `pair` the pair that brought it about, the other below zero; events of pairs
    begin `at` in `fire`. What the impulses lack is left in `impacts`.
    """
    stops = waits = 0
    impacts.lack[0] = NOTHING_LACKS
    for n in range(len(switches.kind)):
        if not STOP <= switches.kind[n] <= STOP_CONTOUR:
            continue
        stops += 1
        if n != event and fire[n] == 0:
            continue
        waits += 1 if n != event else 0
        if impacts.side[n] == 0.0:
            r = stop_row(n, switches, joints, tree, motion, rows, load)
            impacts.side[n] = -1.0 if rows.speed[r] > 0.0 else 1.0
            rows.used[0] = r
    for k in range(len(contacts.kind)):
        waits += 1 if fire[at + k] and k != pair else 0
    work = 0.0
    for turn in range(IMPULSE_ROUNDS):
        first = int(rows.used[0])
        count = _pairs(
            impacts, contacts, laws, surfaces, planes, curves, motion, rows, pair, turn
        )  # fmt: skip
        if stops:
            count = _stops(impacts, switches, joints, tree, motion, rows, count, load)
        if count == 0:
            rows.used[0] = first
            break
        work += _strike(impacts, tree, locked, motion, space, rows, first, count, v)
        rows.used[0] = first
        kinematics(tree, locked, q, v, motion)
    else:
        impacts.lack[0] = max(impacts.lack[0], ENDLESS)
    if waits == 0:
        # the last of this instant
        impacts.side[:] = 0.0
        impacts.struck[:] = 0
    return work


@inner
def _pairs(
    impacts: Impacts, contacts: Contacts, laws: Laws, surfaces: Surfaces, planes: Planes,
    curves: Curves, motion: Motion, rows: Rows, pair: int, turn: int,
) -> int:  # fmt: skip
    """Write down the rows of all pairs that touch and approach."""
    found, count = contacts.touch.found, 0
    for k in range(len(contacts.kind)):
        n = contacts.law[k]
        restitution = laws.number[n, RESTITUTION]
        if restitution < -2.0:
            continue
        if contacts.present[k] != PRESENT or contacts.mode[k] not in (UNTOUCHED, LOADING):
            continue
        find_touch(contacts, laws, surfaces, planes, motion, k)
        if found[DEPTH] <= 0.0:
            continue
        is_first = k == pair and turn == 0
        i, j = bodies_of(contacts, surfaces, planes, k)
        opens = dot(read(found, SPEED), read(found, NORMAL))
        near = TOGETHER + SOON * abs(opens)
        if opens > -SLOWEST or (not is_first and (found[DEPTH] > near or found[MARGIN] <= 0.0)):
            continue
        if restitution < 0.0 and impacts.struck[k]:
            # it goes on in
            continue
        if count == len(impacts.state):
            impacts.lack[0] = max(impacts.lack[0], WAITING)
            continue
        impacts.struck[k] = 1
        impacts.restitution[count], impacts.friction[count] = restitution, 0.0
        if laws.curve[n, LAW_FRICTION] >= 0:
            rub = curve_at(curves, laws.curve[n, LAW_FRICTION], max(found[DEPTH], 0.0))[0]
            impacts.friction[count] = rub
        count += 1
        place, normal = read(found, POINT), read(found, NORMAL)
        arm_i, arm_j = arm_to(motion, i, place), arm_to(motion, j, place)
        # across the normal, from the axis that it leans to least
        least = _least(normal)
        across = plus(least, -dot(least, normal), normal)
        across = over(across, length(across))
        for along in (normal, across, cross(normal, across)):
            tie(rows, motion, new_row(rows), i, j, arm_i, arm_j, along)
    return count


@inner
def _least(a: Three) -> Three:
    """Give the axis along which a direction has its least component."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    if x <= y and x <= z:
        return 1.0, 0.0, 0.0
    return (0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0)


@inner
def _stops(
    impacts: Impacts, switches: Switches, joints: JointLaws, tree: Tree, motion: Motion, rows: Rows, count: int,
    load: Array,
) -> int:  # fmt: skip
    """Write down the rows of all stops that are entered, after those of pairs."""
    for n in range(len(switches.kind)):
        if impacts.side[n] == 0.0:
            continue
        r = stop_row(n, switches, joints, tree, motion, rows, load)
        side = impacts.side[n]
        rows.speed[r] *= side
        if rows.speed[r] > -SLOWEST_STRIKE:
            rows.used[0] = r
            continue
        if count == len(impacts.state):
            rows.used[0] = r
            impacts.lack[0] = max(impacts.lack[0], WAITING)
            continue
        for s in range(2):
            for c in range(3):
                rows.torque[r, s, c] *= side
                rows.load_torque[r, s, c] *= side
        impacts.restitution[count], impacts.friction[count] = switches.restitution[n], 0.0
        count += 1
        for _ in range(2):
            new_row(rows)
    return count


@inner
def _strike(
    impacts: Impacts, tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows,
    first: int, count: int, v: Array,
) -> float:  # fmt: skip
    """Change speeds by the impulses of all rows from `first` on, which keep all constraints."""
    m = 3 * count
    factor(tree, locked, motion, space, rows)
    rows.used[0] = first
    for c in range(m):
        # constraints give way to nothing
        for r in range(first):
            rows.rhs[r] = -rows.matrix[r, first + c]
        solve(rows)
        for a in range(m):
            ease = rows.matrix[first + a, first + c]
            for r in range(first):
                ease += rows.matrix[first + a, r] * rows.load[r]
            impacts.ease[a, c] = ease
        impacts.speed[c] = rows.speed[first + c]
    share(impacts, count)
    for r in range(first):
        rows.rhs[r] = 0.0
        for c in range(m):
            rows.rhs[r] -= rows.matrix[r, first + c] * impacts.load[c]
    solve(rows)
    rows.used[0] = first + m
    for c in range(m):
        rows.load[first + c] = impacts.load[c]
    respond_to_all(tree, locked, motion, space, rows)
    for k in range(len(v)):
        v[k] += rows.response.rates[k]
    book_driven(tree, locked, motion, space, rows, v)
    return work_of_loads(motion, rows)
