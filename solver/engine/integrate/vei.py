"""The vector exponential integrator of the 1981 program (CVS-IV Volume 1, section 3).

In a step every speed follows `dv/dt = r + alpha (v - v0) + a1 t + a2 t^2`: r are the rates at its
start, a1 and a2 are fitted to the rates in its middle and at its end, and alpha, one for each vector,
to how rates changed between evaluations at one time (3.10). A free body has two vectors, velocity of
O and angular velocity; a ball joint one; a turn or a slide one of a single component. Places are the
speeds' integrals; attitudes too, in the chart of the step, with the terms by which turns about changing
axes differ from that.

Stages (Table 3.1): 1, 2 in the middle, 3, 4 at the end; then 5 in the middle and 4 at the end again,
until the tests pass (`convergence`) or the iterations are used up.

Each names a vector of a segment. What the integrator expected of it at the end of a step is compared
with what the equations of motion gave there. In a tree a segment's vector depends on the speeds of
all joints before it, so differences of speeds and rates are spread over the tree.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import (
    BALL,
    FREE,
    OPEN,
    SLIDE,
    SPEEDS,
    Array,
    IntArray,
    Motion,
    Tree,
)
from solver.engine.integrate.flow import AT, H_NEXT, STAGE, T0, WORST, Flow, H
from solver.engine.jit.kernels import inlined, inner, separate, struct
from solver.engine.maths.spatial import Table

A1, A2, ALPHA, U, V, P1, P2 = range(7)
"""Rows of `rows`: the parameters, the sums of (3.10), and the parameters of places in version V.3. What belongs to a vector stands at its first
component. `ROWS_KEPT` rows later stand those with which the next step begins."""

ROWS_KEPT = 7

START, MIDDLE, END, AT_PRESENT, BACK_MIDDLE, BACK_START = range(
    2 * ROWS_KEPT, 2 * ROWS_KEPT + 12, 2
)
"""More rows: speeds, each followed by rates, at the start, in the middle and at the end of the step
as last evaluated, and at the present; in the middle and at the start of the last step."""

ROOM = 2 * ROWS_KEPT + 12
"""A row to work in."""

LAST_H, MEMORY_RATE, OUTPUT_EVERY = range(3)
"""Entries of `numbers`: the last step's length, zero in the reset mode; how fast U and V fade (1/s); the time between
outputs at which steps end, as in version V.3 of the old program (0: they go on over them)."""

ITERATIONS, ENDS_MADE, HAS_PASSED, GOOD, NEEDED = range(5)
"""Entries of `counts`: allowed ends of a step, those made, whether the last passed; good steps, and how many the next
doubling needs in version V.3."""

FASTEST_GROWTH = 1.0
"""Largest alpha times step: what grows faster than that in a step is left to shorter ones."""

FASTEST_OF_PROGRAM = 0.1
"""The same in version V.3 of the program."""

GOOD_STEPS, GOOD_OF_PROGRAM, GOOD_AFTER_RESET, MOST_NEEDED = 3, 2, 4, 6
"""Good steps after which the next is twice as long; in version V.3; there the first time; the most there: two more for each
step that was refused, one less for each that was made."""

CUT_COUNTS = 0.74
"""Part of a step that still counts as a good one where an output has cut it short, in version V.3."""

NO_CHANGE = 1e-26
"""Square of the relative change of a vector below which rounding makes its rates' changes."""


@struct
class Exponential(NamedTuple):
    """The integrator's settings, memory and room.

    `group` gives for each speed the first one of its vector, or -1 if it takes no part. A test has a
    body and a vector, and the squares of its limits T1, T2, T3.
    """

    counts: IntArray
    numbers: Array
    group: IntArray
    rows: Array
    tests: IntArray
    limits: Array
    spread: Array


def make_exponential(
    tree: Tree, speeds: int, iterations: int, memory_rate: float, tests: IntArray, limits: Array,
    output_every: float = 0.0,
) -> Exponential:  # fmt: skip
    """Make an integrator in its reset mode; `limits` are T1, T2, T3 of each test."""
    at_first = GOOD_OF_PROGRAM - GOOD_AFTER_RESET if output_every > 0.0 else 0
    return Exponential(
        counts=np.array([iterations, 0, 0, at_first, GOOD_OF_PROGRAM], np.int64), numbers=np.array([0.0, memory_rate, output_every]),
        group=np.full(speeds, -1, np.int64), rows=np.zeros((ROOM + 1, speeds)),
        tests=tests, limits=limits**2, spread=np.zeros((3, len(tree.parent), 6)),
    )  # fmt: skip


@inner
def weights(z: float) -> tuple[float, float, float, float]:
    """Give e0, e1, e2 of (3.5) and the next, e3 = (3 e2 - 1) / z, which places need."""
    if abs(z) > 1.0:
        e0 = math.expm1(z) / z
        e1 = (e0 - 1.0) / z
        e2 = (2.0 * e1 - 1.0) / z
        return e0, e1, e2, (3.0 * e2 - 1.0) / z
    # the series 6 z^n / (n + 4)!, from its end, where the quotients lose digits
    e3 = 0.0
    for n in range(17, 0, -1):
        e3 = (e3 + 1.0) * z / (n + 4)
    e3 = 0.25 * (1.0 + e3)
    e2 = (1.0 + z * e3) / 3.0
    e1 = (1.0 + z * e2) / 2.0
    return 1.0 + z * e1, e1, e2, e3


@separate
def predict(tree: Tree, locked: IntArray, flow: Flow, vei: Exponential) -> None:
    """Put time, chart coordinates and speeds of the present stage in place (3.5)."""
    stage, t, rows, group = flow.counters[STAGE], flow.clock[H], vei.rows, vei.group
    v0, rates, xs, vs = flow.v0, flow.kv[0], flow.xs, flow.vs
    if stage == 1:
        _start(tree, locked, flow, vei)
    if stage not in (3, 4):
        t *= 0.5
    e0 = e1 = e2 = e3 = 0.0
    for n in range(len(v0)):
        xs[n], vs[n] = t * v0[n], v0[n]
        if group[n] < 0:
            continue
        if group[n] == n:
            e0, e1, e2, e3 = weights(rows[ALPHA, n] * t)
        r, a, b = rates[n], rows[A1, n], rows[A2, n]
        vs[n] += t * (r * e0 + t * (a * e1 + t * b * e2))
        if vei.numbers[OUTPUT_EVERY] > 0.0:
            # there a place has parameters of its own, by the speeds seen so far
            xs[n] += t * t * (rows[P1, n] / 2.0 + t * rows[P2, n] / 3.0)
        else:
            xs[n] += t * t * (r * e1 + t * (a * e2 / 2.0 + t * b * e3 / 3.0))
    for i in range(len(tree.parent)):
        if tree.kind[i] >= BALL and locked[i] == OPEN:
            _turn_on(tree.at_v[i] + (3 if tree.kind[i] == FREE else 0), t, v0, vs, xs)
    for n in range(flow.first_state, len(flow.z)):
        # the latest rates at the middle and the end, once there are any
        k = 0 if stage == 1 else (1 if stage not in (3, 4) or stage == 3 else 2)
        flow.zs[n] = flow.z0[n] + 0.5 * t * (flow.kz[0, n] + flow.kz[k, n])
    flow.clock[AT] = flow.clock[T0] + t


@inner
def _turn_on(k: int, t: float, v0: Array, vs: Array, xs: Array) -> None:
    """Make an angular velocity's integral the turn of an attitude, to the sixth order.

    Blanes, Casas, Ros, Improved high order integrators based on the Magnus expansion, BIT 40 (2000).
    Angular velocities in body axes multiply from the right, which turns all signs of commutators.
    """
    x, w = (xs[k], xs[k + 1], xs[k + 2]), (vs[k], vs[k + 1], vs[k + 2])
    # a parabola with the same integral and ends: t^3/2, t^2 and t times its derivatives in the middle
    c0, b0 = 3.0 * t * (w[0] + v0[k]) - 6.0 * x[0], t * (w[0] - v0[k])
    c1, b1 = 3.0 * t * (w[1] + v0[k + 1]) - 6.0 * x[1], t * (w[1] - v0[k + 1])
    c2, b2 = 3.0 * t * (w[2] + v0[k + 2]) - 6.0 * x[2], t * (w[2] - v0[k + 2])
    a0, a1, a2 = x[0] - c0 / 12.0, x[1] - c1 / 12.0, x[2] - c2 / 12.0
    d0, d1, d2 = _cross(b0, b1, b2, a0, a1, a2)
    e0, e1, e2 = _cross(a0, a1, a2, 2.0 * c0 + d0, 2.0 * c1 + d1, 2.0 * c2 + d2)
    f0, f1, f2 = 20.0 * a0 + c0 - d0, 20.0 * a1 + c1 - d1, 20.0 * a2 + c2 - d2
    y0, y1, y2 = _cross(f0, f1, f2, b0 + e0 / 60.0, b1 + e1 / 60.0, b2 + e2 / 60.0)
    xs[k] += y0 / 240.0
    xs[k + 1] += y1 / 240.0
    xs[k + 2] += y2 / 240.0


@inlined
def _cross(
    a: float, b: float, c: float, x: float, y: float, z: float
) -> tuple[float, float, float]:
    return b * z - c * y, c * x - a * z, a * y - b * x


@inner
def _start(tree: Tree, locked: IntArray, flow: Flow, vei: Exponential) -> None:
    """Take over what the last step has left, or nothing; see which speeds form vectors."""
    vei.counts[ENDS_MADE] = 0
    rows, group = vei.rows, vei.group
    for n in range(len(group)):
        group[n] = -1
        for k in range(ROWS_KEPT):
            rows[k, n] = rows[ROWS_KEPT + k, n] if vei.numbers[LAST_H] > 0.0 else 0.0
        rows[START, n], rows[START + 1, n] = flow.v0[n], flow.kv[0, n]
    for i in range(len(tree.parent)):
        if locked[i] == OPEN:
            for n in range(SPEEDS[tree.kind[i]]):
                group[tree.at_v[i] + n] = tree.at_v[i] + n - n % 3


@separate
def take_in(flow: Flow, vei: Exponential) -> bool:
    """Adjust the parameters to the rates just found; say whether the step is made."""
    stage, h, last, counts = flow.counters[STAGE], flow.clock[H], vei.numbers[LAST_H], vei.counts
    rows, group = vei.rows, vei.group
    kept = END if stage in (3, 4) else MIDDLE
    for n in range(len(group)):
        rows[AT_PRESENT, n], rows[AT_PRESENT + 1, n] = flow.vs[n], flow.now[n]
    if stage in (2, 4, 5):
        most = FASTEST_OF_PROGRAM if vei.numbers[OUTPUT_EVERY] > 0.0 else FASTEST_GROWTH
        _learn(rows, group, kept, most / h)
    for n in range(len(group)):
        for k in range(2):
            new = rows[AT_PRESENT + k, n]
            rows[kept + k, n] = 0.5 * (rows[kept + k, n] + new) if stage == 2 else new
    if stage == 1:
        _fit(rows, group, -last, BACK_START, -0.5 * last, BACK_MIDDLE, 0.5 * h, AT_PRESENT)
    elif stage == 2:
        # the text takes the average here; the latest alone gives the evaluations it prints
        _fit(rows, group, 0.0, START, -0.5 * last, BACK_MIDDLE, 0.5 * h, AT_PRESENT)
    else:
        _fit(rows, group, 0.0, START, 0.5 * h, MIDDLE, h, END)
    counts[ENDS_MADE] += stage == 4
    made = bool(stage == 4 and (counts[HAS_PASSED] or counts[ENDS_MADE] >= counts[ITERATIONS]))
    flow.counters[STAGE] = 4 if stage == 5 else stage + 1
    for k in range(len(flow.z)):
        flow.kz[1 if kept == MIDDLE else 2, k] = flow.power_now[k]
        mean = (flow.kz[0, k] + 4.0 * flow.kz[1, k] + flow.kz[2, k]) / 6.0
        if made:
            flow.z[k] = flow.z0[k] + h * mean
    if made:
        # `join_ends` takes rows 0 and 2 for the two ends
        for n in range(len(group)):
            flow.kx[0, n], flow.kv[2, n] = flow.v0[n], flow.now[n]
    return made


@inner
def _learn(rows: Array, group: IntArray, kept: int, most: float) -> None:
    """Find each vector's alpha from two evaluations at one time (3.10): the present and a kept one."""
    product = square = size = 0.0
    for n in range(len(group)):
        g = group[n]
        if g < 0:
            continue
        if g == n:
            product = square = size = 0.0
        change = rows[AT_PRESENT, n] - rows[kept, n]
        product += change * (rows[AT_PRESENT + 1, n] - rows[kept + 1, n])
        square += change * change
        size += rows[AT_PRESENT, n] ** 2
        # the vector's last component ends its sums
        if n + 1 < len(group) and group[n + 1] == g:
            continue
        if square > NO_CHANGE * size:
            rows[U, g] += product
            rows[V, g] += square
        u, v = rows[U, g], rows[V, g]
        rows[ALPHA, g] = 0.0 if v <= 0.0 else (u / v if u < most * v else most)


@inner
def _fit(
    rows: Array, group: IntArray, r: float, at_r: int, s: float, at_s: int, t: float, at_t: int
) -> None:
    """Fit a1 and a2 to rows of speeds and rates at three times, by least squares.

    Those at zero say nothing, so two times are met exactly. One, in the reset mode, gives a line.
    """
    s2, s3, s4 = r * r + s * s + t * t, r**3 + s**3 + t**3, r**4 + s**4 + t**4
    alone = s == 0.0
    f = 0.0 if alone else 1.0 / (s2 * s4 - s3 * s3)
    for n in range(len(group)):
        if group[n] < 0:
            continue
        v0, start, alpha = rows[START, n], rows[START + 1, n], rows[ALPHA, group[n]]
        # what a1 and a2 have to explain
        x = r * (rows[at_r + 1, n] - start - alpha * (rows[at_r, n] - v0))
        y = s * (rows[at_s + 1, n] - start - alpha * (rows[at_s, n] - v0))
        z = t * (rows[at_t + 1, n] - start - alpha * (rows[at_t, n] - v0))
        one, two = x + y + z, r * x + s * y + t * z
        rows[A1, n] = z / s2 if alone else f * (s4 * one - s3 * two)
        rows[A2, n] = f * (s2 * two - s3 * one)
        x, y, z = r * (rows[at_r, n] - v0), s * (rows[at_s, n] - v0), t * (rows[at_t, n] - v0)
        one, two = x + y + z, r * x + s * y + t * z
        rows[P1, n] = z / s2 if alone else f * (s4 * one - s3 * two)
        rows[P2, n] = f * (s2 * two - s3 * one)


@inner
def remember(clock: Array, vei: Exponential, largest: float) -> None:
    """Keep what the next step begins with (3.7), and double it after three good ones."""
    rows, counts, h = vei.rows, vei.counts, clock[H]
    fade = math.exp(-vei.numbers[MEMORY_RATE] * h)
    for n in range(len(vei.group)):
        for k in range(ROWS_KEPT):
            rows[ROWS_KEPT + k, n] = rows[k, n] * (fade if k in (U, V) else 1.0)
        rows[ROWS_KEPT + A1, n] += 2.0 * h * rows[A2, n]
        rows[ROWS_KEPT + P1, n] += 2.0 * h * rows[P2, n]
        for k in range(2):
            rows[BACK_MIDDLE + k, n] = rows[MIDDLE + k, n]
            rows[BACK_START + k, n] = rows[START + k, n]
    vei.numbers[LAST_H] = h
    # a step cut short by a goal says nothing about the length before it
    by_program = vei.numbers[OUTPUT_EVERY] > 0.0
    counts[NEEDED] = max(counts[NEEDED] - 1, GOOD_OF_PROGRAM)
    if h < (CUT_COUNTS if by_program else 0.999999) * clock[H_NEXT]:
        return
    counts[GOOD] += 1
    if counts[GOOD] >= (counts[NEEDED] if by_program else GOOD_STEPS):
        counts[GOOD] = 0
        clock[H_NEXT] = min(2.0 * clock[H_NEXT], largest)


@inlined
def halve(clock: Array, vei: Exponential, smallest: float) -> None:
    """Try again with half the step."""
    vei.counts[GOOD] = 0
    vei.counts[NEEDED] = min(vei.counts[NEEDED] + 2, MOST_NEEDED)
    clock[H_NEXT] = max(0.5 * clock[H], smallest)


@inlined
def good_after_reset(output_every: float) -> int:
    """With how many good steps one begins again."""
    return GOOD_OF_PROGRAM - GOOD_AFTER_RESET if output_every > 0.0 else 0


@inlined
def till_output(t: float, vei: Exponential) -> float:
    """The time until the next output, at which the old program's steps end; none otherwise."""
    every = vei.numbers[OUTPUT_EVERY]
    if every <= 0.0:
        return 1e300
    return float(every * (math.floor(t / every + 1e-6) + 1.0) - t)


@inlined
def forget(clock: Array, vei: Exponential) -> None:
    """Begin again, with the first step, after a jump or a break."""
    vei.numbers[LAST_H] = 0.0
    vei.counts[GOOD] = good_after_reset(vei.numbers[OUTPUT_EVERY])
    clock[H_NEXT] = 0.0


# Convergence tests of the vector exponential integrator (CVS-IV Volume 1, section 3.2.3).

VECTORS = (
    "angular_velocity",
    "linear_velocity",
    "angular_acceleration",
    "linear_acceleration",
)
"""Vectors by their number: odd ones are those of the mass centre, from 2 on they are accelerations."""

OF_SPEEDS, OF_RATES, OF_GROWTH = range(3)
"""Rows of `spread`: speeds and rates less those expected; alpha times speeds."""


@separate
def judge(
    tree: Tree, locked: IntArray, motion: Motion, alpha: Table, acc: Table, flow: Flow,
    vei: Exponential,
) -> None:  # fmt: skip
    """Note whether all vectors pass at the present end of a step; `alpha`, `acc` are those of O."""
    rows, group, vs, now = vei.rows, vei.group, flow.vs, flow.now
    for row in range(3):
        for n in range(len(group)):
            rows[ROOM, n] = 0.0
            if group[n] < 0:
                continue
            change, a = vs[n] - rows[END, n], rows[ALPHA, group[n]]
            if row == OF_SPEEDS:
                rows[ROOM, n] = change
            elif row == OF_RATES:
                # the form goes through the last end: (3.11) less its value there
                rows[ROOM, n] = now[n] - rows[END + 1, n] - a * change
            else:
                rows[ROOM, n] = a * vs[n]
        _spread(tree, locked, motion, rows[ROOM], vei.spread[row])
    vei.counts[HAS_PASSED] = 1
    for test in range(len(vei.tests)):
        if not _passes(tree.centre, motion, alpha, acc, vei, test):
            vei.counts[HAS_PASSED] = 0
            flow.counters[WORST] = vei.tests[test, 0]
            return


@inner
def _passes(
    centre: Array, motion: Motion, alpha: Array, acc: Array, vei: Exponential, test: int
) -> bool:
    """Make one test: steps a to d of section 3.2.3."""
    i, of_rates, of_centre = vei.tests[test, 0], vei.tests[test, 1] >= 2, vei.tests[test, 1] % 2
    magnitude, absolute, relative = vei.limits[test, 0], vei.limits[test, 1], vei.limits[test, 2]
    if magnitude == 0.0:
        return True
    error, growth = vei.spread[OF_RATES if of_rates else OF_SPEEDS, i], vei.spread[OF_GROWTH, i]
    w = motion.w[i]
    turning, moving = (alpha[i], acc[i]) if of_rates else (w, motion.v[i])
    arm = _turned(motion.R[i], centre[i])
    size = off = reserve = 0.0
    for n in range(3):
        if of_centre:
            j, k = (n + 1) % 3, (n + 2) % 3
            value = moving[n] + turning[j] * arm[k] - turning[k] * arm[j]
            if of_rates:
                value += w[n] * (w[j] * arm[j] + w[k] * arm[k]) - arm[n] * (w[j] ** 2 + w[k] ** 2)
            e = error[3 + n] + error[j] * arm[k] - error[k] * arm[j]
            a = growth[3 + n] + growth[j] * arm[k] - growth[k] * arm[j]
        else:
            value, e, a = turning[n], error[n], growth[n]
        size += value * value
        off += e * e
        # places have no alpha of their own
        reserve += a * a if of_rates else 0.0
    if size <= magnitude or (absolute > 0.0 and off <= absolute):
        return True
    # what is no number does not pass
    return bool(off <= relative * (size + reserve))


@inlined
def _turned(R: Array, x: Array) -> tuple[float, float, float]:
    """A body's vector in ground axes."""
    return (
        R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
        R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
        R[6] * x[0] + R[7] * x[1] + R[8] * x[2],
    )


@inner
def _spread(tree: Tree, locked: IntArray, motion: Motion, d: Array, out: Array) -> None:
    """The angular velocity and that of O of all bodies, ground axes, that speeds d make."""
    p = motion.p
    for i in range(len(tree.parent)):
        m, at, kind = tree.parent[i], tree.at_v[i], tree.kind[i]
        for n in range(6):
            out[i, n] = out[m, n] if m >= 0 else 0.0
        if m >= 0:
            x, y, z = p[i, 0] - p[m, 0], p[i, 1] - p[m, 1], p[i, 2] - p[m, 2]
            out[i, 3] += out[m, 1] * z - out[m, 2] * y
            out[i, 4] += out[m, 2] * x - out[m, 0] * z
            out[i, 5] += out[m, 0] * y - out[m, 1] * x
        if locked[i] != OPEN:
            continue
        size, onto, turn, axis = d[at], 0, i, tree.axis[i]
        if kind == FREE:
            for n in range(3):
                out[i, 3 + n] = d[at + n]
            at += 3
        if kind >= BALL:
            size, axis = 1.0, d[at : at + 3]
        elif kind == SLIDE:
            # its axis stands in the parent
            onto, turn = 3, m
        x, y, z = axis[0], axis[1], axis[2]
        if turn >= 0:
            x, y, z = _turned(motion.R[turn], axis)
        out[i, onto] += size * x
        out[i, onto + 1] += size * y
        out[i, onto + 2] += size * z
