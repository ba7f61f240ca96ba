"""Make prescribed loads into arrays."""

from __future__ import annotations

import numpy as np

from solver.engine.forces.loads import Loads
from solver.engine.maths import profile
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.points import point_on
from solver.model.tree import Trees
from solver.project.document import Project
from solver.project.histories import scaled


def compile_loads(
    project: Project, trees: Trees, functions: Numbered
) -> tuple[Loads, tuple[float, ...]]:
    """Give all loads, and the times at which they break."""
    rows = project.loads
    points = [point_on(trees, load.segment, load.point_m) for load in rows]
    histories = [scaled(functions[load.history], 1.0) for load in rows]
    directions = reals((load.direction for load in rows), 3)
    loads = Loads(
        body=wholes(body for body, _ in points),
        turns=wholes(load.kind == "torque" for load in rows),
        fixed=wholes(load.axes == "ground" for load in rows),
        point=reals((at for _, at in points), 3),
        direction=directions / np.linalg.norm(directions, axis=1, keepdims=True),
        history=profile.joined(histories),
    )
    return loads, tuple(t for h in histories for t in h.start[1:])
