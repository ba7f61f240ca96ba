"""A linearly implicit method: stiff tissues and their damping do not shorten its steps.

The additive method ARK4(3)6L[2]SA (Kennedy, Carpenter, Additive Runge-Kutta schemes for
convection-diffusion-reaction equations, Appl. Numer. Math. 44 (2003), appendix C) splits the rates f of
the state y in a step from y0 into J (y - y0), which is taken implicitly, and the rest, explicitly:

    Y_s = y0 + h sum_m AE[s,m] f(Y_m) + h sum_m (AI[s,m] - AE[s,m]) J (Y_m - y0) + h/4 J (Y_s - y0).

The two add up to f whatever J is, so the order, four, does not depend on how exact it is; only
stability does. J is found by differences of the rates of speeds, one freedom after the other, and kept
for many steps. Places and speeds are separated, so that a stage takes one solution of

    (1 - h/4 Jv - (h/4)^2 Jx) dv = rv + h/4 Jx rx,    dx = rx + h/4 dv

with Jx, Jv the derivatives by chart coordinates and by speeds. The error is damped by the same matrix,
as what is stiff errs less than the explicit sums say.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.dynamics.tree import OPEN, SPEEDS, Array, IntArray, Tree
from solver.integrate.flow import AT, STAGE, T0, WORST, Flow, H
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.copying import copy
from solver.maths.kernels import inner, kernel

GAMMA = 0.25
"""Weight of a stage's own implicit part."""

STEPS_OF_J = 15
"""Accepted steps for which derivatives are kept, if none is rejected before. Of 12, 20 and 30 steps none
is better in all of a neck of discs in six damping ratios and two tolerances."""

STALE = -1
"""Age of derivatives that are to be found before the next step."""

YOUNG = 4
"""Age up to which a first rejection is not laid to derivatives."""

NUDGE = 1e-7
"""Change of a freedom (m, rad and per second) by which derivatives are found."""

PART_OF_STEP = 1e-3
"""Part of the step after which rates are seen again, to find how they change by time alone."""

AGE, PROBE, FACTORED, PROBES, TAKEN_OVER = range(5)
"""Entries of `counts`: steps since the derivatives were found, or that they are stale; what is nudged
next, from places to speeds; whether the matrix of the present length is factored; how often
derivatives have been found; whether the method has taken over from Dormand and Prince's."""

LENGTH, SINCE = range(2)
"""Entries of `numbers`: the step of which the matrix is factored; the time of taking over."""

C = np.array([0, 1 / 2, 83 / 250, 31 / 50, 17 / 20, 1, 1])
AE = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 2, 0, 0, 0, 0, 0],
        [13861 / 62500, 6889 / 62500, 0, 0, 0, 0],
        [-116923316275 / 2393684061468, -2731218467317 / 15368042101831, 9408046702089 / 11113171139209, 0, 0, 0],
        [-451086348788 / 2902428689909, -2682348792572 / 7519795681897, 12662868775082 / 11960479115383, 3355817975965 / 11060851509271, 0, 0],
        [647845179188 / 3216320057751, 73281519250 / 8382639484533, 552539513391 / 3454668386233, 3354512671639 / 8306763924573, 4040 / 17871, 0],
        [82889 / 524892, 0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4],
    ]
)  # fmt: skip
"""Weights of earlier stages' rates; the last row gives the step."""

AI = np.array(
    [
        [0, 0, 0, 0, 0],
        [1 / 4, 0, 0, 0, 0],
        [8611 / 62500, -1743 / 31250, 0, 0, 0],
        [5012029 / 34652500, -654441 / 2922500, 174375 / 388108, 0, 0],
        [15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912, 0],
        [82889 / 524892, 0, 15625 / 83664, 69875 / 102672, -2260 / 8211],
    ]
)  # fmt: skip
"""Weights of earlier stages' implicit parts."""

E = AE[6] - np.array([
    4586570599 / 29645900160, 0, 178811875 / 945068544, 814220225 / 1159782912, -3700637 / 11593932, 61727 / 225920,
])  # fmt: skip
"""Weights of the fourth order less those of the third."""

CAUTION = 2.0
"""By what errors count more: they are damped, the works of stiff forces are not. So the account of a neck
of discs closes to 6e-7 of what is turned over at the default tolerance, and to 1.4e-6 without it."""

LAST = 6
"""The row of the end of the step."""


@bundle
class Implicit(NamedTuple):
    """Hold the derivatives of rates by coordinates and speeds, factors, and room for stages."""

    counts: IntArray
    numbers: Array
    open: IntArray
    jx: Array
    jv: Array
    jt: Array
    factors: Array
    order: IntArray
    dv: Array
    gv: Array
    rx: Array
    rv: Array


def make_implicit(speeds: int) -> Implicit:
    """Make the memory of the method; of no speeds where it is not used."""
    n = speeds
    return Implicit(
        counts=np.array([STALE, 0, 0, 0, 0], np.int64), numbers=np.zeros(2), open=np.zeros(n, np.int64),
        jx=np.zeros((n, n)), jv=np.zeros((n, n)), jt=np.zeros(n), factors=np.zeros((n, n)), order=np.zeros(n, np.int64),
        dv=np.zeros((LAST, n)), gv=np.zeros((LAST, n)), rx=np.zeros(n), rv=np.zeros(n),
    )  # fmt: skip


@inner
def begin_probing(tree: Tree, locked: IntArray, implicit: Implicit) -> None:
    """Say which freedoms are nudged: those that are open."""
    implicit.open[:] = 0
    for i in range(len(tree.parent)):
        if locked[i] == OPEN:
            for k in range(SPEEDS[tree.kind[i]]):
                implicit.open[tree.at_v[i] + k] = 1
    implicit.jx[:] = 0.0
    implicit.jv[:] = 0.0
    implicit.counts[PROBE] = -1
    next_probe(implicit)


@inner
def begin_step(tree: Tree, locked: IntArray, implicit: Implicit) -> None:
    """Say what is to be probed before a step: the time alone, or all freedoms before it."""
    if 0 <= implicit.counts[AGE] < STEPS_OF_J:
        implicit.counts[PROBE] = 2 * len(implicit.open)
    else:
        begin_probing(tree, locked, implicit)


@inner
def next_probe(implicit: Implicit) -> bool:
    """Go on to the next freedom that is open, places before speeds; say whether there is one."""
    nv, counts = len(implicit.open), implicit.counts
    counts[PROBE] += 1
    while counts[PROBE] < 2 * nv and not implicit.open[counts[PROBE] % nv]:
        counts[PROBE] += 1
    if counts[PROBE] == 2 * nv:
        counts[AGE] = counts[FACTORED] = 0
        counts[PROBES] += 1
    return bool(counts[PROBE] <= 2 * nv)


@inner
def nudge(flow: Flow, implicit: Implicit) -> None:
    """Put the state of the present probe in place."""
    at, nv = implicit.counts[PROBE], len(implicit.open)
    flow.xs[:] = 0.0
    copy(flow.vs, flow.v0)
    copy(flow.zs, flow.z0)
    flow.clock[AT] = flow.clock[T0]
    if at < nv:
        flow.xs[at] = NUDGE
    elif at < 2 * nv:
        flow.vs[at - nv] += NUDGE * max(1.0, abs(flow.v0[at - nv]))
    else:
        flow.clock[AT] += PART_OF_STEP * flow.clock[H]


@inner
def see(flow: Flow, implicit: Implicit) -> None:
    """Keep what the present probe has changed."""
    at, nv = implicit.counts[PROBE], len(implicit.open)
    rates = flow.kv[0]
    if at < nv:
        for n in range(nv):
            implicit.jx[n, at] = (flow.now[n] - rates[n]) / NUDGE
        return
    if at == 2 * nv:
        for n in range(nv):
            implicit.jt[n] = (flow.now[n] - rates[n]) / (flow.clock[AT] - flow.clock[T0])
        return
    # what was really added, after rounding
    change = flow.vs[at - nv] - flow.v0[at - nv]
    for n in range(nv):
        implicit.jv[n, at - nv] = (flow.now[n] - rates[n]) / change


@alone
@kernel
def factor(implicit: Implicit, h: float) -> None:
    """Factor the matrix of a step's length, by Gauss with the largest pivots."""
    a, order, nv = implicit.factors, implicit.order, len(implicit.open)
    g = GAMMA * h
    for i in range(nv):
        for j in range(nv):
            a[i, j] = -g * (implicit.jv[i, j] + g * implicit.jx[i, j])
        a[i, i] += 1.0
        order[i] = i
    for k in range(nv):
        best, most = k, abs(a[k, k])
        for i in range(k + 1, nv):
            if abs(a[i, k]) > most:
                best, most = i, abs(a[i, k])
        if best != k:
            order[k], order[best] = order[best], order[k]
            for j in range(nv):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        if most == 0.0:
            a[k, k] = 1.0
            continue
        for i in range(k + 1, nv):
            if a[i, k] != 0.0:
                part = a[i, k] / a[k, k]
                a[i, k] = part
                for j in range(k + 1, nv):
                    a[i, j] -= part * a[k, j]
    implicit.numbers[LENGTH] = h
    implicit.counts[FACTORED] = 1


@alone
@kernel
def solve(implicit: Implicit, h: float, x: Array, v: Array) -> None:
    """Turn rx, rv into dx (in `x`) and dv (in `v`)."""
    a, order, nv, rx, rv = (
        implicit.factors,
        implicit.order,
        len(implicit.open),
        implicit.rx,
        implicit.rv,
    )
    g = GAMMA * h
    for i in range(nv):
        u = 0.0
        for j in range(nv):
            u += implicit.jx[i, j] * rx[j]
        rv[i] += g * u
    for i in range(nv):
        u = rv[order[i]]
        for j in range(i):
            u -= a[i, j] * v[j]
        v[i] = u
    for i in range(nv - 1, -1, -1):
        u = v[i]
        for j in range(i + 1, nv):
            u -= a[i, j] * v[j]
        v[i] = u / a[i, i]
    for i in range(nv):
        x[i] = rx[i] + g * v[i]


@inner
def prepare_implicit(flow: Flow, implicit: Implicit) -> None:
    """Put time, chart coordinates and speeds of the present stage in place."""
    s, h, nv = flow.counters[STAGE], flow.clock[H], len(flow.v0)
    kx, kv, xs, vs, v0 = flow.kx, flow.kv, flow.xs, flow.vs, flow.v0
    rx, rv, dv, gv = implicit.rx, implicit.rv, implicit.dv, implicit.gv
    if s == 1:
        copy(kx[0], v0)
        dv[0], gv[0] = 0.0, 0.0
        if not implicit.counts[FACTORED] or implicit.numbers[LENGTH] != h:
            factor(implicit, h)
    for n in range(nv):
        rx[n] = rv[n] = 0.0
    for m in range(s):
        weight = h * AE[s, m]
        if weight != 0.0:
            for n in range(nv):
                rx[n] += weight * kx[m, n]
                rv[n] += weight * kv[m, n]
    for i in range(flow.first_state, len(flow.z)):
        u = 0.0
        for m in range(s):
            u += AE[s, m] * flow.kz[m, i]
        flow.zs[i] = flow.z0[i] + h * u
    flow.clock[AT] = flow.clock[T0] + C[s] * h
    if s == LAST:
        for n in range(nv):
            xs[n], vs[n] = rx[n], v0[n] + rv[n]
        return
    for m in range(1, s):
        weight = h * (AI[s, m] - AE[s, m])
        for n in range(nv):
            rx[n] += weight * dv[m, n]
            rv[n] += weight * gv[m, n]
    for n in range(nv):
        gv[s, n] = rv[n]
        rv[n] += GAMMA * h * C[s] * h * implicit.jt[n]
    solve(implicit, h, xs, dv[s])
    for n in range(nv):
        gv[s, n] = (dv[s, n] - gv[s, n]) / (GAMMA * h)
        vs[n] = v0[n] + dv[s, n]


@inner
def keep_implicit(flow: Flow) -> bool:
    """Keep the rates of the present stage and say whether it was the last; then the step is made."""
    s, h = flow.counters[STAGE], flow.clock[H]
    copy(flow.kv[s], flow.now)
    copy(flow.kz[s], flow.power_now)
    if s < LAST:
        flow.counters[STAGE] = s + 1
        return False
    for i in range(len(flow.z)):
        u = 0.0
        for m in range(LAST):
            u += AE[LAST, m] * flow.kz[m, i]
        flow.z[i] = flow.z0[i] + h * u
    return True


@inner
def implicit_error(
    tree: Tree, locked: IntArray, flow: Flow, implicit: Implicit, relative: float, absolute: float,
    speed_scale: float,
) -> float:  # fmt: skip
    """Give the largest error of a step, 1 being what is allowed."""
    h, nv, xs, vs, v0 = flow.clock[H], len(flow.v0), flow.xs, flow.vs, flow.v0
    rx, rv, ex, ev = implicit.rx, implicit.rv, flow.dense_x[0], flow.dense_v[0]
    for n in range(nv):
        rx[n] = rv[n] = 0.0
    for m in range(LAST):
        weight = CAUTION * h * E[m]
        for n in range(nv):
            rx[n] += weight * flow.kx[m, n]
            rv[n] += weight * flow.kv[m, n]
    solve(implicit, h, ex, ev)
    worst = 0.0
    for i in range(flow.first_state, len(flow.z)):
        u = 0.0
        for m in range(LAST):
            u += E[m] * flow.kz[m, i]
        worst = max(worst, abs(CAUTION * h * u) / (absolute + relative * abs(flow.z0[i])))
    for i in range(len(tree.parent)):
        if locked[i] != OPEN:
            continue
        for k in range(SPEEDS[tree.kind[i]]):
            n = tree.at_v[i] + k
            size = max(abs(v0[n]), abs(vs[n]))
            error = max(
                abs(ex[n]) / (absolute + relative * abs(xs[n])),
                abs(ev[n]) / (speed_scale * absolute + relative * size),
            )
            # what is no number is the worst of all
            if not error <= worst:
                worst = error
                flow.counters[WORST] = i
    return worst
