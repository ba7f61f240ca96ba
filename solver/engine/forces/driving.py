"""Drivers begin and end: what of their coordinates jumps, and what that takes."""

from __future__ import annotations

import math

from solver.engine.dynamics.rows import Rows
from solver.engine.dynamics.tree import BALL, DRIVEN, OPEN, SLIDE, Array
from solver.engine.forces.drivers import (
    AFTER,
    BEFORE,
    DURING,
    LEFT_FREE,
    PITCH,
    SLACK,
    Drivers,
    add_row,
    does,
    look,
    nearest,
    pitch_side,
    wanted,
)
from solver.engine.forces.freedoms import (
    axis_of,
    open_euler,
    slide_row,
    split_euler,
    strike,
    turn_row,
)
from solver.engine.forces.joints.kernels import JointLaws
from solver.engine.forces.state import Bodies, Moment
from solver.engine.jit.kernels import separate

WAITS = -1
"""Says that a joint has only taken on another form, in which it must be evaluated again."""

BEGINS, STRUCK, ELSEWHERE = 0, 1, 2
"""What is told of a beginning; it may be more than one: with an impulse, away from where its pulse says."""

LETS_GO, STAYS_HELD = 4, 5
"""What is told of an end."""

UNTOLD = 1e-6
"""Jump of a coordinate or of its rate (m, rad, and per second) that is not told."""


@separate
def switch_driver(
    d: int,
    drivers: Drivers,
    laws: JointLaws,
    bodies: Bodies,
    rows: Rows,
    moment: Moment,
    load: Array,
) -> int:
    """Let a driver begin or end, and say what happened; `load[5]` takes what its impulse loses."""
    tree, locked, motion, space, q, v = bodies
    t, load[5] = moment.t, 0.0
    i, k = drivers.axis[d], drivers.euler[d]
    was = does(drivers, d)
    after = t + 2.0 * SLACK * (1.0 + abs(t))
    if drivers.phase[d] != BEFORE:
        x, _, _ = wanted(drivers, d, Moment(t, t, moment.fires))
        drivers.phase[d], drivers.offset[d] = AFTER, x
        if does(drivers, d) != LEFT_FREE:
            return STAYS_HELD
        if i >= 0:
            locked[i] = OPEN
            if k >= 0:
                open_euler(laws, tree, locked, motion, k, q, v)
        return LETS_GO
    if k >= 0 and tree.kind[laws.eulers.body[k, 2]] == BALL:
        split_euler(laws, tree, locked, k, q, v)
        return WAITS
    drivers.phase[d], stood = DURING, drivers.offset[d]
    drivers.offset[d] = 0.0
    x, speed, _ = wanted(drivers, d, Moment(t, after, moment.fires))
    if i >= 0:
        here, rate = q[tree.at_q[i]], v[tree.at_v[i]]
        if was == LEFT_FREE and rate != speed:
            first = rows.used[0]
            axis_of(tree, motion, i, load)
            if tree.kind[i] == SLIDE:
                slide_row(rows, tree, motion, i, load)
            else:
                turn_row(rows, tree, motion, i, load)
            rows.rate[first] = speed
            rows.speed[first] -= speed
            load[5] = strike(tree, locked, motion, space, rows, first, 0.0, v)
        locked[i] = DRIVEN
        v[tree.at_v[i]] = speed
    else:
        seen = look(drivers, motion, d, stood if was != LEFT_FREE else x)
        side = pitch_side(drivers, motion, d) if was == LEFT_FREE else 0.0
        if side != 0.0:
            turned = math.pi if side < 0.0 else 0.0
            if drivers.component[d] == PITCH:
                seen = look(drivers, motion, d, turned)
            else:
                drivers.fold[d] = turned
        elif was == LEFT_FREE and abs(nearest(drivers, d, seen.value, x) - x) > UNTOLD:
            # a pitch that is not just where it is wanted is within 90 degrees
            seen = look(drivers, motion, d, 0.0)
        here, rate = nearest(drivers, d, seen.value, x), seen.rate
        if was == LEFT_FREE and rate != speed:
            first = rows.used[0]
            add_row(drivers, motion, rows, d, seen, 0.0, speed, 0.0)
            load[5] = strike(tree, locked, motion, space, rows, first, 0.0, v)
    if was != LEFT_FREE:
        here = stood
    drivers.offset[d] = here - x
    told = BEGINS
    if was == LEFT_FREE and abs(rate - speed) > UNTOLD:
        told += STRUCK
    if drivers.places[d] and abs(here - x) > UNTOLD:
        told += ELSEWHERE
    return told
