"""The moving state, and the polynomial that joins the two ends of a step.

A step starts from `q0, v0, z0`. Within it the coordinates are `move(q0, x, 1)`: all methods work in
the chart x, so that attitudes stay on their group. Between the ends
`x = sum_k dense_x[k] s^(k+1)`, with s from 0 to 1, and likewise v and z from their values at the start.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray, Tree, move
from solver.engine.jit.kernels import inner, struct
from solver.engine.maths.copying import copy

STAGES = 7
DEGREE = 4

(
    T, H_NEXT, T0, H, ERROR, AT, WITHIN, LOW, HIGH, G_LOW, G_HIGH, WAKE, BLURS, CLEARS, REACH, THIRD, G_THIRD,
) = range(17)  # fmt: skip
"""Entries of `clock`: present time; next step; start and length of the last step; its error; time to
evaluate at, and the time that names the piece of histories; the bracket of an event, in parts of the
step, and the event's function there; the next time at which somebody
samples; by what part of themselves rounding blurs the rates of this step near a singular position, and
how far from one it comes (the square of the way in radians); the end of the bracket before the last, and
the function there."""

(
    PHASE, STAGE, STEPS, EVALUATIONS, REJECTED, FRESH, NEXT_BREAK, WORST, AFTER_REJECT, RETAKING, PENDING,
    SAMPLED_NOW, STEPS_NOW, EVENTS_NOW, EVENTS_AT_ONCE, JOINED, LOOKED, STIFF, STIFF_NOW, SIDE,
) = range(20)  # fmt: skip
"""Entries of `counters`: what is going on; the stage; counts of steps, evaluations and rejected tries;
whether `rates` are those of the present state; the next break; the body with the largest error;
whether the last try was rejected; whether a step is taken again up to an event; whether an event
waits; samples, steps and events of this call; how many events have happened without a step between
them; whether the ends of the last step are joined; how many steps were asked what kept them short, and
of how many it was stiffness, and of the last ones; which end of the bracket the last probe moved."""

STRIKES, JUMPS, EASES = range(3)
"""Sorts of events, by how near their instant is found. What strikes, begins at a time that is given, or changes the modes of
the tree: to a billionth of the step. What makes forces jump: to less than the method errs. What only bends them: to a
part of the step so small that what is missed, which grows with its square, is less than that (`narrowing.py`)."""

GO_ON, HAND_OVER, STOP_NOW = range(3)
"""What `wish` holds, which another thread may change at any time: go on, come back after this step, come
back at once."""


@struct
class Flow(NamedTuple):
    """The state at the last accepted time, the step that led there, and room for stages."""

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
    z_start: Array
    first_state: int
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
    room_q: Array
    room_v: Array
    now: Array
    power_now: Array
    g_most: Array
    g_when: Array
    g_start: Array
    fire: IntArray
    level: IntArray
    frees: IntArray
    sorts: IntArray
    armed: IntArray
    wish: IntArray


def make_flow(
    q: Array, v: Array, z: Array, states: int, level: IntArray, frees: IntArray, sorts: IntArray
) -> Flow:
    """Make a flow that stands at its start; `level` marks the events of level, `frees` those that set something free.

    The last entries of z are states that evaluations need; the others only add up.
    """
    events, causes = len(level), len(z)
    nv = len(v)
    clock = np.zeros(17)
    clock[WAKE] = np.inf
    return Flow(
        clock=clock, counters=np.zeros(20, np.int64),
        q=q.copy(), v=v.copy(), z=z.copy(), rates=np.zeros(nv), powers=np.zeros(causes),
        q0=q.copy(), v0=v.copy(), z0=z.copy(), z_start=z.copy(), first_state=causes - states,
        dense_x=np.zeros((DEGREE, nv)), dense_v=np.zeros((DEGREE, nv)),
        dense_z=np.zeros((DEGREE, causes)),
        kx=np.zeros((STAGES, nv)), kv=np.zeros((STAGES, nv)), kz=np.zeros((STAGES, causes)),
        xs=np.zeros(nv), qs=q.copy(), vs=v.copy(), zs=z.copy(),
        room_q=q.copy(), room_v=v.copy(), now=np.zeros(nv), power_now=np.zeros(causes),
        g_most=np.zeros(events), g_when=np.zeros(events), g_start=np.zeros(events),
        fire=np.zeros(len(level), np.int64), level=level, frees=frees, sorts=sorts,
        armed=np.ones(len(level), np.int64),
        wish=np.zeros(1, np.int64),
    )  # fmt: skip


@inner
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


@inner
def begin(flow: Flow, h: float) -> None:
    """Make the present state the start of a step."""
    clock = flow.clock
    clock[T0], clock[H] = clock[T], h
    clock[WITHIN] = clock[T] + 0.5 * h
    # a length is chosen by what is left up to a break, where that is less than two of it
    clock[REACH] = max(clock[REACH], clock[T] + 2.0 * h)
    copy(flow.q0, flow.q)
    copy(flow.v0, flow.v)
    copy(flow.z0, flow.z)
    copy(flow.kv[0], flow.rates)
    copy(flow.kz[0], flow.powers)


@inner
def stand_still(flow: Flow, t: float) -> None:
    """Let the last step be one of no length at the present state."""
    flow.clock[T] = t
    begin(flow, 0.0)
    flow.dense_x[:] = 0.0
    flow.dense_v[:] = 0.0
    flow.dense_z[:] = 0.0


@inner
def undo(flow: Flow) -> None:
    """Go back to the start of the step."""
    copy(flow.q, flow.q0)
    copy(flow.v, flow.v0)
    copy(flow.z, flow.z0)
    copy(flow.rates, flow.kv[0])
    copy(flow.powers, flow.kz[0])
