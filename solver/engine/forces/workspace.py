"""What evaluations of a system need and leave."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.rows import Rows
from solver.engine.dynamics.tree import Applied, Array, Motion, Workspace
from solver.engine.forces.impulses import Impacts
from solver.engine.jit.kernels import struct


@struct
class Work(NamedTuple):
    """What one evaluation needs and leaves: made once, so that a step allocates nothing."""

    motion: Motion
    space: Workspace
    applied: Applied
    sums: Array
    load: Array
    held: Array
    on_b: Array
    bushing: Array
    g: Array
    rows: Rows
    impacts: Impacts
