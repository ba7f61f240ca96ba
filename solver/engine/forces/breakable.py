"""Constraints that break, and still resist for a while over a ramp (seed 003, p. 23 and 32).

Points that are kept together, what rolls or slides, and edges break into two points, one of each body, where
they were; the load at the break is fixed in the second body and fades with the largest separation, as that of
joints does (`breaking.py`). A distance keeps its own direction: its load fades with the largest change of
length. Near enough to their places they close again, with limits as low as the load has become.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, force_on_first
from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.breaking import (
    BREAKING,
    COME_APART,
    UNBROKEN,
    direction,
    fade,
    follow,
    resist,
)
from solver.engine.forces.constraints import Pairs
from solver.engine.forces.edge_constraint import RAIL_GONE, SEEN_ALONG, EdgeConstraints
from solver.engine.forces.points import (
    arm_of,
    arm_to,
    between,
    in_axes_of,
    point_of,
    push,
    speed_at,
)
from solver.engine.forces.rolling import GONE as ROLL_GONE
from solver.engine.forces.rolling import LIFTED as ROLL_APART
from solver.engine.forces.rolling import ROLLS, SEEN_APART_OF_ROWS, SEEN_GAP, SEEN_NORMAL, Rolls
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.spatial import (
    NOUGHT,
    Table,
    Three,
    added,
    dot,
    length,
    read,
    scaled,
    write,
)

PART_POINTS, PART_DISTANCE, PART_ROLL, PART_RAIL = range(4)
"""What breaks."""

BREAK, PART, HEAL = range(3)
PARTING_TURNS = 3
"""Events of each: it breaks, it has come apart, it closes again."""

WHOLE_LOAD, ALONG_X, PULL = 0, 1, 4
LIMITS = 5
"""Limits: of the whole load, of its parts along the second body's axes, of a pull along the normal."""

NEVER, FIRST = -1.0, 1e-300


@struct
class Breakables(NamedTuple):
    """Hold constraints that break, each by its number among those of its sort.

    Of the break: a point of each body, and the load on the first, in the second's axes; or its size along a
    distance, negative for a thrust. `load` is what it bears now, ground axes, `seen` how far it has come on its
    ramp, `at` its entry of z. `heal` is how near its places it closes again, zero for never.
    """

    what: IntArray
    of: IntArray
    i: IntArray
    j: IntArray
    limit: Array
    ramp: Array
    heal: Array
    state: IntArray
    at: IntArray
    at_i: Array
    at_j: Array
    force: Array
    size: Array
    load: Array
    seen: Array


class Ties(NamedTuple):
    """The constraints that may break."""

    pairs: Pairs
    rolls: Rolls
    edge_constraints: EdgeConstraints


@inlined
def _apart(b: Breakables, motion: Motion, n: int) -> tuple[Three, Three, Three, Three]:
    """The first point's arms from both bodies, its way from the second, and its velocity against the second body."""
    i, j = b.i[n], b.j[n]
    a, c = arm_of(motion, i, b.at_i, n), arm_of(motion, j, b.at_j, n)
    way, _ = between(motion, j, c, i, a)
    place, _ = point_of(motion, i, a)
    return a, added(c, way), way, speed_at(motion, i, j, place)


@inlined
def _stretch(
    b: Breakables, motion: Motion, n: int, pairs: Pairs
) -> tuple[Three, Three, Three, float, float]:
    """Both arms of a distance, its direction, and how far, and how fast, it has left its length."""
    i, j, k = b.i[n], b.j[n], b.of[n]
    a, c = arm_of(motion, i, pairs.at_a, k), arm_of(motion, j, pairs.at_b, k)
    way, speed = between(motion, j, c, i, a)
    far = length(way)
    e = scaled(1.0 / max(far, FIRST), way)
    sense = math.copysign(1.0, b.size[n])
    return a, c, e, sense * (far - pairs.distance[k]), sense * dot(e, speed)


@separate
@kernel
def breakable_forces(
    b: Breakables, pairs: Pairs, motion: Motion, z: Array, powers: Array, torque: Table, force: Table, sums: Array
) -> None:  # fmt: skip
    """Add the loads of constraints that are breaking; `sums` takes the energy held and their power."""
    for n in range(len(b.what)):
        s = b.at[n]
        powers[s] = 0.0
        b.seen[n] = NEVER
        if b.state[n] != BREAKING:
            continue
        i, j = b.i[n], b.j[n]
        write(b.load[n], 0, NOUGHT)
        if b.what[n] == PART_DISTANCE:
            a, c, e, far, rate = _stretch(b, motion, n, pairs)
            powers[s] = follow(abs(far), math.copysign(1.0, far) * rate, z[s], b.ramp[n])
            most = max(z[s], abs(far))
            f, held = fade(abs(b.size[n]), b.ramp[n], most, far)
            # a pull draws the first point towards the second
            pull = scaled(-math.copysign(f, b.size[n]), e)
            sums[0] += held
            sums[1] -= f * rate
        else:
            a, c, way, speed = _apart(b, motion, n)
            along, size = direction(motion, j, b.force, n)
            most, powers[s], f, held, power = resist(way, speed, along, size, b.ramp[n], z[s])
            pull = scaled(f, along)
            sums[0] += held
            sums[1] += power
        push(torque, force, i, a, pull)
        push(torque, force, j, c, scaled(-1.0, pull))
        write(b.load[n], 0, pull)
        b.seen[n] = most / b.ramp[n] - 1.0


@separate
@kernel
def breakable_events(
    b: Breakables, ties: Ties, motion: Motion, rows: Rows, g: Array, first: int
) -> None:
    """The functions of all events."""
    for n in range(len(b.what)):
        at = first + PARTING_TURNS * n
        g[at] = g[at + 1] = g[at + 2] = NEVER
        if b.state[n] == UNBROKEN:
            g[at] = _load(b, n, ties, motion, rows)
        elif b.state[n] == BREAKING:
            g[at + 1] = b.seen[n]
            if not b.heal[n] > 0.0:
                continue
            # at the very break the parts have not been away yet
            if b.what[n] == PART_DISTANCE:
                _, _, _, far, _ = _stretch(b, motion, n, ties.pairs)
                g[at + 2] = -far if far != 0.0 else FIRST
            elif b.what[n] == PART_ROLL:
                gap = ties.rolls.seen[b.of[n], SEEN_GAP]
                g[at + 2] = -gap if gap != 0.0 else FIRST
            else:
                _, _, way, speed = _apart(b, motion, n)
                g[at + 2] = dot(way, speed) if length(way) > 0.0 else FIRST


@inner
def _load(b: Breakables, n: int, ties: Ties, motion: Motion, rows: Rows) -> float:
    """Keep what a constraint bears, and give by how much, in parts, it is over the nearest of its limits."""
    pairs, rolls, edge_constraints = ties
    k, out, most = b.of[n], b.load[n], 0.0
    if b.what[n] == PART_POINTS:
        force_on_first(rows, pairs.first[k], 3, out)
    elif b.what[n] == PART_DISTANCE:
        force_on_first(rows, pairs.first[k], 1, out)
        # a row's load pushes the points asunder
        most = -rows.load[pairs.first[k]] / b.limit[n, PULL]
    elif b.what[n] == PART_ROLL:
        count = (
            0
            if rolls.state[k] in (ROLL_APART, ROLL_GONE)
            else (3 if rolls.state[k] == ROLLS else 1)
        )
        force_on_first(rows, rolls.first[k], count, out)
        for c in range(3):
            out[c] -= rolls.seen[k, SEEN_APART_OF_ROWS] * rolls.slip[k, c] if count else 0.0
        most = -rolls.seen[k, SEEN_NORMAL] / b.limit[n, PULL]
    else:
        count = 2 if edge_constraints.state[k] != RAIL_GONE else 0
        force_on_first(rows, edge_constraints.first[k], count, out)
        most = length(read(out, 0)) / b.limit[n, PULL]
        w = arm_of(motion, b.j[n], edge_constraints.along, k)
        for c in range(3):
            out[c] += edge_constraints.seen[k, SEEN_ALONG] * w[c]
    own = in_axes_of(motion, b.j[n], read(out, 0))
    most = max(most, length(own) / b.limit[n, WHOLE_LOAD])
    for c in range(3):
        most = max(most, abs(own[c]) / b.limit[n, ALONG_X + c])
    return float(most - 1.0)


@separate
@kernel
def switch_breakable(
    n: int, what: int, b: Breakables, ties: Ties, motion: Motion, rows: Rows, z: Array
) -> bool:
    """Let a constraint break, come apart or close again; says whether it does."""
    pairs, rolls, edge_constraints = ties
    k = b.of[n]
    if what == PART:
        b.state[n] = COME_APART
        write(b.load[n], 0, NOUGHT)
        return True
    if what == HEAL:
        return _relock(n, b, pairs, rolls, motion, z)
    # a load that jumps beyond the limit breaks it at the limit
    part = 1.0 / max(1.0 + _load(b, n, ties, motion, rows), 1.0)
    i, j = b.i[n], b.j[n]
    if b.what[n] == PART_DISTANCE:
        b.size[n] = -part * rows.load[pairs.first[k]]
    else:
        if b.what[n] == PART_POINTS:
            at = arm_of(motion, i, pairs.at_a, k)
        elif b.what[n] == PART_ROLL:
            at = read(rolls.point[k], 0)
        else:
            at = read(edge_constraints.point[k], 0)
        place, _ = point_of(motion, i, at)
        write(b.at_i[n], 0, in_axes_of(motion, i, at))
        write(b.at_j[n], 0, in_axes_of(motion, j, arm_to(motion, j, place)))
        write(b.force[n], 0, in_axes_of(motion, j, scaled(part, read(b.load[n], 0))))
    z[b.at[n]] = 0.0
    b.state[n] = BREAKING if b.ramp[n] > 0.0 else COME_APART
    if b.state[n] == COME_APART:
        write(b.load[n], 0, NOUGHT)
    if b.what[n] in (PART_POINTS, PART_DISTANCE):
        pairs.broken[k] = 1
    elif b.what[n] == PART_ROLL:
        rolls.state[k] = ROLL_GONE
    else:
        edge_constraints.state[k] = RAIL_GONE
    return True


@inner
def _relock(n: int, b: Breakables, pairs: Pairs, rolls: Rolls, motion: Motion, z: Array) -> bool:
    """Close what has come back near enough, where its parts are nearest; speeds follow from its rows."""
    k = b.of[n]
    if z[b.at[n]] < b.heal[n]:
        # they have hardly been away
        return False
    if b.what[n] == PART_POINTS:
        _, _, way, _ = _apart(b, motion, n)
        if length(way) >= b.heal[n]:
            return False
        # what is left of the separation stays
        back = in_axes_of(motion, b.i[n], way)
        for c in range(3):
            pairs.at_a[k, c] -= back[c]
    if b.what[n] in (PART_POINTS, PART_DISTANCE):
        pairs.broken[k] = 0
    elif b.what[n] == PART_ROLL:
        # it touches, as for the first time
        rolls.state[k] = ROLL_APART
    left = 1.0 - z[b.at[n]] / b.ramp[n]
    for c in range(LIMITS):
        b.limit[n, c] *= left
    z[b.at[n]] = 0.0
    b.state[n] = UNBROKEN
    return True
