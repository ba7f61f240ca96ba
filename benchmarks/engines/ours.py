"""Our own kernels, called from a compiled loop."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
from numba import njit
from scipy.integrate import RK45

from benchmarks.bodies import Body, places
from benchmarks.engines import END, Attempts, Trial, finer, warm
from benchmarks.engines.solver_run import motion
from solver.engine.dynamics.forward import accelerations
from solver.engine.dynamics.tree import (
    Applied,
    Array,
    IntArray,
    Motion,
    Tree,
    Workspace,
    chart_rate,
    kinematics,
    make_applied,
    make_motion,
    make_workspace,
)
from solver.engine.dynamics.tree import move as move_on_group

LOOP = 20_000


class Engine:
    """Measure the tree kernels."""

    name = "Manikin"
    timed = "kinematics and accelerations, in a compiled loop"

    def __init__(self, body: Body) -> None:
        self.body, tree = body, body.tree
        count = len(tree.parent)
        self.space: tuple[Motion, Workspace] = make_motion(tree), make_workspace(tree)
        self.none, self.rates = np.zeros(count, np.int64), np.zeros_like(body.v)
        self.applied = make_applied(tree, len(body.v))

    def evaluation(self) -> float:
        """Time a loop of evaluations."""
        body, loop = self.body, max(LOOP * 15 // len(self.none), 100)

        def measure() -> float:
            start = time.perf_counter()
            _evaluate(
                loop, body.tree, self.none, body.q, body.v, self.applied, body.g, *self.space, self.rates,
            )  # fmt: skip
            return (time.perf_counter() - start) / loop

        return warm(measure)

    def motions(self) -> Attempts:
        """Give trials of the solver's own integrator, and of a loop of this file at a fixed step."""
        tolerances = (10.0 ** (-3 - 0.25 * k) for k in range(30))
        yield (partial(motion, self.body, tolerance) for tolerance in tolerances)
        yield (partial(self._fixed, steps) for steps in finer(10, 2**0.25, 40))

    def _fixed(self, steps: int) -> Trial:
        """Run Dormand and Prince 5(4) at a fixed step, a loop of this file."""
        body = self.body
        q, v = body.q.copy(), body.v.copy()

        def measure() -> float:
            q[:], v[:] = body.q, body.v
            start = time.perf_counter()
            _dopri5(
                steps, END / steps, RK45.A, RK45.B, body.tree, self.none, q, v, self.applied,
                body.g, *self.space,
            )  # fmt: skip
            return time.perf_counter() - start

        seconds = warm(measure)
        return Trial(
            "Dormand-Prince 5, this page's loop",
            f"{steps} steps",
            seconds,
            6 * steps,
            places(body, q),
        )


@njit(cache=True, nogil=True, error_model="numpy")
def _evaluate(
    loop: int, tree: Tree, none: IntArray, q: Array, v: Array, applied: Applied, g: Array,
    motion: Motion, space: Workspace, rates: Array,
) -> None:  # fmt: skip
    for _ in range(loop):
        kinematics(tree, none, q, v, motion)
        accelerations(tree, none, v, motion, applied, g, space, rates)


@njit(cache=True, nogil=True, error_model="numpy")
def _dopri5(
    steps: int, h: float, a: Array, b: Array, tree: Tree, none: IntArray, q: Array, v: Array,
    applied: Applied, g: Array, motion: Motion, space: Workspace,
) -> None:  # fmt: skip
    """Step in a chart of the group around each step's start, so that the order holds."""
    stages, count = len(b), len(v)
    kx, kv = np.zeros((stages, count)), np.zeros((stages, count))
    x, vs, qs = np.zeros(count), np.zeros(count), q.copy()
    for _ in range(steps):
        for s in range(stages):
            for k in range(count):
                dx = dv = 0.0
                for j in range(s):
                    dx += a[s, j] * kx[j, k]
                    dv += a[s, j] * kv[j, k]
                x[k], vs[k] = h * dx, v[k] + h * dv
            move_on_group(tree, none, q, x, 1.0, qs)
            chart_rate(tree, none, x, vs, kx[s])
            kinematics(tree, none, qs, vs, motion)
            accelerations(tree, none, vs, motion, applied, g, space, kv[s])
        for k in range(count):
            dx = dv = 0.0
            for j in range(stages):
                dx += b[j] * kx[j, k]
                dv += b[j] * kv[j, k]
            x[k], v[k] = h * dx, v[k] + h * dv
        move_on_group(tree, none, q, x, 1.0, qs)
        q[:] = qs
