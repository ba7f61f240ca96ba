"""Samples between steps: everything that outputs are made from, at given times."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from solver.dynamics.forward import carried_load
from solver.dynamics.tree import HELD, Array
from solver.forces.system import System, Work, energies, evaluate
from solver.integrate.flow import T0, Flow, H, between


class Samples(NamedTuple):
    """Hold one block: a row for each time, then bodies or elements."""

    time: Array
    q: Array
    v: Array
    z: Array
    R: Array
    p: Array
    w: Array
    velocity: Array
    alpha: Array
    acc: Array
    load: Array
    tau: Array
    lines: Array
    bushings: Array
    energy: Array


def make_samples(system: System, work: Work, flow: Flow, rows: int) -> Samples:
    """Make room for a block."""
    n = len(system.tree.parent)

    def room(*shape: int) -> Array:
        return np.zeros((rows, *shape))

    return Samples(
        time=room(), q=room(len(flow.q)), v=room(len(flow.v)), z=room(len(flow.z)),
        R=room(n, 9), p=room(n, 3), w=room(n, 3), velocity=room(n, 3),
        alpha=room(n, 3), acc=room(n, 3), load=room(n, 6), tau=room(len(flow.v)),
        lines=room(*work.on_b.shape), bushings=room(*work.bushing.shape), energy=room(4),
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def sample(
    system: System, work: Work, flow: Flow, t: float, samples: Samples, row: int
) -> None:
    """Evaluate the state at a time within the last step and keep it."""
    t0, h = flow.clock[T0], flow.clock[H]
    between(system.tree, system.locked, flow, (t - t0) / h if h > 0.0 else 0.0)
    # `kv` of the last stage serves as room: its rates are kept in `rates` and `dense_v`
    rates, powers = flow.kv[6], flow.kz[6]
    evaluate(system, work, t, t0 + 0.5 * h, flow.qs, flow.vs, rates, powers)
    motion, room = work.motion, work.room
    samples.time[row] = t
    samples.q[row] = flow.qs
    samples.v[row] = flow.vs
    samples.z[row] = flow.zs
    samples.R[row] = motion.R
    samples.p[row] = motion.p
    samples.w[row] = motion.w
    samples.velocity[row] = motion.v
    samples.alpha[row] = room.alpha
    samples.acc[row] = room.acc
    samples.tau[row] = work.tau
    samples.lines[row] = work.on_b
    samples.bushings[row] = work.bushing
    for i in range(len(system.tree.parent)):
        if system.tree.parent[i] >= 0 or system.locked[i] == HELD:
            carried_load(room, i, samples.load[row, i])
    energies(system, work, samples.energy[row])
    samples.energy[row, 2], samples.energy[row, 3] = work.held[0], work.held[1]
