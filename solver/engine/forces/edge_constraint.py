"""Edges of planes that lie along each other: held, or sliding at a given force (seed 003, section 3.5).

The body m carries one edge, the body n the other, both as straight lines. Two rows keep a point of the first
line on the second, two keep the lines parallel; a fifth keeps the point in its place while they are held.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, new_row, take_part
from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion
from solver.engine.forces.constraints import inward, tie
from solver.engine.forces.points import arm_of, point_of, push, spin_of
from solver.engine.jit.kernels import inlined, inner, struct
from solver.engine.maths.spatial import NOUGHT, Three, added, cross, dot, less, plus, scaled, write3

RAIL_GONE, RAIL_HOLDS, RAIL_SLIDES = range(3)
EDGE_AUTO, ONLY_HELD, ONLY_SLIDES = range(3)

RAIL_WAY, RAIL_SPEED, SEEN_ALONG = range(3)
"""What is seen of a pair: how far it has slid, how fast, and the load along the edge."""

RAIL_STICKS_BELOW = 1e-4
"""Sliding speed (m/s) below which it is tried whether the edges hold."""


@struct
class EdgeConstraints(NamedTuple):
    """Pairs of edges: a point of each and its direction, and two directions across the second.

    `along` and `across` are fixed in body n, `t_m` is the first edge's direction in body m; `at` is where the
    point is held on the second edge, `sense` the sense of sliding.
    """

    m: IntArray
    n: IntArray
    at_m: Array
    at_n: Array
    t_m: Array
    along: Array
    across: Array
    over: Array
    rule: IntArray
    static: Array
    sliding: Array
    drag: Array
    state: IntArray
    first: IntArray
    at: Array
    sense: Array
    seen: Array
    point: Array


@inlined
def _where(
    edge_constraints: EdgeConstraints, motion: Motion, k: int
) -> tuple[Three, Three, Three, Three, Three]:
    """Both arms of the first edge's point, the way to it from the second's, its velocity, and the edge."""
    i, j = edge_constraints.m[k], edge_constraints.n[k]
    arm_m, at_n = (
        arm_of(motion, i, edge_constraints.at_m, k),
        arm_of(motion, j, edge_constraints.at_n, k),
    )
    place, speed = point_of(motion, i, arm_m)
    way = less(place, point_of(motion, j, at_n)[0])
    arm_n = added(at_n, way)
    speed = less(speed, point_of(motion, j, arm_n)[1])
    return arm_m, arm_n, way, speed, arm_of(motion, j, edge_constraints.along, k)


@inner
def edge_rows(edge_constraints: EdgeConstraints, motion: Motion, rows: Rows) -> None:
    """Add the rows of all pairs: four where they slide, five where they are held."""
    for k in range(len(edge_constraints.m)):
        i, j = edge_constraints.m[k], edge_constraints.n[k]
        arm_m, arm_n, way, speed, edge = _where(edge_constraints, motion, k)
        edge_constraints.seen[k, RAIL_WAY], edge_constraints.seen[k, RAIL_SPEED] = (
            dot(way, edge),
            dot(speed, edge),
        )
        write3(edge_constraints.point, k, arm_m)
        edge_constraints.first[k] = rows.used[0]
        if edge_constraints.state[k] == RAIL_GONE:
            continue
        if (
            edge_constraints.state[k] == RAIL_SLIDES
            and abs(edge_constraints.seen[k, RAIL_SPEED]) > RAIL_STICKS_BELOW
        ):
            edge_constraints.sense[k] = math.copysign(1.0, edge_constraints.seen[k, RAIL_SPEED])
        first = arm_of(motion, i, edge_constraints.t_m, k)
        spin_m, spin_n = spin_of(motion, i), spin_of(motion, j)
        # acceleration of the point as body n sees it, as far as turning alone makes it
        lift = less(inward(motion, i, arm_m), inward(motion, j, arm_n))
        lift = plus(lift, -2.0, cross(spin_n, speed))
        turning = less(spin_m, spin_n)
        for side in range(2):
            e = arm_of(
                motion, j, edge_constraints.across if side == 0 else edge_constraints.over, k
            )
            r = new_row(rows)
            tie(rows, motion, r, i, j, arm_m, arm_n, e)
            rows.error[r], rows.bias[r] = dot(e, way), dot(e, lift)
        for side in range(2):
            e = arm_of(
                motion, j, edge_constraints.across if side == 0 else edge_constraints.over, k
            )
            r, about = new_row(rows), cross(first, e)
            take_part(rows, motion, r, 0, i, about, NOUGHT)
            take_part(rows, motion, r, 1, j, scaled(-1.0, about), NOUGHT)
            rows.error[r] = dot(first, e)
            grows = added(cross(cross(spin_m, first), e), cross(first, cross(spin_n, e)))
            rows.bias[r] = dot(turning, grows)
        if edge_constraints.state[k] == RAIL_HOLDS:
            r = new_row(rows)
            tie(rows, motion, r, i, j, arm_m, arm_n, edge)
            rows.error[r], rows.bias[r] = dot(edge, way) - edge_constraints.at[k], dot(edge, lift)


@inner
def edge_forces(edge_constraints: EdgeConstraints, motion: Motion, applied: Applied) -> float:
    """Add what holds sliding edges back; returns its power."""
    power = 0.0
    for k in range(len(edge_constraints.m)):
        edge_constraints.seen[k, SEEN_ALONG] = 0.0
        if edge_constraints.state[k] != RAIL_SLIDES:
            continue
        arm_m, arm_n, _, velocity, edge = _where(edge_constraints, motion, k)
        speed = dot(velocity, edge)
        size = (
            -edge_constraints.sense[k] * edge_constraints.sliding[k]
            - edge_constraints.drag[k] * speed
        )
        edge_constraints.seen[k, SEEN_ALONG] = size
        push(applied.torque, applied.force, edge_constraints.m[k], arm_m, scaled(size, edge))
        push(applied.torque, applied.force, edge_constraints.n[k], arm_n, scaled(-size, edge))
        power += size * speed
    return power


@inner
def edge_events(edge_constraints: EdgeConstraints, rows: Rows, g: Array, first: int) -> None:
    """Read the loads of held edges off the solved rows, and give the functions of all events."""
    for k in range(len(edge_constraints.m)):
        n = first + k
        g[n] = -1.0
        if edge_constraints.state[k] == RAIL_HOLDS:
            load = rows.load[edge_constraints.first[k] + 4]
            edge_constraints.seen[k, SEEN_ALONG] = load
            if edge_constraints.rule[k] == EDGE_AUTO:
                g[n] = abs(load) - edge_constraints.static[k]
        elif edge_constraints.state[k] == RAIL_SLIDES and edge_constraints.rule[k] == EDGE_AUTO:
            g[n] = 1.0 - abs(edge_constraints.seen[k, RAIL_SPEED]) / RAIL_STICKS_BELOW


@inner
def switch_edge(edge_constraints: EdgeConstraints, k: int, level: IntArray, n: int) -> int:
    """Let held edges slide against what would have held them, or hold those that slide; gives the new state."""
    if edge_constraints.state[k] == RAIL_HOLDS:
        edge_constraints.state[k] = RAIL_SLIDES
        edge_constraints.sense[k] = -math.copysign(1.0, edge_constraints.seen[k, SEEN_ALONG])
        level[n] = 0
    else:
        edge_constraints.state[k] = RAIL_HOLDS
        edge_constraints.at[k] = edge_constraints.seen[k, RAIL_WAY]
        level[n] = 1
    return int(edge_constraints.state[k])
