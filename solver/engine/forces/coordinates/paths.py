"""Lines through points and round obstacles: how long they are, how fast that grows, and how they pull.

A line is taut and slips without friction, so its length is the least one: with tension T it pulls along each straight leg
at both ends, and by d(length)/dt = sum of u . (v' - v) over the straight legs. Where it comes onto an obstacle and goes off
are points of that body; that they wander over it changes nothing to first order (the length is the least one).
A point whose place follows a coordinate q by f(q) also pulls at q, by the force on it times the way that it goes with q.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion
from solver.engine.forces.coordinates.obstacles import CROSSES, FREE, round_obstacle
from solver.engine.forces.points import (
    from_axes_of,
    in_axes_of,
    point_of,
    push,
    unit_vector,
)
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.curve import Curves, curve_at
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    added,
    dot,
    length,
    less,
    mat_on,
    over,
    plus,
    plus_dot,
    read3,
    read9,
    read_spatial,
    scaled,
    transpose_on,
    write3,
    write_spatial,
)

SWEEPS = 200
"""How often obstacles that share legs are gone through, one after the other, at most."""
STILL = 1e-13
"""Way (m) by which no place where a line touches moves any more."""
NO_LENGTH = 1e-12
"""Way (m) between points below which it has no direction."""


@struct
class Paths(NamedTuple):
    """Hold the points and obstacles of all lines, and room for the knots of one: its points that count, and where it touches.

    Coordinate n has the points `first[n]` to `first[n + 1]` and the obstacles `over_first[n]` to `over_first[n + 1]`.
    Point p moves by rows `moved_first[p]` to `moved_first[p + 1]`: along an axis by a curve of an entry of q (and v), and counts
    while entry `gate_q` is within `gate`. An obstacle lies on the legs from point `start` to point `end`. Where
    obstacles of a line share legs, `again` is 1. `knot` holds place and arm; `knot_of` is a point, or -1 - obstacle; `curved`
    is the way on the surface to the next knot, below zero where it goes straight.
    """

    first: IntArray
    body: IntArray
    at: Array
    moved_first: IntArray
    moved_axis: IntArray
    moved_q: IntArray
    moved_v: IntArray
    moved_curve: IntArray
    moved_way: Array
    gate_q: IntArray
    gate: Array
    over_first: IntArray
    over_kind: IntArray
    over_body: IntArray
    over_at: Array
    over_R: Array
    over_size: Array
    over_half: Array
    side: Array
    sided: IntArray
    start: IntArray
    end: IntArray
    again: IntArray
    knots: IntArray
    knot: Array
    knot_body: IntArray
    knot_of: IntArray
    curved: Array


@inlined
def _put(paths: Paths, k: int, of: int, body: int, place: Three, arm: Three) -> None:
    paths.knot_of[k], paths.knot_body[k], paths.curved[k] = of, body, -1.0
    write_spatial(paths.knot, k, place, arm)


@inner
def _local(paths: Paths, curves: Curves, motion: Motion, q: Array, p: int) -> Three:
    """Where a point is in its body, as it moves with coordinates; keeps along what it moves."""
    place, i = read3(paths.at, p), paths.body[p]
    for m in range(paths.moved_first[p], paths.moved_first[p + 1]):
        x = q[paths.moved_q[m]]
        value, slope = curve_at(curves, paths.moved_curve[m], x)
        axis = unit_vector(paths.moved_axis[m])
        place = plus(place, value, axis)
        write3(paths.moved_way, m, from_axes_of(motion, i, scaled(slope, axis)))
    return place


@inlined
def _counts(paths: Paths, q: Array, p: int) -> bool:
    if paths.gate_q[p] < 0:
        return True
    x = q[paths.gate_q[p]]
    return bool(paths.gate[p, 0] <= x <= paths.gate[p, 1])


@inlined
def _shift(paths: Paths, k: int, by: int) -> None:
    """Make room for knots, or close it."""
    count = paths.knots[0]
    if by > 0:
        for m in range(count - 1, k - 1, -1):
            _move(paths, m, m + by)
    else:
        for m in range(k, count):
            _move(paths, m, m + by)
    paths.knots[0] = count + by


@inlined
def _move(paths: Paths, m: int, to: int) -> None:
    paths.knot_of[to], paths.knot_body[to] = paths.knot_of[m], paths.knot_body[m]
    paths.curved[to] = paths.curved[m]
    for c in range(6):
        paths.knot[to, c] = paths.knot[m, c]


@inlined
def _in_obstacle(paths: Paths, motion: Motion, o: int, place: Three) -> Three:
    i = paths.over_body[o]
    here = less(place, read3(motion.p, i)) if i >= 0 else place
    here = less(in_axes_of(motion, i, here), read3(paths.over_at, o))
    return transpose_on(read9(paths.over_R, o), here)


@inlined
def _touches(paths: Paths, motion: Motion, k: int, o: int, local: Three) -> None:
    """Put a knot where a line comes onto an obstacle, or goes off."""
    i = paths.over_body[o]
    at = added(mat_on(read9(paths.over_R, o), local), read3(paths.over_at, o))
    arm = from_axes_of(motion, i, at)
    place = added(read3(motion.p, i), arm) if i >= 0 else arm
    _put(paths, k, -1 - o, i, place, arm)


@inlined
def _taken_off(paths: Paths, o: int) -> tuple[Three, Three]:
    """Take an obstacle out of a line, and say where that touched it."""
    for k in range(paths.knots[0]):
        if paths.knot_of[k] == -1 - o:
            on, off = read_spatial(paths.knot, k)[0], read_spatial(paths.knot, k + 1)[0]
            _shift(paths, k + 2, -2)
            return on, off
    return NOUGHT, NOUGHT


@inlined
def _legs(paths: Paths, o: int) -> tuple[int, int]:
    """The knots between which an obstacle may lie."""
    begin = end = -1
    for k in range(paths.knots[0]):
        of = paths.knot_of[k]
        if of >= paths.start[o] and begin < 0:
            begin = k
        if 0 <= of <= paths.end[o]:
            end = k
    return begin, end


@separate
def lay_over(paths: Paths, motion: Motion, o: int) -> float:
    """Lead a line, as it is, round an obstacle again; gives how far the places where it touches have moved."""
    before_on, before_off = _taken_off(paths, o)
    begin, end = _legs(paths, o)
    size, side = read3(paths.over_size, o), read3(paths.side, o)
    best, leg, way = 1e300, -1, 0.0
    on = off = NOUGHT
    if begin >= 0:
        for k in range(begin, end):
            if paths.curved[k] >= 0.0:
                continue
            a = _in_obstacle(paths, motion, o, read_spatial(paths.knot, k)[0])
            b = _in_obstacle(paths, motion, o, read_spatial(paths.knot, k + 1)[0])
            state, x0, y0, z0, x1, y1, z1, long = round_obstacle(
                paths.over_kind[o], size, paths.over_half[o], paths.sided[o] == 2, paths.sided[o] == 1, side, a, b
            )  # fmt: skip
            if state == FREE:
                continue
            first, last = (x0, y0, z0), (x1, y1, z1)
            longer = length(less(first, a)) + long + length(less(b, last)) - length(less(b, a))
            if state == CROSSES or longer < best:
                best, leg, way, on, off = longer, k, long, first, last
            if state == CROSSES:
                break
    if leg < 0:
        return 0.0
    _shift(paths, leg + 1, 2)
    _touches(paths, motion, leg + 1, o, on)
    _touches(paths, motion, leg + 2, o, off)
    paths.curved[leg + 1] = way
    place_on, place_off = read_spatial(paths.knot, leg + 1)[0], read_spatial(paths.knot, leg + 2)[0]
    return length(less(place_on, before_on)) + length(less(place_off, before_off))


@separate
def lay(
    paths: Paths, curves: Curves, motion: Motion, q: Array, v: Array, n: int
) -> tuple[float, float]:
    """Lay a line through its points and round its obstacles; give its length and the rate of that."""
    paths.knots[0] = 0
    for p in range(paths.first[n], paths.first[n + 1]):
        if _counts(paths, q, p):
            i = paths.body[p]
            arm = from_axes_of(motion, i, _local(paths, curves, motion, q, p))
            _put(paths, paths.knots[0], p, i, point_of(motion, i, arm)[0], arm)
            paths.knots[0] += 1
    for _ in range(SWEEPS if paths.again[n] else 1):
        moved = 0.0
        for o in range(paths.over_first[n], paths.over_first[n + 1]):
            moved += lay_over(paths, motion, o)
        if moved <= STILL:
            break
    whole = rate = 0.0
    place, speed = _knot(paths, motion, v, 0)
    for k in range(paths.knots[0] - 1):
        far, moves = _knot(paths, motion, v, k + 1)
        if paths.curved[k] >= 0.0:
            whole += paths.curved[k]
        else:
            way = less(far, place)
            part = length(way)
            along = scaled(1.0 / part if part > NO_LENGTH else 0.0, way)
            whole, rate = whole + part, plus_dot(rate, along, less(moves, speed))
        place, speed = far, moves
    return whole, rate


@inlined
def _knot(paths: Paths, motion: Motion, v: Array, k: int) -> tuple[Three, Three]:
    """Where a knot is, and how fast its point of the body goes there."""
    place, arm = read_spatial(paths.knot, k)
    speed, p = point_of(motion, paths.knot_body[k], arm)[1], paths.knot_of[k]
    if p >= 0:
        for m in range(paths.moved_first[p], paths.moved_first[p + 1]):
            speed = plus(speed, v[paths.moved_v[m]], read3(paths.moved_way, m))
    return place, speed


@inlined
def _pulled(paths: Paths, applied: Applied, k: int, load: Three) -> None:
    """Let a load act on a knot."""
    push(applied.torque, applied.force, paths.knot_body[k], read_spatial(paths.knot, k)[1], load)
    p = paths.knot_of[k]
    if p >= 0:
        for m in range(paths.moved_first[p], paths.moved_first[p + 1]):
            applied.tau[paths.moved_v[m]] += dot(load, read3(paths.moved_way, m))


@separate
def pull_along(paths: Paths, applied: Applied, pull: float) -> None:
    """Let the line that was laid last pull at all its knots."""
    before, count = NOUGHT, paths.knots[0]
    for k in range(count):
        load = NOUGHT
        if k + 1 < count and paths.curved[k] < 0.0:
            way = less(read_spatial(paths.knot, k + 1)[0], read_spatial(paths.knot, k)[0])
            part = length(way)
            load = over(scaled(pull, way), part) if part > NO_LENGTH else NOUGHT
        # the legs on both sides of a point pull at it together
        _pulled(paths, applied, k, less(load, before))
        before = load


@kernel
def laid(paths: Paths, curves: Curves, motion: Motion, q: Array, v: Array, n: int) -> float:
    """Lay a line from Python, and give its length."""
    return lay(paths, curves, motion, q, v, n)[0]
