"""Dampers of joints with a spring in a row, as rubber and flesh have one (Maxwell's element).

The load s of such a damper follows the rate w of its joint by `s' = (c w - s) / T`: steadily turned it is that of the
damper alone, c w; at once it is that of a spring of c / T, which holds `T s^2 / (2 c)`. What is lost is `s^2 / c`.
A pure damper of c makes a motion of inertia I die away within I / c, however small that is; this one does not, and a
run takes steps as long as what is seen of the motion asks for.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import BALL, Array, IntArray, Tree
from solver.engine.jit.kernels import kernel
from solver.engine.jit.separate import separate
from solver.engine.jit.structs import struct

COMPONENTS = 3
"""States of each: a turn needs one, three turns together need three, in the child's axes."""


@struct
class Relaxings(NamedTuple):
    """Hold joints whose damper has a spring in a row: the body, whether it turns as a ball, c and T.

    `first` is the first of its three states, behind which stand the others.
    """

    body: IntArray
    ball: IntArray
    damping: Array
    time: Array
    first: IntArray


@separate
@kernel
def relaxing_torques(
    r: Relaxings, tree: Tree, v: Array, z: Array, powers: Array, tau: Array, sums: Array
) -> None:
    """Add the torques of all; `sums` takes the energy held, and the power of springs and of what is lost.

    Where the joint is held, or has come apart, the load dies away and is no longer felt.
    """
    sums[0] = sums[1] = sums[2] = 0.0
    for k in range(len(r.body)):
        i, c, time = r.body[k], r.damping[k], r.time[k]
        ball = r.ball[k] != 0
        acts = tree.kind[i] == BALL if ball else tree.kind[i] < BALL
        for n in range(COMPONENTS):
            s = z[r.first[k] + n]
            w = 0.0
            if acts and (ball or n == 0):
                w = v[tree.at_v[i] + n]
                tau[tree.at_v[i] + n] -= s
            powers[r.first[k] + n] = (c * w - s) / time
            sums[0] += 0.5 * time * s * s / c
            sums[1] -= s * w - s * s / c
            sums[2] -= s * s / c
