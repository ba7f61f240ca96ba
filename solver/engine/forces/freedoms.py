"""Rows of single freedoms of joints, and the impulse that stops them or turns them round (section 7.6)."""

from __future__ import annotations

from solver.engine.dynamics.rows import (
    Rows,
    book_driven,
    factor,
    new_row,
    respond_to_all,
    solve,
    take_part,
)
from solver.engine.dynamics.tree import SLIDE, Array, IntArray, Motion, Tree
from solver.engine.dynamics.workspace import Workspace
from solver.engine.jit.kernels import inner
from solver.engine.maths.spatial import (
    NOUGHT,
    cross,
    less,
    mat_on,
    read,
    read3,
    read9,
    scaled,
    write,
)


@inner
def axis_of(tree: Tree, motion: Motion, i: int, out: Array) -> None:
    """Write the axis of a turn or slide, ground axes."""
    m = tree.parent[i] if tree.kind[i] == SLIDE else i
    axis = read3(tree.axis, i)
    write(out, 0, mat_on(read9(motion.R, m), axis) if m >= 0 else axis)


@inner
def turn_row(rows: Rows, tree: Tree, motion: Motion, i: int, axis: Array) -> None:
    """Add a row for the turning of a body against its parent about an axis."""
    r, about = new_row(rows), read(axis, 0)
    take_part(rows, motion, r, 0, i, about, NOUGHT)
    take_part(rows, motion, r, 1, tree.parent[i], scaled(-1.0, about), NOUGHT)


@inner
def slide_row(rows: Rows, tree: Tree, motion: Motion, i: int, axis: Array) -> None:
    """Add a row for the sliding of a body along an axis of its parent."""
    r, m, along = new_row(rows), tree.parent[i], read(axis, 0)
    take_part(rows, motion, r, 0, i, NOUGHT, along)
    if m >= 0:
        arm = less(read3(motion.p, i), read3(motion.p, m))
        take_part(rows, motion, r, 1, m, cross(along, arm), scaled(-1.0, along))


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
