"""Convergence tests of the vector exponential integrator (CVS-IV Volume 1, section 3.2.3).

Each names a vector of a segment. What the integrator expected of it at the end of a step is compared
with what the equations of motion gave there. In a tree a segment's vector depends on the speeds of
all joints before it, so differences of speeds and rates are spread over the tree.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import BALL, FREE, OPEN, SLIDE, Array, IntArray, Motion, Tree
from solver.engine.integrate.flow import WORST, Flow
from solver.engine.integrate.vei import ALPHA, END, HAS_PASSED, ROOM, Exponential
from solver.engine.jit.kernels import inlined, inner
from solver.engine.jit.separate import separate
from solver.engine.maths.spatial import Table

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
