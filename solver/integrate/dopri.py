"""Dormand and Prince 5(4) in chart coordinates, with its dense output.

Dormand, Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980); dense
output of fourth order by Shampine, Some practical Runge-Kutta formulas, Math. Comp. 46 (1986).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from solver.dynamics.tree import BALL, OPEN, Array, chart_rate, move
from solver.forces.system import SOLVED, System, Work, evaluate
from solver.integrate.flow import EVALUATIONS, T0, WORST, Flow, H

C = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
A = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
E = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
"""Weights of the fifth order less those of the fourth."""

P = np.array(
    [
        [1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432],
        [0, 0, 0, 0],
        [0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799],
        [0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072],
        [0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632],
        [0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844],
        [0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423],
    ]
)
"""Coefficients of s, s^2, s^3, s^4 for each stage."""

SPEED_SCALE = 10.0
"""Allowed error of speeds for each unit allowed in coordinates (1/s)."""

FAILED = -1.0
"""Error of a step in which nothing moves some body; its number is counted as the worst."""


@njit(cache=True, nogil=True, error_model="numpy")
def try_step(
    system: System, work: Work, flow: Flow, relative: float, absolute: float
) -> float:
    """Step from `q0, v0, z0` over `H` into `q, v, z` and give the error, 1 being what is allowed.

    `kv[0]` and `kz[0]` must hold the rates at the start; those at the end are left in the last stage.
    """
    tree, locked = system.tree, system.locked
    t0, h = flow.clock[T0], flow.clock[H]
    within = t0 + 0.5 * h
    kx, kv, kz, xs, vs, zs = flow.kx, flow.kv, flow.kz, flow.xs, flow.vs, flow.zs
    v0, z0 = flow.v0, flow.z0
    nv, nz = len(v0), len(z0)
    kx[0] = v0
    for s in range(1, 7):
        for i in range(nv):
            x = u = 0.0
            for m in range(s):
                x += A[s, m] * kx[m, i]
                u += A[s, m] * kv[m, i]
            xs[i], vs[i] = h * x, v0[i] + h * u
        move(tree, locked, flow.q0, xs, 1.0, flow.qs)
        status = evaluate(
            system, work, t0 + C[s] * h, within, flow.qs, vs, flow.rates, flow.powers
        )
        if status != SOLVED:
            flow.counters[WORST] = status
            return FAILED
        flow.counters[EVALUATIONS] += 1
        chart_rate(tree, locked, xs, vs, kx[s])
        kv[s] = flow.rates
        kz[s] = flow.powers
    flow.q[:] = flow.qs
    flow.v[:] = vs
    for i in range(nz):
        u = 0.0
        for m in range(7):
            u += A[6, m] * kz[m, i] if m < 6 else 0.0
        flow.z[i] = z0[i] + h * u
    worst = 0.0
    for i in range(len(tree.parent)):
        if locked[i] != OPEN:
            continue
        at, kind = tree.at_v[i], tree.kind[i]
        for n in range(at, at + (1 if kind < BALL else (3 if kind == BALL else 6))):
            x = u = 0.0
            for m in range(7):
                x += E[m] * kx[m, n]
                u += E[m] * kv[m, n]
            size = max(abs(v0[n]), abs(vs[n]))
            error = max(
                abs(h * x) / (absolute + relative * abs(xs[n])),
                abs(h * u) / (SPEED_SCALE * absolute + relative * size),
            )
            # also what is no number is the worst
            if not error <= worst:
                worst = error
                flow.counters[WORST] = i
    return worst


@njit(cache=True, nogil=True, error_model="numpy")
def join_ends(flow: Flow) -> None:
    """Fill the dense polynomials of the last step."""
    h = flow.clock[H]
    _join(flow.kx, h, flow.dense_x)
    _join(flow.kv, h, flow.dense_v)
    _join(flow.kz, h, flow.dense_z)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _join(k: Array, h: float, dense: Array) -> None:
    for i in range(k.shape[1]):
        for c in range(4):
            u = 0.0
            for m in range(7):
                u += P[m, c] * k[m, i]
            dense[c, i] = h * u
