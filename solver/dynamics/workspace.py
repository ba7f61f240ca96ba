"""The workspace of the articulated-body method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.dynamics.tree import Array, Tree
from solver.maths.bundles import bundle

SOLVED = -1
"""What `accelerations` gives when all went well; otherwise the body that has no inertia to move."""


TINY = 1e-14
"""Inertia of a freedom, relative to what its subtree carries, below which it counts as none."""


@bundle
class Workspace(NamedTuple):
    """Hold what the method needs on its way; made once, so that a step allocates nothing."""

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


def make_workspace(tree: Tree) -> Workspace:
    """Make the workspace of one tree."""
    n = len(tree.parent)
    sizes = (6, 9, 6, 3, 3, 6, 6, 3, 6, 3, 3, 3, 3)
    return Workspace(*(np.zeros((n, size)) for size in sizes))
