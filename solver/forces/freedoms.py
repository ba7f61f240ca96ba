"""Rows of single freedoms of joints, and the impulse that stops them or turns them round (section 7.6)."""

from __future__ import annotations

from solver.dynamics.rows import Rows, book_driven, factor, new_row, respond_to_all, set_part, solve
from solver.dynamics.tree import SLIDE, Array, IntArray, Motion, Tree
from solver.dynamics.workspace import Workspace
from solver.maths.kernels import inner


@inner
def axis_of(tree: Tree, motion: Motion, i: int, out: Array) -> None:
    """Give the axis of a turn or slide, ground axes."""
    R, e = motion.R, tree.axis
    m = tree.parent[i] if tree.kind[i] == SLIDE else i
    for k in range(3):
        out[k] = e[i, k]
        if m >= 0:
            out[k] = R[m, 3 * k] * e[i, 0] + R[m, 3 * k + 1] * e[i, 1] + R[m, 3 * k + 2] * e[i, 2]


@inner
def turn_row(rows: Rows, tree: Tree, motion: Motion, i: int, axis: Array) -> None:
    """Add a row for the turning of a body against its parent about an axis."""
    r = new_row(rows)
    x, y, z = axis[0], axis[1], axis[2]
    set_part(rows, motion, r, 0, i, x, y, z, 0.0, 0.0, 0.0)
    set_part(rows, motion, r, 1, tree.parent[i], -x, -y, -z, 0.0, 0.0, 0.0)


@inner
def slide_row(rows: Rows, tree: Tree, motion: Motion, i: int, axis: Array) -> None:
    """Add a row for the sliding of a body along an axis of its parent."""
    r, m = new_row(rows), tree.parent[i]
    x, y, z = axis[0], axis[1], axis[2]
    set_part(rows, motion, r, 0, i, 0.0, 0.0, 0.0, x, y, z)
    if m >= 0:
        p = motion.p
        a, b, c = p[i, 0] - p[m, 0], p[i, 1] - p[m, 1], p[i, 2] - p[m, 2]
        set_part(rows, motion, r, 1, m, c * y - b * z, a * z - c * x, b * x - a * y, -x, -y, -z)


@inner
def strike(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows, first: int,
    restitution: float, v: Array,
) -> float:  # fmt: skip
    """Turn the speeds of the rows from `first` on around by an impulse that keeps all constraints."""
    factor(tree, locked, motion, space, rows)
    for r in range(rows.used[0]):
        rows.rhs[r] = -(1.0 + restitution) * rows.speed[r] if r >= first else 0.0
    solve(rows)
    respond_to_all(tree, locked, motion, space, rows)
    for k in range(len(v)):
        v[k] += rows.response.rates[k]
    book_driven(tree, locked, motion, space, rows, v)
    work = 0.0
    for r in range(first, rows.used[0]):
        work += 0.5 * rows.load[r] * (1.0 - restitution) * rows.speed[r]
    rows.used[0] = first
    return work
