"""Explicit Runge-Kutta methods in chart coordinates, a stage at a time, and semi-implicit Euler.

Each method's last stage stands at the end of the step, so that its rates begin the next one.

- Dormand, Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980); dense
  output of fourth order: Shampine, Some practical Runge-Kutta formulas, Math. Comp. 46 (1986).
- Bogacki, Shampine, A 3(2) pair of Runge-Kutta formulas, Appl. Math. Lett. 2 (1989).
- The classical method of fourth order, and Euler's with the new speeds. These three: joined by cubics.
"""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import BALL, OPEN, Array, IntArray, Tree
from solver.engine.integrate.flow import (
    AT,
    BLURS,
    CLEARS,
    DEGREE,
    LOOKED,
    STAGE,
    STIFF,
    STIFF_NOW,
    T0,
    WORST,
    Flow,
    H,
)
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.copying import copy

DOPRI, VEI, RK4, SEMI_IMPLICIT_EULER, IMPLICIT, BOGACKI_SHAMPINE, ENERGY_MOMENTUM = range(7)
"""Methods."""

LAST_STAGE = np.array([6, 2, 4, 1, 4, 3, 3])
"""The row of the end of the step; the first is 0. (The exponential, the implicit one and that of energy and momentum have stages of their own.)"""

C = np.array(
    [
        [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1],
        [0] * 7,
        [0, 1 / 2, 1 / 2, 1, 1, 0, 0],
        [0, 1] + [0] * 5,
        [0] * 7,
        [0, 1 / 2, 3 / 4, 1, 0, 0, 0],
    ]
)
A = np.array(
    [
        [
            [0, 0, 0, 0, 0, 0],
            [1 / 5, 0, 0, 0, 0, 0],
            [3 / 40, 9 / 40, 0, 0, 0, 0],
            [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
            [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
            [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
            [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
        ],
        [[0.0] * 6] * 7,
        [
            [0, 0, 0, 0, 0, 0],
            [1 / 2, 0, 0, 0, 0, 0],
            [0, 1 / 2, 0, 0, 0, 0],
            [0, 0, 1, 0, 0, 0],
            [1 / 6, 1 / 3, 1 / 3, 1 / 6, 0, 0],
            [0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0],
        ],
        [[0.0] * 6, [1, 0, 0, 0, 0, 0], *([[0.0] * 6] * 5)],
        [[0.0] * 6] * 7,
        [
            [0, 0, 0, 0, 0, 0],
            [1 / 2, 0, 0, 0, 0, 0],
            [0, 3 / 4, 0, 0, 0, 0],
            [2 / 9, 1 / 3, 4 / 9, 0, 0, 0],
            *([[0.0] * 6] * 3),
        ],
    ]
)
"""Weights of earlier stages, for each method and stage; the last row gives the step."""

E = np.array(
    [
        [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40],
        *([[0.0] * 7] * 4),
        [-5 / 72, 1 / 12, 1 / 9, -1 / 8, 0, 0, 0],
    ]
)
"""Weights of the step less those of the one of lower order, for each pair of formulas."""

CONTROL = np.array(
    [[0.2, 0.17, 0.04], *([[0.0] * 3] * 4), [1 / 3, 0.28, 0.07]],
)
"""Powers of a pair's error by which a rejected step is shorter, and of this and of the last error by which the next one is
longer (Gustafsson's PI control)."""

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
"""Coefficients of s, s^2, s^3, s^4 for each stage of Dormand and Prince."""

STIFF_FROM = np.array([3.25, 0.0, 0.0, 0.0, 0.0, 2.45])
"""Fastest rate times step from which a step by a pair of formulas is at the edge of its stability."""

SPEED_SCALE = 10.0
"""Allowed error of speeds for each unit allowed in coordinates (1/s)."""


@inlined
def by_error(kind: int) -> bool:
    """Whether a method chooses its steps by their errors."""
    return kind in (DOPRI, IMPLICIT, BOGACKI_SHAMPINE)


@inlined
def is_pair(kind: int) -> bool:
    """Whether a method is an explicit pair of formulas."""
    return kind in (DOPRI, BOGACKI_SHAMPINE)


@inner
def prepare(flow: Flow, kind: int) -> None:
    """Put time, chart coordinates and speeds of the present stage in place."""
    s, h = flow.counters[STAGE], flow.clock[H]
    kx, kv, xs, vs, v0 = flow.kx, flow.kv, flow.xs, flow.vs, flow.v0
    if s == 1:
        copy(kx[0], v0)
    nv = len(v0)
    for i in range(nv):
        xs[i], vs[i] = 0.0, v0[i]
    for m in range(s):
        weight = h * A[kind, s, m]
        if weight != 0.0:
            for i in range(nv):
                xs[i] += weight * kx[m, i]
                vs[i] += weight * kv[m, i]
    if kind == SEMI_IMPLICIT_EULER:
        for i in range(nv):
            xs[i] = h * vs[i]
    for i in range(flow.first_state, len(flow.z)):
        u = 0.0
        for m in range(s):
            u += A[kind, s, m] * flow.kz[m, i]
        flow.zs[i] = flow.z0[i] + h * u
    flow.clock[AT] = flow.clock[T0] + C[kind, s] * h


@inner
def keep(flow: Flow, kind: int) -> bool:
    """Keep the rates of the present stage and say whether it was the last; then the step is made."""
    s, h = flow.counters[STAGE], flow.clock[H]
    copy(flow.kv[s], flow.now)
    copy(flow.kz[s], flow.power_now)
    if s < LAST_STAGE[kind]:
        flow.counters[STAGE] = s + 1
        return False
    for i in range(len(flow.z)):
        u = 0.0
        for m in range(s):
            u += A[kind, s, m] * flow.kz[m, i]
        flow.z[i] = flow.z0[i] + h * u
    return True


COMES_CLEAR = 1e-6
"""How far from a singular position (the square of the way in radians) a step over it comes at least; one that stays nearer
comes to rest there, and both motions that go on from it are possible."""


@inner
def error_of(
    tree: Tree, locked: IntArray, flow: Flow, kind: int, relative: float, absolute: float
) -> float:
    """The largest error of a step by a pair of formulas, 1 being what is allowed."""
    last, weights = LAST_STAGE[kind], E[kind]
    h, xs, vs, v0, kx, kv = flow.clock[H], flow.xs, flow.vs, flow.v0, flow.kx, flow.kv
    # the stages' sums stand in `dense_x` and `dense_v` until these are filled
    ex, ev, nv = flow.dense_x, flow.dense_v, len(v0)
    for n in range(nv):
        ex[0, n] = ev[0, n] = 0.0
    for m in range(last + 1):
        weight = h * weights[m]
        if weight != 0.0:
            for n in range(nv):
                ex[0, n] += weight * kx[m, n]
                ev[0, n] += weight * kv[m, n]
    worst = most = 0.0
    if flow.clock[CLEARS] > COMES_CLEAR:
        # a step over a singular position: what rounding does to rates there says nothing of it
        for m in range(last + 1):
            for n in range(nv):
                most = max(most, abs(kv[m, n]))
    blurred = flow.clock[BLURS] * h * most
    for i in range(flow.first_state, len(flow.z)):
        u = 0.0
        for m in range(last + 1):
            u += weights[m] * flow.kz[m, i]
        worst = max(worst, abs(h * u) / (absolute + relative * abs(flow.z0[i])))
    for i in range(len(tree.parent)):
        if locked[i] != OPEN:
            continue
        at, moves = tree.at_v[i], tree.kind[i]
        for n in range(at, at + (1 if moves < BALL else (3 if moves == BALL else 6))):
            size = max(abs(v0[n]), abs(vs[n]))
            error = max(
                abs(ex[0, n]) / (absolute + relative * abs(xs[n]) + h * blurred),
                abs(ev[0, n]) / (SPEED_SCALE * absolute + relative * size + blurred),
            )
            if not error <= worst:
                # what is no number is the worst of all, anyone who comes after it
                worst = error if error < 1e300 else 1e300
                flow.counters[WORST] = i
    return worst


@inner
def look_for_stiffness(flow: Flow, kind: int) -> None:
    """Count a step by a pair of formulas, and whether it is as long as what is stiff lets it be.

    By how much the rates of the last two stages differ, for a difference of their speeds, is the fastest rate there
    (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.2); Dormand and Prince's both stand at the end.
    """
    h, kv, last, edge = flow.clock[H], flow.kv, LAST_STAGE[kind], STIFF_FROM[kind]
    rates = speeds = 0.0
    for n in range(kv.shape[1]):
        apart = 0.0
        for m in range(last):
            apart += (A[kind, last, m] - A[kind, last - 1, m]) * kv[m, n]
        speeds += (h * apart) ** 2
        rates += (kv[last, n] - kv[last - 1, n]) ** 2
    flow.counters[LOOKED] += 1
    if h * h * rates > edge * edge * speeds:
        flow.counters[STIFF] += 1
        flow.counters[STIFF_NOW] += 1


@inner
def join_ends(flow: Flow, kind: int) -> None:
    """Fill the dense polynomials of the last step."""
    h, last = flow.clock[H], LAST_STAGE[kind]
    if kind == DOPRI:
        _by_stages(flow.kx, h, flow.dense_x)
        _by_stages(flow.kv, h, flow.dense_v)
        _by_stages(flow.kz, h, flow.dense_z)
        return
    for i in range(len(flow.v)):
        # x at the end is still that of the last stage
        _cubic(flow.dense_x, i, h * flow.kx[0, i], h * flow.kx[last, i], flow.xs[i])
        _cubic(flow.dense_v, i, h * flow.kv[0, i], h * flow.kv[last, i], flow.v[i] - flow.v0[i])
    for i in range(len(flow.z)):
        _cubic(flow.dense_z, i, h * flow.kz[0, i], h * flow.kz[last, i], flow.z[i] - flow.z0[i])


@inner
def _by_stages(k: Array, h: float, dense: Array) -> None:
    for c in range(DEGREE):
        for i in range(k.shape[1]):
            dense[c, i] = 0.0
        for m in range(7):
            weight = h * P[m, c]
            if weight != 0.0:
                for i in range(k.shape[1]):
                    dense[c, i] += weight * k[m, i]


@inlined
def _cubic(dense: Array, i: int, a: float, b: float, d: float) -> None:
    """Join by the slopes a and b at the ends and the whole change d."""
    dense[0, i], dense[1, i] = a, 3.0 * d - 2.0 * a - b
    dense[2, i], dense[3, i] = a + b - 2.0 * d, 0.0
