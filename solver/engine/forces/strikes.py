"""What strikes at one instant: pairs that touch and stops that are entered, and what their impulses do to all speeds.

How large these are is found in `impulses`.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.rows import (
    Rows,
    book_driven,
    factor,
    new_row,
    respond_to_all,
    solve,
    work_of_loads,
)
from solver.engine.dynamics.tree import Array, IntArray, kinematics
from solver.engine.forces.constraints import tie
from solver.engine.forces.contacts.arrays import (
    DEPTH,
    MARGIN,
    NORMAL,
    POINT,
    PRESENT,
    SPEED,
    Contacts,
)
from solver.engine.forces.contacts.kernels import bodies_of, find_touch
from solver.engine.forces.impulses import (
    ENDLESS,
    NOTHING_LACKS,
    STICKS,
    WAITING,
    Impacts,
    felt_by_all,
    share,
)
from solver.engine.forces.joints.kernels import JointLaws
from solver.engine.forces.laws import (
    GIVES_BY,
    LAW_FRICTION,
    LOADING,
    RESTITUTION,
    UNTOUCHED,
    Laws,
)
from solver.engine.forces.points import arm_to
from solver.engine.forces.state import Around, Bodies
from solver.engine.forces.struck import STRUCK_MASS, STRUCK_PLACE, write_bodies, write_pair
from solver.engine.forces.switches import SLOWEST_STRIKE, STOP, STOP_CONTOUR, Switches, stop_row
from solver.engine.jit.kernels import inlined, inner, separate
from solver.engine.maths.curve import curve_at
from solver.engine.maths.spatial import Three, cross, dot, length, over, plus, read, write

# What strikes at one instant: pairs that touch and stops that are entered, by their restitution.

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
    strikes = sum(float(laws.number[n, RESTITUTION]) >= -2.0 for n in contacts.model.law)
    stops = sum(STOP <= int(kind) <= STOP_CONTOUR for kind in switches.kind)
    return min(strikes + stops, AT_ONCE), len(switches.kind)


class Stops(NamedTuple):
    """What may strike in joints: their switches and laws, and a vector for the axis of one."""

    switches: Switches
    laws: JointLaws
    axis: Array


class Instant(NamedTuple):
    """What happens at one instant: which stops and pairs wait, the stop or the pair that comes first, the other below zero, and when."""

    stops: IntArray
    pairs: IntArray
    stop: int
    pair: int
    time: float


@separate
def collide(
    impacts: Impacts, contacts: Contacts, around: Around, stops: Stops, bodies: Bodies, rows: Rows, instant: Instant
) -> float:  # fmt: skip
    """Let all strike that do at this instant, and give the work of it; 0 without an impulse.

    What the impulses lack is left in `impacts`.
    """
    count_stops = waits = 0
    switches = stops.switches
    impacts.lack[0] = NOTHING_LACKS
    for n in range(len(switches.kind)):
        if not STOP <= switches.kind[n] <= STOP_CONTOUR:
            continue
        count_stops += 1
        if n != instant.stop and instant.stops[n] == 0:
            continue
        waits += 1 if n != instant.stop else 0
        if impacts.side[n] == 0.0:
            row = _row_of(stops, bodies, rows, n)
            impacts.side[n] = -1.0 if rows.speed[row] > 0.0 else 1.0
            rows.used[0] = row
    for k in range(len(contacts.model.kind)):
        waits += 1 if instant.pairs[k] and k != instant.pair else 0
    work = 0.0
    for turn in range(IMPULSE_ROUNDS):
        first = int(rows.used[0])
        count = _pairs(impacts, contacts, around, rows, instant.pair, turn)
        if count_stops:
            count = _stops(impacts, stops, bodies, rows, count)
        if count == 0:
            rows.used[0] = first
            break
        work += _strike(impacts, bodies, rows, first, count, instant.time)
        rows.used[0] = first
        kinematics(bodies.tree, bodies.locked, bodies.q, bodies.v, bodies.motion)
    else:
        impacts.lack[0] = max(impacts.lack[0], ENDLESS)
    if waits == 0:
        # the last of this instant
        impacts.side[:] = 0.0
        impacts.struck[:] = 0
    return work


@inlined
def _row_of(stops: Stops, bodies: Bodies, rows: Rows, n: int) -> int:
    """Add the row of a stop, and give its number."""
    return stop_row(n, stops.switches, stops.laws, bodies.tree, bodies.motion, rows, stops.axis)


@inner
def _pairs(
    impacts: Impacts, contacts: Contacts, around: Around, rows: Rows, pair: int, turn: int
) -> int:
    """Write down the rows of all pairs that touch and approach."""
    model, memory, found = contacts.model, contacts.memory, contacts.workspace.touch.found
    laws, motion, count = around.laws, around.motion, 0
    impacts.poisson[0] = 0
    for k in range(len(model.kind)):
        law = model.law[k]
        restitution = laws.number[law, RESTITUTION]
        if restitution < -2.0:
            continue
        if memory.present[k] != PRESENT or memory.mode[k] not in (UNTOUCHED, LOADING):
            continue
        find_touch(contacts, around, k)
        if found[DEPTH] <= 0.0:
            continue
        is_first = k == pair and turn == 0
        i, j = bodies_of(contacts, around, k)
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
        if laws.number[law, GIVES_BY] != 0.0:
            impacts.poisson[0] = 1
        if laws.curve[law, LAW_FRICTION] >= 0:
            rub = curve_at(around.curves, laws.curve[law, LAW_FRICTION], max(found[DEPTH], 0.0))[0]
            impacts.friction[count] = rub
        place, normal = read(found, POINT), read(found, NORMAL)
        impacts.number[count] = k
        write(impacts.place[count], 0, place)
        count += 1
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
def _stops(impacts: Impacts, stops: Stops, bodies: Bodies, rows: Rows, count: int) -> int:
    """Write down the rows of all stops that are entered, after those of pairs."""
    switches = stops.switches
    for n in range(len(switches.kind)):
        if impacts.side[n] == 0.0:
            continue
        row = _row_of(stops, bodies, rows, n)
        side = impacts.side[n]
        rows.speed[row] *= side
        if rows.speed[row] > -SLOWEST_STRIKE:
            rows.used[0] = row
            continue
        if count == len(impacts.state):
            rows.used[0] = row
            impacts.lack[0] = max(impacts.lack[0], WAITING)
            continue
        for body in range(2):
            for c in range(3):
                rows.torque[row, body, c] *= side
                rows.load_torque[row, body, c] *= side
        impacts.restitution[count], impacts.friction[count] = switches.restitution[n], 0.0
        impacts.number[count] = -1 - n
        impacts.place[count] = 0.0
        count += 1
        for _ in range(2):
            new_row(rows)
    return count


@inner
def _strike(
    impacts: Impacts, bodies: Bodies, rows: Rows, first: int, count: int, time: float
) -> float:
    """Change speeds by the impulses of all rows from `first` on, which keep all constraints, and write down what they did."""
    tree, locked, motion, space, _, speeds = bodies
    size = 3 * count
    factor(tree, locked, motion, space, rows)
    rows.used[0] = first
    for c in range(size):
        # constraints give way to nothing
        for row in range(first):
            rows.rhs[row] = -rows.matrix[row, first + c]
        solve(rows)
        for a in range(size):
            ease = rows.matrix[first + a, first + c]
            for row in range(first):
                ease += rows.matrix[first + a, row] * rows.load[row]
            impacts.ease[a, c] = ease
        impacts.speed[c] = rows.speed[first + c]
    share(impacts, count)
    for row in range(first):
        rows.rhs[row] = 0.0
        for c in range(size):
            rows.rhs[row] -= rows.matrix[row, first + c] * impacts.load[c]
    solve(rows)
    rows.used[0] = first + size
    for c in range(size):
        rows.load[first + c] = impacts.load[c]
    respond_to_all(tree, locked, motion, space, rows)
    for k in range(len(speeds)):
        speeds[k] += rows.response.rates[k]
    book_driven(tree, locked, motion, space, rows, speeds)
    _tell(impacts, rows, first, count, time)
    write_bodies(impacts.told, tree.kind, locked, space, rows, first)
    return work_of_loads(motion, rows)


@inner
def _tell(impacts: Impacts, rows: Rows, first: int, count: int, time: float) -> None:
    """Write down what the impulses of all pairs and stops did."""
    told, size, felt = impacts.told, 3 * count, impacts.rate
    for r in range(size):
        felt[r] = felt_by_all(impacts, size, r, impacts.load)
    for i in range(count):
        a, n = 3 * i, told.written[0]
        if n == len(told.number):
            return
        sticks = impacts.state[i] == STICKS and impacts.friction[i] > 0.0
        write_pair(
            told,
            rows,
            first + a,
            impacts.load[a : a + 3],
            impacts.speed[a : a + 3],
            felt[a : a + 3],
            sticks,
        )
        ease = impacts.ease[a, a]
        told.row[n, STRUCK_MASS] = 1.0 / ease if ease > 0.0 else 0.0
        told.number[n], told.time[n] = impacts.number[i], time
        for k in range(3):
            told.row[n, STRUCK_PLACE + k] = impacts.place[i, k]
