"""An implicit method, by which stiff tissues and their damping do not shorten steps; derivatives of rates by differences.

The stages of a step by Radau's method (`radau`) are found by Newton's, each try of which evaluates all
three; then the end of the step is evaluated. Derivatives are found by differences, and kept as
long as Newton's method converges quickly with them. They need not be exact: whatever they are, the stages
are the same to the allowed error. Tries begin where the last step's polynomial leads.

States, such as the activity of muscles, are stages too; of their derivatives only those by themselves are known.

The rates of speeds are evaluated with each freedom changed a little, one after the other: places, then
speeds; then those of all states together, of which only derivatives by themselves are asked. Derivatives by
places are kept for longer than those by speeds, as stiff damping asks for exact ones first.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import OPEN, SPEEDS, Array, IntArray, Tree
from solver.engine.integrate.flow import AT, STAGE, T0, Flow, H
from solver.engine.integrate.radau import (
    AI,
    PARTED,
    RADAU_A,
    RADAU_C,
    TO_STAGES,
    Equations,
    factor,
    make_equations,
    solve_pair,
    solve_single,
    solve_state,
)
from solver.engine.integrate.weighing import Balance, make_balance
from solver.engine.jit.kernels import inlined, inner, struct
from solver.engine.maths.copying import copy

# An implicit method: stiff tissues and their damping do not shorten its steps.

TRIES = 8
"""Tries of Newton's method before it is given up."""

FOUND_NEARLY = 0.005
"""Part of the allowed error to which stages are found. So the account of a neck of discs closes to a
ten-millionth of what is turned over, and works of stiff forces with it."""

AT_FIRST = 0.1
"""Part of that for the first change, when nothing is known of how tries converge."""

AT_A_JUMP = 0.5
"""Part of the allowed error to which stages are found where new derivatives do not let them converge."""

SLOW = 0.2
"""What is left of a change after the next try, from which derivatives are found again."""

STALE = -1
"""Age of derivatives that are to be found before the next step."""

LAST_FOUND, END_ROW = 3, 4
"""The last of the stages that are found together; the row of the end of the step."""

WORST_OF_ALL = 1e300
"""Size of what is no number."""

GOES_ON, MADE, FAILED = range(3)
"""What a try comes to."""

(
    AGE,
    PROBE,
    FACTORED,
    PLACES_KEPT,
    TAKEN_OVER,
    TRY,
    TRIED,
    OFTEN,
    STEPS_SINCE,
    SPENT,
    WAITED,
    TIMES_LOST,
) = range(12)
"""Entries of `counts`: steps since the derivatives were found, or that they are stale; what is nudged
next, from places to speeds; whether the matrices of the present length are factored; how often
derivatives by places were kept; whether the method has taken over from Dormand and Prince's; the try,
and the last one of the step; how often it has taken over; its steps since it was last weighed against their
method, and the evaluations of the run by then; how many stiff spells of that method have followed each other; how
often in a row it was given back."""

(
    FACTORED_LENGTH, SINCE, RELATIVE, ABSOLUTE, FOUND_TO, CHANGE, LEFT_OVER, STEP_BEFORE, ERROR_BEFORE, STABLE, WEIGHED_AT, FACTORS,
) = range(12)  # fmt: skip
"""Entries of `numbers`: the step of which matrices are factored; the time of first taking over; allowed errors,
and the part of them to which stages are found;
the size of the last try's change, 1 being the allowed error, and what the next left of it; length and
error of the step before, the length zero where there was none; the step that Dormand and Prince's method took
where it was left, the time at which both were last weighed, and what factors have cost since, in evaluations."""

AN_EVALUATION = 35.0
"""Freedoms of which factors take as long as an evaluation; of twice as many they take eight times as long."""


@struct
class Implicit(NamedTuple):
    """Where the method stands, its stages x, v, z and those of the step before, and the equations.

    Rows of stages are changes since the start of the step. `base` holds rates and `powers` states' rates
    from which differences are taken.
    """

    counts: IntArray
    numbers: Array
    open: IntArray
    base: Array
    powers: Array
    x: Array
    v: Array
    z: Array
    x_before: Array
    v_before: Array
    z_before: Array
    equations: Equations
    balance: Balance


def make_implicit(
    tree: Tree, speeds: int, states: int = 0, relative: float = 1e-5, absolute: float = 1e-7,
    balanced: bool = False,
) -> Implicit:  # fmt: skip
    """Make the memory of the method; of no speeds where it is not used.

    The estimate is of third order and the method of fifth: what is allowed to it is 0.1 relative^(2/3)
    (Hairer and Wanner's own RADAU5), so that the errors themselves keep to what is asked.
    """
    n, counts, numbers = speeds, np.zeros(12, np.int64), np.zeros(12)
    counts[AGE] = STALE
    allowed = 0.1 * relative ** (2 / 3)
    numbers[RELATIVE], numbers[ABSOLUTE] = allowed, absolute * allowed / relative
    numbers[FOUND_TO] = FOUND_NEARLY
    return Implicit(
        counts=counts, numbers=numbers, open=np.zeros(n, np.int64), base=np.zeros(n),
        powers=np.zeros(states),
        x=np.zeros((3, n)), v=np.zeros((3, n)), z=np.zeros((3, states)),
        x_before=np.zeros((3, n)), v_before=np.zeros((3, n)), z_before=np.zeros((3, states)),
        equations=make_equations(n, states), balance=make_balance(tree, balanced),
    )  # fmt: skip


def refactorise(implicit: Implicit) -> None:
    """Find the factors again: they follow from derivatives and length, so that no state holds them."""
    if implicit.counts[FACTORED]:
        factor(implicit.equations, float(implicit.numbers[FACTORED_LENGTH]))


@inner
def forget(implicit: Implicit, changed: bool) -> None:
    """Begin again after an event; where it has changed what can move, with new derivatives."""
    implicit.numbers[STEP_BEFORE] = 0.0
    if changed:
        renew_derivatives(implicit)
    elif implicit.counts[AGE] == 0:
        implicit.counts[AGE] = 1


@inlined
def renew_derivatives(implicit: Implicit) -> None:
    """Let all derivatives be found before the next step."""
    implicit.counts[AGE] = STALE
    implicit.counts[PLACES_KEPT] = 0


@inner
def prepare_implicit(flow: Flow, implicit: Implicit) -> None:
    """Put time, chart coordinates, speeds and states of the present stage in place."""
    s, h, first = flow.counters[STAGE], flow.clock[H], flow.first_state
    if s == 1 and implicit.counts[TRY] == 0:
        copy(flow.kx[0], flow.v0)
        _guess(flow.v0, implicit, h)
        if not implicit.counts[FACTORED] or implicit.numbers[FACTORED_LENGTH] != h:
            factor(implicit.equations, h)
            implicit.numbers[FACTORED_LENGTH], implicit.counts[FACTORED] = h, 1
            implicit.numbers[FACTORS] += (len(flow.v0) / AN_EVALUATION) ** 3
    m = min(s, LAST_FOUND) - 1
    copy(flow.xs, implicit.x[m])
    for n in range(len(flow.v0)):
        flow.vs[n] = flow.v0[n] + implicit.v[m, n]
    for i in range(first, len(flow.z)):
        flow.zs[i] = flow.z0[i] + implicit.z[m, i - first]
    flow.clock[AT] = flow.clock[T0] + RADAU_C[s] * h


@inner
def _guess(v0: Array, implicit: Implicit, h: float) -> None:
    """Begin with the polynomial of the step before, or with speeds as they are where there was none.

    Places that stood still while planes go on with time would not touch what has just been touched.
    """
    if implicit.numbers[STEP_BEFORE] == 0.0:
        for s in range(3):
            for n in range(len(v0)):
                implicit.x[s, n] = RADAU_C[1 + s] * h * v0[n]
        implicit.v[:] = 0.0
        implicit.z[:] = 0.0
        return
    for s in range(3):
        at = 1.0 + RADAU_C[1 + s] * h / implicit.numbers[STEP_BEFORE]
        a, b, c = _weight(at, 1, 2, 3), _weight(at, 2, 3, 1), _weight(at, 3, 1, 2)
        _lead(implicit.x_before, a, b, c, implicit.x[s])
        _lead(implicit.v_before, a, b, c, implicit.v[s])
        _lead(implicit.z_before, a, b, c, implicit.z[s])


@inlined
def _weight(at: float, one: int, two: int, three: int) -> float:
    """The weight of a stage in the polynomial through the start and all three (Lagrange)."""
    x, y, z = RADAU_C[one], RADAU_C[two], RADAU_C[three]
    return float(at * (at - y) * (at - z) / (x * (x - y) * (x - z)))


@inlined
def _lead(before: Array, a: float, b: float, c: float, out: Array) -> None:
    for n in range(before.shape[1]):
        out[n] = a * before[0, n] + b * before[1, n] + (c - 1.0) * before[2, n]


@inner
def keep_implicit(
    tree: Tree, locked: IntArray, flow: Flow, implicit: Implicit, speed_scale: float
) -> int:
    """Keep the rates of the present stage; after the last, try the stages again, or let the step be made."""
    s, h, counts = flow.counters[STAGE], flow.clock[H], implicit.counts
    copy(flow.kv[s], flow.now)
    copy(flow.kz[s], flow.power_now)
    if s < LAST_FOUND:
        flow.counters[STAGE] = s + 1
        return GOES_ON
    if s == LAST_FOUND:
        found = _improve(tree, locked, flow, implicit, speed_scale)
        flow.counters[STAGE] = END_ROW if found == MADE else 1
        counts[TRIED] = counts[TRY]
        counts[TRY] = counts[TRY] + 1 if found == GOES_ON else 0
        return FAILED if found == FAILED else GOES_ON
    for i in range(flow.first_state):
        flow.z[i] = flow.z0[i] + h * (
            RADAU_A[2, 0] * flow.kz[1, i]
            + RADAU_A[2, 1] * flow.kz[2, i]
            + RADAU_A[2, 2] * flow.kz[3, i]
        )
    for i in range(flow.first_state, len(flow.z)):
        flow.z[i] = flow.zs[i]
    return MADE


@inner
def _improve(
    tree: Tree, locked: IntArray, flow: Flow, implicit: Implicit, speed_scale: float
) -> int:
    """Change the stages by one step of Newton's method, and judge the change."""
    e, h, first = implicit.equations, flow.clock[H], flow.first_state
    _left_over(flow.kx, implicit.x, h, 0, e.gx)
    _left_over(flow.kv, implicit.v, h, 0, e.gv)
    _left_over(flow.kz, implicit.z, h, first, e.gz)
    solve_single(e, h, e.gx[0], e.gv[0])
    solve_pair(e, h, e.gx[1], e.gx[2], e.gv[1], e.gv[2])
    for i in range(len(e.jz)):
        e.gz[0, i], e.gz[1, i], e.gz[2, i] = solve_state(
            e.jz[i], h, e.gz[0, i], e.gz[1, i], e.gz[2, i]
        )
    _add(e.gx, implicit.x)
    _add(e.gv, implicit.v)
    _add(e.gz, implicit.z)
    relative, absolute = implicit.numbers[RELATIVE], implicit.numbers[ABSOLUTE]
    size = 0.0
    for s in range(3):
        for i in range(len(e.jz)):
            allowed = absolute + relative * abs(flow.z0[first + i])
            size = larger(size, abs(e.gz[s, i]) / allowed)
        for i in range(len(tree.parent)):
            if locked[i] != OPEN:
                continue
            for n in range(tree.at_v[i], tree.at_v[i] + SPEEDS[tree.kind[i]]):
                size = larger(size, abs(e.gx[s, n]) / (absolute + relative * abs(implicit.x[2, n])))
                speed = max(abs(flow.v0[n]), abs(flow.v0[n] + implicit.v[2, n]))
                size = larger(size, abs(e.gv[s, n]) / (speed_scale * absolute + relative * speed))
    return _judge(implicit, size)


@inlined
def larger(size: float, other: float) -> float:
    """The larger one; what is no number is the largest of all."""
    return size if other <= size else min(other, WORST_OF_ALL) if other == other else WORST_OF_ALL


@inner
def _judge(implicit: Implicit, size: float) -> int:
    """Whether the stages are found, or may be by the tries that are left."""
    numbers, tries = implicit.numbers, implicit.counts[TRY]
    before, numbers[CHANGE] = numbers[CHANGE], size
    if not size < 1e30:
        return FAILED
    if tries == 0:
        numbers[LEFT_OVER] = 0.0
        return MADE if size <= AT_FIRST * numbers[FOUND_TO] else GOES_ON
    left = numbers[LEFT_OVER] = size / before
    if left < 1.0 and left / (1.0 - left) * size <= numbers[FOUND_TO]:
        return MADE
    if left >= 0.99 or left ** (TRIES - 1 - tries) / (1.0 - left) * size > numbers[FOUND_TO]:
        # at a force that jumps back and forth nothing converges, until the step is so short that it matters not
        return MADE if implicit.counts[AGE] == 0 and size <= AT_A_JUMP else FAILED
    return GOES_ON


@inlined
def _left_over(k: Array, stages: Array, h: float, first: int, out: Array) -> None:
    """What rates are off from those of the stages, parted by eigenvalues."""
    for n in range(stages.shape[1]):
        x, y, z = stages[0, n], stages[1, n], stages[2, n]
        a = k[1, first + n] - (AI[0, 0] * x + AI[0, 1] * y + AI[0, 2] * z) / h
        b = k[2, first + n] - (AI[1, 0] * x + AI[1, 1] * y + AI[1, 2] * z) / h
        c = k[3, first + n] - (AI[2, 0] * x + AI[2, 1] * y + AI[2, 2] * z) / h
        for s in range(3):
            out[s, n] = PARTED[s, 0] * a + PARTED[s, 1] * b + PARTED[s, 2] * c


@inlined
def _add(parted: Array, stages: Array) -> None:
    """Turn parted changes into those of stages, and add them."""
    for n in range(stages.shape[1]):
        a, b, c = parted[0, n], parted[1, n], parted[2, n]
        for s in range(3):
            parted[s, n] = TO_STAGES[s, 0] * a + TO_STAGES[s, 1] * b + TO_STAGES[s, 2] * c
            stages[s, n] += parted[s, n]


# Derivatives of rates for the implicit method, by differences.

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
