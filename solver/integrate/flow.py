"""The moving state, and the polynomial that joins the two ends of a step.

A step starts from `q0, v0, z0`. Within it the coordinates are `move(q0, x, 1)`: all methods work in
the chart x, so that attitudes stay on their group. Between the ends
`x = sum_k dense_x[k] s^(k+1)`, with s from 0 to 1, and likewise v and z from their values at the start.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from solver.dynamics.tree import Array, IntArray, Tree, move

STAGES = 7
DEGREE = 4

T, H_NEXT, T0, H, ERROR = range(5)
"""Entries of `clock`: time, next step, start and length of the last step, its error."""

STEPS, EVALUATIONS, REJECTED, FRESH, BREAK, WORST, AFTER_REJECT = range(7)
"""Entries of `counters`: the counts, whether `rates` are those of the present state, the next break,
the body whose error was the largest, whether the last try was rejected."""


class Flow(NamedTuple):
    """Hold the state at the last accepted time, the step that led there, and room for stages."""

    clock: Array
    counters: IntArray
    q: Array
    v: Array
    z: Array
    rates: Array
    powers: Array
    q0: Array
    v0: Array
    z0: Array
    dense_x: Array
    dense_v: Array
    dense_z: Array
    kx: Array
    kv: Array
    kz: Array
    xs: Array
    qs: Array
    vs: Array
    zs: Array


def make_flow(q: Array, v: Array, causes: int) -> Flow:
    """Make a flow that stands at its start."""
    nq, nv = len(q), len(v)
    return Flow(
        clock=np.zeros(5), counters=np.zeros(7, np.int64),
        q=q.copy(), v=v.copy(), z=np.zeros(causes), rates=np.zeros(nv), powers=np.zeros(causes),
        q0=q.copy(), v0=v.copy(), z0=np.zeros(causes),
        dense_x=np.zeros((DEGREE, nv)), dense_v=np.zeros((DEGREE, nv)),
        dense_z=np.zeros((DEGREE, causes)),
        kx=np.zeros((STAGES, nv)), kv=np.zeros((STAGES, nv)), kz=np.zeros((STAGES, causes)),
        xs=np.zeros(nv), qs=np.zeros(nq), vs=np.zeros(nv), zs=np.zeros(causes),
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def between(tree: Tree, locked: IntArray, flow: Flow, s: float) -> None:
    """Give coordinates, speeds and works inside the last step, in `qs`, `vs` and `zs`."""
    dx, dv, dz = flow.dense_x, flow.dense_v, flow.dense_z
    for i in range(len(flow.v)):
        x = u = 0.0
        for k in range(DEGREE - 1, -1, -1):
            x = (x + dx[k, i]) * s
            u = (u + dv[k, i]) * s
        flow.xs[i] = x
        flow.vs[i] = flow.v0[i] + u
    for i in range(len(flow.z)):
        u = 0.0
        for k in range(DEGREE - 1, -1, -1):
            u = (u + dz[k, i]) * s
        flow.zs[i] = flow.z0[i] + u
    move(tree, locked, flow.q0, flow.xs, 1.0, flow.qs)


@njit(cache=True, nogil=True, error_model="numpy")
def begin(flow: Flow, h: float) -> None:
    """Make the present state the start of a step."""
    clock = flow.clock
    clock[T0], clock[H] = clock[T], h
    flow.q0[:] = flow.q
    flow.v0[:] = flow.v
    flow.z0[:] = flow.z


@njit(cache=True, nogil=True, error_model="numpy")
def stand_still(flow: Flow) -> None:
    """Let the last step be one of no length at the present state."""
    begin(flow, 0.0)
    flow.dense_x[:] = 0.0
    flow.dense_v[:] = 0.0
    flow.dense_z[:] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def join_by_ends(flow: Flow, x_rate: Array) -> None:
    """Join the ends of a step by cubics: values and rates at both ends.

    `xs` holds x at the end, `kv[0]` and `kz[0]` the rates at the start; `x_rate` is that of x at the end.
    """
    h = flow.clock[H]
    for i in range(len(flow.v)):
        a, b, d = h * flow.v0[i], h * x_rate[i], flow.xs[i]
        flow.dense_x[0, i], flow.dense_x[1, i], flow.dense_x[2, i] = a, 3 * d - 2 * a - b, a + b - 2 * d
        flow.dense_x[3, i] = 0.0
        a, b, d = h * flow.kv[0, i], h * flow.rates[i], flow.v[i] - flow.v0[i]
        flow.dense_v[0, i], flow.dense_v[1, i], flow.dense_v[2, i] = a, 3 * d - 2 * a - b, a + b - 2 * d
        flow.dense_v[3, i] = 0.0
    for i in range(len(flow.z)):
        a, b, d = h * flow.kz[0, i], h * flow.powers[i], flow.z[i] - flow.z0[i]
        flow.dense_z[0, i], flow.dense_z[1, i], flow.dense_z[2, i] = a, 3 * d - 2 * a - b, a + b - 2 * d
        flow.dense_z[3, i] = 0.0
