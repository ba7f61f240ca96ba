"""Impulses of one instant: what strikes by its restitution, and all together with stick and slip (section 7.6, type I).

Each pair that touches while it approaches turns its normal speed around times its restitution, or is
left by the others with more (Newton's hypothesis as a complementarity: `u_n + e u_n0 >= 0`, impulse
`>= 0`, one of them zero). Along the surface it sticks: no sliding is left; the impulse must lie in the
cone of friction and lean against the sliding before. Else it slides: the impulse is the coefficient
times the normal one and leans against the mean of the sliding before and after (Pereira, Nikravesh,
Impact dynamics of multibody systems with frictional contact, NATO ASI 1993, whose leaning against the
sliding before is the same in a plane). A stop of a joint is a pair without friction.

No impact adds energy: its work is the sum of impulses times mean speeds, which is
`(1 - e) / 2 * u_n0 <= 0` along the normal and `<= 0` along the surface, for any number of pairs with any
coefficients; Kane's paradox cannot occur. Pairs are all treated alike in each sweep, so that nothing
depends on their order. Impulses that the next round meets again follow in rounds, as in a row of balls.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

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
from solver.engine.forces.joints.kernels import JointLaws
from solver.engine.forces.laws import LAW_FRICTION, LOADING, RESTITUTION, UNTOUCHED, Laws
from solver.engine.forces.points import arm_to
from solver.engine.forces.state import Around, Bodies
from solver.engine.forces.switches import SLOWEST_STRIKE, STOP, STOP_CONTOUR, Switches, stop_row
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.curve import curve_at
from solver.engine.maths.spatial import Three, cross, dot, length, over, plus, read

# Impulses of one instant together: restitution with stick and slip (section 7.6, type I).

SWEEPS = 20_000
"""Sweeps after which a way of finding impulses is given up."""

FOLLOWS = (1.0, 0.1, 0.03, 0.01)
"""Parts of the way by which cones of friction follow their normal impulses in a sweep, tried in turn.

Cones that follow at once may swing for ever; slower ones settle where the swinging alone was in the way.
"""

SWEPT = 1e-12
"""Error of speeds, in parts of the largest, at which sweeps end."""

STICKS, SLIPS = range(2)

NOTHING_LACKS, WAITING, FRICTIONLESS, ENDLESS, MISSING = 0, 16, 17, 18, 19
"""What the impulses of an instant lack, the worst last; numbers beyond all else that happens to pairs.

Some wait for the next round by their place in the list; stick and slip are not found, so that impulses act
along the normals alone; rounds come to no end; no impulses are found.
"""


@struct
class Impacts(NamedTuple):
    """The pairs of one instant: 3 rows each, normal and two across; stops leave two of them empty.

    `side` keeps the direction in which each stop is entered while its instant lasts, `struck` marks
    pairs that have had their impulse. `ease` is what a unit of each impulse does to all rows, `cone`
    how large friction may be, `lack` what the impulses of this instant lack.
    """

    restitution: Array
    friction: Array
    state: IntArray
    ease: Array
    speed: Array
    load: Array
    last: Array
    ahead: Array
    rate: Array
    pace: Array
    side: Array
    cone: Array
    struck: IntArray
    lack: IntArray


def make_impacts(pairs: int, stops: int, contacts: int) -> Impacts:
    """Make room for a number of pairs at one instant."""
    m = 3 * pairs
    return Impacts(
        restitution=np.zeros(pairs), friction=np.zeros(pairs), state=np.zeros(pairs, np.int64),
        ease=np.zeros((m, m)), speed=np.zeros(m), load=np.zeros(m), last=np.zeros(m),
        ahead=np.zeros(m), rate=np.zeros(m), pace=np.zeros(m), side=np.zeros(stops),
        cone=np.zeros(pairs), struck=np.zeros(contacts, np.int64), lack=np.zeros(1, np.int64),
    )  # fmt: skip


@kernel
def share(impacts: Impacts, pairs: int) -> float:
    """Find the impulses of so many pairs by their speeds and eases; gives their work.

    Notes what they lack, if it is worse than what has been noted at this instant.
    """
    state, load, lack, found = impacts.state, impacts.load, impacts.lack, True
    for i in range(pairs):
        state[i] = STICKS if impacts.friction[i] > 0.0 else SLIPS
    for _ in range(pairs + 1):
        found = _find(impacts, pairs)
        slips = False
        for i in range(pairs):
            if state[i] == STICKS and (not found or not _may_stick(impacts, i)):
                state[i] = SLIPS
                slips = True
        if not slips:
            break
    work = _work(impacts, pairs)
    if not found or work > _rounding(impacts, pairs):
        lack[0] = max(lack[0], FRICTIONLESS)
        for i in range(pairs):
            impacts.friction[i] = 0.0
            state[i] = SLIPS
        _sweep(impacts, pairs, 1.0)
        work = _work(impacts, pairs)
        if work > _rounding(impacts, pairs):
            lack[0] = MISSING
            for r in range(3 * pairs):
                load[r] = 0.0
            return 0.0
    return min(work, 0.0)


@inner
def _find(impacts: Impacts, pairs: int) -> bool:
    """Find all impulses in their present states, with cones that follow as slowly as it takes."""
    for follow in FOLLOWS:
        if _sweep(impacts, pairs, follow):
            return True
        cones = False
        for i in range(pairs):
            cones = cones or (impacts.state[i] == SLIPS and impacts.friction[i] > 0.0)
        if not cones:
            break
    return False


@inner
def _may_stick(impacts: Impacts, i: int) -> bool:
    """Whether what holds a pair lies in the cone of friction and leans against its sliding."""
    load, speed, a = impacts.load, impacts.speed, 3 * i
    x, y, ux, uy = load[a + 1], load[a + 2], speed[a + 1], speed[a + 2]
    size, slip = math.sqrt(x * x + y * y), math.sqrt(ux * ux + uy * uy)
    if size > (1.0 + 1e-9) * impacts.friction[i] * load[a]:
        return False
    return bool(x * ux + y * uy <= 1e-9 * size * slip)


@inner
def _work(impacts: Impacts, pairs: int) -> float:
    """The work of all impulses: each times the mean of its speed before and after."""
    work = 0.0
    for r in range(3 * pairs):
        felt = 0.0
        for c in range(3 * pairs):
            felt += impacts.ease[r, c] * impacts.load[c]
        work += impacts.load[r] * (impacts.speed[r] + 0.5 * felt)
    return work


@inner
def _rounding(impacts: Impacts, pairs: int) -> float:
    """What the work of all impulses may be off by, as their speeds are exact to `SWEPT`."""
    size = fastest = 0.0
    for r in range(3 * pairs):
        size += abs(impacts.load[r])
        fastest = max(fastest, abs(impacts.speed[r]))
    return 10.0 * SWEPT * fastest * size


@inner
def _sweep(impacts: Impacts, pairs: int, follow: float) -> bool:
    """Find all impulses in their present states, by projections with momentum; says if they are exact.

    The projections: Alart, Curnier, Comp. Meth. Appl. Mech. Eng. 92, 1991. The momentum: Nesterov's, taken
    again where it leads back (O'Donoghue, Candes, Found. Comput. Math. 15, 2015). Cones go that part of the
    way to their normal impulses: with cones that stand the problem is convex, so what is left is to
    find their fixed point (Panagiotopoulos, Ingenieur-Archiv 44, 1975), by relaxation.
    """
    G, u, L, last = impacts.ease, impacts.speed, impacts.load, impacts.last
    Y, rate, pace = impacts.ahead, impacts.rate, impacts.pace
    m, largest, theta = 3 * pairs, 0.0, 1.0
    for r in range(m):
        L[r] = Y[r] = 0.0
        largest = max(largest, abs(u[r]))
        total = 0.0
        for c in range(m):
            total += abs(G[r, c])
        pace[r] = 1.0 / total if total > 0.0 else 0.0
    for i in range(pairs):
        a = 3 * i
        one, two = pace[a + 1], pace[a + 2]
        # across, the slower of both; one along which nothing moves has no say
        pace[a + 1] = pace[a + 2] = min(one, two) if one > 0.0 and two > 0.0 else max(one, two)
        impacts.cone[i] = 0.0
    for _ in range(SWEEPS):
        for r in range(m):
            rate[r] = u[r]
            for c in range(m):
                rate[r] += G[r, c] * Y[c]
            last[r] = L[r]
        worst = back = 0.0
        for i in range(pairs):
            a = 3 * i
            L[a] = max(0.0, Y[a] - pace[a] * (rate[a] + impacts.restitution[i] * u[a]))
            # what sticks has no speed left, what slides leans against the mean speed
            for r in range(a + 1, a + 3):
                left = rate[r] if impacts.state[i] == STICKS else 0.5 * (u[r] + rate[r])
                L[r] = Y[r] - pace[r] * left
            if impacts.state[i] == SLIPS:
                size = math.sqrt(L[a + 1] ** 2 + L[a + 2] ** 2)
                whole = impacts.friction[i] * L[a]
                behind = (1.0 - follow) * (whole - impacts.cone[i])
                most = impacts.cone[i] = whole - behind
                if pace[a] > 0.0:
                    worst = max(worst, abs(behind) / pace[a])
                if size > most:
                    L[a + 1], L[a + 2] = L[a + 1] * most / size, L[a + 2] * most / size
            for r in range(a, a + 3):
                if pace[r] > 0.0:
                    worst = max(worst, abs(L[r] - Y[r]) / pace[r])
                    back += (Y[r] - L[r]) * (L[r] - last[r]) / pace[r]
        if worst <= SWEPT * largest:
            return True
        if back > 0.0:
            theta = 1.0
        new = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * theta * theta))
        for r in range(m):
            Y[r] = L[r] + (theta - 1.0) / new * (L[r] - last[r])
        theta = new
    return False


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
    """What happens at one instant: which stops and pairs wait, and the stop or the pair that comes first, the other below zero."""

    stops: IntArray
    pairs: IntArray
    stop: int
    pair: int


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
        work += _strike(impacts, bodies, rows, first, count)
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
        if laws.curve[law, LAW_FRICTION] >= 0:
            rub = curve_at(around.curves, laws.curve[law, LAW_FRICTION], max(found[DEPTH], 0.0))[0]
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
        count += 1
        for _ in range(2):
            new_row(rows)
    return count


@inner
def _strike(impacts: Impacts, bodies: Bodies, rows: Rows, first: int, count: int) -> float:
    """Change speeds by the impulses of all rows from `first` on, which keep all constraints."""
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
    return work_of_loads(motion, rows)
