"""The end of an implicit step: its error, the length of the next one, and the polynomials between."""

from __future__ import annotations

from solver.engine.dynamics.tree import OPEN, SPEEDS, Array, IntArray, Tree
from solver.engine.integrate.flow import WORST, Flow, H
from solver.engine.integrate.implicit import (
    ABSOLUTE,
    AGE,
    ERROR_BEFORE,
    LEFT_OVER,
    RELATIVE,
    SLOW,
    STALE,
    STEP_BEFORE,
    TRIED,
    TRIES,
    Implicit,
    larger,
)
from solver.engine.integrate.radau import FROM, RADAU_E, REAL, THROUGH, solve_single, solve_state
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.copying import copy_rows


@inner
def implicit_error(
    tree: Tree, locked: IntArray, flow: Flow, implicit: Implicit, again: bool, speed_scale: float
) -> float:
    """The largest error of a step, 1 being what is allowed.

    `again`: what is stiff is damped once more where the step would be rejected after a jump, whose
    rates say nothing of the errors.
    """
    e, h, first = implicit.equations, flow.clock[H], flow.first_state
    x, v = e.gx[0], e.gv[0]
    for n in range(len(x)):
        x[n] = flow.v0[n] + _by_weights(implicit.x, n) / h
        v[n] = flow.kv[0, n] + _by_weights(implicit.v, n) / h
    for i in range(len(e.jz)):
        e.gz[0, i] = flow.kz[0, first + i] + _by_weights(implicit.z, i) / h
        e.gz[0, i] = solve_state(e.jz[i], h, e.gz[0, i], 0.0, 0.0)[0]
    solve_single(e, h, x, v)
    worst = _worst(tree, locked, flow, implicit, speed_scale)
    if not worst <= 1.0 and again:
        for n in range(len(x)):
            x[n], v[n] = REAL / h * x[n], REAL / h * v[n]
        solve_single(e, h, x, v)
        worst = _worst(tree, locked, flow, implicit, speed_scale)
    return worst


@inner
def _worst(
    tree: Tree, locked: IntArray, flow: Flow, implicit: Implicit, speed_scale: float
) -> float:
    """Compare the estimated errors with those allowed."""
    e, relative, absolute = (
        implicit.equations, implicit.numbers[RELATIVE], implicit.numbers[ABSOLUTE],
    )  # fmt: skip
    worst = 0.0
    for i in range(len(e.jz)):
        allowed = absolute + relative * abs(flow.z0[flow.first_state + i])
        worst = larger(worst, abs(e.gz[0, i]) / allowed)
    for i in range(len(tree.parent)):
        if locked[i] != OPEN:
            continue
        for n in range(tree.at_v[i], tree.at_v[i] + SPEEDS[tree.kind[i]]):
            size = max(abs(flow.v0[n]), abs(flow.v0[n] + implicit.v[2, n]))
            error = max(
                abs(e.gx[0, n]) / (absolute + relative * abs(implicit.x[2, n])),
                abs(e.gv[0, n]) / (speed_scale * absolute + relative * size),
            )
            if not error <= worst:
                worst = larger(worst, error)
                flow.counters[WORST] = i
    return worst


@inlined
def _by_weights(stages: Array, n: int) -> float:
    return float(RADAU_E[0] * stages[0, n] + RADAU_E[1] * stages[1, n] + RADAU_E[2] * stages[2, n])


@inner
def growth(implicit: Implicit, h: float, error: float) -> float:
    """By how much the next step may be longer, by this error and the one before (Gustafsson)."""
    numbers, tries = implicit.numbers, implicit.counts[TRIED]
    caution = 0.9 * (2 * TRIES + 1) / (2 * TRIES + tries)
    error = max(error, 1e-10)
    grow = caution * error**-0.25
    if numbers[STEP_BEFORE] > 0.0:
        grow = min(grow, grow * h / numbers[STEP_BEFORE] * (numbers[ERROR_BEFORE] / error) ** 0.25)
    return float(grow)


@inner
def end_implicit(implicit: Implicit, h: float, error: float) -> None:
    """Remember a step that has been accepted."""
    counts, numbers = implicit.counts, implicit.numbers
    copy_rows(implicit.x_before, implicit.x)
    copy_rows(implicit.v_before, implicit.v)
    copy_rows(implicit.z_before, implicit.z)
    numbers[STEP_BEFORE], numbers[ERROR_BEFORE] = h, max(error, 1e-2)
    counts[AGE] = STALE if numbers[LEFT_OVER] > SLOW else counts[AGE] + 1


@inner
def join_stages(flow: Flow, implicit: Implicit) -> None:
    """Fill the dense polynomials: speeds and states through all stages, places and works by their rates."""
    h, first = flow.clock[H], flow.first_state
    for n in range(len(flow.v)):
        kx = flow.kx
        _by_values(implicit.v, n, flow.dense_v, n)
        _by_rates(h * kx[0, n], h * kx[1, n], h * kx[2, n], h * kx[3, n], flow.dense_x, n)
    for i in range(first):
        kz = flow.kz
        a, b, c = h * kz[1, i], h * kz[2, i], h * kz[3, i]
        # the parabola through the stages, at the start
        start = FROM[0] * a + FROM[1] * b + FROM[2] * c
        _by_rates(start, a, b, c, flow.dense_z, i)
    for i in range(first, len(flow.z)):
        _by_values(implicit.z, i - first, flow.dense_z, i)


@inlined
def _by_values(stages: Array, n: int, dense: Array, i: int) -> None:
    """Put a cubic through zero at the start and the values at the stages."""
    for k in range(3):
        dense[k, i] = (
            THROUGH[k, 0] * stages[0, n]
            + THROUGH[k, 1] * stages[1, n]
            + THROUGH[k, 2] * stages[2, n]
        )
    dense[3, i] = 0.0


@inlined
def _by_rates(start: float, a: float, b: float, c: float, dense: Array, i: int) -> None:
    """Integrate the cubic through the rates at the start and at the stages."""
    dense[0, i] = start
    for k in range(3):
        rise = (
            THROUGH[k, 0] * (a - start) + THROUGH[k, 1] * (b - start) + THROUGH[k, 2] * (c - start)
        )
        dense[k + 1, i] = rise / (k + 2)
