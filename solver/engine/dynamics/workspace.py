"""The workspace of the articulated-body method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, Tree
from solver.engine.jit.structs import struct

SOLVED = -1
"""What `accelerations` returns when all went well; otherwise the body that has no inertia to move."""


TINY = 1e-14
"""Inertia of a freedom, relative to what its subtree carries, below which it counts as none."""


@struct
class Applied(NamedTuple):
    """Loads of one evaluation: torque and force on each body about its origin O, ground axes, `tau` on each freedom.

    `tau` of a BALL is in body axes; of a FREE body: force in ground axes, torque in body axes.
    """

    torque: Array
    force: Array
    tau: Array


@struct
class Workspace(NamedTuple):
    """What the method needs on its way, a row for each body; made once, so that a step allocates nothing.

    Articulated inertia by its parts A, B, M and bias by its couple n and force f; U, D and u of the joint (`D` and
    `u` are one number for an axis, the inverse of A and a couple for a ball); the joint's acceleration c, its arm
    r from the parent's origin and its axis e; the accelerations alpha of the body and acc of its origin.
    """

    A: Array
    B: Array
    M: Array
    n: Array
    f: Array
    U: Array
    D: Array
    u: Array
    c: Array
    r: Array
    e: Array
    alpha: Array
    acc: Array


def make_applied(tree: Tree, speeds: int) -> Applied:
    """Make the loads of one tree, all nought."""
    n = len(tree.parent)
    return Applied(np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(speeds))


def make_workspace(tree: Tree) -> Workspace:
    """Make the workspace of one tree."""
    n = len(tree.parent)
    sizes = (6, 9, 6, 3, 3, 6, 6, 3, 6, 3, 3, 3, 3)
    return Workspace(*(np.zeros((n, size)) for size in sizes))
