"""Drivers: axes of joints, and components of frames, that move as prescribed, from a time until another.

An axis that is driven takes coordinate, speed and rate from the driver, and the pass over the tree does the
rest. A component of a frame B as seen from a frame A is a row of constraint, with the profile's rates in its
bias. Its origin stands along an axis e of A at `e . d`; the acceleration of that is, against the point of A
that lies at B's origin, `e . (a_B - a_A - 2 w_A x u)`, u being the velocity as seen from A. Its turn is yaw about
A's z, pitch about y, roll about B's x: w = yaw' h1 + pitch' h2 + roll' h3, so one angle's rate is `g . w`, with
the vectors g reciprocal to h. Its load is a force along e, or a torque along g.

Near a pitch of 90 degrees B's x lies along A's z, and hardly says which way about z is ahead. What was ahead at
the last step says on which side of z a pitch now is, and nearest to z it is measured in that plane.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.respond import carried_load, load_of_drive
from solver.engine.dynamics.rows import Rows, new_row, take_part
from solver.engine.dynamics.tree import BALL, Applied, Array, IntArray, Motion, Tree
from solver.engine.forces.constraints import inward, tie
from solver.engine.forces.joints.kernels import JointLaws
from solver.engine.forces.points import arm_of, axes_of, axis_in_frame, between, spin_of
from solver.engine.forces.state import Bodies, Moment
from solver.engine.forces.triggers import NOT_FIRED
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.profile import Profiles, profile_at
from solver.engine.maths.spatial import NOUGHT, Three, added, cross, dot, less, plus, scaled

BEFORE, DURING, AFTER = range(3)
"""Phases of a driver."""

LEFT_FREE, STANDS, MOVES = range(3)
"""What a driver does with its coordinate: nothing, hold it where it stands, move it."""

YAW, PITCH, ROLL = range(3, 6)
"""Components that are angles; those below are ways."""

SEEN_VALUE, SEEN_DRIVE_LOAD, SEEN_POWER, SEEN_STATE, DRIVER_COLUMNS = range(5)
"""Columns of what is seen of a driver, and how many there are."""

TOO_FLAT = 1e-3
"""Cosine of a pitch from which yaw and roll are too much one to be told apart."""

NEAR_UPRIGHT = 1e-5
"""Cosine of a pitch from which it is measured in the plane in which it came."""

AWAY = 0.05
"""Cosine of a pitch from which a driver's own value says whether it is beyond 90 degrees."""

MAY_PASS = 0.3
"""Cosine of a pitch within which a step may pass 90 degrees."""

LEAVES_PLANE, PITCH_STILL = 100.0, 1e-6
"""Yaw's rate by the pitch's from which a pitch near 90 degrees has no plane left, and a rate (rad/s) too small for that."""

SLACK = 1e-12
"""Part of the time, and of a second, within which a time has come."""


@struct
class Drivers(NamedTuple):
    """Hold drivers: of axes, by their body, or (body -1) of components of frames B as seen from A.

    `zero` is when its time counts from, unless it has a trigger. `begins` and `ends` are in its time, `rests`
    says what its coordinate is before and after; `places` that its pulse gives the place. `offset` is added to its profile, or is where it stands.
    `euler` is the number of an Euler joint's law and `turn` which of its axes is driven, else -1. `first`
    takes the number of its row. `way` is where B's x points across A's z, in A's x and y: last looked at, and
    in `last` at the end of the last step (nothing where it was never told). `mates` are the drivers of yaw, pitch and
    roll of the same frames, itself among them, or -1. `part` says what its load has of that of its row and of the
    roll's, and its rate. `fold` is half a turn where a yaw or roll is told within 90 degrees of pitch, and the driver
    of pitch, or what it met as it began, is beyond.
    """

    axis: IntArray
    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    R_a: Array
    R_b: Array
    component: IntArray
    profile: IntArray
    trigger: IntArray
    zero: Array
    begins: Array
    ends: Array
    rests: IntArray
    places: IntArray
    phase: IntArray
    offset: Array
    euler: IntArray
    turn: IntArray
    first: IntArray
    seen: Array
    way: Array
    last: Array
    mates: IntArray
    part: Array
    fold: Array
    profiles: Profiles


class DriverState(NamedTuple):
    """A component as it is: value and rate, what its load goes along, both arms, and its bias."""

    value: float
    rate: float
    along: Three
    arm_a: Three
    arm_b: Three
    bias: float
    flat: bool


@inlined
def does(drivers: Drivers, d: int) -> int:
    """Say what a driver does now."""
    phase = drivers.phase[d]
    if phase == DURING:
        return MOVES
    return int(drivers.rests[d, 0 if phase == BEFORE else 1])


@inlined
def zero_of(drivers: Drivers, fires: Array, d: int) -> float:
    """When a driver's time counts from; `NEVER` where that is not yet known."""
    return float(fires[drivers.trigger[d]]) if drivers.trigger[d] >= 0 else float(drivers.zero[d])


@inlined
def wanted(drivers: Drivers, d: int, moment: Moment) -> Three:
    """Where a driver wants its coordinate, its rate and the growth of that."""
    if drivers.phase[d] != DURING:
        return float(drivers.offset[d]), 0.0, 0.0
    zero = zero_of(drivers, moment.fires, d)
    # breaks that only the run knows end no steps: each stage sees its own piece
    piece = moment.t if drivers.trigger[d] >= 0 else moment.within
    x, v, a = profile_at(drivers.profiles, drivers.profile[d], moment.t - zero, piece - zero)
    return x + float(drivers.offset[d]), v, a


@separate
@kernel
def drive_axes(
    drivers: Drivers, tree: Tree, moment: Moment, q: Array, v: Array, rates: Array
) -> None:
    """Set coordinates, speeds and rates of the axes that drivers move or hold."""
    for d in range(len(drivers.axis)):
        i = drivers.axis[d]
        if i >= 0 and does(drivers, d) != LEFT_FREE:
            x, u, a = wanted(drivers, d, moment)
            q[tree.at_q[i]], v[tree.at_v[i]], rates[tree.at_v[i]] = x, u, a


@inner
def look(drivers: Drivers, motion: Motion, d: int, wanted: float) -> DriverState:
    """See a driver's component that is wanted somewhere: a pitch beyond 90 degrees there, or not."""
    i, j, k = drivers.a[d], drivers.b[d], drivers.component[d]
    if k >= YAW:
        return _angle(drivers, motion, d, i, j, k, wanted)
    arm_i, arm_j = arm_of(motion, i, drivers.at_a, d), arm_of(motion, j, drivers.at_b, d)
    way, rate = between(motion, i, arm_i, j, arm_j)
    along, spin, arm_i = (
        axis_in_frame(motion, i, drivers.R_a, d, k),
        spin_of(motion, i),
        added(arm_i, way),
    )
    rate = less(rate, cross(spin, way))
    turning = less(inward(motion, j, arm_j), inward(motion, i, arm_i))
    bias = dot(along, plus(turning, -2.0, cross(spin, rate)))
    return DriverState(dot(along, way), dot(along, rate), along, arm_i, arm_j, bias, False)


@inner
def _angle(
    drivers: Drivers, motion: Motion, d: int, i: int, j: int, k: int, wanted: float
) -> DriverState:  # fmt: skip
    """See an angle."""
    x, y, h1 = axes_of(motion, i, drivers.R_a, d)
    h3, s, r = axes_of(motion, j, drivers.R_b, d)
    across, ahead = dot(y, h3), dot(x, h3)
    cosine = math.sqrt(across * across + ahead * ahead)
    ex, ey = drivers.last[d, 0], drivers.last[d, 1]
    came, along = ex != 0.0 or ey != 0.0, ex * ahead + ey * across
    flat = cosine < TOO_FLAT or (cosine < MAY_PASS and came and along < -0.5 * cosine)
    f = 1.0 / max(cosine, NEAR_UPRIGHT)
    if k == PITCH:
        beyond = math.cos(wanted)
        if along < 0.0 if came and abs(beyond) < AWAY else beyond < 0.0:
            cosine, f = -cosine, -f
    if abs(cosine) >= NEAR_UPRIGHT:
        ex, ey = f * ahead, f * across
        h2 = scaled(f, cross(h1, h3))
    else:
        cosine = along
        h2 = cross(h1, plus(scaled(ex, x), ey, y))
    drivers.way[d, 0], drivers.way[d, 1] = ex, ey
    g1, g3 = scaled(-f, cross(h2, h3)), scaled(-f, cross(h1, h2))
    w_A = spin_of(motion, i)
    w = less(spin_of(motion, j), w_A)
    yaw, pitch, roll = dot(g1, w), dot(h2, w), dot(g3, w)
    grows = plus(cross(w_A, w), yaw * pitch, cross(h1, h2))
    grows = plus(grows, roll, cross(plus(scaled(yaw, h1), pitch, h2), h3))
    if k == YAW:
        return DriverState(
            math.atan2(across, ahead), yaw, g1, NOUGHT, NOUGHT, -dot(g1, grows), flat
        )
    if k == PITCH:
        least = max(abs(cosine), NEAR_UPRIGHT)
        leaves = abs(dot(cross(h2, h3), w)) > LEAVES_PLANE * abs(pitch) * least + PITCH_STILL
        flat = (abs(cosine) < NEAR_UPRIGHT and not came) or (abs(cosine) < TOO_FLAT and leaves)
        return DriverState(
            math.atan2(-dot(h1, h3), cosine), pitch, h2, NOUGHT, NOUGHT, -dot(h2, grows), flat
        )
    return DriverState(
        math.atan2(dot(h1, s), dot(h1, r)), roll, g3, NOUGHT, NOUGHT, -dot(g3, grows), flat
    )


@inlined
def nearest(drivers: Drivers, d: int, value: float, x: float) -> float:
    """Give an angle by as many turns more that it is nearest to another."""
    if drivers.component[d] >= YAW:
        return value + 2.0 * math.pi * math.floor((x - value) / (2.0 * math.pi) + 0.5)
    return value


@inner
def add_row(
    drivers: Drivers, motion: Motion, rows: Rows, d: int, seen: DriverState, off: float, speed: float,
    growth: float,
) -> None:  # fmt: skip
    """Ask for a component that is off by so much, for its speed and the growth of that."""
    i, j = drivers.a[d], drivers.b[d]
    r = new_row(rows)
    if drivers.component[d] >= YAW:
        take_part(rows, motion, r, 0, j, seen.along, NOUGHT)
        take_part(rows, motion, r, 1, i, scaled(-1.0, seen.along), NOUGHT)
    else:
        tie(rows, motion, r, j, i, seen.arm_b, seen.arm_a, seen.along)
    rows.bias[r] = seen.bias - growth
    rows.error[r] = off
    rows.rate[r] = speed
    rows.speed[r] -= speed


@inlined
def _acting(drivers: Drivers, d: int, k: int) -> int:
    """The driver that now moves or holds an angle (yaw 0, pitch 1, roll 2) of a driver's frames, or -1."""
    mate = drivers.mates[d, k]
    return int(mate) if mate >= 0 and does(drivers, mate) != LEFT_FREE else -1


@inner
def pitch_side(drivers: Drivers, motion: Motion, d: int) -> float:
    """The cosine of the pitch that other drivers of a driver's frames say: below zero beyond 90 degrees; 0 for none."""
    yaw, pitch, roll = _acting(drivers, d, 0), _acting(drivers, d, 1), _acting(drivers, d, 2)
    ahead, aside, h1 = axes_of(motion, drivers.a[d], drivers.R_a, d)
    h3, s, r = axes_of(motion, drivers.b[d], drivers.R_b, d)
    if yaw >= 0 and yaw != d:
        y = drivers.seen[yaw, SEEN_VALUE] + drivers.fold[yaw]
        return math.cos(y) * dot(ahead, h3) + math.sin(y) * dot(aside, h3)
    if roll >= 0 and roll != d:
        y = drivers.seen[roll, SEEN_VALUE] + drivers.fold[roll]
        return math.sin(y) * dot(s, h1) + math.cos(y) * dot(r, h1)
    return math.cos(drivers.seen[pitch, SEEN_VALUE]) if pitch >= 0 and pitch != d else 0.0


@inner
def _add_turn(
    drivers: Drivers, motion: Motion, moment: Moment, rows: Rows, d: int, goal: Three
) -> None:
    """Ask for an angle of frames whose yaw or roll is driven: that says where the axis of pitch is, at 90 degrees, too.

    With it the three angles are those of three pins in a row, on both sides of 90 degrees: yaw asks that B's x has
    nothing across its plane, or, without yaw, roll that A's z has nothing across its own; then pitch is the turn in
    that plane, and roll, beside yaw, what B turns about its x. These directions stand upright on each other.
    """
    k, part = drivers.component[d], drivers.part
    x, u, a = goal
    ahead, aside, h1 = axes_of(motion, drivers.a[d], drivers.R_a, d)
    h3, s, r = axes_of(motion, drivers.b[d], drivers.R_b, d)
    w_A = spin_of(motion, drivers.a[d])
    w = plus(spin_of(motion, drivers.b[d]), -1.0, w_A)
    yaw, roll = _acting(drivers, d, 0), _acting(drivers, d, 2)
    y, y1, y2 = wanted(drivers, yaw if yaw >= 0 else roll, moment)
    y += drivers.fold[yaw if yaw >= 0 else roll]
    cosine, sine = math.cos(y), math.sin(y)
    # the axis of pitch, what lies across it, and how that axis moves as seen from A
    if yaw >= 0:
        n, e = plus(scaled(-sine, ahead), cosine, aside), plus(scaled(cosine, ahead), sine, aside)
        moves, flat, off = scaled(-y1, e), dot(e, h3), dot(n, h3)
    else:
        n, e = plus(scaled(cosine, s), -sine, r), plus(scaled(sine, s), cosine, r)
        moves, flat, off = plus(cross(w, n), -y1, e), dot(e, h1), dot(n, h1)
    part[d, 0], part[d, 1], part[d, 2] = 1.0, 0.0, u
    along, changes, speed, growth = n, moves, u, a
    if k == PITCH:
        off = nearest(drivers, d, math.atan2(-dot(h1, h3), flat), x) - x
        before = e if yaw >= 0 else cross(n, h1)
        drivers.way[d, 0], drivers.way[d, 1] = dot(ahead, before), dot(aside, before)
    elif k == YAW:
        along, changes = cross(h3, n), plus(cross(cross(w, h3), n), 1.0, cross(h3, moves))
        speed, growth = u * flat, a * flat + u * (u * off + dot(e, cross(w, h3)))
        part[d, 0] = flat
        if roll >= 0:
            part[d, 1] = dot(h1, h3)
    elif yaw >= 0:
        along, changes, lean = h3, cross(w, h3), dot(h1, h3)
        whole = x + drivers.fold[d]
        off = nearest(drivers, d, math.atan2(-dot(n, r), dot(n, s)), whole) - whole
        speed, growth = u + y1 * lean, a + y2 * lean + y1 * dot(h1, changes)
    else:
        along, changes = cross(n, h1), cross(moves, h1)
        speed, growth = u * flat, a * flat + u * dot(plus(cross(w, e), u, n), h1)
        part[d, 0] = flat
    drivers.seen[d, SEEN_VALUE] = x + off
    bias = dot(changes, w) - dot(along, cross(w_A, w))
    seen = DriverState(x + off, speed, along, NOUGHT, NOUGHT, bias, False)
    add_row(drivers, motion, rows, d, seen, off, speed, growth)


@separate
def driver_rows(drivers: Drivers, motion: Motion, moment: Moment, rows: Rows) -> int:
    """Add the rows of components that drivers move or hold; gives one whose angles are too flat, or -1."""
    flat = -1
    for d in range(len(drivers.axis)):
        drivers.first[d] = -1
        if drivers.axis[d] >= 0:
            continue
        if does(drivers, d) == LEFT_FREE:
            beyond = drivers.component[d] == PITCH and pitch_side(drivers, motion, d) < 0.0
            drivers.seen[d, SEEN_VALUE] = look(drivers, motion, d, math.pi if beyond else 0.0).value
            continue
        x, u, a = wanted(drivers, d, moment)
        if drivers.component[d] >= YAW and max(_acting(drivers, d, 0), _acting(drivers, d, 2)) >= 0:
            drivers.first[d] = rows.used[0]
            _add_turn(drivers, motion, moment, rows, d, (x, u, a))
            continue
        drivers.part[d, 0], drivers.part[d, 1], drivers.part[d, 2] = 1.0, 0.0, u
        seen = look(drivers, motion, d, x)
        if seen.flat:
            flat = d
        value = nearest(drivers, d, seen.value, x)
        drivers.seen[d, SEEN_VALUE] = value
        drivers.first[d] = rows.used[0]
        add_row(drivers, motion, rows, d, seen, value - x, u, a)
    return flat


@inner
def keep_drivers(drivers: Drivers) -> None:
    """Let the ways last looked at be those from which angles go on."""
    for d in range(len(drivers.axis)):
        drivers.last[d, 0], drivers.last[d, 1] = drivers.way[d, 0], drivers.way[d, 1]


@separate
def watch_drivers(
    drivers: Drivers, laws: JointLaws, bodies: Bodies, rows: Rows, moment: Moment, applied: Applied,
    carried: Array, g: Array,
) -> float:  # fmt: skip
    """The power of all drivers, note what is seen of them, and give the functions of their events."""
    power, tree, t = 0.0, bodies.tree, moment.t
    for d in range(len(drivers.axis)):
        i, seen, state = drivers.axis[d], drivers.seen[d], does(drivers, d)
        seen[SEEN_STATE] = state
        seen[SEEN_DRIVE_LOAD] = seen[SEEN_POWER] = 0.0
        if i >= 0:
            seen[SEEN_VALUE] = bodies.q[tree.at_q[i]]
            k = drivers.euler[d]
            if k >= 0 and tree.kind[laws.eulers.body[k, 2]] == BALL:
                n = drivers.turn[d]
                seen[SEEN_VALUE] = laws.eulers.angle[k, n] + laws.eulers.centre[k, n]
            if state != LEFT_FREE:
                carried_load(bodies.space, i, carried)
                seen[SEEN_DRIVE_LOAD] = load_of_drive(tree, bodies.space, applied.tau, i, carried)
                seen[SEEN_POWER] = seen[SEEN_DRIVE_LOAD] * bodies.v[tree.at_v[i]]
        elif state != LEFT_FREE:
            part, r = drivers.part, drivers.first[d]
            seen[SEEN_DRIVE_LOAD] = part[d, 0] * rows.load[r]
            if part[d, 1] != 0.0:
                seen[SEEN_DRIVE_LOAD] += part[d, 1] * rows.load[drivers.first[drivers.mates[d, 2]]]
            seen[SEEN_POWER] = seen[SEEN_DRIVE_LOAD] * part[d, 2]
        power += seen[SEEN_POWER]
        zero = zero_of(drivers, moment.fires, d)
        g[d] = -1.0
        if zero == NOT_FIRED or drivers.phase[d] == AFTER:
            continue
        due = drivers.begins[d] if drivers.phase[d] == BEFORE else drivers.ends[d]
        g[d] = t - (zero + due) + SLACK * (1.0 + abs(t))
    return power
