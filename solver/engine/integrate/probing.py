"""Derivatives of rates for the implicit method, by differences.

The rates of speeds are evaluated with each freedom changed a little, one after the other: places, then
speeds; then those of all states together, of which only derivatives by themselves are asked. Derivatives by
places are kept for longer than those by speeds, as stiff damping asks for exact ones first.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import OPEN, SPEEDS, IntArray, Tree
from solver.engine.integrate.flow import AT, T0, Flow, H
from solver.engine.integrate.implicit import AGE, FACTORED, PLACES_KEPT, PROBE, TRY, Implicit
from solver.engine.integrate.radau import RADAU_C
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.copying import copy

WITH_PLACES = 4
"""Every how many times derivatives by places are found, too; else they stay. Of 1, 4 and 6 times, 4 takes
the fewest evaluations for necks of discs."""

NUDGE = 1e-7
"""Change of a freedom (m, rad and per second) by which derivatives are found."""


@inner
def begin_step(tree: Tree, locked: IntArray, implicit: Implicit) -> bool:
    """Get ready for a step; say whether derivatives are to be found before it."""
    counts = implicit.counts
    counts[TRY] = 0
    if counts[AGE] >= 0:
        return False
    implicit.open[:] = 0
    for i in range(len(tree.parent)):
        if locked[i] == OPEN:
            for k in range(SPEEDS[tree.kind[i]]):
                implicit.open[tree.at_v[i] + k] = 1
    counts[PROBE] = -1
    return True


@inner
def _next_probe(implicit: Implicit) -> bool:
    """Go on to the next freedom that is open, places before speeds, then all states; say whether there is one."""
    counts, nv = implicit.counts, len(implicit.open)
    if counts[PROBE] < 0 and counts[PLACES_KEPT] % WITH_PLACES:
        counts[PROBE] = nv - 1
    counts[PROBE] += 1
    while counts[PROBE] < 2 * nv and not implicit.open[counts[PROBE] % nv]:
        counts[PROBE] += 1
    if counts[PROBE] < 2 * nv or (counts[PROBE] == 2 * nv and len(implicit.powers)):
        return True
    counts[AGE] = counts[FACTORED] = 0
    counts[PLACES_KEPT] += 1
    return False


@inlined
def _onward(speed: float) -> float:
    """Give the change of a place, the way it goes: what has just been touched stays so."""
    return math.copysign(NUDGE, speed)


@inner
def nudge(flow: Flow, implicit: Implicit) -> None:
    """Put the state of the present probe in place; the first is the start of the step itself."""
    at, nv = implicit.counts[PROBE], len(implicit.open)
    flow.xs[:] = 0.0
    copy(flow.vs, flow.v0)
    copy(flow.zs, flow.z0)
    # webbing follows in time what changes since the last step: at its end nothing does
    flow.clock[AT] = flow.clock[T0] + RADAU_C[1] * flow.clock[H]
    if at < 0:
        return
    if at < nv:
        flow.xs[at] = _onward(flow.v0[at])
    elif at < 2 * nv:
        flow.vs[at - nv] += NUDGE * max(1.0, abs(flow.v0[at - nv]))
    else:
        for i in range(flow.first_state, len(flow.z)):
            flow.zs[i] += NUDGE * max(1.0, abs(flow.z0[i]))


@inner
def see(flow: Flow, implicit: Implicit) -> bool:
    """Keep what the present probe has changed; say whether there is another."""
    at, nv, e, now = implicit.counts[PROBE], len(implicit.open), implicit.equations, flow.now
    if at < 0:
        copy(implicit.base, now)
        for i in range(len(implicit.powers)):
            implicit.powers[i] = flow.power_now[flow.first_state + i]
        e.jv[:] = 0.0
        if implicit.counts[PLACES_KEPT] % WITH_PLACES == 0:
            e.jx[:] = 0.0
    elif at < nv:
        for n in range(nv):
            e.jx[n, at] = (now[n] - implicit.base[n]) / _onward(flow.v0[at])
    elif at < 2 * nv:
        # what was really added, after rounding
        change = flow.v0[at - nv] + NUDGE * max(1.0, abs(flow.v0[at - nv])) - flow.v0[at - nv]
        for n in range(nv):
            e.jv[n, at - nv] = (now[n] - implicit.base[n]) / change
    else:
        for i in range(len(implicit.powers)):
            k = flow.first_state + i
            change = NUDGE * max(1.0, abs(flow.z0[k]))
            e.jz[i] = min((flow.power_now[k] - implicit.powers[i]) / change, 0.0)
    return _next_probe(implicit)
