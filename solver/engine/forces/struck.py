"""What impulses of an instant did, written down: of each pair and stop, and of the joints and constraints of each body.

It is read and forgotten whenever the kernels come back; they come back before it is full.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.inertia import read_inertia
from solver.engine.dynamics.respond import Response
from solver.engine.dynamics.rows import Rows, force_on_first, load_on_body
from solver.engine.dynamics.tree import FREE, OPEN, Array, IntArray, Workspace
from solver.engine.jit.kernels import inner, struct
from solver.engine.maths.spatial import (
    added,
    mat_on,
    plus_sym,
    read3,
    transpose_on,
    write,
)

STUCK, SLID, REVERSED = range(3)
"""States: no sliding is left; it slides on, or has none to lose; it slides the other way."""

(
    STRUCK_ROUND, STRUCK_STATE, STRUCK_NORMAL, STRUCK_ACROSS, STRUCK_LOSS, STRUCK_MASS, STRUCK_APPROACH, STRUCK_LEAVES,
    STRUCK_SLIDING, STRUCK_SLIDES, STRUCK_IMPULSE, STRUCK_PLACE, STRUCK_COLUMNS,
) = (*range(11), 13, 16)  # fmt: skip
"""Columns of a pair or stop: in which round since the kernels began; state; impulse along the normal and across; energy lost;
mass that both have against each other; speeds of approach and leaving, of sliding before and after; impulse on the first body; place.
Of a stop impulses are about its axis, the mass is a moment of inertia, and speeds are rates."""

MORE_ROUNDS = 100
"""Rounds for which there is room beside those of one instant."""


@struct
class Struck(NamedTuple):
    """What impulses did since the kernels began.

    `written` holds how many pairs and stops, and how many rounds, are written down; `number` is that of the pair, or -1 less
    that of the stop; `on_body` has, of each round and body, the impulse of its joint on it and that of all its constraints:
    couples about its origin, then forces, ground axes.
    """

    written: IntArray
    number: IntArray
    time: Array
    row: Array
    on_body: Array


def make_struck(pairs: int, rounds: int, bodies: int) -> Struck:
    """Make room for so many rounds of one instant, and some more; none where nothing strikes."""
    some = rounds + MORE_ROUNDS if pairs else 0
    return Struck(
        np.zeros(2, np.int64), np.zeros(some * pairs, np.int64), np.zeros(some * pairs),
        np.zeros((some * pairs, STRUCK_COLUMNS)), np.zeros((some, bodies, 12)),
    )  # fmt: skip


@inner
def is_full(struck: Struck) -> bool:
    """Whether there may be no room for the rounds of another instant."""
    return bool(struck.written[1] + len(struck.on_body) // 2 > len(struck.on_body))


@inner
def write_pair(
    struck: Struck, rows: Rows, first: int, load: Array, before: Array, felt: Array, sticks: bool
) -> None:
    """Write down what a pair's three impulses did, of which the rows begin at `first`."""
    n = struck.written[0]
    if n == len(struck.number):
        return
    row, after_x, after_y = struck.row[n], before[1] + felt[1], before[2] + felt[2]
    lost = 0.0
    for k in range(3):
        lost -= load[k] * (before[k] + 0.5 * felt[k])
    turned = before[1] * after_x + before[2] * after_y < 0.0
    row[STRUCK_STATE] = STUCK if sticks else REVERSED if turned else SLID
    row[STRUCK_ROUND] = struck.written[1]
    row[STRUCK_NORMAL] = load[0]
    row[STRUCK_ACROSS] = math.sqrt(load[1] ** 2 + load[2] ** 2)
    row[STRUCK_LOSS] = lost
    row[STRUCK_APPROACH], row[STRUCK_LEAVES] = -before[0], before[0] + felt[0]
    row[STRUCK_SLIDING] = math.sqrt(before[1] ** 2 + before[2] ** 2)
    row[STRUCK_SLIDES] = math.sqrt(after_x**2 + after_y**2)
    force_on_first(rows, first, 3, row[STRUCK_IMPULSE:STRUCK_PLACE])
    struck.written[0] = n + 1


@inner
def write_bodies(
    struck: Struck, tree_kind: IntArray, locked: IntArray, space: Workspace, rows: Rows, first: int
) -> None:
    """Write down what joints and constraints did to all bodies, after the response to all rows; those of constraints end at `first`."""
    n = struck.written[1]
    if n == len(struck.on_body):
        return
    response = rows.response
    for i in range(len(tree_kind)):
        out = struck.on_body[n, i]
        out[:6] = 0.0
        if tree_kind[i] != FREE or locked[i] != OPEN:
            _carried(space, response, i, out)
        load_on_body(rows, 0, first, i, out, 6)
    struck.written[1] = n + 1


@inner
def _carried(space: Workspace, response: Response, i: int, out: Array) -> None:
    """Write the impulse of a body's joint on it: what the body and all behind it take up, less what struck them."""
    A, B, M = read_inertia(space, i)
    turning, shifting = read3(response.alpha, i), read3(response.acc, i)
    couple, force = read3(response.n, i), read3(response.f, i)
    write(out, 0, added(plus_sym(couple, A, turning), mat_on(B, shifting)))
    write(out, 3, added(plus_sym(force, M, shifting), transpose_on(B, turning)))
