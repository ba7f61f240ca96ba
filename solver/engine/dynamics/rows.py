"""Constraints on top of trees: rows of conditions on accelerations, and the loads that fulfil them.

A row asks that `sum (torque . alpha + force . acc) + bias = 0` over up to four bodies, in ground
axes about their origins O. Its load acts along the same directions (or, where a surface slides with
friction, along directions of its own), and its size follows from the responses of the trees to a
unit of each load: m rows cost m light passes and a dense system of order m, not of the whole.
A row with `soft` not zero is a law instead: its acceleration is `-soft` times its load (for the coupled
mass of a tension element, -1/M_AB).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.respond import Response, clear, make_response, respond, work_of_drives
from solver.engine.dynamics.tree import Array, IntArray, Motion, Tree, Workspace
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.spatial import Three, dot, plus_cross, read3, write

DEPENDENT = 1e-9
"""Part of the largest pivot below which a row says nothing that others do not."""


SIDES = 4
"""Bodies that may take part in a row: two axes of joints move four against each other."""


NOISE = 1e-12
"""Part of its ease of motion below which a row moves nothing."""


@struct
class Rows(NamedTuple):
    """Rows and what comes of them; `used[0]` of them are in use, `used[1]` independent.

    `used[2]` were independent where the last step ended. `pivot` holds the smallest pivot of those that
    are, and the least part of its ease that a row moves: near a singular position one of them falls
    with the square of the way to it.
    `used[3]` is how many those of constraints may be; more stand ready for impulses.
    `error` and `speed` say by how much place and velocity are off, `held` which rows hold places.
    `rate` is the velocity that a row prescribes; `driven` gathers the work that what is driven does in impulses.
    """

    used: IntArray
    body: IntArray
    torque: Array
    force: Array
    load_torque: Array
    load_force: Array
    bias: Array
    soft: Array
    error: Array
    speed: Array
    rate: Array
    held: IntArray
    scale: Array
    load: Array
    matrix: Array
    work: Array
    rhs: Array
    order: IntArray
    pivot: Array
    response: Response
    driven: Array


def make_rows(tree: Tree, speeds: int, most: int, spare: int) -> Rows:
    """Make room for a number of rows, some of them spare for impulses."""

    def three() -> Array:
        return np.zeros((most, SIDES, 3))

    return Rows(
        used=np.array([0, 0, 0, most - spare]), body=np.full((most, SIDES), -1, np.int64),
        torque=three(), force=three(), load_torque=three(), load_force=three(),
        bias=np.zeros(most), soft=np.zeros(most), error=np.zeros(most), speed=np.zeros(most),
        rate=np.zeros(most),
        held=np.zeros(most, np.int64), scale=np.zeros(most), load=np.zeros(most),
        matrix=np.zeros((most, most)), work=np.zeros((most, most + 1)), rhs=np.zeros(most),
        order=np.zeros(most, np.int64), pivot=np.ones(2), response=make_response(tree, speeds),
        driven=np.zeros(1),
    )  # fmt: skip


@inlined
def new_row(rows: Rows) -> int:
    """Begin a row that asks for nothing."""
    r = int(rows.used[0])
    rows.used[0] = r + 1
    for s in range(SIDES):
        rows.body[r, s] = -1
    rows.bias[r] = rows.soft[r] = rows.error[r] = rows.speed[r] = rows.rate[r] = 0.0
    rows.held[r] = 1
    return r


@inner
def take_part(
    rows: Rows, motion: Motion, r: int, s: int, body: int, torque: Three, force: Three
) -> None:
    """Let a body take part in a row by a torque about O and a force; its load acts along the same."""
    if body < 0:
        return
    rows.body[r, s] = body
    write(rows.torque[r, s], 0, torque)
    write(rows.force[r, s], 0, force)
    write(rows.load_torque[r, s], 0, torque)
    write(rows.load_force[r, s], 0, force)
    rows.speed[r] += dot(torque, read3(motion.w, body))
    rows.speed[r] += dot(force, read3(motion.v, body))


@inlined
def _felt(rows: Rows, r: int, alpha: Array, acc: Array) -> float:
    """A row's acceleration from those of bodies."""
    out = 0.0
    for s in range(SIDES):
        i = rows.body[r, s]
        if i >= 0:
            for k in range(3):
                out += rows.torque[r, s, k] * alpha[i, k] + rows.force[r, s, k] * acc[i, k]
    return out


@inner
def _push(rows: Rows, r: int, size: float) -> None:
    """Add a row's load to the response's loads."""
    response = rows.response
    for s in range(SIDES):
        i = rows.body[r, s]
        if i >= 0:
            response.touched[i] = 1
            for k in range(3):
                response.torque[i, k] += size * rows.load_torque[r, s, k]
                response.force[i, k] += size * rows.load_force[r, s, k]


@inner
def factor(tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows) -> None:
    """Find what a unit of each row's load does to all rows."""
    m, response = rows.used[0], rows.response
    rows.pivot[1] = 1.0
    for c in range(m):
        clear(response)
        _push(rows, c, 1.0)
        respond(tree, locked, motion, space, response)
        for r in range(m):
            rows.matrix[r, c] = _felt(rows, r, response.alpha, response.acc)
        own, ease = abs(rows.matrix[c, c]), _ease(tree, rows, c, space)
        # a load that joints carry already moves nothing; what is left is noise
        rows.scale[c] = 1.0 / math.sqrt(own) if own > NOISE * ease else 0.0
        if own > NOISE * ease and rows.soft[c] == 0.0:
            rows.pivot[1] = min(rows.pivot[1], own / ease)
        if rows.soft[c] != 0.0:
            rows.matrix[c, c] += rows.soft[c]
            rows.scale[c] = 1.0 / math.sqrt(abs(rows.matrix[c, c]))


@inner
def _ease(tree: Tree, rows: Rows, r: int, space: Workspace) -> float:
    """Give about how much a unit of a row's load would move its bodies, each with what it carries."""
    out = 0.0
    for s in range(SIDES):
        i = rows.body[r, s]
        if i >= 0:
            torque = rows.torque[r, s, 0], rows.torque[r, s, 1], rows.torque[r, s, 2]
            force = rows.force[r, s, 0], rows.force[r, s, 1], rows.force[r, s, 2]
            turn, shift = _heaviness(space, i)
            while turn <= NOISE * max(shift, NOISE) and tree.parent[i] >= 0:
                # without inertia it turns with what holds it, without mass it moves with that, too
                if shift > 0.0:
                    out += dot(force, force) / shift
                torque = plus_cross(torque, read3(space.r, i), force)
                i = tree.parent[i]
                turn, shift = _heaviness(space, i)
            if turn > NOISE * max(shift, NOISE):
                out += dot(torque, torque) / turn
            if shift > 0.0:
                out += dot(force, force) / shift
    return out


@inlined
def _heaviness(space: Workspace, i: int) -> tuple[float, float]:
    """Give the sums of a body's inertia and mass with what it carries."""
    turn = space.A[i, 0] + space.A[i, 1] + space.A[i, 2]
    return turn, space.M[i, 0] + space.M[i, 1] + space.M[i, 2]


@inner
def solve(rows: Rows) -> None:
    """Find the loads with which `matrix load = rhs`, by elimination with complete pivoting.

    Dependent rows are found by their vanishing pivots and carry no load.
    """
    m, work, order = rows.used[0], rows.work, rows.order
    # rows of one size, whatever their units
    for r in range(m):
        for c in range(m):
            work[r, c] = rows.matrix[r, c] * rows.scale[r] * rows.scale[c]
        work[r, m] = rows.rhs[r] * rows.scale[r]
        order[r] = r
    rank, rows.pivot[0] = 0, 1.0
    for p in range(m):
        best, br, bc = 0.0, p, p
        for r in range(p, m):
            for c in range(p, m):
                if abs(work[r, c]) > best:
                    best, br, bc = abs(work[r, c]), r, c
        if not best > DEPENDENT:
            break
        rank += 1
        rows.pivot[0] = min(rows.pivot[0], best)
        for c in range(m + 1):
            work[p, c], work[br, c] = work[br, c], work[p, c]
        for r in range(m):
            work[r, p], work[r, bc] = work[r, bc], work[r, p]
        order[p], order[bc] = order[bc], order[p]
        for r in range(p + 1, m):
            f = work[r, p] / work[p, p]
            if f != 0.0:
                for c in range(p, m + 1):
                    work[r, c] -= f * work[p, c]
    rows.used[1] = rank
    for p in range(rank - 1, -1, -1):
        x = work[p, m]
        for c in range(p + 1, rank):
            x -= work[p, c] * work[c, m]
        work[p, m] = x / work[p, p]
    for p in range(m):
        r = order[p]
        rows.load[r] = work[p, m] * rows.scale[r] if p < rank else 0.0


@inner
def respond_to_all(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows
) -> None:
    """Give the response to all rows' loads together."""
    clear(rows.response)
    for r in range(rows.used[0]):
        _push(rows, r, rows.load[r])
    respond(tree, locked, motion, space, rows.response)


@separate
def constrain(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows, rates: Array
) -> None:
    """Correct `rates` and the accelerations in `space` so that all rows are fulfilled."""
    factor(tree, locked, motion, space, rows)
    for r in range(rows.used[0]):
        rows.rhs[r] = -_felt(rows, r, space.alpha, space.acc) - rows.bias[r]
    solve(rows)
    respond_to_all(tree, locked, motion, space, rows)
    response = rows.response
    for i in range(len(tree.parent)):
        if response.touched[i]:
            for k in range(3):
                space.alpha[i, k] += response.alpha[i, k]
                space.acc[i, k] += response.acc[i, k]
                space.n[i, k] += response.n[i, k]
                space.f[i, k] += response.f[i, k]
    for n in range(len(rates)):
        rates[n] += response.rates[n]


@separate
def find_impulses(rows: Rows) -> None:
    """Find the impulses that stop what rows forbid, by the factors of the last evaluation."""
    for r in range(rows.used[0]):
        rows.rhs[r] = 0.0 if rows.soft[r] != 0.0 else -rows.speed[r]
    solve(rows)


@inner
def work_of_loads(motion: Motion, rows: Rows) -> float:
    """The work of all rows' loads as impulses, each at the mean of both speeds.

    `motion` is that before them, the response theirs. A load that leans against sliding works along its
    own direction. What laws of rows take stays in their masses, and what is done at prescribed rates is work of
    what is driven.
    """
    work, response = 0.0, rows.response
    for r in range(rows.used[0]):
        if rows.soft[r] != 0.0:
            continue
        for s in range(SIDES):
            i = rows.body[r, s]
            if i >= 0:
                for k in range(3):
                    w = motion.w[i, k] + 0.5 * response.alpha[i, k]
                    u = motion.v[i, k] + 0.5 * response.acc[i, k]
                    part = rows.load_torque[r, s, k] * w + rows.load_force[r, s, k] * u
                    work += rows.load[r] * part
        work -= rows.load[r] * rows.rate[r]
    return work


@inner
def book_driven(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows, v: Array
) -> None:
    """Gather the work that what is driven, and rows that prescribe a rate, do in the impulses of all rows."""
    rows.driven[0] += work_of_drives(tree, locked, motion, space, rows.response, v)
    for r in range(rows.used[0]):
        rows.driven[0] += rows.load[r] * rows.rate[r]


@inner
def correct_speeds(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows, v: Array
) -> float:
    """Change speeds by the impulses that stop what rows forbid, and give their work.

    The factors are those of the last evaluation.
    """
    find_impulses(rows)
    respond_to_all(tree, locked, motion, space, rows)
    for n in range(len(v)):
        v[n] += rows.response.rates[n]
    book_driven(tree, locked, motion, space, rows, v)
    return work_of_loads(motion, rows)


@inner
def correct_places(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows, x: Array
) -> None:
    """The small displacement, least in the sense of kinetic energy, that closes the errors."""
    for r in range(rows.used[0]):
        rows.rhs[r] = -rows.error[r] if rows.held[r] and rows.soft[r] == 0.0 else 0.0
    solve(rows)
    respond_to_all(tree, locked, motion, space, rows)
    for n in range(len(x)):
        x[n] = rows.response.rates[n]


@kernel
def worst(rows: Rows) -> tuple[float, float]:
    """The largest error of place and of speed."""
    place = speed = 0.0
    for r in range(rows.used[0]):
        if rows.soft[r] == 0.0:
            speed = max(speed, abs(rows.speed[r]))
            if rows.held[r]:
                place = max(place, abs(rows.error[r]))
    return place, speed


@inner
def load_on_body(rows: Rows, first: int, count: int, body: int, out: Array, at: int) -> None:
    """Give torque about O and force of some rows together on a body, ground axes, from `at` on."""
    for k in range(3):
        torque = force = 0.0
        for r in range(first, first + count):
            for s in range(SIDES):
                if rows.body[r, s] == body:
                    torque += rows.load[r] * rows.load_torque[r, s, k]
                    force += rows.load[r] * rows.load_force[r, s, k]
        out[at + k], out[at + 3 + k] = torque, force


@inner
def force_on_first(rows: Rows, first: int, count: int, out: Array) -> None:
    """Give the force of some rows together on their first body, ground axes."""
    _on_first(rows, rows.load_force, first, count, out)


@inner
def torque_on_first(rows: Rows, first: int, count: int, out: Array) -> None:
    """Give the torque of some rows together on their first body, ground axes: of those that have no force."""
    _on_first(rows, rows.load_torque, first, count, out)


@inlined
def _on_first(rows: Rows, load: Array, first: int, count: int, out: Array) -> None:
    for k in range(3):
        out[k] = 0.0
        for r in range(first, first + count):
            if rows.body[r, 0] >= 0:
                out[k] += rows.load[r] * load[r, 0, k]
            else:
                out[k] -= rows.load[r] * load[r, 1, k]
