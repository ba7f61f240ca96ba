"""Methods of fixed step: the classical Runge-Kutta method and semi-implicit Euler, for previews."""

from __future__ import annotations

from numba import njit

from solver.dynamics.tree import chart_rate, move
from solver.forces.system import SOLVED, System, Work, evaluate
from solver.integrate.flow import EVALUATIONS, T0, Flow, H, join_by_ends


@njit(cache=True, nogil=True, error_model="numpy")
def _ends(system: System, work: Work, flow: Flow) -> int:
    """Give the rates at the end of the step, which begins the next one, and join both ends."""
    flow.counters[EVALUATIONS] += 1
    t0, h = flow.clock[T0], flow.clock[H]
    status = evaluate(
        system, work, t0 + h, t0 + 0.5 * h, flow.q, flow.v, flow.rates, flow.powers
    )
    chart_rate(system.tree, system.locked, flow.xs, flow.v, flow.kx[6])
    join_by_ends(flow, flow.kx[6])
    return status


@njit(cache=True, nogil=True, error_model="numpy")
def runge_kutta_4(system: System, work: Work, flow: Flow) -> int:
    """Step by the classical method of fourth order, in chart coordinates."""
    tree, locked = system.tree, system.locked
    t0, h = flow.clock[T0], flow.clock[H]
    kx, kv, kz, xs, vs = flow.kx, flow.kv, flow.kz, flow.xs, flow.vs
    kx[0] = flow.v0
    for s in range(1, 4):
        part = h if s == 3 else 0.5 * h
        for i in range(len(vs)):
            xs[i], vs[i] = part * kx[s - 1, i], flow.v0[i] + part * kv[s - 1, i]
        move(tree, locked, flow.q0, xs, 1.0, flow.qs)
        status = evaluate(
            system, work, t0 + part, t0 + 0.5 * h, flow.qs, vs, flow.rates, flow.powers
        )
        if status != SOLVED:
            return status
        flow.counters[EVALUATIONS] += 1
        chart_rate(tree, locked, xs, vs, kx[s])
        kv[s] = flow.rates
        kz[s] = flow.powers
    for i in range(len(vs)):
        xs[i] = h / 6.0 * (kx[0, i] + 2.0 * (kx[1, i] + kx[2, i]) + kx[3, i])
        flow.v[i] = flow.v0[i] + h / 6.0 * (kv[0, i] + 2.0 * (kv[1, i] + kv[2, i]) + kv[3, i])
    for i in range(len(flow.z)):
        flow.z[i] = flow.z0[i] + h / 6.0 * (kz[0, i] + 2.0 * (kz[1, i] + kz[2, i]) + kz[3, i])
    move(tree, locked, flow.q0, xs, 1.0, flow.q)
    return _ends(system, work, flow)


@njit(cache=True, nogil=True, error_model="numpy")
def semi_implicit_euler(system: System, work: Work, flow: Flow) -> int:
    """Step the speeds first, then the coordinates with the new speeds."""
    h = flow.clock[H]
    for i in range(len(flow.v)):
        flow.v[i] = flow.v0[i] + h * flow.kv[0, i]
        flow.xs[i] = h * flow.v[i]
    for i in range(len(flow.z)):
        flow.z[i] = flow.z0[i] + h * flow.kz[0, i]
    move(system.tree, system.locked, flow.q0, flow.xs, 1.0, flow.q)
    return _ends(system, work, flow)
